/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running capture: watching it, marking, stopping; and how it ended. */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "capture/events.h"
#include "capture/session.h"
#include "service/methods-private.h"

GVariant *mtw_method_attach(MtwCall *call, GError **error)
{
	const char *session = mtw_call_session(call);

	(void)error;
	mtw_visitors_add(call->visitors, call->bus, call->sender, session);
	mtw_visitors_tell(call->visitors, call->host);
	return mtw_reply_nothing();
}

GVariant *mtw_method_mark(MtwCall *call, GError **error)
{
	const char *text = mtw_call_text(call, 1, MTW_CALL_TEXT_MAX_BYTES, error);

	return text != NULL && mtw_host_mark(call->host, mtw_call_session(call), text, error)
		       ? mtw_reply_nothing()
		       : NULL;
}

/* A capture that has ended already is what the caller wants. */
GVariant *mtw_method_stop(MtwCall *call, GError **error)
{
	(void)error;
	mtw_host_stop(call->host, mtw_call_session(call), FALSE);
	return mtw_reply_nothing();
}

GVariant *mtw_method_abort(MtwCall *call, GError **error)
{
	(void)error;
	mtw_host_stop(call->host, mtw_call_session(call), TRUE);
	return mtw_reply_nothing();
}

static GVariant *reply_events(JsonArray *events, guint last)
{
	g_autofree char *text = mtw_json_array_text(events);

	return g_variant_new("(su)", text, last);
}

GVariant *mtw_method_get_events(MtwCall *call, GError **error)
{
	guint after, last = 0;
	JsonArray *events;

	(void)error;
	g_variant_get_child(call->arguments, 1, "u", &after);
	events = mtw_host_events(call->host, mtw_call_session(call), after, &last);
	return events != NULL ? reply_events(events, last) : NULL;
}

static JsonObject *read_verdict(const MtwSession *session)
{
	g_autofree char *path = mtw_session_path(session, "verdict.json");
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);

	return text != NULL ? mtw_json_parse(text, -1, path, NULL) : NULL;
}

static JsonObject *interruption(void)
{
	JsonObject *error = json_object_new();

	json_object_set_string_member(error, "name", "interrupted");
	json_object_set_string_member(
		error, "message",
		"the service ended while it traced; the machine was put back afterwards");
	return error;
}

static JsonObject *error_of(const MtwSession *session)
{
	static const char *const in_order[] = { MTW_SESSION_CAPTURED, MTW_SESSION_PACKED,
						MTW_SESSION_FAILED, "sent", NULL };
	JsonObject *error = mtw_json_object(session->state, "error");
	const char *state = mtw_json_string(session->state, "state", "");

	if (!g_strv_contains(in_order, state))
		return interruption();
	return error != NULL ? json_object_ref(error) : NULL;
}

/* The last event, from what the session's files tell. */
static JsonObject *done_event(const MtwSession *session)
{
	JsonObject *event = mtw_event_new("done");
	JsonObject *verdict = read_verdict(session);
	JsonObject *error = error_of(session);

	json_object_set_string_member(event, "session", session->id);
	json_object_set_int_member(event, "try", mtw_json_int(session->state, "try", 1));
	json_object_set_boolean_member(event, "restored",
				       mtw_json_bool(session->state, "restored", FALSE));
	json_object_set_boolean_member(event, "trace", verdict != NULL);
	if (verdict != NULL)
		json_object_set_object_member(event, "verdict", verdict);
	if (error != NULL)
		json_object_set_object_member(event, "error", error);
	return event;
}

/*
 * A capture of an earlier life of the service, or one that others followed since: only the end of it can be told. What a
 * dead service left was undone before this runs: the worker does one after the other.
 */
GVariant *mtw_method_get_stored_events(MtwCall *call, GError **error)
{
	const char *id = mtw_call_session(call);
	g_autoptr(MtwSession) session = mtw_session_open(call->paths, id, FALSE, error);
	JsonArray *events;
	guint after;

	if (session == NULL)
		return NULL;
	if (mtw_session_is_live(session)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY,
			    "session %s belongs to another program that is at work", id);
		return NULL;
	}
	g_variant_get_child(call->arguments, 1, "u", &after);
	events = json_array_new();
	if (after != G_MAXUINT)
		json_array_add_object_element(events, done_event(session));
	return reply_events(events, G_MAXUINT);
}

GVariant *mtw_method_get_counters(MtwCall *call, GError **error)
{
	JsonObject *counters = mtw_host_counters(call->host, mtw_call_session(call));

	(void)error;
	return counters != NULL ? mtw_reply_json_object(counters) : g_variant_new("(s)", "");
}
