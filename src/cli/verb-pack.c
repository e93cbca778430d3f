/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `pack` and `review`: the report's steps for a capture that was made earlier, or a trace from elsewhere. */
#include "base/error.h"
#include "cli/cli.h"
#include "wizard/foreign-trace.h"

#include <glib/gi18n.h>
#include <unistd.h>

typedef struct {
	char *nick, *model, *output, *story_file, *redact, *trace, *device;
	char **redact_words;
	gboolean review_only;
} PackOptions;

static void clear_options(PackOptions *options)
{
	g_free(options->nick);
	g_free(options->model);
	g_free(options->output);
	g_free(options->story_file);
	g_free(options->redact);
	g_free(options->trace);
	g_free(options->device);
	g_strfreev(options->redact_words);
}

static gboolean to_wizard_options(MtwCli *cli, const PackOptions *options, MtwWizardOptions *wizard,
				  GError **error)
{
	*wizard = (MtwWizardOptions){
		.batch = cli->json || !isatty(STDIN_FILENO),
		.json = cli->json,
		.model = options->model,
		.output = options->output,
		.story_file = options->story_file,
		.redact_words = (const char *const *)options->redact_words,
		.review_only = options->review_only,
	};
	if (!mtw_cli_read_redact(options->redact, &wizard->redact, error))
		return FALSE;
	if (!wizard->batch || options->nick != NULL || options->review_only)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "without a terminal pack needs --nick");
	return FALSE;
}

static gboolean run_wizard(MtwCli *cli, const PackOptions *options, MtwEngine *engine,
			   const char *session, GError **error)
{
	g_autoptr(MtwAnswers) answers = mtw_answers_new();
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);
	g_autoptr(MtwView) view = mtw_terminal_new(cli->json);
	g_autoptr(MtwWizard) wizard = NULL;
	MtwWizardOptions wizard_options;
	gboolean done;

	if (caller == NULL || !to_wizard_options(cli, options, &wizard_options, error))
		return FALSE;
	mtw_answers_set(answers, "nick", options->nick);
	wizard = mtw_wizard_new(cli->paths, engine, view, answers, caller, &wizard_options);
	mtw_signals_watch(wizard, view);
	done = session != NULL ? mtw_wizard_pack(wizard, session, error)
			       : mtw_wizard_report(wizard, error);
	mtw_signals_unwatch();
	return done;
}

static gboolean pack_session(MtwCli *cli, const PackOptions *options, const char *session,
			     GError **error)
{
	g_autoptr(MtwEngine) engine = mtw_cli_engine(cli, error);

	return engine != NULL && run_wizard(cli, options, engine, session, error);
}

static gboolean pack_trace(MtwCli *cli, const PackOptions *options, GError **error)
{
	g_autoptr(MtwEngine) engine =
		mtw_foreign_trace_open(options->trace, options->device, error);

	return engine != NULL && run_wizard(cli, options, engine, NULL, error);
}

static gboolean pack(MtwCli *cli, const PackOptions *options, const char *session, GError **error)
{
	if (options->trace != NULL && session == NULL)
		return pack_trace(cli, options, error);
	if (options->trace == NULL && session != NULL)
		return pack_session(cli, options, session, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "which session? `mmiotrace-wizard sessions` lists them");
	return FALSE;
}

static int run_verb(MtwCli *cli, PackOptions *options, const char *verb, const char *arguments,
		    const char *summary, const GOptionEntry *entries, int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	int status;

	if (mtw_cli_parse(cli, verb, arguments, summary, entries, &argc, &argv, &error)) {
		if (argc > 2)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "one session at a time");
		else
			pack(cli, options, argc == 2 ? argv[1] : NULL, &error);
	}
	status = mtw_cli_finish(cli, error);
	clear_options(options);
	return status;
}

#define COMMON_ENTRIES(options)                                                            \
	{ "nick",                                                                          \
	  'n',                                                                             \
	  0,                                                                               \
	  G_OPTION_ARG_FILENAME,                                                           \
	  &(options).nick,                                                                 \
	  N_("Your nickname, for the name of the file"),                                   \
	  "NAME" },                                                                        \
		{ "model",                                                                 \
		  0,                                                                       \
		  0,                                                                       \
		  G_OPTION_ARG_FILENAME,                                                   \
		  &(options).model,                                                        \
		  N_("Name of the device in the file's name"),                             \
		  "NAME" },                                                                \
		{ "output",                                                                \
		  'o',                                                                     \
		  0,                                                                       \
		  G_OPTION_ARG_FILENAME,                                                   \
		  &(options).output,                                                       \
		  N_("Folder for the archive"),                                            \
		  "DIR" },                                                                 \
		{ "describe-file",                                                         \
		  0,                                                                       \
		  0,                                                                       \
		  G_OPTION_ARG_FILENAME,                                                   \
		  &(options).story_file,                                                   \
		  N_("Text for the description"),                                          \
		  "FILE" },                                                                \
		{ "redact",                                                                \
		  0,                                                                       \
		  0,                                                                       \
		  G_OPTION_ARG_FILENAME,                                                   \
		  &(options).redact,                                                       \
		  N_("Mask private values: yes (default), no"),                            \
		  "YES|NO" },                                                              \
	{                                                                                  \
		"redact-word", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(options).redact_words, \
			N_("Mask this word too"), "WORD"                                   \
	}

int mtw_verb_pack(MtwCli *cli, int argc, char **argv)
{
	PackOptions options = { 0 };
	const GOptionEntry entries[] = {
		COMMON_ENTRIES(options),
		{ "trace", 0, 0, G_OPTION_ARG_FILENAME, &options.trace,
		  N_("Pack this trace, made by hand elsewhere"), "FILE" },
		{ "device", 'd', 0, G_OPTION_ARG_FILENAME, &options.device,
		  N_("With --trace: the device, 10de:1b80"), "ID" },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};

	return run_verb(cli, &options, "pack", "[SESSION]",
			N_("Makes the archive of a capture that is not packed yet, or once more."),
			entries, argc, argv);
}

int mtw_verb_review(MtwCli *cli, int argc, char **argv)
{
	PackOptions options = { .review_only = TRUE };
	const GOptionEntry entries[] = {
		COMMON_ENTRIES(options),
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};

	return run_verb(cli, &options, "review", "SESSION",
			N_("Shows every file of a report and what was masked in it."), entries,
			argc, argv);
}
