/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked about finished sessions. */
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/events.h"
#include "capture/recover.h"
#include "capture/session.h"
#include "service/methods-private.h"

#include <string.h>

static GVariant *done(void)
{
	return g_variant_new("()");
}

static MtwEngine *borrow(MtwCall *call, GError **error)
{
	const char *session = mtw_call_text(call, 0, error);

	return session != NULL ? mtw_host_borrow(call->host, session, error) : NULL;
}

GVariant *mtw_method_open_file(MtwCall *call, GError **error)
{
	const char *name = mtw_call_text(call, 1, error);
	MtwEngine *engine = name != NULL ? borrow(call, error) : NULL;
	int fd = engine != NULL ? mtw_engine_open_file(engine, name, error) : -1;

	if (engine != NULL)
		mtw_host_give_back(call->host, engine);
	if (fd < 0)
		return NULL;
	call->fds = g_unix_fd_list_new_from_array(&fd, 1);
	return g_variant_new("(h)", 0);
}

GVariant *mtw_method_get_facts(MtwCall *call, GError **error)
{
	g_autoptr(MtwSession) session =
		mtw_session_open(call->paths, mtw_call_text(call, 0, error), FALSE, error);

	return session != NULL ? mtw_reply_json_object(json_object_ref(session->state)) : NULL;
}

/* A report decides about itself only; what the capture wrote down stays as it is. */
static gboolean may_keep(const char *name, JsonNode *value)
{
	static const char *const names[] = { "archive", "profile", "notes", "url", "sent", NULL };
	static const char *const states[] = { "packed", "sent", NULL };
	const char *text =
		JSON_NODE_HOLDS_VALUE(value) && json_node_get_value_type(value) == G_TYPE_STRING
			? json_node_get_string(value)
			: NULL;

	if (text == NULL)
		return FALSE;
	if (strcmp(name, "state") == 0)
		return g_strv_contains(states, text);
	return g_strv_contains(names, name);
}

GVariant *mtw_method_keep_fact(MtwCall *call, GError **error)
{
	const char *name = mtw_call_text(call, 1, error);
	const char *text = mtw_call_text(call, 2, error);
	g_autoptr(JsonNode) value = text != NULL ? json_from_string(text, NULL) : NULL;
	MtwEngine *engine;
	gboolean kept;

	if (name == NULL || value == NULL || !may_keep(name, value)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "that fact cannot be kept");
		return NULL;
	}
	engine = borrow(call, error);
	if (engine == NULL)
		return NULL;
	kept = mtw_engine_keep_fact(engine, name, json_node_copy(value), error);
	mtw_host_give_back(call->host, engine);
	return kept ? done() : NULL;
}

static GVariant *take_file(MtwCall *call, MtwEngine *engine, const MtwMessage *about,
			   GError **error)
{
	g_autoptr(GVariant) data = g_variant_get_child_value(call->arguments, 2);
	gsize bytes;
	const void *content = g_variant_get_fixed_array(data, &bytes, 1);

	if (bytes > MTW_CALL_FILE_MAX_BYTES) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "a file of %" G_GSIZE_FORMAT " bytes is too large", bytes);
		return NULL;
	}
	return mtw_engine_keep_file(engine, about, content, bytes, error) ? done() : NULL;
}

GVariant *mtw_method_keep_file(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) object = mtw_call_json(call, 1, "about", error);
	g_autoptr(MtwMessage) about = object != NULL ? mtw_message_from_json(object) : NULL;
	MtwEngine *engine =
		about != NULL
			? mtw_host_running_engine(call->host, mtw_call_text(call, 0, NULL), NULL)
			: NULL;
	GVariant *reply;

	if (about == NULL)
		return NULL;
	if (engine != NULL)
		return take_file(call, engine, about, error);
	engine = borrow(call, error);
	if (engine == NULL)
		return NULL;
	reply = take_file(call, engine, about, error);
	mtw_host_give_back(call->host, engine);
	return reply;
}

GVariant *mtw_method_collect(MtwCall *call, GError **error)
{
	MtwEngine *engine = borrow(call, error);
	g_autoptr(GPtrArray) messages = engine != NULL ? mtw_engine_collect(engine, error) : NULL;

	if (engine != NULL)
		mtw_host_give_back(call->host, engine);
	return messages != NULL ? mtw_reply_json_array(mtw_messages_to_json(messages)) : NULL;
}

/* For those whom an administrator let trace, and who are going to mask these values. */
GVariant *mtw_method_get_identifiers(MtwCall *call, GError **error)
{
	g_autoptr(GPtrArray) identifiers = mtw_identifiers_get(call->paths);
	JsonArray *array = json_array_new();

	(void)error;
	for (guint i = 0; i < identifiers->len; i++) {
		const MtwIdentifier *identifier = identifiers->pdata[i];
		JsonObject *object = json_object_new();
		json_object_set_string_member(object, "kind", identifier->kind);
		mtw_json_set_text(object, "value", identifier->value);
		json_array_add_object_element(array, object);
	}
	return mtw_reply_json_array(array);
}

GVariant *mtw_method_log(MtwCall *call, GError **error)
{
	const char *text = mtw_call_text(call, 1, error);
	g_autofree char *clean = text != NULL ? mtw_text_clean_line(text) : NULL;
	MtwEngine *engine = clean != NULL ? borrow(call, error) : NULL;

	if (engine == NULL)
		return NULL;
	mtw_engine_log(engine, clean);
	mtw_host_give_back(call->host, engine);
	return done();
}

GVariant *mtw_method_list_sessions(MtwCall *call, GError **error)
{
	g_autoptr(GPtrArray) ids = mtw_session_list(call->paths);
	JsonArray *array = json_array_new();

	(void)error;
	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(MtwSession) session = NULL;
		if (!mtw_host_may(call->host, ids->pdata[i], call->uid, NULL))
			continue;
		session = mtw_session_open(call->paths, ids->pdata[i], FALSE, NULL);
		if (session == NULL)
			continue;
		json_object_set_boolean_member(session->state, "live",
					       mtw_session_is_live(session));
		json_array_add_object_element(array, json_object_ref(session->state));
	}
	return mtw_reply_json_array(array);
}

GVariant *mtw_method_delete_session(MtwCall *call, GError **error)
{
	const char *session = mtw_call_text(call, 0, error);

	mtw_host_forget(call->host, session);
	return mtw_session_delete(call->paths, session, error) ? done() : NULL;
}

static void on_change(const MtwChange *change, const char *action, const GError *error,
		      gpointer user_data)
{
	json_array_add_object_element(user_data, mtw_event_change(change, action, error));
}

GVariant *mtw_method_recover(MtwCall *call, GError **error)
{
	const char *session = mtw_call_text(call, 0, error);
	g_autoptr(JsonArray) events = json_array_new();

	mtw_host_forget(call->host, session);
	if (!mtw_recover_session(call->paths, session, on_change, events, error))
		return NULL;
	return mtw_reply_json_array(g_steal_pointer(&events));
}
