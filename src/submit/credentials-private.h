/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places where a token can be, one function each. */
#pragma once

#include "submit/credentials.h"

/*
 * mtw_token_new: from what stands in a file or a variable: without white space around it.
 * @what: where it stands, for the error. Returns: (transfer full) (nullable)
 */
MtwSecret *mtw_token_new(const char *text, gsize bytes, const char *what, GError **error);

/* mtw_token_read_fd: all there is, at most 64 KiB. Returns: (transfer full) (nullable) */
MtwSecret *mtw_token_read_fd(int fd, const char *what, GError **error);

/*
 * mtw_token_read_file: only a regular file of this user that nobody else can read, not through a symbolic link.
 * Returns: (transfer full) (nullable)
 */
MtwSecret *mtw_token_read_file(const char *path, GError **error);

/* mtw_token_path: of the target's own file. Returns: (transfer full) (nullable): NULL when the user is another one */
char *mtw_token_path(const MtwTarget *target);
gboolean mtw_token_write_file(const char *path, const MtwSecret *secret, GError **error);

/*
 * mtw_keyring_find: FALSE when there is no keyring, or it does not answer. @ret_secret: (transfer full) (nullable)
 */
gboolean mtw_keyring_find(const MtwTarget *target, MtwSecret **ret_secret);
/* FALSE when it did not take it. */
gboolean mtw_keyring_store(const MtwTarget *target, const MtwSecret *secret);
/* FALSE with an error when there is a keyring that did not do it. */
gboolean mtw_keyring_clear(const MtwTarget *target, GError **error);
