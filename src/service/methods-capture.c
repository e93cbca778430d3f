/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checking, planning, starting; now, or when the computer starts. */
#include "base/error.h"
#include "base/json.h"
#include "capture/capture-json.h"
#include "capture/device-json.h"
#include "capture/events.h"
#include "capture/next-boot.h"
#include "capture/session.h"
#include "service/methods-private.h"

#define DURATION_MAX_SEC (24 * 60 * 60)

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
	g_autoptr(JsonObject) json = NULL;
	g_autoptr(GPtrArray) messages = NULL;
	MtwCheckOptions options;

	if (!mtw_call_check_options(call, &options, &json, error))
		return NULL;
	messages = mtw_check_run(call->paths, &options);
	return mtw_reply_json_array(mtw_messages_to_json(messages));
}

GVariant *mtw_method_plan(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) json = NULL;
	g_auto(MtwCaptureOptions) options = { 0 };
	g_autoptr(MtwEngine) engine = NULL;
	JsonObject *plan;

	if (!mtw_call_capture_options(call, &options, &json, error))
		return NULL;
	engine = mtw_engine_new_local(call->paths);
	plan = mtw_engine_plan(engine, &options, error);
	return plan != NULL ? mtw_reply_json_object(plan) : NULL;
}

GVariant *mtw_method_start(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) json = NULL;
	g_auto(MtwCaptureOptions) options = { 0 };
	const char *again = mtw_call_text(call, 1, MTW_CALL_TEXT_MAX_BYTES, error);
	MtwHostStart start = { .options = &options, .sender = call->sender };
	g_autofree char *session = NULL;

	if (again == NULL || !mtw_call_capture_options(call, &options, &json, error))
		return NULL;
	start.again = *again != '\0' ? again : NULL;
	session = mtw_host_start(call->host, &start, error);
	return session != NULL ? g_variant_new("(s)", session) : NULL;
}

GVariant *mtw_method_plan_next_boot(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) json = NULL;
	g_auto(MtwCaptureOptions) options = { 0 };
	JsonObject *plan;

	if (!mtw_call_capture_options(call, &options, &json, error))
		return NULL;
	plan = mtw_next_boot_plan(call->paths, &options, error);
	return plan != NULL ? mtw_reply_json_object(plan) : NULL;
}

GVariant *mtw_method_arrange_next_boot(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) json = NULL;
	g_auto(MtwCaptureOptions) options = { 0 };
	g_autofree char *session = NULL;
	guint duration_sec;

	g_variant_get_child(call->arguments, 1, "u", &duration_sec);
	if (!mtw_call_capture_options(call, &options, &json, error))
		return NULL;
	if (duration_sec == 0 || duration_sec > DURATION_MAX_SEC) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "a capture of %u seconds is not possible", duration_sec);
		return NULL;
	}
	session = mtw_next_boot_arrange(call->paths, &options, duration_sec, error);
	return session != NULL ? g_variant_new("(s)", session) : NULL;
}

/* Cancelling deletes the session: not one that has a trace by now. */
GVariant *mtw_method_cancel_next_boot(MtwCall *call, GError **error)
{
	const char *id = mtw_call_session(call);
	g_autoptr(MtwSession) session = mtw_session_open(call->paths, id, FALSE, error);

	if (session == NULL)
		return NULL;
	if (!g_str_equal(mtw_json_string(session->state, "state", ""), MTW_SESSION_WAITING)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "session %s does not wait for a start of the computer", id);
		return NULL;
	}
	return mtw_next_boot_cancel(call->paths, id, error) ? mtw_reply_nothing() : NULL;
}
