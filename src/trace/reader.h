/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace from a file: plain, compressed (gz xz zst bz2), or the trace inside an archive as people
 * send it (pciid-nick-mmiotrace.tar.gz: mydump.txt, else the largest member that looks like a
 * trace). libarchive does the unpacking; nothing is written to disk, sizes are not limited.
 */
#pragma once

#include <glib.h>

typedef struct _MtwTraceReader MtwTraceReader;

/*
 * mtw_trace_reader_open: @path: file name (a symbolic link is followed)
 * mtw_trace_reader_open_fd: @fd: the reader takes it over, also on error. It is read from where it
 * stands. In an archive that comes through a pipe the first member that looks like a trace is
 * taken, for it cannot be looked through first.
 *
 * Errors: MTW_ERROR_NOT_FOUND, MTW_ERROR_PERMISSION, MTW_ERROR_INVALID (an archive without a trace)
 *
 * Returns: (transfer full) (nullable)
 */
MtwTraceReader *mtw_trace_reader_open(const char *path, GError **error);
MtwTraceReader *mtw_trace_reader_open_fd(int fd, GError **error);
void mtw_trace_reader_free(MtwTraceReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwTraceReader, mtw_trace_reader_free)

/* mtw_trace_reader_member: the archive member it reads, or NULL for a plain file. */
const char *mtw_trace_reader_member(const MtwTraceReader *reader);

/*
 * mtw_trace_reader_read: the next block, at most @bytes.
 * Returns: bytes read, 0 at the end, -1 on error (MTW_ERROR_INVALID: damaged or cut archive)
 */
gssize mtw_trace_reader_read(MtwTraceReader *reader, void *buffer, gsize bytes, GError **error);
