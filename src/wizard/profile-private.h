/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of profile.h. */
#pragma once

#include "base/key-file.h"
#include "wizard/profile.h"

/* profile-match.c: lists of patterns in [Match] and [Hint]. */

/*
 * mtw_patterns_check: each of @patterns is hexadecimal, "10de" or a range "1e00-2fff", with a
 * number of digits that is in @digits ("4", or "246"). Returns: (transfer none) (nullable): the
 * first that is not
 */
const char *mtw_patterns_check(char **patterns, const char *digits);

/*
 * mtw_patterns_fit: @value of @n_digits fits one of @patterns by their leading digits.
 * Returns: the most digits that fit, or 0
 */
guint mtw_patterns_fit(char **patterns, guint32 value, guint n_digits);

/* mtw_patterns_fit_name: "*" and "?" match; "-" and "_" are the same, as in names of modules. */
gboolean mtw_patterns_fit_name(char **patterns, const char *name);

/* profile-hint.c */

/* mtw_hint_read: Returns: (transfer full) (nullable): mtw_hint_free frees it */
MtwHint *mtw_hint_read(const MtwKeyFile *file, const MtwKeyGroup *group, GError **error);
void mtw_hint_free(gpointer hint);

/* mtw_options_check: module options: words "name=value" or "name", without quotes. */
gboolean mtw_options_check(const char *options);

/* profile-story.c */

/* mtw_question_read: Returns: (transfer full) (nullable): mtw_question_free frees it */
MtwQuestion *mtw_question_read(const MtwKeyFile *file, const MtwKeyGroup *group, GError **error);
void mtw_question_free(gpointer question);
