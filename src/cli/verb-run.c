/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk, and --batch. */
#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"
#include "base/text.h"
#include "capture/next-boot.h"
#include "cli/cli.h"

#include <glib/gi18n.h>
#include <unistd.h>

#define DURATION_MAX_SEC (7 * 24 * 3600)
#define BUFFER_MIN_KB 8
#define BUFFER_MAX_KB (64u * 1024 * 1024)

typedef struct {
	gboolean batch, no_load_driver, next_boot;
	char *device, *driver, *nick, *model, *output, *scenario, *answers, *on_lost, *story_file;
	char *duration, *retries, *buffer_kb;
	char *redact, *profile, *driver_options;
	char **exercises, **marks, **redact_words;
	MtwCliSendOptions send;
} RunOptions;

static void clear_options(RunOptions *options)
{
	char *texts[] = { options->device,   options->driver,  options->nick,
			  options->model,    options->output,  options->scenario,
			  options->answers,  options->on_lost, options->story_file,
			  options->duration, options->retries, options->buffer_kb };

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	g_strfreev(options->exercises);
	g_strfreev(options->marks);
	g_strfreev(options->redact_words);
	g_free(options->redact);
	g_free(options->profile);
	g_free(options->driver_options);
	mtw_cli_clear_send_options(&options->send);
}

