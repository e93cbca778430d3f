/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of sftp share. */
#pragma once

#include "submit/sftp.h"

/* mtw_sftp_handle: ready but for address and work; logged in with what the server takes. (transfer none) (nullable) */
CURL *mtw_sftp_handle(MtwJob *job, GError **error);

/* mtw_sftp_set_root: the address of the server alone */
void mtw_sftp_set_root(MtwJob *job, CURL *easy);

/* mtw_sftp_fail: a failed call in SFTP's own words. @cause: (transfer full). Returns: FALSE */
gboolean mtw_sftp_fail(MtwJob *job, GError *cause, GError **error);
