/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "cli/cli.h"

#include <glib/gi18n.h>
#include <unistd.h>

typedef struct {
	char *nick, *model, *output, *story_file;
} PackOptions;

static gboolean pack(MtwCli *cli, const PackOptions *options, const char *session, GError **error)
{
	g_autoptr(MtwAnswers) answers = mtw_answers_new();
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);
	g_autoptr(MtwEngine) engine = mtw_engine_new_local(cli->paths);
	g_autoptr(MtwView) view = mtw_terminal_new(cli->json);
	MtwWizardOptions wizard_options = { .batch = cli->json || !isatty(STDIN_FILENO),
					    .json = cli->json,
					    .model = options->model,
					    .output = options->output,
					    .story_file = options->story_file };
	g_autoptr(MtwWizard) wizard = NULL;
	gboolean done;

	if (caller == NULL)
		return FALSE;
	if (wizard_options.batch && options->nick == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "without a terminal pack needs --nick");
		return FALSE;
	}
	mtw_answers_set(answers, "nick", options->nick);
	wizard = mtw_wizard_new(cli->paths, engine, view, answers, caller, &wizard_options);
	mtw_signals_watch(wizard, view);
	done = mtw_wizard_pack(wizard, session, error);
	mtw_signals_unwatch();
	return done;
}

int mtw_verb_pack(MtwCli *cli, int argc, char **argv)
{
	PackOptions options = { 0 };
	const GOptionEntry entries[] = {
		{ "nick", 'n', 0, G_OPTION_ARG_FILENAME, &options.nick,
		  N_("Your nickname, for the name of the file"), "NAME" },
		{ "model", 0, 0, G_OPTION_ARG_FILENAME, &options.model,
		  N_("Name of the device in the file's name"), "NAME" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
		  N_("Folder for the archive"), "DIR" },
		{ "describe-file", 0, 0, G_OPTION_ARG_FILENAME, &options.story_file,
		  N_("Text for the description"), "FILE" },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GError) error = NULL;
	int status;

	if (mtw_cli_parse(cli, "pack", "SESSION",
			  N_("Makes the archive of a capture that is not packed yet, or once more."),
			  entries, &argc, &argv, &error)) {
		if (argc != 2)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE,
				    "which session? `mmiotrace-wizard sessions` lists them");
		else
			pack(cli, &options, argv[1], &error);
	}
	status = mtw_cli_finish(cli, error);
	g_free(options.nick);
	g_free(options.model);
	g_free(options.output);
	g_free(options.story_file);
	return status;
}
