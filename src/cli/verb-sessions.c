/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `sessions` and `show`: what was captured here. */
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/events.h"
#include "capture/session.h"
#include "cli/cli.h"
#include "service/client.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#define LOG_MAX_BYTES (16 * 1024 * 1024)

static char *local_time(gint64 time_sec)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(time_sec);

	return time != NULL ? g_date_time_format(time, "%Y-%m-%d %H:%M") : g_strdup("?");
}

static JsonObject *to_event(JsonObject *facts)
{
	JsonObject *event = mtw_event_of("session", facts);

	json_object_set_string_member(event, "state", mtw_session_state_now(facts));
	return event;
}

/* The file of one that waits is no leftover. */
static gboolean has_leftovers(JsonObject *facts)
{
	return !mtw_json_bool(facts, "restored", TRUE) &&
	       !g_str_equal(mtw_json_string(facts, "state", ""), MTW_SESSION_WAITING);
}

static const MtwCliWord states[] = {
	{ MTW_SESSION_PREPARING, NC_("session", "preparing") },
	{ MTW_SESSION_CAPTURING, NC_("session", "capturing") },
	{ MTW_SESSION_RESTORING, NC_("session", "restoring") },
	{ MTW_SESSION_WAITING, NC_("session", "waiting") },
	{ MTW_SESSION_CAPTURED, NC_("session", "captured") },
	{ MTW_SESSION_PACKED, NC_("session", "packed") },
	{ MTW_SESSION_RECOVERED, NC_("session", "recovered") },
	{ MTW_SESSION_FAILED, NC_("session", "failed") },
	/* TRANSLATORS: of a capture: the program that made it was killed */
	{ MTW_SESSION_DIED, NC_("session", "died") },
	{ NULL, NULL },
};

static void print_row(JsonObject *facts)
{
	g_autofree char *time = local_time(mtw_json_int(facts, "time_sec", 0));
	g_autofree char *id = mtw_text_clean_line(mtw_json_string(facts, "id", "?"));
	g_autofree char *archive = mtw_text_clean_line(mtw_json_string(facts, "archive", ""));
	g_autofree char *state = mtw_text_clean_line(mtw_session_state_now(facts));
	g_autofree char *word = mtw_cli_word_padded(states, "session", state);
	g_autofree char *device = mtw_text_clean_line(mtw_json_string(facts, "device", "-"));

	printf("%-28s %s  %s  %s%s%s  %s\n", id, time, word, device,
	       has_leftovers(facts) ? "  " : "", has_leftovers(facts) ? _("NOT RESTORED") : "",
	       archive);
}

static void show_row(MtwCli *cli, JsonObject *facts)
{
	g_autoptr(JsonObject) event = to_event(facts);

	if (cli->json)
		mtw_cli_print_json(event);
	else
		print_row(facts);
}

gboolean mtw_cli_may_see_sessions(MtwCli *cli, GError **error)
{
	const char *folder = mtw_paths_get(cli->paths, MTW_PATH_STATE);

	if (access(folder, R_OK | X_OK) == 0 || errno == ENOENT)
		return TRUE;
	mtw_set_error_errno(error, errno, "the sessions in %s", folder);
	return FALSE;
}

/* Returns: (transfer full) (nullable) */
static JsonArray *read_local(MtwCli *cli, GError **error)
{
	g_autoptr(GPtrArray) problems =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_error_free);
	JsonArray *sessions;

	if (!mtw_cli_may_see_sessions(cli, error))
		return NULL;
	sessions = mtw_session_all_facts(cli->paths, NULL, NULL, problems);
	for (guint i = 0; i < problems->len; i++) {
		const GError *problem = problems->pdata[i];
		g_autofree char *reason = mtw_text_clean_line(problem->message);
		fprintf(stderr, "%s\n", reason);
	}
	return sessions;
}

/* Those of the person who asks; the service shows nobody the others'. Returns: (transfer full) (nullable) */
static JsonArray *read_of_service(MtwCli *cli, GError **error)
{
	g_autoptr(MtwEngine) engine = mtw_engine_new_service(cli->paths, error);

	return engine != NULL ? mtw_service_sessions(engine, error) : NULL;
}

int mtw_cli_show_sessions(MtwCli *cli, const char *state, GError **error)
{
	g_autoptr(JsonArray) sessions =
		mtw_cli_uses_service(cli) ? read_of_service(cli, error) : read_local(cli, error);
	int shown = 0;

	if (sessions == NULL)
		return -1;
	for (guint i = 0; i < json_array_get_length(sessions); i++) {
		JsonObject *facts = mtw_json_object_at(sessions, i);
		if (state != NULL && !g_str_equal(mtw_session_state_now(facts), state))
			continue;
		show_row(cli, facts);
		shown++;
	}
	return shown;
}

