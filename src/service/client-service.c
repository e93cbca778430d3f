/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the service has beside the engine: finding a running capture again, sessions, the next start of the computer. */
#include "base/error.h"
#include "base/json.h"
#include "capture/capture-json.h"
#include "capture/session.h"
#include "service/client-private.h"

static gboolean get_options(MtwClient *client, MtwCaptureOptions *ret_options,
			    JsonObject **ret_json, GError **error)
{
	JsonObject *options;

	*ret_json =
		mtw_client_call_object(client, "GetFacts", mtw_client_of_session(client), error);
	if (*ret_json == NULL)
		return FALSE;
	options = mtw_json_object(*ret_json, "options");
	if (options != NULL)
		return mtw_capture_options_from_json(options, ret_options, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
		    "the service does not tell what session %s was started with; is it of another "
		    "version?",
		    client->session);
	return FALSE;
}

gboolean mtw_service_attach(MtwEngine *engine, MtwCaptureOptions *ret_options,
			    JsonObject **ret_json, GError **error)
{
	MtwClient *client = (MtwClient *)engine;
	g_autofree char *session = mtw_client_property(client, "Session", error);

	if (session == NULL)
		return FALSE;
	if (*session == '\0') {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "no capture is running; `mmiotrace-wizard sessions` lists the finished "
			    "ones");
		return FALSE;
	}
	g_free(client->session);
	client->session = g_steal_pointer(&session);
	client->last = 0;
	return mtw_client_attach(client, error) &&
	       get_options(client, ret_options, ret_json, error);
}

JsonArray *mtw_service_sessions(MtwEngine *engine, GError **error)
{
	return mtw_client_call_array((MtwClient *)engine, "ListSessions", NULL, error);
}

static GVariant *of(const char *session)
{
	return g_variant_new("(@s)", mtw_client_text(session));
}

gboolean mtw_service_delete(MtwEngine *engine, const char *session, GError **error)
{
	return mtw_client_call_void((MtwClient *)engine, "DeleteSession", of(session), error);
}

char *mtw_service_waiting(MtwEngine *engine, GError **error)
{
	g_autoptr(JsonArray) sessions = mtw_service_sessions(engine, error);

	for (guint i = 0; sessions != NULL && i < json_array_get_length(sessions); i++) {
		JsonObject *facts = mtw_json_object_at(sessions, i);
		if (g_str_equal(mtw_json_string(facts, "state", ""), MTW_SESSION_WAITING))
			return g_strdup(mtw_json_string(facts, "id", ""));
	}
	return NULL;
}

JsonArray *mtw_service_recover(MtwEngine *engine, const char *session, GError **error)
{
	return mtw_client_call_array((MtwClient *)engine, "Recover", of(session), error);
}

JsonArray *mtw_service_reset(MtwEngine *engine, GError **error)
{
	return mtw_client_call_array((MtwClient *)engine, "Reset", NULL, error);
}

JsonObject *mtw_service_plan_next_boot(MtwEngine *engine, const MtwCaptureOptions *options,
				       GError **error)
{
	g_autofree char *text = mtw_client_options_text(options);

	return mtw_client_call_object((MtwClient *)engine, "PlanNextBoot",
				      g_variant_new("(s)", text), error);
}

char *mtw_service_arrange_next_boot(MtwEngine *engine, const MtwCaptureOptions *options,
				    guint duration_sec, GError **error)
{
	g_autofree char *text = mtw_client_options_text(options);
	g_autoptr(GVariant) reply =
		mtw_client_call((MtwClient *)engine, "ArrangeNextBoot",
				g_variant_new("(su)", text, duration_sec), "(s)", error);
	char *session = NULL;

	if (reply != NULL)
		g_variant_get(reply, "(s)", &session);
	return session;
}

gboolean mtw_service_cancel_next_boot(MtwEngine *engine, const char *session, GError **error)
{
	return mtw_client_call_void((MtwClient *)engine, "CancelNextBoot", of(session), error);
}
