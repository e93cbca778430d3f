/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The client's part about the running capture: what happens in it. */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "service/client-private.h"

#define FETCH_USEC (2 * G_USEC_PER_SEC)
#define TRIES 3

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
	g_autoptr(JsonNode) node = mtw_client_parse_reply(reply, JSON_NODE_ARRAY, NULL);
	JsonArray *array = node != NULL ? json_node_get_array(node) : NULL;

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		JsonObject *event = mtw_json_object_at(array, i);
		if (event != NULL)
			g_queue_push_tail(&client->events, json_object_ref(event));
	}
	g_variant_get_child(reply, 1, "u", &client->last);
	/* Perhaps not all of them fitted. */
	client->news |= client->last != before;
}

/* One that ended in the middle of the call is started by the next one, and may have a lot to put back first. */
static void take_failure(MtwClient *client, const GError *error)
{
	gboolean may_pass = error->code == MTW_ERROR_FAILED || error->code == MTW_ERROR_TIMEOUT;

	client->failures++;
	if (!may_pass || client->failures >= TRIES)
		g_queue_push_tail(&client->events, lost_event(client, error));
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
	if (reply == NULL) {
		take_failure(client, error);
		return;
	}
	client->failures = 0;
	queue_events(client, reply);
}

static gboolean on_time_out(gpointer user_data)
{
	*(gboolean *)user_data = TRUE;
	return G_SOURCE_REMOVE;
}

void mtw_client_on_event_added(GDBusConnection *bus, const char *sender, const char *object,
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

JsonObject *mtw_client_next_event(MtwEngine *engine, guint timeout_msec)
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
