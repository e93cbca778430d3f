/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a person, a device's name or a trace says, in the text of a tracker. There "@name" calls people, "#12" links to an
 * issue, "Closes #12" closes it, and a line "/close" is a command. So it stands as code where there is code, and is taken
 * apart where there is none.
 */
#include "base/lines.h"
#include "base/text.h"
#include "submit/letter-private.h"

#include <string.h>

#define LINE_MAX_BYTES 300
#define FENCE_MIN 3

/* What Redmine shows as it is. */
#define PRE_BEGIN "<pre>\n"
#define PRE_END "</pre>\n"

#define CUT "[...] The rest is in the archive.\n"

void mtw_value_cut(char *text, gsize max_bytes)
{
	if (strlen(text) <= max_bytes)
		return;
	while (max_bytes > 0 && ((guchar)text[max_bytes] & 0xc0) == 0x80)
		max_bytes--;
	text[max_bytes] = '\0';
}

static char *clean_line(const char *text)
{
	char *clean = g_strstrip(mtw_text_clean_line(text));

	mtw_value_cut(clean, LINE_MAX_BYTES);
	return g_strchomp(clean);
}

/* "@name" and "#12", "!12" that are only text. */
static char *take_apart(const char *text)
{
	g_autoptr(GString) apart = g_string_new(NULL);

	for (; *text != '\0'; text++) {
		if (*text == '@')
			g_string_append(apart, "(at)");
		else if ((*text == '#' || *text == '!') && g_ascii_isalnum(text[1]))
			g_string_append_printf(apart, "%c ", *text);
		else
			g_string_append_c(apart, *text);
	}
	return g_string_free(g_steal_pointer(&apart), FALSE);
}

char *mtw_value_title(const char *text, MtwMarkup markup)
{
	g_autofree char *clean = clean_line(text);

	return markup == MTW_MARKUP_PLAIN ? g_steal_pointer(&clean) : take_apart(clean);
}

char *mtw_value_line(const char *text, MtwMarkup markup)
{
	g_autofree char *clean = clean_line(text);

	if (clean[0] == '\0' || markup == MTW_MARKUP_PLAIN)
		return g_steal_pointer(&clean);
	if (markup == MTW_MARKUP_REDMINE)
		return take_apart(clean);
	/* With one of its own it would end the code. */
	g_strdelimit(clean, "`", '\'');
	return g_strdup_printf("`%s`", clean);
}

/* One more than the longest row of backticks in @text. */
static char *fence_for(const char *text)
{
	gsize longest = FENCE_MIN - 1, length = 0;

	for (; *text != '\0'; text++) {
		length = *text == '`' ? length + 1 : 0;
		longest = MAX(longest, length);
	}
	return g_strnfill(longest + 1, '`');
}

/* A line that begins with "/" is a command to those that do not look for fences first. */
static char *markdown_block(const char *text)
{
	g_autofree char *fence = fence_for(text);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GString) block = g_string_new(NULL);

	g_string_append_printf(block, "%s\n", fence);
	for (char **line = lines; line[0] != NULL && line[1] != NULL; line++)
		g_string_append_printf(block, "%s%s\n", **line == '/' ? " " : "", *line);
	g_string_append_printf(block, "%s\n", fence);
	return g_string_free(g_steal_pointer(&block), FALSE);
}

static char *redmine_block(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "</", -1);
	g_autofree char *inside = g_strjoinv("< /", parts);

	return g_strconcat(PRE_BEGIN, inside, PRE_END, NULL);
}

/* Indented, no line can be a command or a header to a program that reads mails. */
static char *plain_block(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GString) block = g_string_new(NULL);

	for (char **line = lines; line[0] != NULL && line[1] != NULL; line++)
		g_string_append_printf(block, "%s%s\n", **line != '\0' ? "  " : "", *line);
	return g_string_free(g_steal_pointer(&block), FALSE);
}

/* Without empty lines at both ends, and with a word about what is missing. */
static char *clean_block(const char *text, gsize max_bytes)
{
	g_autofree char *lines = mtw_lines_clean(text, -1);
	gboolean cut = strlen(lines) > max_bytes;
	char *start = lines;

	mtw_value_cut(lines, max_bytes);
	for (char *at = lines; g_ascii_isspace(*at); at++)
		if (*at == '\n')
			start = at + 1;
	g_strchomp(start);
	if (*start == '\0')
		return g_strdup("");
	return g_strconcat(start, "\n", cut ? CUT : NULL, NULL);
}

char *mtw_value_block(const char *text, gsize max_bytes, MtwMarkup markup)
{
	g_autofree char *clean = clean_block(text, max_bytes);

	if (clean[0] == '\0')
		return g_steal_pointer(&clean);
	switch (markup) {
	case MTW_MARKUP_MARKDOWN:
		return markdown_block(clean);
	case MTW_MARKUP_REDMINE:
		return redmine_block(clean);
	default:
		return plain_block(clean);
	}
}
