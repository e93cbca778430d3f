/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/archive.h"

#include "base/error.h"
#include "base/text.h"

/* @what: what the text is, for the message */
static char *clean_part(const char *text, const char *what, GError **error)
{
	char *clean = mtw_text_clean_name(text);

	if (clean == NULL) {
		g_autofree char *shown = mtw_text_clean_line(text);
		g_set_error(
			error, MTW_ERROR, MTW_ERROR_USAGE,
			"the %s \"%s\" has no character that a file name can have: use A-Z a-z 0-9",
			what, shown);
	}
	return clean;
}

char *mtw_archive_stem(guint16 vendor, guint16 device, const char *nick, const char *model,
		       GError **error)
{
	g_autofree char *clean_nick = clean_part(nick, "nickname", error);
	g_autofree char *clean_model = NULL;

	if (clean_nick == NULL)
		return NULL;
	if (model == NULL)
		return g_strdup_printf("%04x-%04x-%s-mmiotrace", vendor, device, clean_nick);
	clean_model = clean_part(model, "model name", error);
	if (clean_model == NULL)
		return NULL;
	return g_strdup_printf("%s-%s-mmiotrace", clean_model, clean_nick);
}
