/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/client-private.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/capture-json.h"
#include "capture/events.h"
#include "machine/bus.h"
#include "service/names.h"

#include <string.h>

/* A person may have to type a password, a display manager to start; collecting reads a lot. */
#define CALL_MSEC (10 * 60 * 1000)
#define FETCH_USEC (2 * G_USEC_PER_SEC)
#define DBUS "org.freedesktop.DBus"

/* ---- calls ----------------------------------------------------------------------------------- */

/* @arguments: floating. Returns: (transfer full) (nullable) */
GVariant *mtw_client_call_fds(MtwClient *client, const char *method, GVariant *arguments,
			      GUnixFDList **ret_fds, GError **error)
{
	g_autoptr(GDBusMessage) message = g_dbus_message_new_method_call(
		MTW_SERVICE_NAME, MTW_SERVICE_PATH, MTW_SERVICE_INTERFACE, method);
	g_autoptr(GDBusMessage) reply = NULL;
	GError *why = NULL;

	g_dbus_message_set_body(message, arguments);
	g_dbus_message_set_flags(message, G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION);
	reply = g_dbus_connection_send_message_with_reply_sync(
		client->bus, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, CALL_MSEC, NULL, NULL, &why);
	if (reply == NULL || g_dbus_message_to_gerror(reply, &why)) {
		g_propagate_error(error, mtw_service_error_from_dbus(why));
		return NULL;
	}
	if (ret_fds != NULL && g_dbus_message_get_unix_fd_list(reply) != NULL)
		*ret_fds = g_object_ref(g_dbus_message_get_unix_fd_list(reply));
	return g_dbus_message_get_body(reply) != NULL
		       ? g_variant_ref(g_dbus_message_get_body(reply))
		       : g_variant_ref_sink(g_variant_new("()"));
}

gboolean mtw_client_is_of_type(GVariant *reply, const char *type, GError **error)
{
	if (g_variant_is_of_type(reply, G_VARIANT_TYPE(type)))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
		    "the service answered in a form this program does not know; is it of another "
		    "version?");
	return FALSE;
}

GVariant *mtw_client_call(MtwClient *client, const char *method, GVariant *arguments,
			  const char *type, GError **error)
{
	g_autoptr(GVariant) reply = mtw_client_call_fds(client, method, arguments, NULL, error);

	if (reply == NULL || !mtw_client_is_of_type(reply, type, error))
		return NULL;
	return g_steal_pointer(&reply);
}

gboolean mtw_client_call_void(MtwClient *client, const char *method, GVariant *arguments,
			      GError **error)
{
	g_autoptr(GVariant) reply = mtw_client_call(client, method, arguments, "()", error);

	return reply != NULL;
}

/* The first value of the reply, a text of JSON. Returns: (transfer full) (nullable) */
static JsonNode *parse_reply(GVariant *reply, GError **error)
{
	g_autoptr(GError) why = NULL;
	const char *text;
	JsonNode *node;

	g_variant_get_child(reply, 0, "&s", &text);
	node = json_from_string(text, &why);
	if (node == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "the service's answer: %s",
			    why != NULL ? why->message : "it is empty");
	return node;
}

JsonArray *mtw_client_call_array(MtwClient *client, const char *method, GVariant *arguments,
				 GError **error)
{
	g_autoptr(GVariant) reply = mtw_client_call(client, method, arguments, "(s)", error);
	g_autoptr(JsonNode) node = reply != NULL ? parse_reply(reply, error) : NULL;

	if (node == NULL || !JSON_NODE_HOLDS_ARRAY(node))
		return NULL;
	return json_node_dup_array(node);
}

JsonObject *mtw_client_call_object(MtwClient *client, const char *method, GVariant *arguments,
				   GError **error)
{
	g_autoptr(GVariant) reply = mtw_client_call(client, method, arguments, "(s)", error);
	g_autoptr(JsonNode) node = reply != NULL ? parse_reply(reply, error) : NULL;

	if (node == NULL || !JSON_NODE_HOLDS_OBJECT(node))
		return NULL;
	return json_node_dup_object(node);
}

GVariant *mtw_client_of_session(const MtwClient *client)
{
	return g_variant_new("(s)", client->session != NULL ? client->session : "");
}

/* ---- captures -------------------------------------------------------------------------------- */

static GPtrArray *client_check(MtwEngine *engine, const MtwCheckOptions *options, GError **error)
{
	g_autoptr(JsonObject) object = json_object_new();
	g_autofree char *text = NULL;
	g_autoptr(JsonArray) messages = NULL;

	if (options->device != NULL)
		mtw_json_set_text(object, "device", options->device);
	if (options->driver != NULL)
		mtw_json_set_text(object, "driver", options->driver);
	json_object_set_int_member(object, "buffer_kb", (gint64)options->buffer_kb);
	json_object_set_int_member(object, "min_free_bytes", (gint64)options->min_free_bytes);
	text = mtw_json_line(object);
	messages = mtw_client_call_array((MtwClient *)engine, "Check", g_variant_new("(s)", text),
					 error);
	return messages != NULL ? mtw_messages_from_json(messages) : NULL;
}

