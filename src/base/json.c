/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/json.h"

#include "base/error.h"

static char *generate(JsonObject *object, gboolean pretty)
{
	g_autoptr(JsonNode) node = json_node_alloc();

	json_node_init_object(node, object);
	return json_to_string(node, pretty);
}

char *mtw_json_line(JsonObject *object)
{
	return generate(object, FALSE);
}

char *mtw_json_pretty(JsonObject *object)
{
	g_autofree char *text = generate(object, TRUE);

	return g_strconcat(text, "\n", NULL);
}

JsonObject *mtw_json_parse(const char *text, gssize bytes, const char *what, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(GError) json_error = NULL;
	JsonNode *root;

	if (!json_parser_load_from_data(parser, text, bytes, &json_error)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", what, json_error->message);
		return NULL;
	}
	root = json_parser_get_root(parser);
	if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: not a JSON object", what);
		return NULL;
	}
	return json_object_ref(json_node_get_object(root));
}

/* The member when it is there and of the type. */
static JsonNode *member(JsonObject *object, const char *name, GType type)
{
	JsonNode *node = json_object_get_member(object, name);

	if (node == NULL || !JSON_NODE_HOLDS_VALUE(node) || json_node_get_value_type(node) != type)
		return NULL;
	return node;
}

const char *mtw_json_string(JsonObject *object, const char *name, const char *missing)
{
	JsonNode *node = member(object, name, G_TYPE_STRING);

	return node != NULL ? json_node_get_string(node) : missing;
}

gint64 mtw_json_int(JsonObject *object, const char *name, gint64 missing)
{
	JsonNode *node = member(object, name, G_TYPE_INT64);

	return node != NULL ? json_node_get_int(node) : missing;
}

gboolean mtw_json_bool(JsonObject *object, const char *name, gboolean missing)
{
	JsonNode *node = member(object, name, G_TYPE_BOOLEAN);

	return node != NULL ? json_node_get_boolean(node) : missing;
}

JsonObject *mtw_json_object(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

JsonArray *mtw_json_array(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

void mtw_json_set_text(JsonObject *object, const char *name, const char *text)
{
	g_autofree char *valid = text != NULL ? g_utf8_make_valid(text, -1) : NULL;

	if (valid != NULL)
		json_object_set_string_member(object, name, valid);
	else
		json_object_set_null_member(object, name);
}
