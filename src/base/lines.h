/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of many lines from anywhere, made safe for a text file that people read on a terminal. */
#pragma once

#include <glib.h>

/*
 * mtw_lines_clean: valid UTF-8, line ends "\n" (also the last line has one), no control characters
 * but newline and tab.
 * @bytes: length of @text, which may hold NUL; or -1
 * Returns: (transfer full): "" for no text
 */
char *mtw_lines_clean(const char *text, gssize bytes);
