/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SFTP by libcurl: who the server is, who we are, and what a store needs. The server must be known: pinned in
 * the target file, or in a known_hosts file. We log in with the agent's keys, then the user's key files, then a password.
 */
#pragma once

#include "submit/kind.h"

/* mtw_sftp_log_in: finds out which key or password the server takes, once; the calls below do that themselves. */
gboolean mtw_sftp_log_in(MtwJob *job, GError **error);

/* mtw_sftp_look: @name: below the target's folder */
gboolean mtw_sftp_look(MtwJob *job, const char *name, gboolean *ret_exists, guint64 *ret_bytes,
		       GError **error);

/* mtw_sftp_put: @file, of which the server has the first @have bytes. Missing folders are made. */
gboolean mtw_sftp_put(MtwJob *job, const char *name, const MtwJobFile *file, guint64 have,
		      GError **error);

/* mtw_sftp_put_text: a small text; what is there is replaced. */
gboolean mtw_sftp_put_text(MtwJob *job, const char *name, const char *text, GError **error);

/* mtw_sftp_remove: Errors: also when it is not there */
gboolean mtw_sftp_remove(MtwJob *job, const char *name, GError **error);

/* mtw_sftp_rename: @ret_taken: @to is there already and stays as it is */
gboolean mtw_sftp_rename(MtwJob *job, const char *from, const char *to, gboolean *ret_taken,
			 GError **error);
