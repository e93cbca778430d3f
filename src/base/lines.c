/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/lines.h"

#include "base/text.h"

#include <string.h>

static gsize count_until_break(const char *text, gsize bytes)
{
	gsize length = 0;

	while (length < bytes && strchr("\t\r\n", text[length]) == NULL)
		length++;
	/* strchr finds the NUL too: it is a break here and becomes a space below. */
	return length;
}

/* Between tabs and line ends the rules of one line hold. */
char *mtw_lines_clean(const char *text, gssize bytes)
{
	gsize left = bytes < 0 ? strlen(text) : (gsize)bytes;
	GString *clean = g_string_sized_new(left + 1);

	while (left > 0) {
		gsize length = count_until_break(text, left);
		g_autofree char *piece = g_strndup(text, length);
		g_autofree char *safe = mtw_text_clean_line(piece);

		g_string_append(clean, safe);
		if (length == left)
			break;
		if (text[length] == '\0')
			g_string_append_c(clean, ' ');
		else if (text[length] == '\t')
			g_string_append_c(clean, '\t');
		else if (text[length] == '\n' || length + 1 == left || text[length + 1] != '\n')
			g_string_append_c(clean, '\n');
		text += length + 1;
		left -= length + 1;
	}
	if (clean->len > 0 && clean->str[clean->len - 1] != '\n')
		g_string_append_c(clean, '\n');
	return g_string_free(clean, FALSE);
}
