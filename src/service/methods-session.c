/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked about finished sessions. */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "capture/recover.h"
#include "capture/session.h"
#include "service/methods-private.h"

#include <string.h>

static MtwEngine *borrow(MtwCall *call, GError **error)
{
	return mtw_host_borrow(call->host, mtw_call_session(call), FALSE, error);
}

/* Not the lock file: who has it open could keep others, and the recovery, from the session. */
static gboolean is_for_reading(const char *name)
{
	static const char *const names[] = { "trace.txt", "verdict.json", "log", NULL };
	static const char folder[] = "collected/";

	return g_strv_contains(names, name) ||
	       (g_str_has_prefix(name, folder) && strchr(name + strlen(folder), '/') == NULL);
}

GVariant *mtw_method_open_file(MtwCall *call, GError **error)
{
	const char *name = mtw_call_text(call, 1, MTW_CALL_ABOUT_MAX_BYTES, error);
	MtwEngine *engine;
	int fd;

	if (name == NULL)
		return NULL;
	if (!is_for_reading(name)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "that is no file of a session that can be read");
		return NULL;
	}
	engine = borrow(call, error);
	if (engine == NULL)
		return NULL;
	fd = mtw_engine_open_file(engine, name, error);
	mtw_host_give_back(call->host, engine);
	if (fd < 0)
		return NULL;
	call->fds = g_unix_fd_list_new_from_array(&fd, 1);
	return g_variant_new("(h)", 0);
}

GVariant *mtw_method_get_facts(MtwCall *call, GError **error)
{
	g_autoptr(MtwSession) session =
		mtw_session_open(call->paths, mtw_call_session(call), FALSE, error);

	return session != NULL ? mtw_reply_json_object(json_object_ref(mtw_session_facts(session)))
			       : NULL;
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

static gboolean is_of_caller(const char *session, gpointer call)
{
	return mtw_host_may(((MtwCall *)call)->host, session, ((MtwCall *)call)->uid, NULL);
}

GVariant *mtw_method_list_sessions(MtwCall *call, GError **error)
{
	(void)error;
	return mtw_reply_json_array(mtw_session_all_facts(call->paths, is_of_caller, call, NULL));
}

GVariant *mtw_method_delete_session(MtwCall *call, GError **error)
{
	const char *session = mtw_call_session(call);

	mtw_host_release(call->host, session);
	return mtw_session_delete(call->paths, session, error) ? mtw_reply_nothing() : NULL;
}

static void on_change(const MtwChange *change, const char *action, const GError *error,
		      gpointer user_data)
{
	json_array_add_object_element(user_data, mtw_event_change(change, action, error));
}

GVariant *mtw_method_recover(MtwCall *call, GError **error)
{
	const char *session = mtw_call_session(call);
	g_autoptr(JsonArray) events = json_array_new();

	mtw_host_release(call->host, session);
	if (!mtw_recover_session(call->paths, session, on_change, events, error))
		return NULL;
	return mtw_reply_json_array(g_steal_pointer(&events));
}

/* Whoever's sessions they are: an administrator was asked. */
GVariant *mtw_method_reset(MtwCall *call, GError **error)
{
	g_autoptr(JsonArray) events = json_array_new();

	mtw_host_release(call->host, NULL);
	if (!mtw_recover_reset(call->paths, on_change, events, error))
		return NULL;
	return mtw_reply_json_array(g_steal_pointer(&events));
}
