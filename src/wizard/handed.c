/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The child's side of a hand-over: the person. Facts to keep go back through the pipe. */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "capture/events.h"
#include "wizard/engine-given.h"
#include "wizard/hand-over.h"
#include "wizard/options-json.h"
#include "wizard/sending.h"
#include "wizard/wizard-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define REQUEST_MAX_BYTES (8 * 1024 * 1024)

static void send_reply(JsonObject *reply)
{
	g_autofree char *line = mtw_json_line(reply);
	g_autofree char *text = g_strconcat(line, "\n", NULL);

	(void)mtw_file_write_all(MTW_HANDED_REPLY_FD, text, strlen(text), NULL);
	json_object_unref(reply);
}

static void send_fact(const char *name, JsonNode *value, gpointer user_data)
{
	JsonObject *reply = json_object_new();

	(void)user_data;
	json_object_set_string_member(reply, "keep", name);
	json_object_set_member(reply, "value", json_node_copy(value));
	send_reply(reply);
}

static void send_log(const char *text, gpointer user_data)
{
	JsonObject *reply = json_object_new();

	(void)user_data;
	mtw_json_set_text(reply, "log", text);
	send_reply(reply);
}

JsonObject *mtw_handed_request(GError **error)
{
	g_autofree char *text = g_malloc(REQUEST_MAX_BYTES);
	gssize bytes = 0, got;

	while ((got = pread(MTW_HANDED_REQUEST_FD, text + bytes, REQUEST_MAX_BYTES - (gsize)bytes,
			    bytes)) > 0)
		bytes += got;
	return mtw_json_parse(text, bytes, "request", error);
}

gboolean mtw_make_output_folder(const char *folder, GError **error)
{
	if (g_mkdir_with_parents(folder, 0755) == 0 && access(folder, W_OK | X_OK) == 0)
		return TRUE;
	mtw_set_error_errno(error, errno, "the folder %s for the result", folder);
	return FALSE;
}

gboolean mtw_probe(const char *folder, const char *story_file, GError **error)
{
	g_autofree char *story = NULL;

	if (!mtw_make_output_folder(folder, error))
		return FALSE;
	if (story_file != NULL)
		story = mtw_file_read(story_file, MTW_STORY_MAX_BYTES, NULL, error);
	return story_file == NULL || story != NULL;
}

static void take_files(MtwEngine *engine, JsonArray *files)
{
	for (guint i = 0; files != NULL && i < json_array_get_length(files); i++) {
		JsonObject *file = json_array_get_object_element(files, i);
		mtw_engine_give(engine, mtw_json_string(file, "name", ""),
				(int)mtw_json_int(file, "fd", -1));
	}
}

static MtwEngine *engine_of(JsonObject *request)
{
	const MtwGivenKeeper keeper = { .keep = send_fact, .log = send_log };
	MtwEngine *engine = mtw_engine_new_given(mtw_json_string(request, "session", ""),
						 mtw_json_object(request, "facts"), &keeper);

	take_files(engine, mtw_json_array(request, "files"));
	return engine;
}

static gboolean run_report(const MtwPaths *paths, MtwView *view, JsonObject *request,
			   void (*watch)(MtwWizard *wizard, MtwView *view), GError **error)
{
	g_autoptr(MtwEngine) engine = engine_of(request);
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);
	g_autoptr(MtwAnswers) answers = mtw_answers_from_json(mtw_json_object(request, "answers"));
	g_autoptr(MtwWizard) wizard = NULL;
	MtwWizardOptions options;
	gboolean done;

	if (caller == NULL)
		return FALSE;
	mtw_options_from_json(mtw_json_object(request, "options"), &options);
	wizard = mtw_wizard_new(paths, engine, view, answers, caller, &options);
	g_ptr_array_extend_and_steal(wizard->collected,
				     mtw_messages_from_json(mtw_json_array(request, "messages")));
	wizard->captured = mtw_json_bool(mtw_json_object(request, "options"), "captured", FALSE);
	wizard->cut_short = mtw_json_bool(mtw_json_object(request, "options"), "cut_short", FALSE);
	mtw_redact_facts_from_json(wizard->redact_facts, mtw_json_array(request, "redact_facts"));
	watch(wizard, view);
	done = mtw_wizard_report(wizard, error);
	watch(NULL, NULL);
	mtw_options_clear(&options);
	return done;
}

static gboolean probe_all(const MtwPaths *paths, JsonObject *request, GError **error)
{
	const char *folder = mtw_json_string(request, "probe", NULL);

	return (folder == NULL ||
		mtw_probe(folder, mtw_json_string(request, "story_file", NULL), error)) &&
	       mtw_sending_check(paths, mtw_json_string(request, "target", NULL),
				 mtw_json_string(request, "issue", NULL), error);
}

int mtw_handed_run(const MtwPaths *paths, MtwView *view, JsonObject *request,
		   void (*watch)(MtwWizard *wizard, MtwView *view))
{
	JsonObject *reply = json_object_new();
	g_autoptr(GError) error = NULL;

	if (json_object_has_member(request, "probe"))
		probe_all(paths, request, &error);
	else
		run_report(paths, view, request, watch, &error);
	json_object_set_boolean_member(reply, "done", TRUE);
	if (error != NULL)
		json_object_set_object_member(reply, "error", mtw_error_to_json(error));
	send_reply(reply);
	return mtw_error_exit_status(error);
}