static gboolean usage(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static gboolean usage(GError **error, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(error, MTW_ERROR, MTW_ERROR_USAGE, text);
	return FALSE;
}

static gboolean read_number(const char *option, const char *text, guint min, guint max,
			    guint *ret_value, GError **error)
{
	if (text == NULL || mtw_parse_uint(text, min, max, ret_value))
		return TRUE;
	return usage(error, "%s takes a number from %u to %u, not \"%s\"", option, min, max, text);
}

/* A command that cannot be run is better found before anything is changed. */
static gboolean check_exercises(char **exercises, GError **error)
{
	for (char **command = exercises; command != NULL && *command != NULL; command++) {
		g_auto(GStrv) argv = NULL;
		g_autofree char *program = NULL;
		if (!g_shell_parse_argv(*command, NULL, &argv, NULL))
			return usage(error, "--exercise \"%s\" cannot be split into words",
				     *command);
		program = g_find_program_in_path(argv[0]);
		if (program == NULL)
			return usage(error, "--exercise: there is no program \"%s\"", argv[0]);
	}
	return TRUE;
}

static gboolean check_nick(const char *nick, GError **error)
{
	g_autofree char *clean = nick != NULL ? mtw_text_clean_name(nick) : NULL;

	if (nick == NULL)
		return usage(error, "--batch needs --nick");
	if (clean == NULL)
		return usage(error, "--nick \"%s\" has no letter or digit (A-Z, a-z, 0-9)", nick);
	return TRUE;
}

/* What is needed only when the capture is over is better found wrong before it. */
static gboolean check_report(const RunOptions *options, GError **error)
{
	g_autofree char *model = mtw_text_clean_name(options->model != NULL ? options->model : "x");

	if (model == NULL)
		return usage(error, "--model \"%s\" has no letter or digit (A-Z, a-z, 0-9)",
			     options->model);
	return TRUE;
}

/* What belongs to a capture that is watched, or to its report, has no place in one at the next start. */
static gboolean check_next_boot(const RunOptions *options, GError **error)
{
	const struct {
		gboolean given;
		const char *name;
	} others[] = {
		{ options->exercises != NULL, "--exercise" },
		{ options->marks != NULL, "--mark" },
		{ options->scenario != NULL, "--scenario" },
		{ options->no_load_driver, "--no-load-driver" },
		{ options->send.target != NULL, "--target" },
		{ options->send.issue != NULL, "--issue" },
	};
	guint duration_sec = 1;

	for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
		if (others[i].given)
			return usage(error,
				     "%s does not go with --next-boot: nobody is there at a start",
				     others[i].name);
	return read_number("--duration with --next-boot", options->duration, 1,
			   MTW_NEXT_BOOT_MAX_SEC, &duration_sec, error);
}

static gboolean check_batch(const RunOptions *options, const MtwAnswers *answers, GError **error)
{
	static const char *const choices[] = { "retry", "keep", "fail", NULL };
	const char *on_lost = mtw_answers_get(answers, "on-lost");
	MtwBdf bdf;

	if (on_lost != NULL && !g_strv_contains(choices, on_lost))
		return usage(error, "--on-lost is retry, keep or fail, not \"%s\"", on_lost);
	if (!check_report(options, error))
		return FALSE;
	if (options->device != NULL && !mtw_parse_bdf(options->device, &bdf))
		return usage(error, "--device takes a PCI address like 0000:01:00.0, not \"%s\"",
			     options->device);
	if (options->next_boot && !check_next_boot(options, error))
		return FALSE;
	if (!options->batch)
		return TRUE;
	if (options->device == NULL)
		return usage(error, "--batch needs --device");
	if (options->next_boot)
		return TRUE;
	if ((options->send.target != NULL || options->send.issue != NULL) &&
	    !options->send.consent_upload)
		return usage(error, "nobody is there to agree that it is sent: with --batch, "
				    "--target and --issue need --consent-upload");
	return check_nick(mtw_answers_get(answers, "nick"), error);
}

static gboolean to_wizard_options(const RunOptions *options, MtwWizardOptions *wizard,
				  GError **error)
{
	guint buffer_kb = 0;

	*wizard = (MtwWizardOptions){
		.batch = options->batch,
		.device = options->device,
		.driver = options->driver,
		.model = options->model,
		.output = options->output,
		.exercises = (const char *const *)options->exercises,
		.marks = (const char *const *)options->marks,
		.scenario = options->scenario,
		.profile = options->profile,
		.module_options = options->driver_options,
		.story_file = options->story_file,
		.duration_sec = MTW_DURATION_UNSET,
		.max_retries = MTW_RETRIES_DEFAULT,
		.load_driver = !options->no_load_driver,
		.next_boot = options->next_boot,
		.redact_words = (const char *const *)options->redact_words,
	};
	if (!mtw_cli_read_redact(options->redact, &wizard->redact, error) ||
	    !mtw_cli_use_send_options(&options->send, wizard, error))
		return FALSE;
	if (!read_number("--duration", options->duration, 0, DURATION_MAX_SEC,
			 &wizard->duration_sec, error) ||
	    !read_number("--max-retries", options->retries, 0, 100, &wizard->max_retries, error) ||
	    !read_number("--buffer-kb", options->buffer_kb, BUFFER_MIN_KB, BUFFER_MAX_KB,
			 &buffer_kb, error))
		return FALSE;
	wizard->buffer_kb = buffer_kb;
	return check_exercises(options->exercises, error);
}

static gboolean walk(MtwCli *cli, const MtwWizardOptions *options, const MtwAnswers *answers,
		     GError **error)
{
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);
	g_autoptr(MtwEngine) engine = caller != NULL ? mtw_cli_engine(cli, error) : NULL;
	g_autoptr(MtwView) view = mtw_terminal_new(cli->json);
	g_autoptr(MtwWizard) wizard = NULL;
	gboolean done;

	if (engine == NULL)
		return FALSE;
	wizard = mtw_wizard_new(cli->paths, engine, view, answers, caller, options);
	mtw_signals_watch(wizard, view);
	done = mtw_wizard_run(wizard, error);
	mtw_signals_unwatch();
	return done;
}

static gboolean run(MtwCli *cli, const RunOptions *options, GError **error)
{
	g_autoptr(MtwAnswers) answers = mtw_answers_new();
	MtwWizardOptions wizard;

	mtw_answers_set(answers, "nick", options->nick);
	mtw_answers_set(answers, "on-lost", options->on_lost);
	if (options->answers != NULL && !mtw_answers_load(answers, options->answers, error))
		return FALSE;
	if (!check_batch(options, answers, error) || !to_wizard_options(options, &wizard, error))
		return FALSE;
	if (!options->batch && (cli->json || !isatty(STDIN_FILENO)))
		return usage(error, "the walk needs a terminal; for scripts there is --batch");
	wizard.json = cli->json;
	return walk(cli, &wizard, answers, error);
}

