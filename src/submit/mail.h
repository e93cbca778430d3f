/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as a mail: the text for it, the server's handle, the file for a mail program. */
#pragma once

#include "submit/eml.h"

/* mtw_mail_new: the job's letter and files. @is_unsent: a mail program will send it. Returns: (transfer full) */
MtwEml *mtw_mail_new(const MtwJob *job, gboolean is_unsent);

/* mtw_mail_handle: of the target's server, encrypted, with the login. (transfer none) */
CURL *mtw_mail_handle(MtwJob *job);

/* mtw_mail_limit: how large a file may be, from what the server says of the whole mail (SIZE). 0: it does not say */
gboolean mtw_mail_limit(MtwJob *job, guint64 *ret_max_bytes, GError **error);

/* mtw_mail_write: NAME.eml into the job's folder; facts tell where it is. */
gboolean mtw_mail_write(MtwJob *job, GError **error);
