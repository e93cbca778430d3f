/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that a person typed, made safe for a place with rules of its own. */
#pragma once

#include <glib.h>

/* The longest marker: 6.1 takes 1024 bytes in one write, more would become a second line. */
#define MTW_MARKER_MAX_BYTES 1000

/*
 * mtw_text_clean_marker: one line for trace_marker: valid UTF-8, control characters (also line ends
 * and NUL, which would forge records) replaced by a space, ends trimmed, cut at MTW_MARKER_MAX_BYTES
 * on a character boundary.
 * @bytes: length of @text, which may hold NUL; or -1
 * Returns: (transfer full): "" when nothing is left
 */
char *mtw_text_clean_marker(const char *text, gssize bytes);

/*
 * mtw_text_clean_name: a part of a file name: only [A-Za-z0-9._-]; other runs become one "-"; no
 * leading "." or "-"; at most 64 bytes.
 * Returns: (transfer full) (nullable): NULL when nothing is left
 */
char *mtw_text_clean_name(const char *text);

/*
 * mtw_text_clean_line: any bytes (kernel texts, command output) as valid UTF-8 without control
 * characters, so that they cannot steer a terminal. Returns: (transfer full)
 */
char *mtw_text_clean_line(const char *text);

/* mtw_text_bytes: "1.4 GiB" for people, as their language writes it. Returns: (transfer full) */
char *mtw_text_bytes(guint64 bytes);

/* mtw_text_bytes_data: the same in English, for what is stored or sent. Returns: (transfer full) */
char *mtw_text_bytes_data(guint64 bytes);

/* mtw_text_columns: how wide @text is on a terminal: Korean letters take two columns, combining marks none. */
gsize mtw_text_columns(const char *text);
