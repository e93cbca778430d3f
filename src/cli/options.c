/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "cli/cli.h"

#include <glib/gi18n.h>
#include <string.h>

/* GLib leaves "--" where what follows it looks like an option. */
static void drop_separator(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			memmove(&argv[i], &argv[i + 1], (gsize)(*argc - i) * sizeof *argv);
			(*argc)--;
			return;
		}
	}
}

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
	g_autoptr(GOptionContext) context = g_option_context_new(arguments);
	g_autofree char *name = verb[0] != '\0' ? g_strdup_printf("mmiotrace-wizard %s", verb)
						: g_strdup("mmiotrace-wizard");
	gboolean json = g_strv_contains((const char *const *)*argv, "--json");
	g_autoptr(GError) why = NULL;

	g_set_prgname(name);
	g_option_context_set_summary(context, _(summary));
	if (entries != NULL)
		g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_add_main_entries(context, common, NULL);
	g_option_context_set_translation_domain(context, NULL);
	if (g_option_context_parse(context, argc, argv, &why)) {
		drop_separator(argc, *argv);
		return TRUE;
	}
	/* GLib took back what it had read, but a script waits for its last line. */
	cli->json = json;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "%s", why->message);
	return FALSE;
}

gboolean mtw_cli_read_redact(const char *text, MtwRedactChoice *ret_choice, GError **error)
{
	*ret_choice = MTW_REDACT_ASK;
	if (text == NULL)
		return TRUE;
	if (g_str_equal(text, "yes") || g_str_equal(text, "no")) {
		*ret_choice = text[0] == 'y' ? MTW_REDACT_YES : MTW_REDACT_NO;
		return TRUE;
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "--redact is yes or no, not \"%s\"", text);
	return FALSE;
}
