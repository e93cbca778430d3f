/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/client-private.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/capture-json.h"
#include "capture/events.h"
#include "machine/bus.h"
#include "service/names.h"

#include <string.h>

#define DBUS "org.freedesktop.DBus"
/* What is answered at once; on one processor, which a tracer slows down. */
#define QUICK_MSEC (30 * 1000)
/* A person has to find a password; collecting reads a lot; others' calls come first. */
#define LONG_MSEC (15 * 60 * 1000)

/* ---- calls ----------------------------------------------------------------------------------- */

static gboolean is_quick(const char *method)
{
	static const char *const quick[] = { "Attach",	  "Mark",	 "Stop", "Abort",
					     "GetEvents", "GetCounters", NULL };

	return g_strv_contains(quick, method);
}

/* A long time is only for a service that is alive: its main loop always has time to tell its version. */
static gboolean is_alive(MtwClient *client, GError **error)
{
	g_autofree char *version = mtw_client_property(client, "Version", error);

	return version != NULL;
}

/* @arguments: floating. Returns: (transfer full) (nullable) */
GVariant *mtw_client_call_fds(MtwClient *client, const char *method, GVariant *arguments,
			      GUnixFDList **ret_fds, GError **error)
{
	g_autoptr(GDBusMessage) message = g_dbus_message_new_method_call(
		MTW_SERVICE_NAME, MTW_SERVICE_PATH, MTW_SERVICE_INTERFACE, method);
	g_autoptr(GDBusMessage) reply = NULL;
	GError *why = NULL;

	g_dbus_message_set_body(message, arguments);
	if (!is_quick(method) && !is_alive(client, error))
		return NULL;
	g_dbus_message_set_flags(message, G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION);
	reply = g_dbus_connection_send_message_with_reply_sync(
		client->bus, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE,

		is_quick(method) ? QUICK_MSEC : LONG_MSEC, NULL, NULL, &why);
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

char *mtw_client_property(MtwClient *client, const char *name, GError **error)
{
	GError *why = NULL;
	g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
		client->bus, MTW_SERVICE_NAME, MTW_SERVICE_PATH, DBUS ".Properties", "Get",
		g_variant_new("(ss)", MTW_SERVICE_INTERFACE, name), G_VARIANT_TYPE("(v)"),
		G_DBUS_CALL_FLAGS_NONE, QUICK_MSEC, NULL, &why);
	g_autoptr(GVariant) value = NULL;

	if (reply == NULL) {
		g_propagate_error(error, mtw_service_error_from_dbus(why));
		return NULL;
	}
	g_variant_get(reply, "(v)", &value);
	return mtw_client_is_of_type(value, "s", error) ? g_variant_dup_string(value, NULL) : NULL;
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

JsonNode *mtw_client_parse_reply(GVariant *reply, JsonNodeType type, GError **error)
{
	g_autoptr(JsonNode) node = NULL;
	const char *text;

	g_variant_get_child(reply, 0, "&s", &text);
	node = json_from_string(text, NULL);
	if (node != NULL && json_node_get_node_type(node) == type)
		return g_steal_pointer(&node);
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
		    "the service's answer is not what it should be");
	return NULL;
}

JsonArray *mtw_client_call_array(MtwClient *client, const char *method, GVariant *arguments,
				 GError **error)
{
	g_autoptr(GVariant) reply = mtw_client_call(client, method, arguments, "(s)", error);
	g_autoptr(JsonNode) node =
		reply != NULL ? mtw_client_parse_reply(reply, JSON_NODE_ARRAY, error) : NULL;

	return node != NULL ? json_node_dup_array(node) : NULL;
}

JsonObject *mtw_client_call_object(MtwClient *client, const char *method, GVariant *arguments,
				   GError **error)
{
	g_autoptr(GVariant) reply = mtw_client_call(client, method, arguments, "(s)", error);
	g_autoptr(JsonNode) node =
		reply != NULL ? mtw_client_parse_reply(reply, JSON_NODE_OBJECT, error) : NULL;

	return node != NULL ? json_node_dup_object(node) : NULL;
}

/* The bus carries valid UTF-8 only; what a person typed may be anything. */
GVariant *mtw_client_text(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text != NULL ? text : "", -1);

	return g_variant_new_string(valid);
}

GVariant *mtw_client_of_session(const MtwClient *client)
{
	return g_variant_new("(@s)", mtw_client_text(client->session));
}

/* ---- captures -------------------------------------------------------------------------------- */

