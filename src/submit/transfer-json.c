/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers as JSON. */
#include "submit/transfer-private.h"

#include "base/error.h"
#include "base/json.h"

/* Without NULs, too: json-glib would take what stands before one for the whole. */
static gboolean is_text(const GString *body, GError **error)
{
	if (g_utf8_validate(body->str, (gssize)body->len, NULL))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "answer: not text");
	return FALSE;
}

JsonObject *mtw_reply_object(const MtwHttpReply *reply, GError **error)
{
	if (!is_text(reply->body, error))
		return NULL;
	return mtw_json_parse(reply->body->str, (gssize)reply->body->len, "answer", error);
}

/* The one reader of JSON takes objects: the array becomes the only member of one. */
JsonArray *mtw_reply_array(const MtwHttpReply *reply, GError **error)
{
	g_autofree char *wrapped = NULL;
	g_autoptr(JsonObject) object = NULL;
	JsonArray *array;

	if (!is_text(reply->body, error))
		return NULL;
	wrapped = g_strdup_printf("{\"array\":%s}", reply->body->str);
	object = mtw_json_parse(wrapped, -1, "answer", error);
	if (object == NULL)
		return NULL;
	array = mtw_json_array(object, "array");
	if (array == NULL || json_object_get_size(object) != 1) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "answer: not a JSON array");
		return NULL;
	}
	return json_array_ref(array);
}

/* The server took the request and answered rubbish: perhaps not even the server, but a box in between. */
static void fail_rubbish(MtwTransfer *transfer, const GError *reason, GError **error)
{
	mtw_transfer_fail_as(transfer, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, !transfer->safe,
			     error, "it answered something that makes no sense (%s)",
			     reason->message);
}

JsonObject *mtw_http_json(MtwTransfer *transfer, const MtwHttpReply *reply, GError **error)
{
	g_autoptr(GError) reason = NULL;
	JsonObject *object = mtw_reply_object(reply, &reason);

	if (object == NULL)
		fail_rubbish(transfer, reason, error);
	return object;
}

JsonArray *mtw_http_json_array(MtwTransfer *transfer, const MtwHttpReply *reply, GError **error)
{
	g_autoptr(GError) reason = NULL;
	JsonArray *array = mtw_reply_array(reply, &reason);

	if (array == NULL)
		fail_rubbish(transfer, reason, error);
	return array;
}
