/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `attach`: back to the capture that the service is making, after the desktop or the login ended in the middle of it. */
#include "base/error.h"
#include "capture/capture-json.h"
#include "cli/cli.h"
#include "service/client.h"

#include <glib/gi18n.h>
#include <unistd.h>

static gboolean attach(MtwCli *cli, const char *nick, const char *output, GError **error)
{
	g_autoptr(MtwEngine) engine = mtw_engine_new_service(cli->paths, error);
	g_autoptr(MtwCaller) caller = engine != NULL ? mtw_caller_get(error) : NULL;
	g_autoptr(MtwAnswers) answers = mtw_answers_new();
	g_autoptr(MtwView) view = mtw_terminal_new(cli->json);
	g_autoptr(MtwWizard) wizard = NULL;
	g_autoptr(JsonObject) json = NULL;
	g_auto(MtwCaptureOptions) running = { 0 };
	const MtwWizardOptions options = { .json = cli->json,
					   .output = output,
					   .duration_sec = MTW_DURATION_UNSET,
					   .max_retries = MTW_RETRIES_DEFAULT,
					   .running = &running };
	gboolean done;

	if (caller == NULL || !mtw_service_attach(engine, &running, &json, error))
		return FALSE;
	mtw_answers_set(answers, "nick", nick);
	wizard = mtw_wizard_new(cli->paths, engine, view, answers, caller, &options);
	mtw_signals_watch(wizard, view);
	done = mtw_wizard_attach(wizard, error);
	mtw_signals_unwatch();
	return done;
}

int mtw_verb_attach(MtwCli *cli, int argc, char **argv)
{
	g_autofree char *nick = NULL;
	g_autofree char *output = NULL;
	const GOptionEntry entries[] = {
		{ "nick", 'n', 0, G_OPTION_ARG_FILENAME, &nick,
		  N_("Your nickname, for the name of the file"), "NAME" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("Folder for the result"),
		  "DIR" },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GError) error = NULL;

	if (mtw_cli_parse(cli, "attach", NULL,
			  N_("Goes on with the capture that the service is making for you."),
			  entries, &argc, &argv, &error)) {
		if (argc > 1)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "what is \"%s\"?", argv[1]);
		else if (cli->json || !isatty(STDIN_FILENO))
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "attach needs a terminal");
		else
			attach(cli, nick, output, &error);
	}
	return mtw_cli_finish(cli, error);
}
