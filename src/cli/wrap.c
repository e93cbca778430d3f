/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in the columns of a terminal, where a Korean letter takes two. */
#include "base/text.h"
#include "cli/cli.h"

#include <glib/gi18n.h>

#define WIDTH 78

const char *mtw_cli_translate(const char *msgid)
{
	return msgid[0] != '\0' ? _(msgid) : msgid;
}

char *mtw_cli_pad(const char *text, gsize columns)
{
	gsize width = mtw_text_columns(text);

	return g_strdup_printf("%s%*s", text, (int)(columns > width ? columns - width : 0), "");
}

char *mtw_cli_pad_left(const char *text, gsize columns)
{
	gsize width = mtw_text_columns(text);

	return g_strdup_printf("%*s%s", (int)(columns > width ? columns - width : 0), "", text);
}

/* Puts one word, on a new line when there is no room for it. Returns: the column after it */
static gsize put_word(FILE *file, const char *word, const char *indent, gsize column)
{
	gsize width = mtw_text_columns(word);
	gboolean first = column == 0;

	if (!first && column + 1 + width > WIDTH) {
		fputc('\n', file);
		first = TRUE;
	}
	fputs(first ? indent : " ", file);
	fputs(word, file);
	return (first ? mtw_text_columns(indent) : column + 1) + width;
}

static void print_line(FILE *file, const char *line, const char *indent)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	gsize column = 0;

	for (char **word = words; *word != NULL; word++)
		column = put_word(file, *word, indent, column);
	fputc('\n', file);
}

void mtw_cli_print_wrapped(FILE *file, const char *text, const char *indent)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line != NULL; line++)
		print_line(file, *line, indent);
}
