/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of shrink.h. */
#pragma once

#include "base/hash.h"
#include "submit/shrink.h"

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
