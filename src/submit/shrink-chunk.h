/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packing on all processors: each chunk of the data becomes a stream of its own, and streams one behind the other are
 * what unpacking tools take as one. libarchive's own threads could not be stopped before they have packed all they have.
 */
#pragma once

#include "submit/shrink-private.h"

typedef struct _MtwChunks MtwChunks;

/* mtw_chunks_new: @format: "tar.xz" or "tar.zst"; @out: where the streams are written. Returns: (transfer full) */
MtwChunks *mtw_chunks_new(const char *format, int out, guint64 total, const MtwShrinkHooks *hooks);
/* mtw_chunks_free: stops what is under way. */
void mtw_chunks_free(MtwChunks *chunks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwChunks, mtw_chunks_free)

/* mtw_chunks_block: room for the next chunk. (transfer none) */
char *mtw_chunks_block(MtwChunks *chunks, gsize *ret_bytes);

/*
 * mtw_chunks_add: the chunk that is in the block now; waits until there is room for one more. @read_bytes: how far the
 * packed original was read for it, for the progress. Errors: MTW_ERROR_DISK, MTW_ERROR_INTERRUPTED
 */
gboolean mtw_chunks_add(MtwChunks *chunks, gsize bytes, guint64 read_bytes, GError **error);

/* mtw_chunks_finish: until all is written. */
gboolean mtw_chunks_finish(MtwChunks *chunks, GError **error);
