/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of calls, read with distrust, and replies. */
#include "base/error.h"
#include "base/json.h"
#include "capture/capture-json.h"
#include "service/methods-private.h"

#include <string.h>

const char *mtw_call_text(MtwCall *call, guint index, gsize max_bytes, GError **error)
{
	gsize length = 0;
	const char *text;

	g_variant_get_child(call->arguments, index, "&s", &text);
	length = strlen(text);
	if (length <= max_bytes)
		return text;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "a text of %" G_GSIZE_FORMAT " bytes is too long", length);
	return NULL;
}

const char *mtw_call_session(MtwCall *call)
{
	const char *session;

	g_variant_get_child(call->arguments, 0, "&s", &session);
	return session;
}

JsonObject *mtw_call_json(MtwCall *call, guint index, gsize max_bytes, const char *what,
			  GError **error)
{
	const char *text = mtw_call_text(call, index, max_bytes, error);

	return text != NULL ? mtw_json_parse(text, -1, what, error) : NULL;
}

gboolean mtw_call_capture_options(MtwCall *call, MtwCaptureOptions *ret_options,
				  JsonObject **ret_json, GError **error)
{
	*ret_json = mtw_call_json(call, 0, MTW_CALL_TEXT_MAX_BYTES, "options", error);
	if (*ret_json == NULL || !mtw_capture_options_from_json(*ret_json, ret_options, error))
		return FALSE;
	/* What a caller says of itself counts for nothing. */
	ret_options->owner_uid = call->uid;
	return TRUE;
}

gboolean mtw_call_check_options(MtwCall *call, MtwCheckOptions *ret_options, JsonObject **ret_json,
				GError **error)
{
	*ret_json = mtw_call_json(call, 0, MTW_CALL_TEXT_MAX_BYTES, "options", error);
	return *ret_json != NULL && mtw_check_options_from_json(*ret_json, ret_options, error);
}

GVariant *mtw_reply_nothing(void)
{
	return g_variant_new("()");
}

/* Takes @node over. Returns: (transfer full) */
static char *to_text(JsonNode *node)
{
	char *text = json_to_string(node, FALSE);

	json_node_unref(node);
	return text;
}

char *mtw_json_array_text(JsonArray *array)
{
	JsonNode *node = json_node_new(JSON_NODE_ARRAY);

	json_node_take_array(node, array);
	return to_text(node);
}

GVariant *mtw_reply_json_array(JsonArray *array)
{
	g_autofree char *text = mtw_json_array_text(array);

	return g_variant_new("(s)", text);
}

GVariant *mtw_reply_json_object(JsonObject *object)
{
	JsonNode *node = json_node_new(JSON_NODE_OBJECT);
	g_autofree char *text = NULL;

	json_node_take_object(node, object);
	text = to_text(node);
	return g_variant_new("(s)", text);
}