static char *options_text(const MtwCaptureOptions *options)
{
	g_autoptr(JsonObject) object = mtw_capture_options_to_json(options);

	return mtw_json_line(object);
}

static JsonObject *client_plan(MtwEngine *engine, const MtwCaptureOptions *options, GError **error)
{
	g_autofree char *text = options_text(options);

	return mtw_client_call_object((MtwClient *)engine, "Plan", g_variant_new("(s)", text),
				      error);
}

/* While this connection lives, the service knows that somebody is there. */
static gboolean attach(MtwClient *client, GError **error)
{
	client->ended = FALSE;
	client->news = TRUE;
	g_clear_pointer(&client->facts, json_object_unref);
	return mtw_client_call_void(client, "Attach", mtw_client_of_session(client), error);
}

static gboolean client_start(MtwEngine *engine, const MtwCaptureOptions *options, GError **error)
{
	MtwClient *client = (MtwClient *)engine;
	g_autofree char *text = options_text(options);
	const char *again = client->session != NULL ? client->session : "";
	g_autoptr(GVariant) reply =
		mtw_client_call(client, "Start", g_variant_new("(ss)", text, again), "(s)", error);

	if (reply == NULL)
		return FALSE;
	if (client->session == NULL) {
		g_variant_get(reply, "(s)", &client->session);
		client->last = 0;
	}
	return attach(client, error);
}

static gboolean client_mark(MtwEngine *engine, const char *text, GError **error)
{
	MtwClient *client = (MtwClient *)engine;
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	if (client->session != NULL)
		return mtw_client_call_void(client, "Mark",
					    g_variant_new("(ss)", client->session, valid), error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "nothing is being recorded");
	return FALSE;
}

static void client_stop(MtwEngine *engine)
{
	MtwClient *client = (MtwClient *)engine;

	if (client->session != NULL)
		(void)mtw_client_call_void(client, "Stop", mtw_client_of_session(client), NULL);
}

static JsonObject *client_counters(MtwEngine *engine)
{
	MtwClient *client = (MtwClient *)engine;

	return client->session != NULL ? mtw_client_call_object(client, "GetCounters",
								mtw_client_of_session(client), NULL)
				       : NULL;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* What cannot be got from the service any more ends the capture for this client. */
static JsonObject *lost_event(const MtwClient *client, const GError *error)
{
	JsonObject *event = mtw_event_new("done");

	json_object_set_string_member(event, "session", client->session);
	json_object_set_boolean_member(event, "restored", FALSE);
	json_object_set_boolean_member(event, "trace", FALSE);
	json_object_set_object_member(event, "error", mtw_error_to_json(error));
	return event;
}

static void queue_events(MtwClient *client, GVariant *reply)
{
	guint before = client->last;
	g_autoptr(JsonNode) node = parse_reply(reply, NULL);
	JsonArray *array =
		node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		JsonObject *event = mtw_json_object_at(array, i);
		if (event != NULL)
			g_queue_push_tail(&client->events, json_object_ref(event));
	}
	g_variant_get_child(reply, 1, "u", &client->last);
	/* Perhaps not all of them fitted. */
	client->news |= client->last != before;
}

/* A service that died says nothing: now and then it is asked all the same, which starts it again. */
static void fetch_events(MtwClient *client)
{
	gint64 now_usec = g_get_monotonic_time();
	g_autoptr(GError) error = NULL;
	g_autoptr(GVariant) reply = NULL;

	if (!client->news && now_usec - client->fetched_usec < FETCH_USEC)
		return;
	client->news = FALSE;
	client->fetched_usec = now_usec;
	reply = mtw_client_call(client, "GetEvents",
				g_variant_new("(su)", client->session, client->last), "(su)",
				&error);

	if (reply != NULL)
		queue_events(client, reply);
	else
		g_queue_push_tail(&client->events, lost_event(client, error));
}

static gboolean on_time_out(gpointer user_data)
{
	*(gboolean *)user_data = TRUE;
	return G_SOURCE_REMOVE;
}

static void on_event_added(GDBusConnection *bus, const char *sender, const char *object,
			   const char *interface, const char *signal, GVariant *arguments,
			   gpointer user_data)
{
	(void)bus, (void)sender, (void)object, (void)interface, (void)signal, (void)arguments;
	((MtwClient *)user_data)->news = TRUE;
}

/* Until a signal comes, or the time is over. */
static void wait_for_signal(MtwClient *client, guint timeout_msec)
{
	gboolean timed_out = FALSE;
	GSource *source = g_timeout_source_new(timeout_msec);

	g_source_set_callback(source, on_time_out, &timed_out, NULL);
	g_source_attach(source, client->context);
	g_main_context_iteration(client->context, TRUE);
	g_source_destroy(source);
	g_source_unref(source);
}

