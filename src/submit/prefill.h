/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of a tracker where a person writes a new report, with the texts filled in by its address. No I/O. */
#pragma once

#include "submit/kind.h"

/* mtw_prefill_check: an address, perhaps with @TITLE@ and @BODY@, without other places. Errors: MTW_ERROR_INVALID */
gboolean mtw_prefill_check(const char *page, GError **error);

/*
 * mtw_prefill_url: @page with the texts at its places; without places, in the fields that this kind of page has (GitLab,
 * Bugzilla, Redmine, GitHub, Gitea), and as it is when it is none of them. Servers take addresses of some 8000
 * characters: the body loses lines at its end until it fits, but not the one with the report's id.
 * @body: (nullable): instead of the letter's. Returns: (transfer full)
 */
char *mtw_prefill_url(const char *page, const MtwLetter *letter, const char *body);
