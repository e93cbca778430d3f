/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/cli.h"

#define WIDTH 78

/* Puts one word, on a new line when there is no room for it. Returns: the column after it */
static glong put_word(FILE *file, const char *word, const char *indent, glong column)
{
	glong length = g_utf8_strlen(word, -1);
	gboolean first = column == 0;

	if (!first && column + 1 + length > WIDTH) {
		fputc('\n', file);
		first = TRUE;
	}
	if (first)
		column = fprintf(file, "%s", indent);
	else
		column += fprintf(file, " ");
	fputs(word, file);
	return column + length;
}

static void print_line(FILE *file, const char *line, const char *indent)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	glong column = 0;

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
