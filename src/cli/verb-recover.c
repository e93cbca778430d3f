/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "capture/recover.h"
#include "capture/session.h"
#include "cli/cli.h"
#include "service/client.h"

#include <glib/gi18n.h>
#include <unistd.h>

typedef struct {
	char *nick, *output;
	gboolean reset;
} RecoverOptions;

static void show(MtwCli *cli, JsonObject *event)
{
	if (cli->json)
		mtw_cli_print_json(event);
	mtw_cli_print_event(stderr, event);
	json_object_unref(event);
}

static void on_change(const MtwChange *change, const char *action, const GError *error,
		      gpointer user_data)
{
	show(user_data, mtw_event_change(change, action, error));
}

static void say(MtwCli *cli, const char *id, MtwLevel level, const char *sentence,
		const char *detail)
{
	g_autoptr(MtwMessage) message = mtw_message_new(id, level, sentence, "", "%s", detail);

	show(cli, mtw_event_message(message));
}

static gboolean has_trace(MtwCli *cli, const char *id)
{
	g_autoptr(MtwSession) session = mtw_session_open(cli->paths, id, FALSE, NULL);
	g_autofree char *path = session != NULL ? mtw_session_path(session, "trace.txt") : NULL;

	return path != NULL && access(path, F_OK) == 0;
}

static gboolean pack(MtwCli *cli, const RecoverOptions *options, const char *id, GError **error)
{
	g_autoptr(MtwAnswers) answers = mtw_answers_new();
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);
	g_autoptr(MtwEngine) engine = mtw_engine_new_local(cli->paths);
	g_autoptr(MtwView) view = mtw_terminal_new(cli->json);
	MtwWizardOptions wizard_options = { .batch = TRUE,
					    .json = cli->json,
					    .output = options->output };
	g_autoptr(MtwWizard) wizard = NULL;

	if (caller == NULL)
		return FALSE;
	mtw_answers_set(answers, "nick", options->nick);
	wizard = mtw_wizard_new(cli->paths, engine, view, answers, caller, &wizard_options);
	return mtw_wizard_pack(wizard, id, error);
}

static gboolean recover_one(MtwCli *cli, const RecoverOptions *options, const char *id,
			    GError **error)
{
	if (!mtw_recover_session(cli->paths, id, on_change, cli, error))
		return FALSE;
	if (!has_trace(cli, id)) {
		say(cli, "recovered", MTW_LEVEL_OK,
		    N_("The computer is as it was before; there was no trace to save."), id);
		return TRUE;
	}
	say(cli, "recovered", MTW_LEVEL_OK,
	    N_("The computer is as it was before; the trace is saved in the session."), id);
	return options->nick == NULL || pack(cli, options, id, error);
}

static void say_nothing_to_do(MtwCli *cli)
{
	say(cli, "nothing", MTW_LEVEL_OK, N_("There is nothing to recover."), "");
}

/* Without a session the tracer may be somebody's who works by hand: only with --reset. */
static gboolean recover_unknown(MtwCli *cli, const RecoverOptions *options, GError **error)
{
	gboolean needed = mtw_recover_needed_without_session(cli->paths);

	if (needed && !options->reset) {
		g_set_error(
			error, MTW_ERROR, MTW_ERROR_BUSY,
			"mmiotrace is on, but no session here knows about it; if nobody else is "
			"using it, run `mmiotrace-wizard recover --reset`");
		return FALSE;
	}
	if (options->reset && !mtw_recover_reset(cli->paths, on_change, cli, error))
		return FALSE;
	if (!needed)
		say_nothing_to_do(cli);
	return TRUE;
}

static void show_all(MtwCli *cli, JsonArray *events)
{
	for (guint i = 0; i < json_array_get_length(events); i++)
		show(cli, json_object_ref(json_array_get_object_element(events, i)));
}

static gboolean reset_by_service(MtwCli *cli, MtwEngine *engine, GError **error)
{
	g_autoptr(JsonArray) events = mtw_service_reset(engine, error);

	if (events == NULL)
		return FALSE;
	show_all(cli, events);
	if (json_array_get_length(events) == 0)
		say_nothing_to_do(cli);
	return TRUE;
}