static JsonObject *client_next_event(MtwEngine *engine, guint timeout_msec)
{
	MtwClient *client = (MtwClient *)engine;
	JsonObject *event;

	if (client->session == NULL || client->ended) {
		g_usleep((gulong)timeout_msec * 1000);
		return NULL;
	}
	if (g_queue_is_empty(&client->events))
		fetch_events(client);
	if (g_queue_is_empty(&client->events)) {
		wait_for_signal(client, timeout_msec);
		return NULL;
	}
	event = g_queue_pop_head(&client->events);
	client->ended = g_str_equal(mtw_json_string(event, "event", ""), "done");
	return event;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void client_free(MtwEngine *engine)
{
	MtwClient *client = (MtwClient *)engine;

	g_dbus_connection_signal_unsubscribe(client->bus, client->subscription);
	while (g_main_context_iteration(client->context, FALSE))
		;
	g_main_context_unref(client->context);
	g_queue_clear_full(&client->events, (GDestroyNotify)json_object_unref);
	g_clear_pointer(&client->facts, json_object_unref);
	g_object_unref(client->bus);
	g_free(client->session);
	g_free(client);
}

static const MtwEngineOps client_ops = {
	.free = client_free,
	.check = client_check,
	.plan = client_plan,
	.start = client_start,
	.mark = client_mark,
	.stop = client_stop,
	.next_event = client_next_event,
	.counters = client_counters,
	.open_file = mtw_client_open_file,
	.session_id = mtw_client_session_id,
	.open_session = mtw_client_open_session,
	.facts = mtw_client_facts,
	.keep_fact = mtw_client_keep_fact,
	.keep_file = mtw_client_keep_file,
	.collect = mtw_client_collect,
	.identifiers = mtw_client_identifiers,
	.log = mtw_client_log,
};

static gboolean has_name(GDBusConnection *bus, const char *method)
{
	g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
		bus, DBUS, "/org/freedesktop/DBus", DBUS, method, NULL, G_VARIANT_TYPE("(as)"),
		G_DBUS_CALL_FLAGS_NONE, 5000, NULL, NULL);
	g_autofree const char **names = NULL;

	if (reply == NULL)
		return FALSE;
	g_variant_get(reply, "(^a&s)", &names);
	return g_strv_contains(names, MTW_SERVICE_NAME);
}

gboolean mtw_service_is_there(const MtwPaths *paths)
{
	g_autoptr(GDBusConnection) bus = mtw_bus_system(paths);

	return bus != NULL && (has_name(bus, "ListActivatableNames") || has_name(bus, "ListNames"));
}

MtwEngine *mtw_engine_new_service(const MtwPaths *paths, GError **error)
{
	MtwClient *client;

	if (!mtw_service_is_there(paths)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
			    "the service %s is not on the system bus", MTW_SERVICE_NAME);
		return NULL;
	}
	client = g_new0(MtwClient, 1);
	client->base = (MtwEngine){ .ops = &client_ops, .remote = TRUE };
	client->bus = mtw_bus_system(paths);
	client->context = g_main_context_new();
	g_queue_init(&client->events);
	g_main_context_push_thread_default(client->context);
	client->subscription = g_dbus_connection_signal_subscribe(
		client->bus, MTW_SERVICE_NAME, MTW_SERVICE_INTERFACE, "EventAdded",
		MTW_SERVICE_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, on_event_added, client, NULL);
	g_main_context_pop_thread_default(client->context);
	return &client->base;
}

/* Returns: (transfer full): "" when it cannot be read */
static char *read_property(MtwClient *client, const char *name)
{
	g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
		client->bus, MTW_SERVICE_NAME, MTW_SERVICE_PATH, DBUS ".Properties", "Get",
		g_variant_new("(ss)", MTW_SERVICE_INTERFACE, name), G_VARIANT_TYPE("(v)"),
		G_DBUS_CALL_FLAGS_NONE, CALL_MSEC, NULL, NULL);
	g_autoptr(GVariant) value = NULL;

	if (reply != NULL)
		g_variant_get(reply, "(v)", &value);
	return value != NULL && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)
		       ? g_variant_dup_string(value, NULL)
		       : g_strdup("");
}

gboolean mtw_service_attach(MtwEngine *engine, char **ret_device, GError **error)
{
	MtwClient *client = (MtwClient *)engine;
	g_autofree char *session = read_property(client, "Session");

	if (*session == '\0') {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "no capture is running; `mmiotrace-wizard sessions` lists the finished "
			    "ones");
		return FALSE;
	}
	g_free(client->session);
	client->session = g_steal_pointer(&session);
	client->last = 0;
	*ret_device = read_property(client, "Device");
	return attach(client, error);
}
