/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/events.h"

#include "base/error.h"
#include "base/json.h"

JsonObject *mtw_event_new(const char *event)
{
	JsonObject *object = json_object_new();

	json_object_set_string_member(object, "event", event);
	return object;
}

JsonObject *mtw_event_of(const char *event, JsonObject *members)
{
	JsonObject *object = mtw_event_new(event);

	mtw_json_add_members(object, members);
	return object;
}

JsonObject *mtw_event_state(const char *state, const char *session, guint try_number)
{
	JsonObject *object = mtw_event_new("state");

	json_object_set_string_member(object, "state", state);
	json_object_set_string_member(object, "session", session);
	json_object_set_int_member(object, "try", try_number);
	return object;
}

static void add_change(JsonObject *object, const MtwChange *change)
{
	json_object_set_string_member(object, "kind", mtw_change_kind_name(change->kind));
	mtw_json_set_text(object, "subject", change->subject);
	mtw_json_set_text(object, "before", change->before);
	mtw_json_set_text(object, "after", change->after);
	json_object_set_string_member(object, "sentence", mtw_change_sentence(change));
	json_object_set_string_member(object, "undo", mtw_change_undo_sentence(change));
}

JsonObject *mtw_event_change(const MtwChange *change, const char *action, const GError *error)
{
	JsonObject *object = mtw_event_new("change");

	json_object_set_string_member(object, "action", action);
	add_change(object, change);
	json_object_set_boolean_member(object, "ok", error == NULL);
	if (error != NULL)
		json_object_set_object_member(object, "error", mtw_error_to_json(error));
	return object;
}

JsonObject *mtw_change_to_json(const MtwChange *change)
{
	JsonObject *object = json_object_new();

	add_change(object, change);
	if (change->options != NULL)
		mtw_json_set_text(object, "options", change->options);
	json_object_set_boolean_member(object, "keep", change->keep);
	return object;
}

static void add_message(JsonObject *object, const MtwMessage *message)
{
	json_object_set_string_member(object, "id", message->id);
	json_object_set_string_member(object, "level", mtw_level_name(message->level));
	json_object_set_string_member(object, "sentence", message->sentence);
	mtw_json_set_text(object, "detail", message->detail);
	json_object_set_string_member(object, "hint", message->hint);
	if (message->fix != NULL)
		json_object_set_string_member(object, "fix", message->fix);
}

JsonObject *mtw_event_message(const MtwMessage *message)
{
	JsonObject *object = mtw_event_new("message");

	add_message(object, message);
	return object;
}

JsonObject *mtw_message_to_json(const MtwMessage *message)
{
	JsonObject *object = json_object_new();

	add_message(object, message);
	return object;
}

MtwMessage *mtw_message_from_json(JsonObject *object)
{
	const char *level_name = mtw_json_string(object, "level", "");
	MtwLevel level = MTW_LEVEL_FAILURE;
	MtwMessage *message;

	while (level > MTW_LEVEL_OK && !g_str_equal(mtw_level_name(level), level_name))
		level--;
	message = mtw_message_new(g_intern_string(mtw_json_string(object, "id", "")), level,
				  g_intern_string(mtw_json_string(object, "sentence", "")),
				  g_intern_string(mtw_json_string(object, "hint", "")), "%s",
				  mtw_json_string(object, "detail", ""));
	message->fix = mtw_fix_find(mtw_json_string(object, "fix", NULL));
	return message;
}

JsonArray *mtw_messages_to_json(const GPtrArray *messages)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < messages->len; i++)
		json_array_add_object_element(array, mtw_message_to_json(messages->pdata[i]));
	return array;
}

GPtrArray *mtw_messages_from_json(JsonArray *array)
{
	GPtrArray *messages = mtw_messages_new();

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		JsonNode *node = json_array_get_element(array, i);
		if (JSON_NODE_HOLDS_OBJECT(node))
			g_ptr_array_add(messages,
					mtw_message_from_json(json_node_get_object(node)));
	}
	return messages;
}

JsonObject *mtw_event_marker(const char *text)
{
	JsonObject *object = mtw_event_new("marker");

	mtw_json_set_text(object, "text", text);
	return object;
}

JsonObject *mtw_error_to_json(const GError *error)
{
	JsonObject *object = json_object_new();

	json_object_set_string_member(object, "name", mtw_error_name(error));
	mtw_json_set_text(object, "message", error->message);
	return object;
}

GError *mtw_error_from_json(JsonObject *object)
{
	return mtw_error_from_name(mtw_json_string(object, "name", "failed"),
				   mtw_json_string(object, "message", ""));
}
