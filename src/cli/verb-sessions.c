/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `sessions` and `show`: what was captured here. */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/events.h"
#include "capture/session.h"
#include "cli/cli.h"

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

/* The state of its file, unless the process that wrote it is gone. */
static const char *state_of(const MtwSession *session)
{
	static const char *const active[] = { MTW_SESSION_PREPARING, MTW_SESSION_CAPTURING,
					      MTW_SESSION_RESTORING, NULL };
	const char *state = mtw_json_string(session->state, "state", "?");

	if (g_strv_contains(active, state) && !mtw_session_is_live(session))
		return "died";
	return state;
}

static JsonObject *to_event(const MtwSession *session)
{
	JsonObject *event = mtw_event_new("session");
	JsonObjectIter iter;
	const char *name;
	JsonNode *value;

	json_object_iter_init(&iter, session->state);
	while (json_object_iter_next(&iter, &name, &value))
		json_object_set_member(event, name, json_node_copy(value));
	json_object_set_string_member(event, "state", state_of(session));
	json_object_set_boolean_member(event, "live", mtw_session_is_live(session));
	return event;
}

static void print_row(const MtwSession *session)
{
	g_autofree char *time = local_time(mtw_json_int(session->state, "time_sec", 0));
	g_autofree char *archive =
		mtw_text_clean_line(mtw_json_string(session->state, "archive", ""));
	g_autofree char *state = mtw_text_clean_line(state_of(session));
	g_autofree char *device =
		mtw_text_clean_line(mtw_json_string(session->state, "device", "-"));

	printf("%-28s %s  %-10s %s%s  %s\n", session->id, time, state, device,
	       mtw_json_bool(session->state, "restored", TRUE) ? "" : _("  NOT RESTORED"), archive);
}

static gboolean need_state_folder(MtwCli *cli, GError **error)
{
	const char *folder = mtw_paths_get(cli->paths, MTW_PATH_STATE);

	if (access(folder, R_OK | X_OK) == 0 || errno == ENOENT)
		return TRUE;
	mtw_set_error_errno(error, errno, "the sessions in %s", folder);
	return FALSE;
}

static gboolean list(MtwCli *cli, GError **error)
{
	g_autoptr(GPtrArray) ids = mtw_session_list(cli->paths);

	if (!need_state_folder(cli, error))
		return FALSE;
	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(GError) why = NULL;
		g_autoptr(MtwSession) session =
			mtw_session_open(cli->paths, ids->pdata[i], FALSE, &why);
		g_autoptr(JsonObject) event = session != NULL ? to_event(session) : NULL;
		if (session == NULL) {
			g_autofree char *reason = mtw_text_clean_line(why->message);
			fprintf(stderr, "%s\n", reason);
		}
		if (session != NULL && cli->json)
			mtw_cli_print_json(event);
		else if (session != NULL)
			print_row(session);
	}
	if (ids->len == 0)
		fputs(_("No capture was made on this machine yet.\n"), stderr);
	return TRUE;
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

	if (mtw_cli_parse(cli, "sessions", NULL, N_("Lists the captures made on this machine."),
			  entries, &argc, &argv, &error)) {
		if (argc > 1)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "what is \"%s\"?", argv[1]);
		else if (delete != NULL)
			mtw_session_delete(cli->paths, delete, &error);
		else
			list(cli, &error);
	}
	return mtw_cli_finish(cli, error);
}

static JsonObject *read_verdict(const MtwSession *session)
{
	g_autofree char *path = mtw_session_path(session, "verdict.json");
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);

	return text != NULL ? mtw_json_parse(text, -1, path, NULL) : NULL;
}

static void print_log(const MtwSession *session)
{
	g_autofree char *path = mtw_session_path(session, "log");
	g_autofree char *text = mtw_file_read(path, LOG_MAX_BYTES, NULL, NULL);
	g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);

	puts(_("\nWhat was done:"));
	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *clean = mtw_text_clean_line(*line);
		if (clean[0] != '\0')
			printf("  %s\n", clean);
	}
}

static gboolean show(MtwCli *cli, const char *id, GError **error)
{
	g_autoptr(MtwSession) session = mtw_session_open(cli->paths, id, FALSE, error);
	g_autoptr(JsonObject) verdict = NULL;
	g_autoptr(JsonObject) event = NULL;

	if (session == NULL)
		return FALSE;
	verdict = read_verdict(session);
	if (cli->json) {
		event = to_event(session);
		if (verdict != NULL)
			json_object_set_object_member(event, "verdict", json_object_ref(verdict));
		mtw_cli_print_json(event);
		return TRUE;
	}
	print_row(session);
	if (verdict != NULL) {
		g_autoptr(JsonObject) clean = mtw_json_clean(verdict);
		mtw_cli_print_verdict(stdout, clean);
	}
	print_log(session);
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
