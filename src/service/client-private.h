/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between client.c and client-session.c. */
#pragma once

#include "service/client.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

typedef struct {
	MtwEngine base;
	GDBusConnection *bus;
	GMainContext *context; /* of the signal that there are events */
	guint subscription;
	char *session; /* (nullable) */
	guint last;    /* number of the last event that was fetched */
	gboolean news; /* the service said that there are more */
	gint64 fetched_usec;
	guint failures;	   /* of fetching, one after the other */
	GQueue events;	   /* (element-type JsonObject) fetched, not handed out */
	gboolean ended;	   /* the last try's "done" was handed out */
	JsonObject *facts; /* (nullable) of the finished session */
} MtwClient;

/* mtw_client_call: @arguments: floating; @type: of the reply. Returns: (transfer full) (nullable) */
GVariant *mtw_client_call(MtwClient *client, const char *method, GVariant *arguments,
			  const char *type, GError **error);
gboolean mtw_client_call_void(MtwClient *client, const char *method, GVariant *arguments,
			      GError **error);
GVariant *mtw_client_call_fds(MtwClient *client, const char *method, GVariant *arguments,
			      GUnixFDList **ret_fds, GError **error);
gboolean mtw_client_is_of_type(GVariant *reply, const char *type, GError **error);

/* Replies of one text of JSON. Returns: (transfer full) (nullable) */
JsonArray *mtw_client_call_array(MtwClient *client, const char *method, GVariant *arguments,
				 GError **error);
JsonObject *mtw_client_call_object(MtwClient *client, const char *method, GVariant *arguments,
				   GError **error);

/* mtw_client_property: one that is a text. Returns: (transfer full) (nullable) */
char *mtw_client_property(MtwClient *client, const char *name, GError **error);

/* mtw_client_parse_reply: the first value, a text of JSON of that type. Returns: (transfer full) (nullable) */
JsonNode *mtw_client_parse_reply(GVariant *reply, JsonNodeType type, GError **error);

/* mtw_client_text: any bytes as an argument. @text: (nullable): "". Returns: floating */
GVariant *mtw_client_text(const char *text);

/* mtw_client_options_text: Returns: (transfer full) */
char *mtw_client_options_text(const MtwCaptureOptions *options);

/* mtw_client_attach: to client->session. */
gboolean mtw_client_attach(MtwClient *client, GError **error);

/* client-events.c */
JsonObject *mtw_client_next_event(MtwEngine *engine, guint timeout_msec);
void mtw_client_on_event_added(GDBusConnection *bus, const char *sender, const char *object,
			       const char *interface, const char *signal, GVariant *arguments,
			       gpointer user_data);

/* mtw_client_of_session: arguments that are the session alone. Returns: floating */
GVariant *mtw_client_of_session(const MtwClient *client);

/* What is asked about finished sessions: engine.h. */
int mtw_client_open_file(MtwEngine *engine, const char *name, GError **error);
const char *mtw_client_session_id(MtwEngine *engine);
gboolean mtw_client_open_session(MtwEngine *engine, const char *id, GError **error);
JsonObject *mtw_client_facts(MtwEngine *engine);
gboolean mtw_client_keep_fact(MtwEngine *engine, const char *name, JsonNode *value, GError **error);
gboolean mtw_client_keep_file(MtwEngine *engine, const MtwMessage *about, const void *data,
			      gsize bytes, GError **error);
GPtrArray *mtw_client_collect(MtwEngine *engine, GError **error);
GPtrArray *mtw_client_identifiers(MtwEngine *engine);
void mtw_client_log(MtwEngine *engine, const char *text);
