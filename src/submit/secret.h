/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A token or password in memory: locked, left out of core dumps, wiped when freed. */
#pragma once

#include <glib.h>

typedef struct _MtwSecret MtwSecret;

/* mtw_secret_new: a copy of @text, without line ends at its end. The first one makes the process undumpable. */
MtwSecret *mtw_secret_new(const char *text, gsize bytes);
MtwSecret *mtw_secret_copy(const MtwSecret *secret);
void mtw_secret_free(MtwSecret *secret);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwSecret, mtw_secret_free)

/* mtw_secret_text: NUL-terminated. (transfer none): never print, log, store or put on a command line */
const char *mtw_secret_text(const MtwSecret *secret);

/* mtw_secret_is_usable: not empty, no control characters (they could forge a header). */
gboolean mtw_secret_is_usable(const MtwSecret *secret, GError **error);

/* mtw_secret_wipe: overwrites @bytes that had a secret in them. */
void mtw_secret_wipe(void *data, gsize bytes);
