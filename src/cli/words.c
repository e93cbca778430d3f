/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that events and files have for something, as words of the person's language. */
#include "base/text.h"
#include "cli/cli.h"

#include <glib/gi18n.h>

const char *mtw_cli_word(const MtwCliWord *words, const char *context, const char *name)
{
	for (; words->name != NULL; words++)
		if (g_str_equal(words->name, name))
			return g_dpgettext2(NULL, context, words->text);
	return name;
}

gsize mtw_cli_words_columns(const MtwCliWord *words, const char *context)
{
	gsize columns = 0;

	for (; words->name != NULL; words++) {
		const char *word = g_dpgettext2(NULL, context, words->text);
		columns = MAX(columns, mtw_text_columns(word));
	}
	return columns;
}

char *mtw_cli_word_padded(const MtwCliWord *words, const char *context, const char *name)
{
	return mtw_cli_pad(mtw_cli_word(words, context, name),
			   mtw_cli_words_columns(words, context));
}
