/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading files that a driver or a device answers: such a read(2) can hang in the kernel for good,
 * and a process with a hanging thread cannot even be ended. So a forked process reads, which holds
 * nothing of ours (no lock, no terminal, no pipe). When it does not answer in time it is killed,
 * and if that does not help either, left alone; the next read gets a new one.
 */
#pragma once

#include <glib.h>

/* Not thread-safe: one thread, one reader. */
typedef struct _MtwReader MtwReader;

typedef struct {
	gsize max_bytes;      /* what is over is not read */
	gint64 deadline_usec; /* g_get_monotonic_time() */
	gboolean only_these;  /* not one byte more, not even to see whether there is one */
} MtwReadLimits;

/* What comes, in pieces. Returns: FALSE: no more of it is wanted */
typedef gboolean (*MtwReadSink)(const void *data, gsize bytes, gpointer user_data);

/* mtw_reader_new: starts nothing yet. Returns: (transfer full) */
MtwReader *mtw_reader_new(void);
void mtw_reader_free(MtwReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwReader, mtw_reader_free)

/*
 * mtw_reader_stream: the bytes of the file @path to @sink.
 * @ret_cut: (out) (nullable): it has more than max_bytes
 * Returns: FALSE: MTW_ERROR_TIMEOUT, or what the kernel said; what came before went to @sink
 */
gboolean mtw_reader_stream(MtwReader *reader, const char *path, const MtwReadLimits *limits,
			   MtwReadSink sink, gpointer user_data, gboolean *ret_cut, GError **error);

/*
 * mtw_reader_read: all bytes of the file @path, with a NUL behind them.
 * @ret_bytes, @ret_cut: (out) (nullable)
 * Returns: (transfer full) (nullable): NULL also when only a part could be read
 */
char *mtw_reader_read(MtwReader *reader, const char *path, const MtwReadLimits *limits,
		      gsize *ret_bytes, gboolean *ret_cut, GError **error);

/*
 * mtw_reader_read_rom: as mtw_reader_read, of the sysfs file `rom`: switched on (unless it was on
 * already), read, and switched off again by the reading process, whatever becomes of this one; when
 * that process hangs, by another.
 */
char *mtw_reader_read_rom(MtwReader *reader, const char *path, const MtwReadLimits *limits,
			  gsize *ret_bytes, gboolean *ret_cut, GError **error);
