/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The child's side of a hand-over: the person. Its engine has the session's files as descriptors and
 * sends facts back through the pipe; captures are over.
 */
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "capture/events.h"
#include "report/archive.h"
#include "wizard/hand-over.h"
#include "wizard/options-json.h"
#include "wizard/wizard-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define REQUEST_MAX_BYTES (4 * 1024 * 1024)

typedef struct {
	MtwEngine base;
	JsonObject *request;
	JsonObject *facts;
} Handed;

static void send_reply(JsonObject *reply)
{
	g_autofree char *line = mtw_json_line(reply);
	g_autofree char *text = g_strconcat(line, "\n", NULL);

	(void)mtw_file_write_all(MTW_HANDED_REPLY_FD, text, strlen(text), NULL);
	json_object_unref(reply);
}

/* The descriptor of a file by its name in the session; -1 if it was not handed over. */
static int find_fd(JsonArray *files, const char *name)
{
	for (guint i = 0; files != NULL && i < json_array_get_length(files); i++) {
		JsonObject *file = json_array_get_object_element(files, i);
		if (g_str_equal(mtw_json_string(file, "name", ""), name))
			return (int)mtw_json_int(file, "fd", -1);
	}
	return -1;
}

static int handed_open_file(MtwEngine *engine, const char *name, GError **error)
{
	int fd = find_fd(mtw_json_array(((Handed *)engine)->request, "files"), name);
	int copy = fd >= MTW_HANDED_FIRST_FILE_FD ? fcntl(fd, F_DUPFD_CLOEXEC, fd) : -1;

	if (copy < 0)
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "the session has no file %s", name);
	return copy;
}

static const char *handed_session_id(MtwEngine *engine)
{
	return mtw_json_string(((Handed *)engine)->request, "session", "");
}

static JsonObject *handed_facts(MtwEngine *engine)
{
	return ((Handed *)engine)->facts;
}

static gboolean handed_keep_fact(MtwEngine *engine, const char *name, JsonNode *value, GError **error)
{
	JsonObject *reply = json_object_new();

	(void)error;
	json_object_set_string_member(reply, "keep", name);
	json_object_set_member(reply, "value", json_node_copy(value));
	json_object_set_member(((Handed *)engine)->facts, name, value);
	send_reply(reply);
	return TRUE;
}

static void handed_log(MtwEngine *engine, const char *text)
{
	JsonObject *reply = json_object_new();

	(void)engine;
	mtw_json_set_text(reply, "log", text);
	send_reply(reply);
}

static void handed_free(MtwEngine *engine)
{
	g_free(engine);
}

/* The rest of the interface is for captures, and no step from DESCRIBE on makes one. */
static const MtwEngineOps handed_ops = {
	.free = handed_free,
	.open_file = handed_open_file,
	.session_id = handed_session_id,
	.keep_fact = handed_keep_fact,
	.facts = handed_facts,
	.log = handed_log,
};

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

static void take_messages(MtwWizard *wizard, JsonArray *messages)
{
	for (guint i = 0; messages != NULL && i < json_array_get_length(messages); i++)
		g_ptr_array_add(wizard->collected,
				mtw_message_from_json(json_array_get_object_element(messages, i)));
}

static void take_extras(MtwWizard *wizard, JsonArray *extras)
{
	for (guint i = 0; extras != NULL && i < json_array_get_length(extras); i++) {
		JsonObject *extra = json_array_get_object_element(extras, i);
		g_ptr_array_add(wizard->extras,
				mtw_member_new_fd(mtw_json_string(extra, "name", ""),
						  (int)mtw_json_int(extra, "fd", -1)));
	}
}

static gboolean run_report(const MtwPaths *paths, MtwView *view, JsonObject *request,
			   void (*watch)(MtwWizard *wizard, MtwView *view), GError **error)
{
	Handed handed = { .base = { .ops = &handed_ops },
			  .request = request,
			  .facts = mtw_json_object(request, "facts") };
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);
	g_autoptr(MtwAnswers) answers =
		mtw_answers_from_json(mtw_json_object(request, "answers"));
	g_autoptr(MtwWizard) wizard = NULL;
	MtwWizardOptions options;
	gboolean done;

	if (caller == NULL)
		return FALSE;
	mtw_options_from_json(mtw_json_object(request, "options"), &options);
	wizard = mtw_wizard_new(paths, &handed.base, view, answers, caller, &options);
	take_messages(wizard, mtw_json_array(request, "messages"));
	take_extras(wizard, mtw_json_array(request, "extras"));
	watch(wizard, view);
	done = mtw_wizard_report(wizard, error);
	watch(NULL, NULL);
	return done;
}

int mtw_handed_run(const MtwPaths *paths, MtwView *view, JsonObject *request,
		   void (*watch)(MtwWizard *wizard, MtwView *view))
{
	const char *probe = mtw_json_string(request, "probe", NULL);
	JsonObject *reply = json_object_new();
	g_autoptr(GError) error = NULL;

	if (probe != NULL)
		mtw_make_output_folder(probe, &error);
	else
		run_report(paths, view, request, watch, &error);
	json_object_set_boolean_member(reply, "done", TRUE);
	if (error != NULL)
		json_object_set_object_member(reply, "error", mtw_error_to_json(error));
	send_reply(reply);
	return mtw_error_exit_status(error);
}
