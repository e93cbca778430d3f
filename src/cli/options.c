/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "cli/cli.h"

#include <glib/gi18n.h>

/*
 * Texts are taken as they are (G_OPTION_ARG_FILENAME in the tables of the verbs): over SSH the locale
 * is often "C", in which GLib refuses every letter outside of ASCII.
 */
gboolean mtw_cli_parse(MtwCli *cli, const char *verb, const char *arguments, const char *summary,
		       const GOptionEntry *entries, int *argc, char ***argv, GError **error)
{
	const GOptionEntry common[] = {
		{ "json", 0, 0, G_OPTION_ARG_NONE, &cli->json,
		  N_("Print one JSON object per line on stdout"), NULL },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autofree char *title = g_strjoin(" ", verb, arguments, NULL);
	g_autoptr(GOptionContext) context = g_option_context_new(title);
	g_autoptr(GError) why = NULL;

	g_option_context_set_summary(context, _(summary));
	if (entries != NULL)
		g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_add_main_entries(context, common, NULL);
	g_option_context_set_translation_domain(context, NULL);
	if (g_option_context_parse(context, argc, argv, &why))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "%s", why->message);
	return FALSE;
}
