/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact-private.h"

#include "base/error.h"
#include "base/json.h"

#include <string.h>

#define FORMAT 1
#define NUMBER_MOST 0xffffff

/* JSON holds UTF-8 only: other bytes, and NUL, as Base64. */
static void set_bytes(JsonObject *object, const char *text, gsize bytes)
{
	g_autofree char *encoded = NULL;

	if (g_utf8_validate_len(text, bytes, NULL)) {
		json_object_set_string_member(object, "original", text);
		return;
	}
	encoded = g_base64_encode((const guchar *)text, bytes);
	json_object_set_string_member(object, "original_base64", encoded);
}

static JsonObject *value_to_json(const MtwRedactValue *value)
{
	JsonObject *object = json_object_new();
	g_autoptr(GString) mask = g_string_new(NULL);

	mtw_redact_mask(mask, value->kind, value->number, value->text, value->bytes);
	mtw_json_set_text(object, "mask", mask->str);
	set_bytes(object, value->text, value->bytes);
	json_object_set_string_member(object, "kind", mtw_redact_kind_name(value->kind));
	json_object_set_int_member(object, "number", value->number);
	json_object_set_boolean_member(object, "everywhere", value->searched);
	return object;
}

static int compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(a, b);
}

/* Each once, although it stands under several keys. */
static JsonArray *kept_to_json(const MtwRedactor *redactor)
{
	JsonArray *array = json_array_new();
	GList *texts = g_list_sort(g_hash_table_get_values(redactor->kept), compare_texts);

	for (GList *at = texts; at != NULL; at = at->next) {
		g_autofree char *valid = g_utf8_make_valid(at->data, -1);
		if (at->prev == NULL || strcmp(at->prev->data, at->data) != 0)
			json_array_add_string_element(array, valid);
	}
	g_list_free(texts);
	return array;
}

char *mtw_redactor_map_json(MtwRedactor *redactor)
{
	g_autoptr(JsonObject) map = json_object_new();
	JsonArray *values = json_array_new();

	for (guint i = 0; i < redactor->values->len; i++)
		json_array_add_object_element(values, value_to_json(redactor->values->pdata[i]));
	json_object_set_int_member(map, "format", FORMAT);
	json_object_set_array_member(map, "values", values);
	json_object_set_array_member(map, "keep", kept_to_json(redactor));
	return mtw_json_pretty(map);
}

/* ---- reading --------------------------------------------------------------------------------- */

static char *get_bytes(JsonObject *object, gsize *ret_bytes)
{
	const char *text = mtw_json_string(object, "original", NULL);
	const char *encoded = mtw_json_string(object, "original_base64", NULL);

	if (text != NULL) {
		*ret_bytes = strlen(text);
		return g_strdup(text);
	}
	return encoded != NULL ? (char *)g_base64_decode(encoded, ret_bytes) : NULL;
}

static gboolean refuse(GError **error, guint index, const char *why)
{
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "map of masks, value %u: %s", index + 1,
		    why);
	return FALSE;
}

static gboolean value_from_json(MtwRedactor *redactor, JsonObject *object, guint index,
				GError **error)
{
	gint64 number = mtw_json_int(object, "number", 0);
	gsize bytes = 0;
	g_autofree char *text = get_bytes(object, &bytes);
	g_autofree char *key = NULL;
	MtwRedactValue *value;
	MtwRedactKind kind;

	if (!mtw_redact_kind_from_name(mtw_json_string(object, "kind", ""), &kind))
		return refuse(error, index, "unknown kind");
	if (number < 1 || number > NUMBER_MOST)
		return refuse(error, index, "no number");
	if (text == NULL || bytes == 0 || mtw_redact_kind_of(kind, text, bytes) != kind)
		return refuse(error, index, "no original, or none of this kind");
	key = mtw_redact_key(kind, text, bytes);
	if (g_hash_table_contains(redactor->by_key, key))
		return refuse(error, index, "it is there twice");
	value = mtw_redact_value_new(kind, (guint)number, text, bytes);
	g_ptr_array_add(redactor->values, value);
	g_hash_table_insert(redactor->by_key, g_steal_pointer(&key), value);
	if (kind == MTW_REDACT_EMAIL) {
		MtwRedactValue *user = mtw_redactor_user_of(redactor, text, bytes);
		if (user != NULL && user->number == value->number)
			user->has_email = TRUE;
		kind = MTW_REDACT_USER;
	}
	redactor->numbers[kind] = MAX(redactor->numbers[kind], value->number);
	if (mtw_json_bool(object, "everywhere", FALSE))
		mtw_redactor_search(redactor, value);
	return TRUE;
}

static JsonObject *object_at(JsonArray *array, guint index)
{
	JsonNode *node = json_array_get_element(array, index);

	return JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static gboolean read_values(MtwRedactor *redactor, JsonArray *values, GError **error)
{
	for (guint i = 0; i < json_array_get_length(values); i++) {
		JsonObject *object = object_at(values, i);
		if (object == NULL)
			return refuse(error, i, "not an object");
		if (!value_from_json(redactor, object, i, error))
			return FALSE;
	}
	return TRUE;
}

static void read_kept(MtwRedactor *redactor, JsonArray *keep)
{
	for (guint i = 0; keep != NULL && i < json_array_get_length(keep); i++) {
		JsonNode *node = json_array_get_element(keep, i);
		if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING)
			mtw_redactor_keep(redactor, json_node_get_string(node));
	}
}

/* Everything a map brings is in a redactor of its own first; then the two are swapped. */
gboolean mtw_redactor_load_map(MtwRedactor *redactor, const char *json, gssize bytes,
			       GError **error)
{
	g_autoptr(JsonObject) map = mtw_json_parse(json, bytes, "map of masks", error);
	g_autoptr(MtwRedactor) loaded = NULL;
	JsonArray *values;

	if (map == NULL)
		return FALSE;
	values = mtw_json_array(map, "values");
	if (mtw_json_int(map, "format", 0) != FORMAT || values == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "map of masks: not of a format that this program knows");
		return FALSE;
	}
	if (redactor->values->len > 0 || g_hash_table_size(redactor->kept) > 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "map of masks: it must be loaded before anything else");
		return FALSE;
	}
	loaded = mtw_redactor_new(redactor->rules);
	if (!read_values(loaded, values, error))
		return FALSE;
	read_kept(loaded, mtw_json_array(map, "keep"));
	mtw_redactor_swap(redactor, loaded);
	return TRUE;
}
