/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `upload`: sends an archive that was made earlier, or by anybody. */
#include "base/error.h"
#include "base/json.h"
#include "cli/cli.h"
#include "wizard/engine-given.h"
#include "wizard/sending.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

gboolean mtw_cli_with_wizard(MtwCli *cli, const MtwCaller *caller, const MtwWizardOptions *options,
			     gboolean (*work)(MtwWizard *wizard, gpointer user_data,
					      GError **error),
			     gpointer user_data, GError **error)
{
	g_autoptr(MtwAnswers) answers = mtw_answers_new();
	g_autoptr(JsonObject) facts = json_object_new();
	g_autoptr(MtwEngine) engine = mtw_engine_new_given("", facts, NULL);
	g_autoptr(MtwView) view = mtw_terminal_new(cli->json);
	g_autoptr(MtwWizard) wizard =
		mtw_wizard_new(cli->paths, engine, view, answers, caller, options);
	gboolean done;

	mtw_signals_watch(wizard, view);
	done = work(wizard, user_data, error);
	mtw_signals_unwatch();
	return done;
}

/* Standard input is the token, or nobody's. */
static gboolean is_unattended(const MtwCli *cli, const MtwCliSendOptions *options)
{
	return cli->json || !isatty(STDIN_FILENO) || g_strcmp0(options->token_file, "-") == 0;
}

static gboolean send_it(MtwWizard *wizard, gpointer user_data, GError **error)
{
	return mtw_wizard_send(wizard, user_data, error);
}

static gboolean upload(MtwCli *cli, const MtwCliSendOptions *options, gboolean yes, char *path,
		       GError **error)
{
	MtwWizardOptions wizard = { .batch = is_unattended(cli, options),
				    .json = cli->json,
				    .assume_yes = yes };
	g_autoptr(MtwCaller) caller = mtw_cli_become_person(cli, error);

	if (caller == NULL || !mtw_cli_use_send_options(options, &wizard, error))
		return FALSE;
	if (wizard.batch && wizard.target == NULL && wizard.issue == NULL) {
		g_set_error(
			error, MTW_ERROR, MTW_ERROR_USAGE,
			"where to? --target ID or --issue URL; `mmiotrace-wizard targets` lists "
			"the targets");
		return FALSE;
	}
	return mtw_cli_with_wizard(cli, caller, &wizard, send_it, path, error);
}

int mtw_verb_upload(MtwCli *cli, int argc, char **argv)
{
	MtwCliSendOptions options = { 0 };
	gboolean yes = FALSE;
	const GOptionEntry entries[] = {
		MTW_CLI_SEND_ENTRIES(options),
		{ "yes", 'y', 0, G_OPTION_ARG_NONE, &yes, N_("Ask for consent and secrets only"),
		  NULL },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GError) error = NULL;
	int status;

	if (mtw_cli_parse(cli, "upload", "FILE",
			  N_("Sends an archive to a driver project. You see before what is sent "
			     "and where."),
			  entries, &argc, &argv, &error)) {
		if (argc != 2)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "which file?");
		else
			upload(cli, &options, yes, argv[1], &error);
	}
	status = mtw_cli_finish(cli, error);
	mtw_cli_clear_send_options(&options);
	return status;
}