static GPtrArray *client_check(MtwEngine *engine, const MtwCheckOptions *options, GError **error)
{
	g_autoptr(JsonObject) object = mtw_check_options_to_json(options);
	g_autofree char *text = mtw_json_line(object);
	g_autoptr(JsonArray) messages = mtw_client_call_array((MtwClient *)engine, "Check",
							      g_variant_new("(s)", text), error);

	return messages != NULL ? mtw_messages_from_json(messages) : NULL;
}

char *mtw_client_options_text(const MtwCaptureOptions *options)
{
	g_autoptr(JsonObject) object = mtw_capture_options_to_json(options);

	return mtw_json_line(object);
}

static JsonObject *client_plan(MtwEngine *engine, const MtwCaptureOptions *options, GError **error)
{
	g_autofree char *text = mtw_client_options_text(options);

	return mtw_client_call_object((MtwClient *)engine, "Plan", g_variant_new("(s)", text),
				      error);
}

/* While this connection lives, the service knows that somebody is there. */
gboolean mtw_client_attach(MtwClient *client, GError **error)
{
	client->ended = FALSE;
	client->news = TRUE;
	client->failures = 0;
	g_clear_pointer(&client->facts, json_object_unref);
	return mtw_client_call_void(client, "Attach", mtw_client_of_session(client), error);
}

static gboolean client_start(MtwEngine *engine, const MtwCaptureOptions *options, GError **error)
{
	MtwClient *client = (MtwClient *)engine;
	g_autofree char *text = mtw_client_options_text(options);
	const char *again = client->session != NULL ? client->session : "";
	g_autoptr(GVariant) reply =
		mtw_client_call(client, "Start", g_variant_new("(ss)", text, again), "(s)", error);

	if (reply == NULL)
		return FALSE;
	if (client->session == NULL) {
		g_variant_get(reply, "(s)", &client->session);
		client->last = 0;
	}
	/* It runs, whatever happens now: the events tell. */
	(void)mtw_client_attach(client, NULL);
	return TRUE;
}

static gboolean client_mark(MtwEngine *engine, const char *text, GError **error)
{
	MtwClient *client = (MtwClient *)engine;

	if (client->session != NULL)
		return mtw_client_call_void(
			client, "Mark",
			g_variant_new("(s@s)", client->session, mtw_client_text(text)), error);
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

	if (client->session == NULL || client->ended)
		return NULL;
	return mtw_client_call_object(client, "GetCounters", mtw_client_of_session(client), NULL);
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

static gboolean client_arrange_next_boot(MtwEngine *engine, const MtwCaptureOptions *options,
					 guint duration_sec, GError **error)
{
	g_autofree char *session =
		mtw_service_arrange_next_boot(engine, options, duration_sec, error);

	return session != NULL && mtw_client_open_session(engine, session, error);
}

static const MtwEngineOps client_ops = {
	.free = client_free,
	.check = client_check,
	.plan = client_plan,
	.start = client_start,
	.mark = client_mark,
	.stop = client_stop,
	.next_event = mtw_client_next_event,
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
	.plan_next_boot = mtw_service_plan_next_boot,
	.arrange_next_boot = client_arrange_next_boot,
	.cancel_next_boot = mtw_service_cancel_next_boot,
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

static gboolean is_known(GDBusConnection *bus)
{
	return has_name(bus, "ListActivatableNames") || has_name(bus, "ListNames");
}

gboolean mtw_service_is_there(const MtwPaths *paths)
{
	g_autoptr(GDBusConnection) bus = mtw_bus_system(paths);

	return bus != NULL && is_known(bus);
}

MtwEngine *mtw_engine_new_service(const MtwPaths *paths, GError **error)
{
	g_autoptr(GDBusConnection) bus = mtw_bus_system(paths);
	MtwClient *client;

	if (bus == NULL || !is_known(bus)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
			    "the service %s is not on the system bus", MTW_SERVICE_NAME);
		return NULL;
	}
	client = g_new0(MtwClient, 1);
	client->base = (MtwEngine){ .ops = &client_ops, .remote = TRUE };
	client->bus = g_steal_pointer(&bus);
	client->context = g_main_context_new();
	g_queue_init(&client->events);
	g_main_context_push_thread_default(client->context);
	client->subscription = g_dbus_connection_signal_subscribe(
		client->bus, MTW_SERVICE_NAME, MTW_SERVICE_INTERFACE, "EventAdded",
		MTW_SERVICE_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, mtw_client_on_event_added, client,
		NULL);
	g_main_context_pop_thread_default(client->context);
	return &client->base;
}