static gboolean delete_session(MtwCli *cli, const char *id, GError **error)
{
	g_autoptr(MtwEngine) engine = NULL;

	if (!mtw_cli_uses_service(cli))
		return mtw_session_delete(cli->paths, id, error);
	engine = mtw_engine_new_service(cli->paths, error);
	return engine != NULL && mtw_service_delete(engine, id, error);
}

int mtw_verb_sessions(MtwCli *cli, int argc, char **argv)
{
	g_autofree char *delete = NULL;
	const GOptionEntry entries[] = {
		{ "delete", 0, 0, G_OPTION_ARG_FILENAME, &delete,
		  N_("Delete this session and its trace"), "ID" },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GError) error = NULL;

	if (mtw_cli_parse(cli, "sessions", NULL, N_("Lists the captures made on this computer."),
			  entries, &argc, &argv, &error)) {
		if (argc > 1)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "what is \"%s\"?", argv[1]);
		else if (delete != NULL)
			delete_session(cli, delete, &error);
		else if (mtw_cli_show_sessions(cli, NULL, &error) == 0)
			fputs(_("No capture was made on this computer yet.\n"), stderr);
	}
	return mtw_cli_finish(cli, error);
}

/* ---- one session ----------------------------------------------------------------------------- */

/* A session, wherever its files come from. */
typedef struct {
	MtwSession *session; /* (nullable) of this process's own reading */
	MtwEngine *engine;   /* (nullable) of the service */
	JsonObject *facts;
} Source;

/* What a power cut left of lines that had not reached the disk. */
static void drop_zeros(char *text, gsize bytes)
{
	gsize kept = 0;

	for (gsize i = 0; i < bytes; i++)
		if (text[i] != '\0')
			text[kept++] = text[i];
	text[kept] = '\0';
}

/* Returns: (transfer full) (nullable) */
static char *read_file(const Source *source, const char *name)
{
	g_autofree char *path = NULL;
	g_auto(MtwFd) fd = -1;
	gsize bytes = 0;
	char *text;

	if (source->engine == NULL) {
		path = mtw_session_path(source->session, name);
		text = mtw_file_read(path, LOG_MAX_BYTES, &bytes, NULL);
	} else {
		fd = mtw_engine_open_file(source->engine, name, NULL);
		text = fd >= 0 ? mtw_file_read_fd(fd, LOG_MAX_BYTES, &bytes, name, NULL) : NULL;
	}
	if (text != NULL)
		drop_zeros(text, bytes);
	return text;
}

static JsonObject *read_verdict(const Source *source)
{
	g_autofree char *text = read_file(source, "verdict.json");

	return text != NULL ? mtw_json_parse(text, -1, "verdict.json", NULL) : NULL;
}

static void print_log(const Source *source)
{
	g_autofree char *text = read_file(source, "log");
	g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);

	puts(_("\nWhat was done:"));
	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *clean = mtw_text_clean_line(*line);
		if (clean[0] != '\0')
			printf("  %s\n", clean);
	}
}

static void show_source(MtwCli *cli, const Source *source)
{
	g_autoptr(JsonObject) verdict = read_verdict(source);
	g_autoptr(JsonObject) event = to_event(source->facts);

	if (cli->json) {
		if (verdict != NULL)
			json_object_set_object_member(event, "verdict", json_object_ref(verdict));
		mtw_cli_print_json(event);
		return;
	}
	print_row(source->facts);
	if (verdict != NULL) {
		g_autoptr(JsonObject) clean = mtw_json_clean(verdict);
		mtw_cli_print_verdict(stdout, clean);
	}
	print_log(source);
}

static gboolean show_of_service(MtwCli *cli, const char *id, GError **error)
{
	g_autoptr(MtwEngine) engine = mtw_engine_new_service(cli->paths, error);
	Source source = { .engine = engine };

	if (engine == NULL || !mtw_engine_open_session(engine, id, error))
		return FALSE;
	source.facts = mtw_engine_facts(engine);
	show_source(cli, &source);
	return TRUE;
}

static gboolean show(MtwCli *cli, const char *id, GError **error)
{
	g_autoptr(MtwSession) session = NULL;
	Source source = { 0 };

	if (mtw_cli_uses_service(cli))
		return show_of_service(cli, id, error);
	session = mtw_session_open(cli->paths, id, FALSE, error);
	if (session == NULL)
		return FALSE;
	source = (Source){ .session = session, .facts = mtw_session_facts(session) };
	show_source(cli, &source);
	return TRUE;
}

int mtw_verb_show(MtwCli *cli, int argc, char **argv)
{
	g_autoptr(GError) error = NULL;

	if (mtw_cli_parse(cli, "show", "SESSION", N_("Shows everything about one capture."), NULL,
			  &argc, &argv, &error)) {
		if (argc != 2)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE,
				    "which session? `mmiotrace-wizard sessions` lists them");
		else
			show(cli, argv[1], &error);
	}
	return mtw_cli_finish(cli, error);
}