static void parse_and_run(MtwCli *cli, RunOptions *options, const GOptionEntry *entries, int argc,
			  char **argv, GError **error)
{
	if (!mtw_cli_parse(
		    cli, "", NULL,
		    N_("Makes an mmiotrace of a PCI device and packs it for a driver project."),
		    entries, &argc, &argv, error))
		return;
	if (argc > 1)
		usage(error, "\"%s\" is neither an option nor a verb", argv[1]);
	else
		run(cli, options, error);
}

int mtw_verb_run(MtwCli *cli, int argc, char **argv)
{
	RunOptions options = { 0 };
	const GOptionEntry entries[] = {
		{ "batch", 'b', 0, G_OPTION_ARG_NONE, &options.batch,
		  N_("Ask nothing; needs --device and --nick"), NULL },
		{ "device", 'd', 0, G_OPTION_ARG_FILENAME, &options.device,
		  N_("The PCI device to trace"), "BDF" },
		{ "driver", 0, 0, G_OPTION_ARG_FILENAME, &options.driver,
		  N_("Trace this driver, not the usual one"), "NAME" },
		{ "nick", 'n', 0, G_OPTION_ARG_FILENAME, &options.nick,
		  N_("Your nickname, for the name of the file"), "NAME" },
		{ "model", 0, 0, G_OPTION_ARG_FILENAME, &options.model,
		  N_("Name of the device in the file's name"), "NAME" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
		  N_("Folder for the result"), "DIR" },
		{ "exercise", 'e', 0, G_OPTION_ARG_FILENAME_ARRAY, &options.exercises,
		  N_("Run this when the driver is up"), "CMD" },
		{ "mark", 'm', 0, G_OPTION_ARG_FILENAME_ARRAY, &options.marks,
		  N_("Set a marker when the driver is up"), "TEXT" },
		{ "duration", 0, 0, G_OPTION_ARG_FILENAME, &options.duration,
		  N_("Stop so long after the driver is up"), "SEC" },
		{ "scenario", 0, 0, G_OPTION_ARG_FILENAME, &options.scenario,
		  N_("Steps to do while tracing"), "FILE" },
		{ "profile", 0, 0, G_OPTION_ARG_FILENAME, &options.profile,
		  N_("What this driver project asks for"), "ID" },
		{ "driver-options", 0, 0, G_OPTION_ARG_FILENAME, &options.driver_options,
		  N_("Module options for the traced load"), "OPTIONS" },
		{ "answers", 0, 0, G_OPTION_ARG_FILENAME, &options.answers,
		  N_("Answers to questions"), "FILE" },
		{ "describe-file", 0, 0, G_OPTION_ARG_FILENAME, &options.story_file,
		  N_("Text for the description"), "FILE" },
		{ "redact", 0, 0, G_OPTION_ARG_FILENAME, &options.redact,
		  N_("Mask private values: yes (default), no"), "YES|NO" },
		{ "redact-word", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.redact_words,
		  N_("Mask this word too"), "WORD" },
		{ "on-lost", 0, 0, G_OPTION_ARG_FILENAME, &options.on_lost,
		  N_("When events are lost: retry, keep, fail"), "WHAT" },
		{ "max-retries", 0, 0, G_OPTION_ARG_FILENAME, &options.retries,
		  N_("How often to try again (3)"), "N" },
		{ "buffer-kb", 0, 0, G_OPTION_ARG_FILENAME, &options.buffer_kb,
		  N_("Size of the kernel's buffer"), "N" },
		{ "no-load-driver", 0, 0, G_OPTION_ARG_NONE, &options.no_load_driver,
		  N_("The driver is loaded by you"), NULL },
		{ "next-boot", 0, 0, G_OPTION_ARG_NONE, &options.next_boot,
		  N_("Trace at the next start of the computer"), NULL },
		MTW_CLI_SEND_ENTRIES(options.send),
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GError) error = NULL;
	int status;

	parse_and_run(cli, &options, entries, argc, argv, &error);
	status = mtw_cli_finish(cli, error);
	clear_options(&options);
	return status;
}
