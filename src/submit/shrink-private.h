/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 by libcrypto, which uses the processor's own instructions: five times as fast as GChecksum. */
#pragma once

#include "submit/shrink.h"

typedef struct _MtwHash MtwHash;

MtwHash *mtw_hash_new(void);
void mtw_hash_free(MtwHash *hash);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwHash, mtw_hash_free)

void mtw_hash_add(MtwHash *hash, const void *data, gsize bytes);

/* mtw_hash_finish: @ret_text: 64 hexadecimal digits (transfer full). Errors: MTW_ERROR_FAILED: libcrypto failed */
gboolean mtw_hash_finish(MtwHash *hash, char **ret_text, GError **error);

/*
 * mtw_hash_add_file: all of an open file, from its beginning, into one or two sums.
 * @also: (nullable)
 */
gboolean mtw_hash_add_file(MtwHash *hash, MtwHash *also, int fd, const MtwShrinkHooks *hooks,
			   guint64 *ret_bytes, GError **error);

/* mtw_shrink_go_on: tells the progress. FALSE with MTW_ERROR_INTERRUPTED when it was cancelled. @hooks: (nullable) */
gboolean mtw_shrink_go_on(const MtwShrinkHooks *hooks, guint64 done, guint64 total, GError **error);

/* mtw_shrink_read: the next bytes at @offset, through EINTR. Returns: how many, 0 at the end, -1 with an error */
gssize mtw_shrink_read(int fd, void *block, gsize bytes, guint64 offset, GError **error);
