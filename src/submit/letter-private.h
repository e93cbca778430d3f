/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of letter.h. */
#pragma once

#include "submit/letter.h"
#include "submit/target-private.h"

#define MTW_PLACE_REPORT_ID "REPORTID"

/*
 * mtw_place_next: the next @PLACE@ in @text. @ret_start, @ret_end: (out): it with both "@"
 * Returns: (transfer full) (nullable): its name
 */
char *mtw_place_next(const char *text, const char **ret_start, const char **ret_end);

/* mtw_place_is_block: has many lines, and so a line of the template for itself. */
gboolean mtw_place_is_block(const char *name);

/* letter-value.c: texts from anywhere, so that they can say nothing but themselves */

/*
 * mtw_value_line: as part of a line of the body: nobody is called, no issue is linked or closed.
 * Returns: (transfer full): "" when nothing is left
 */
char *mtw_value_line(const char *text, MtwMarkup markup);

/* mtw_value_block: as lines of their own, at most @max_bytes of it. Returns: (transfer full): "" or lines with LF */
char *mtw_value_block(const char *text, gsize max_bytes, MtwMarkup markup);

/* mtw_value_title: as part of a title, which no markup can protect. Returns: (transfer full) */
char *mtw_value_title(const char *text, MtwMarkup markup);

/* mtw_value_cut: @text shortened to @max_bytes, between characters. */
void mtw_value_cut(char *text, gsize max_bytes);
