/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checking, planning, and the running capture. */
#include "base/error.h"
#include "base/json.h"
#include "base/parse.h"
#include "capture/capture-json.h"
#include "capture/device-json.h"
#include "capture/events.h"
#include "capture/session.h"
#include "service/methods-private.h"

#define BUFFER_MAX_KB (64ll * 1024 * 1024)

static GVariant *done(void)
{
	return g_variant_new("()");
}

GVariant *mtw_method_list_devices(MtwCall *call, GError **error)
{
	g_autoptr(GPtrArray) devices = mtw_pci_list(call->paths);
	JsonArray *array = json_array_new();

	(void)error;
	for (guint i = 0; i < devices->len; i++)
		json_array_add_object_element(array,
					      mtw_device_to_json(call->paths, devices->pdata[i]));
	return mtw_reply_json_array(array);
}

GVariant *mtw_method_check(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) given = mtw_call_json(call, 0, "options", error);
	g_autoptr(GPtrArray) messages = NULL;
	MtwCheckOptions options;
	MtwBdf bdf;

	if (given == NULL)
		return NULL;
	options = (MtwCheckOptions){
		.device = mtw_json_string(given, "device", NULL),
		.driver = mtw_json_string(given, "driver", NULL),
		.buffer_kb = (guint64)CLAMP(mtw_json_int(given, "buffer_kb", 0), 0, BUFFER_MAX_KB),
		.min_free_bytes = (guint64)MAX(mtw_json_int(given, "min_free_bytes", 0), 0)
	};
	if (options.device != NULL && !mtw_parse_bdf(options.device, &bdf)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "that is not a PCI address");
		return NULL;
	}
	messages = mtw_check_run(call->paths, &options);
	return mtw_reply_json_array(mtw_messages_to_json(messages));
}

GVariant *mtw_method_plan(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) given = mtw_call_json(call, 0, "options", error);
	g_auto(MtwCaptureOptions) options = { 0 };
	g_autoptr(MtwEngine) engine = NULL;
	JsonObject *plan;

	if (given == NULL || !mtw_capture_options_from_json(given, &options, error))
		return NULL;
	engine = mtw_engine_new_local(call->paths);
	plan = mtw_engine_plan(engine, &options, error);
	return plan != NULL ? mtw_reply_json_object(plan) : NULL;
}

GVariant *mtw_method_start(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) given = mtw_call_json(call, 0, "options", error);
	const char *again = mtw_call_text(call, 1, error);
	g_auto(MtwCaptureOptions) options = { 0 };
	g_autofree char *session = NULL;

	if (given == NULL || again == NULL ||
	    !mtw_capture_options_from_json(given, &options, error))
		return NULL;
	if (*again == '\0')
		again = NULL;
	if (again != NULL && !mtw_host_may(call->host, again, call->uid, error))
		return NULL;
	options.owner_uid = call->uid;
	session = mtw_host_start(call->host, &options, again, error);
	return session != NULL ? g_variant_new("(s)", session) : NULL;
}

GVariant *mtw_method_mark(MtwCall *call, GError **error)
{
	const char *session = mtw_call_text(call, 0, error);
	const char *text = mtw_call_text(call, 1, error);
	MtwEngine *engine =
		text != NULL ? mtw_host_running_engine(call->host, session, error) : NULL;

	return engine != NULL && mtw_engine_mark(engine, text, error) ? done() : NULL;
}

static GVariant *stop(MtwCall *call, gboolean discard, GError **error)
{
	const char *session = mtw_call_text(call, 0, error);

	/* One that has ended already is what the caller wants. */
	if (mtw_host_running_engine(call->host, session, NULL) != NULL)
		mtw_host_stop(call->host, discard);
	return done();
}

GVariant *mtw_method_stop(MtwCall *call, GError **error)
{
	return stop(call, FALSE, error);
}

GVariant *mtw_method_abort(MtwCall *call, GError **error)
{
	return stop(call, TRUE, error);
}

/* What the file tells of a capture of an earlier life of the service. */
static JsonArray *last_event(MtwCall *call, const char *id, guint after, guint *ret_last,
			     GError **error)
{
	g_autoptr(MtwSession) session = mtw_session_open(call->paths, id, FALSE, error);
	g_autofree char *path = session != NULL ? mtw_session_path(session, "trace.txt") : NULL;
	JsonArray *array = json_array_new();
	JsonObject *event, *why;

	*ret_last = G_MAXUINT;
	if (session == NULL || after == G_MAXUINT)
		return array;
	event = mtw_event_new("done");
	json_object_set_string_member(event, "session", id);
	json_object_set_boolean_member(event, "restored",
				       mtw_json_bool(session->state, "restored", FALSE));
	json_object_set_boolean_member(event, "trace", g_file_test(path, G_FILE_TEST_EXISTS));
	why = json_object_new();
	json_object_set_string_member(why, "name", "interrupted");
	json_object_set_string_member(
		why, "message",
		"the service was ended while it traced; the machine was put back afterwards");
	json_object_set_object_member(event, "error", why);
	json_array_add_object_element(array, event);
	return array;
}

GVariant *mtw_method_get_events(MtwCall *call, GError **error)
{
	const char *session = mtw_call_text(call, 0, error);
	JsonArray *array;
	guint after, last = 0;
	g_autoptr(JsonNode) node = NULL;
	g_autofree char *text = NULL;

	g_variant_get_child(call->arguments, 1, "u", &after);
	array = mtw_host_events(call->host, session, after, &last);
	if (array == NULL)
		array = last_event(call, session, after, &last, error);
	node = json_node_init_array(json_node_alloc(), array);
	json_array_unref(array);
	text = json_to_string(node, FALSE);
	return g_variant_new("(su)", text, last);
}

GVariant *mtw_method_get_counters(MtwCall *call, GError **error)
{
	const char *session = mtw_call_text(call, 0, error);
	MtwEngine *engine = mtw_host_running_engine(call->host, session, NULL);
	JsonObject *counters = engine != NULL ? mtw_engine_counters(engine) : NULL;

	return counters != NULL ? mtw_reply_json_object(counters) : g_variant_new("(s)", "");
}
