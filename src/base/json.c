/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/json.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

#define DEPTH_MAX 100
/* Some servers begin with it, and the parser passes over it. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

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

/* The character behind a string that begins at @at. */
static const char *skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\')
			at++;
	return at + 1;
}

/*
 * json-glib calls itself for each level, and the text may be a stranger's. It also takes comments, which are not JSON
 * and could hide levels, and a second object behind the first, of which another reader may take the other.
 */
static gboolean is_one_shallow(const char *text, gsize bytes)
{
	const char *end = text + bytes;
	gsize mark_bytes = bytes >= 3 && memcmp(text, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
	gboolean begun = FALSE;
	int depth = 0;

	for (const char *at = text + mark_bytes; at < end && depth <= DEPTH_MAX; at++) {
		if (depth == 0 && !g_ascii_isspace(*at) && (begun || *at != '{'))
			return FALSE;
		begun |= *at == '{';
		if (*at == '"')
			at = skip_string(at, end) - 1;
		else if (*at == '[' || *at == '{')
			depth++;
		else if (*at == ']' || *at == '}')
			depth--;
		else if (*at == '/' || *at == '#' || *at == '\'')
			return FALSE;
	}
	return depth <= DEPTH_MAX;
}

JsonObject *mtw_json_parse(const char *text, gssize bytes, const char *what, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(GError) json_error = NULL;
	JsonNode *root;

	if (!is_one_shallow(text, bytes < 0 ? strlen(text) : (gsize)bytes)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "%s: not one JSON object, or nested too deep", what);
		return NULL;
	}
	if (!json_parser_load_from_data(parser, text, bytes, &json_error)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", what,
			    json_error->message);
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
	JsonNode *node = object != NULL ? json_object_get_member(object, name) : NULL;

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
	JsonNode *node = object != NULL ? json_object_get_member(object, name) : NULL;

	return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

JsonArray *mtw_json_array(JsonObject *object, const char *name)
{
	JsonNode *node = object != NULL ? json_object_get_member(object, name) : NULL;

	return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

JsonArray *mtw_json_texts(const char *const *texts)
{
	JsonArray *array = json_array_new();

	for (; texts != NULL && *texts != NULL; texts++)
		json_array_add_string_element(array, *texts);
	return array;
}

void mtw_json_set_text(JsonObject *object, const char *name, const char *text)
{
	g_autofree char *valid = text != NULL ? g_utf8_make_valid(text, -1) : NULL;

	if (valid != NULL)
		json_object_set_string_member(object, name, valid);
	else
		json_object_set_null_member(object, name);
}

JsonObject *mtw_json_object_at(JsonArray *array, guint index)
{
	JsonNode *node = array != NULL && index < json_array_get_length(array)
				 ? json_array_get_element(array, index)
				 : NULL;

	return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static char *clean_lines(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		char *clean = mtw_text_clean_line(*line);
		g_free(*line);
		*line = clean;
	}
	return g_strjoinv("\n", lines);
}

static JsonArray *clean_array(JsonArray *array);

/* A copy of a node shares its text, so that one gets a node of its own. */
static JsonNode *clean_node(JsonNode *node)
{
	JsonNode *clean;

	if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING) {
		g_autofree char *text = clean_lines(json_node_get_string(node));
		return json_node_init_string(json_node_alloc(), text);
	}
	clean = json_node_copy(node);
	if (JSON_NODE_HOLDS_OBJECT(node))
		json_node_take_object(clean, mtw_json_clean(json_node_get_object(node)));
	else if (JSON_NODE_HOLDS_ARRAY(node))
		json_node_take_array(clean, clean_array(json_node_get_array(node)));
	return clean;
}

static JsonArray *clean_array(JsonArray *array)
{
	JsonArray *clean = json_array_new();

	for (guint i = 0; i < json_array_get_length(array); i++)
		json_array_add_element(clean, clean_node(json_array_get_element(array, i)));
	return clean;
}

JsonObject *mtw_json_clean(JsonObject *object)
{
	JsonObject *clean = json_object_new();
	JsonObjectIter iter;
	const char *name;
	JsonNode *node;

	json_object_iter_init_ordered(&iter, object);
	while (json_object_iter_next_ordered(&iter, &name, &node))
		json_object_set_member(clean, name, clean_node(node));
	return clean;
}

void mtw_json_add_members(JsonObject *object, JsonObject *members)
{
	JsonObjectIter iter;
	const char *name;
	JsonNode *value;

	json_object_iter_init_ordered(&iter, members);
	while (json_object_iter_next_ordered(&iter, &name, &value))
		json_object_set_member(object, name, json_node_copy(value));
}

/* Returns: behind the place {name} of a member that @text begins with, NULL when it begins with none */
static const char *fill_place(GString *filled, const char *text, JsonObject *values,
			      const char *unknown)
{
	const char *end = text[0] == '{' ? strchr(text, '}') : NULL;
	g_autofree char *name = end != NULL ? g_strndup(text + 1, (gsize)(end - text) - 1) : NULL;
	g_autofree char *content = NULL;

	if (name == NULL || !json_object_has_member(values, name))
		return NULL;
	content = mtw_text_clean_line(mtw_json_string(values, name, unknown));
	g_string_append(filled, content);
	return end + 1;
}

char *mtw_json_fill(const char *text, JsonObject *values, const char *unknown)
{
	GString *filled = g_string_new(NULL);

	while (*text != '\0') {
		const char *behind = fill_place(filled, text, values, unknown);
		if (behind == NULL)
			g_string_append_c(filled, *text);
		text = behind != NULL ? behind : text + 1;
	}
	return g_string_free(filled, FALSE);
}
