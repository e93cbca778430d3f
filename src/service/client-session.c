/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The client's part about finished sessions. */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "service/client-private.h"

#define DETAIL_CHARACTERS 300

int mtw_client_open_file(MtwEngine *engine, const char *name, GError **error)
{
	MtwClient *client = (MtwClient *)engine;
	g_autoptr(GUnixFDList) fds = NULL;
	g_autoptr(GVariant) reply = NULL;
	g_autoptr(GError) why = NULL;
	int fd;

	if (client->session == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "there is no finished capture");
		return -1;
	}
	reply = mtw_client_call_fds(client, "OpenFile",
				    g_variant_new("(s@s)", client->session, mtw_client_text(name)),
				    &fds, error);
	if (reply == NULL || !mtw_client_is_of_type(reply, "(h)", error))
		return -1;
	fd = fds != NULL ? g_unix_fd_list_get(fds, 0, &why) : -1;
	if (fd < 0)
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "%s did not come over the bus",
			    name);
	return fd;
}

const char *mtw_client_session_id(MtwEngine *engine)
{
	return ((MtwClient *)engine)->session;
}

gboolean mtw_client_open_session(MtwEngine *engine, const char *id, GError **error)
{
	MtwClient *client = (MtwClient *)engine;

	g_free(client->session);
	client->session = g_utf8_make_valid(id, -1);
	client->ended = TRUE;
	g_clear_pointer(&client->facts, json_object_unref);
	client->facts =
		mtw_client_call_object(client, "GetFacts", mtw_client_of_session(client), error);
	return client->facts != NULL;
}

JsonObject *mtw_client_facts(MtwEngine *engine)
{
	MtwClient *client = (MtwClient *)engine;

	if (client->facts == NULL && client->session != NULL && client->ended)
		client->facts = mtw_client_call_object(client, "GetFacts",
						       mtw_client_of_session(client), NULL);
	return client->facts;
}

gboolean mtw_client_keep_fact(MtwEngine *engine, const char *name, JsonNode *value, GError **error)
{
	MtwClient *client = (MtwClient *)engine;
	g_autofree char *text = json_to_string(value, FALSE);
	gboolean kept =
		client->session != NULL &&
		mtw_client_call_void(client, "KeepFact",
				     g_variant_new("(s@s@s)", client->session,
						   mtw_client_text(name), mtw_client_text(text)),
				     error);

	if (kept && mtw_client_facts(engine) != NULL)
		json_object_set_member(client->facts, name, value);
	else
		json_node_unref(value);
	return kept;
}

/* The service takes a short one only; a command may be long, and stands in the file itself. */
static char *about_text(const MtwMessage *about)
{
	g_autofree char *valid = g_utf8_make_valid(about->detail, -1);
	g_autofree char *detail =
		g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), DETAIL_CHARACTERS));
	g_autoptr(MtwMessage) shortened = mtw_message_new(about->id, about->level, about->sentence,
							  about->hint, "%s", detail);
	g_autoptr(JsonObject) object = mtw_message_to_json(shortened);

	return mtw_json_line(object);
}

gboolean mtw_client_keep_file(MtwEngine *engine, const MtwMessage *about, const void *data,
			      gsize bytes, GError **error)
{
	MtwClient *client = (MtwClient *)engine;
	g_autofree char *text = about_text(about);

	return mtw_client_call_void(
		client, "KeepFile",
		g_variant_new("(@s@s@ay)", mtw_client_text(client->session), mtw_client_text(text),
			      g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, data, bytes, 1)),
		error);
}

GPtrArray *mtw_client_collect(MtwEngine *engine, GError **error)
{
	MtwClient *client = (MtwClient *)engine;
	g_autoptr(JsonArray) messages =
		mtw_client_call_array(client, "Collect", mtw_client_of_session(client), error);

	g_clear_pointer(&client->facts, json_object_unref);
	return messages != NULL ? mtw_messages_from_json(messages) : NULL;
}

GPtrArray *mtw_client_identifiers(MtwEngine *engine)
{
	MtwClient *client = (MtwClient *)engine;
	GPtrArray *identifiers = mtw_identifiers_new();
	g_autoptr(JsonArray) array = mtw_client_call_array(client, "GetIdentifiers",
							   mtw_client_of_session(client), NULL);

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		JsonObject *object = mtw_json_object_at(array, i);
		mtw_identifiers_add(identifiers,
				    g_intern_string(mtw_json_string(object, "kind", "")),
				    mtw_json_string(object, "value", NULL));
	}
	return identifiers;
}

void mtw_client_log(MtwEngine *engine, const char *text)
{
	MtwClient *client = (MtwClient *)engine;

	if (client->session != NULL && client->ended)
		(void)mtw_client_call_void(
			client, "Log",
			g_variant_new("(s@s)", client->session, mtw_client_text(text)), NULL);
}
