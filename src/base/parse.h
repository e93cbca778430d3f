/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strict parsing of the small texts of kernel files and of the command line. No I/O.
 * "Strict": the whole text must be the thing (one final newline is allowed), no sign, no spaces, no
 * overflow.
 */
#pragma once

#include <glib.h>

/* mtw_parse_u64: @text in @base (10 or 16; base 16 takes an optional 0x). */
gboolean mtw_parse_u64(const char *text, guint base, guint64 *ret_value);

/* mtw_parse_uint: a decimal number within [min, max]. */
gboolean mtw_parse_uint(const char *text, guint min, guint max, guint *ret_value);

/* PCI address, "0000:01:00.0" or, with domain 0, "01:00.0". Domains of Intel VMD have five digits. */
typedef struct {
	guint32 domain;
	guint8 bus;
	guint8 device;	 /* 0..31 */
	guint8 function; /* 0..7 */
} MtwBdf;

#define MTW_BDF_TEXT_BYTES 16

gboolean mtw_parse_bdf(const char *text, MtwBdf *ret_bdf);

/* mtw_bdf_format: writes "dddd:bb:dd.f" to @text, which has MTW_BDF_TEXT_BYTES. Returns: @text */
char *mtw_bdf_format(const MtwBdf *bdf, char *text);

/*
 * mtw_parse_cpu_list: "0-3,5" to a sorted array of guint. An empty text is an empty list.
 * Returns: (transfer full) (nullable): NULL when the text is not a CPU list or a number is > 65535
 */
GArray *mtw_parse_cpu_list(const char *text);

/*
 * mtw_parse_buffer_size_kb: what buffer_size_kb reads: "1408", "7 (expanded: 1408)" (the first
 * number is the size now), "X" (sizes differ; FALSE).
 */
gboolean mtw_parse_buffer_size_kb(const char *text, guint64 *ret_size_kb);

/* mtw_parse_bracketed: the chosen word of "local [global] counter". Returns: (transfer full) (nullable) */
char *mtw_parse_bracketed(const char *text);

/* mtw_parse_has_word: whether @word is one of the space-separated words of @text. */
gboolean mtw_parse_has_word(const char *text, const char *word);
