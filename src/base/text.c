/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text.h"

#include <string.h>

/* What GLib puts before the unit; people search and cut such output with other tools. */
#define NO_BREAK_SPACE "\302\240"

#define NAME_MAX_BYTES 64

/* Control characters, line separators and direction overrides as spaces. */
static gboolean is_unsafe(gunichar c)
{
	switch (g_unichar_type(c)) {
	case G_UNICODE_CONTROL:
	case G_UNICODE_LINE_SEPARATOR:
	case G_UNICODE_PARAGRAPH_SEPARATOR:
	case G_UNICODE_SURROGATE:
		return TRUE;
	default:
		return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
	}
}

/* A NUL-terminated copy of @text with the NULs inside it made spaces. */
static char *flatten(const char *text, gssize bytes)
{
	gsize length = bytes < 0 ? strlen(text) : (gsize)bytes;
	char *flat = g_malloc(length + 1);

	for (gsize i = 0; i < length; i++)
		flat[i] = text[i] != '\0' ? text[i] : ' ';
	flat[length] = '\0';
	return flat;
}

static GString *without_controls(const char *text, gssize bytes)
{
	GString *clean = g_string_new(NULL);
	g_autofree char *flat = flatten(text, bytes);
	g_autofree char *valid = g_utf8_make_valid(flat, -1);

	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		g_string_append_unichar(clean, is_unsafe(c) ? ' ' : c);
	}
	return clean;
}

/* Cuts @text to at most @max_bytes without splitting a character. */
static void cut_utf8(GString *text, gsize max_bytes)
{
	if (text->len <= max_bytes)
		return;
	while (max_bytes > 0 && ((guchar)text->str[max_bytes] & 0xc0) == 0x80)
		max_bytes--;
	g_string_truncate(text, max_bytes);
}

char *mtw_text_clean_marker(const char *text, gssize bytes)
{
	GString *clean = without_controls(text, bytes);

	g_strchug(clean->str);
	clean->len = strlen(clean->str);
	cut_utf8(clean, MTW_MARKER_MAX_BYTES);
	return g_strchomp(g_string_free(clean, FALSE));
}

char *mtw_text_clean_name(const char *text)
{
	GString *clean = g_string_new(NULL);

	for (const char *at = text; *at != '\0' && clean->len < NAME_MAX_BYTES; at++) {
		if (g_ascii_isalnum(*at) || (clean->len > 0 && strchr("._-", *at) != NULL))
			g_string_append_c(clean, *at);
		else if (clean->len > 0 && clean->str[clean->len - 1] != '-')
			g_string_append_c(clean, '-');
	}
	while (clean->len > 0 && strchr(".-", clean->str[clean->len - 1]) != NULL)
		g_string_truncate(clean, clean->len - 1);
	return g_string_free(clean, clean->len == 0);
}

char *mtw_text_clean_line(const char *text)
{
	return g_string_free(without_controls(text, -1), FALSE);
}

char *mtw_text_bytes(guint64 bytes)
{
	g_autofree char *text = g_format_size_full(bytes, G_FORMAT_SIZE_IEC_UNITS);
	g_auto(GStrv) parts = g_strsplit(text, NO_BREAK_SPACE, -1);

	return g_strjoinv(" ", parts);
}

char *mtw_text_bytes_data(guint64 bytes)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	char number[G_ASCII_DTOSTR_BUF_SIZE];
	double size = (double)bytes / 1024;
	gsize unit = 0;

	if (bytes < 1024)
		return g_strdup_printf("%u %s", (guint)bytes, bytes == 1 ? "byte" : "bytes");
	while (size >= 1024) {
		size /= 1024;
		unit++;
	}
	return g_strdup_printf("%s %s", g_ascii_formatd(number, sizeof number, "%.1f", size),
			       units[unit]);
}

gsize mtw_text_columns(const char *text)
{
	gsize columns = 0;

	for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		if (!g_unichar_iszerowidth(c))
			columns += g_unichar_iswide(c) ? 2 : 1;
	}
	return columns;
}