static gboolean recover_one_by_service(MtwCli *cli, MtwEngine *engine, const char *id,
				       GError **error)
{
	g_autoptr(JsonArray) events = mtw_service_recover(engine, id, error);

	if (events == NULL)
		return FALSE;
	show_all(cli, events);
	say(cli, "recovered", MTW_LEVEL_OK, N_("The computer is as it was before."), id);
	return TRUE;
}

static gboolean is_unfinished(JsonObject *facts)
{
	static const char *const finished[] = { MTW_SESSION_CAPTURED,
						MTW_SESSION_PACKED,
						MTW_SESSION_RECOVERED,
						MTW_SESSION_FAILED,
						"sent",
						NULL };

	/* What waits for the next start of the computer is not to be undone before it. */
	return !g_str_equal(mtw_json_string(facts, "state", ""), MTW_SESSION_WAITING) &&
	       !mtw_json_bool(facts, "live", FALSE) &&
	       (!mtw_json_bool(facts, "restored", TRUE) ||
		!g_strv_contains(finished, mtw_json_string(facts, "state", "")));
}

/* One's own sessions. The service itself undid what it could when it was started. */
static gboolean recover_by_service(MtwCli *cli, const RecoverOptions *options, const char *wanted,
				   GError **error)
{
	g_autoptr(MtwEngine) engine = mtw_cli_engine(cli, error);
	g_autoptr(JsonArray) sessions = NULL;
	gboolean found = FALSE;

	if (engine == NULL)
		return FALSE;
	if (options->nick != NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "--nick is for root; `mmiotrace-wizard pack` packs your session");
		return FALSE;
	}
	if (wanted != NULL)
		return recover_one_by_service(cli, engine, wanted, error);
	if (options->reset)
		return reset_by_service(cli, engine, error);
	sessions = mtw_service_sessions(engine, error);
	for (guint i = 0; sessions != NULL && i < json_array_get_length(sessions); i++) {
		JsonObject *facts = json_array_get_object_element(sessions, i);
		if (!is_unfinished(facts))
			continue;
		found = TRUE;
		if (!recover_one_by_service(cli, engine, mtw_json_string(facts, "id", ""), error))
			return FALSE;
	}
	if (sessions != NULL && !found)
		say_nothing_to_do(cli);
	return sessions != NULL;
}

static gboolean recover(MtwCli *cli, const RecoverOptions *options, const char *wanted,
			GError **error)
{
	g_autoptr(GPtrArray) ids = NULL;
	GError *first = NULL;

	if (mtw_cli_uses_service(cli))
		return recover_by_service(cli, options, wanted, error);
	if (geteuid() != 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_PERMISSION,
			    "only root can undo changes of the machine");
		return FALSE;
	}
	if (wanted != NULL)
		return recover_one(cli, options, wanted, error);
	ids = mtw_recover_pending(cli->paths);
	if (ids->len == 0)
		return recover_unknown(cli, options, error);
	/* The newest run's changes are on top of the older ones; one that fails keeps no other back. */
	for (guint i = ids->len; i > 0; i--) {
		GError *why = NULL;
		if (!recover_one(cli, options, ids->pdata[i - 1], &why) && first == NULL)
			first = why;
		else
			g_clear_error(&why);
	}
	if (first != NULL) {
		g_propagate_error(error, first);
		return FALSE;
	}
	return !options->reset || mtw_recover_reset(cli->paths, on_change, cli, error);
}

int mtw_verb_recover(MtwCli *cli, int argc, char **argv)
{
	RecoverOptions options = { 0 };
	const GOptionEntry entries[] = {
		{ "nick", 'n', 0, G_OPTION_ARG_FILENAME, &options.nick,
		  N_("Pack the saved trace too, under this nickname"), "NAME" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
		  N_("Folder for the archive"), "DIR" },
		{ "reset", 0, 0, G_OPTION_ARG_NONE, &options.reset,
		  N_("Switch off a tracer that no session knows about"), NULL },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GError) error = NULL;
	int status;

	if (mtw_cli_parse(
		    cli, "recover", "[SESSION]",
		    N_("Undoes what a run that died left on this computer, and saves its trace."),
		    entries, &argc, &argv, &error)) {
		if (argc > 2)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "one session at most");
		else
			recover(cli, &options, argc == 2 ? argv[1] : NULL, &error);
	}
	status = mtw_cli_finish(cli, error);
	g_free(options.nick);
	g_free(options.output);
	return status;
}
