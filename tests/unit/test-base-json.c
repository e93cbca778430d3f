/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/json.h"

#include <string.h>

static JsonObject *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	JsonObject *object = mtw_json_parse(text, -1, "state.json", &error);

	assert_null(error);
	assert_non_null(object);
	return object;
}

static void test_members(void **state)
{
	g_autoptr(JsonObject) object =
		parse("{\"text\":\"a\",\"int\":-3,\"bool\":true,\"object\":{\"x\":1},"
		      "\"array\":[1],\"null\":null,\"double\":1.5}");

	(void)state;
	assert_string_equal(mtw_json_string(object, "text", "?"), "a");
	assert_int_equal(mtw_json_int(object, "int", 7), -3);
	assert_true(mtw_json_bool(object, "bool", FALSE));
	assert_int_equal(mtw_json_int(mtw_json_object(object, "object"), "x", 0), 1);
	assert_int_equal(json_array_get_length(mtw_json_array(object, "array")), 1);
}

/* A file that somebody edited is no reason to crash. */
static void test_members_of_another_type(void **state)
{
	static const char *const names[] = { "null",   "text",	"int",	  "bool",
					     "object", "array", "double", "absent" };
	g_autoptr(JsonObject) object =
		parse("{\"text\":\"a\",\"int\":3,\"bool\":true,\"object\":{},"
		      "\"array\":[1],\"null\":null,\"double\":1.5}");

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(names[i], "text") != 0)
			assert_string_equal(mtw_json_string(object, names[i], "?"), "?");
		if (strcmp(names[i], "int") != 0)
			assert_int_equal(mtw_json_int(object, names[i], 7), 7);
		if (strcmp(names[i], "bool") != 0)
			assert_false(mtw_json_bool(object, names[i], FALSE));
		if (strcmp(names[i], "object") != 0)
			assert_null(mtw_json_object(object, names[i]));
		if (strcmp(names[i], "array") != 0)
			assert_null(mtw_json_array(object, names[i]));
	}
}

/* mtw_json_int(mtw_json_object(...)) of an object that is not there. */
static void test_no_object(void **state)
{
	(void)state;
	assert_int_equal(mtw_json_int(NULL, "events", 5), 5);
	assert_null(mtw_json_string(NULL, "text", NULL));
	assert_true(mtw_json_bool(NULL, "restored", TRUE));
	assert_null(mtw_json_object(NULL, "lost"));
	assert_null(mtw_json_array(NULL, "bars"));
}

static void test_line_and_pretty(void **state)
{
	g_autoptr(JsonObject) object = parse("{\"a\":\"x\\ny\",\"b\":[1,2]}");
	g_autofree char *line = mtw_json_line(object);
	g_autofree char *pretty = mtw_json_pretty(object);
	g_autoptr(JsonObject) again = parse(pretty);

	(void)state;
	assert_string_equal(line, "{\"a\":\"x\\ny\",\"b\":[1,2]}");
	assert_true(g_str_has_suffix(pretty, "}\n"));
	assert_string_equal(mtw_json_string(again, "a", ""), "x\ny");
}

static void test_set_text(void **state)
{
	g_autoptr(JsonObject) object = json_object_new();
	g_autofree char *line = NULL;

	(void)state;
	mtw_json_set_text(object, "bytes", "a\xff\033");
	mtw_json_set_text(object, "none", NULL);
	line = mtw_json_line(object);
	assert_true(g_utf8_validate(line, -1, NULL));
	assert_null(strchr(line, '\033'));
	assert_non_null(strstr(line, "\"none\":null"));
	assert_string_equal(mtw_json_string(object, "none", "default"), "default");
}

static void test_object_at(void **state)
{
	g_autoptr(JsonObject) object = parse("{\"array\":[{\"a\":1},7,null,[]]}");
	JsonArray *array = mtw_json_array(object, "array");

	(void)state;
	assert_int_equal(mtw_json_int(mtw_json_object_at(array, 0), "a", 0), 1);
	for (guint i = 1; i < 6; i++)
		assert_null(mtw_json_object_at(array, i));
	assert_null(mtw_json_object_at(NULL, 0));
}

static void test_clean(void **state)
{
	g_autoptr(JsonObject) object =
		parse("{\"a\":\"x\\u001b[31m\\u009b\\ny\\u202e\",\"b\":[\"\\u0007\",7,null,true,"
		      "{\"c\":\"\\u0000\"}],\"d\":{\"e\":1.5,\"f\":\"\"}}");
	g_autofree char *before = mtw_json_line(object);
	g_autoptr(JsonObject) clean = mtw_json_clean(object);
	g_autofree char *line = mtw_json_line(clean);
	g_autofree char *after = mtw_json_line(object);

	(void)state;
	assert_string_equal(mtw_json_string(clean, "a", ""), "x [31m \ny ");
	assert_string_equal(line, "{\"a\":\"x [31m \\ny \",\"b\":[\" \",7,null,true,{\"c\":\"\"}],"
				  "\"d\":{\"e\":1.5,\"f\":\"\"}}");
	assert_string_equal(before, after);
}

static void assert_invalid(const char *text, gssize bytes)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(JsonObject) object = mtw_json_parse(text, bytes, "state.json", &error);

	if (object != NULL)
		fail_msg("\"%.40s\" was taken for a JSON object", text);
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_non_null(strstr(error->message, "state.json"));
}

static void test_invalid(void **state)
{
	(void)state;
	assert_invalid("", -1);
	assert_invalid(" \n", -1);
	assert_invalid("[]", -1);
	assert_invalid("\"text\"", -1);
	assert_invalid("null", -1);
	assert_invalid("{\"a\":", -1);
	assert_invalid("{\"a\":1", -1);
	assert_invalid("{\"a\":1}}", -1);
	assert_invalid("{\"a\":1} {\"a\":2}", -1);
	assert_invalid("{\"a\":1}\n7", -1);
	assert_invalid("7 {\"a\":1}", -1);
	assert_invalid("{\"a\":1}", 3);
	assert_invalid("{\"a\":\"\xff\"}", -1);
	assert_invalid("\0\0\0\0", 4);
}

/* The manifest of an archive comes from the sender; the parser calls itself for each level. */
static void test_deep_nesting(void **state)
{
	const gsize levels = 1000000;
	g_autoptr(GString) text = g_string_new("{\"a\":");

	(void)state;
	for (gsize i = 0; i < levels; i++)
		g_string_append_c(text, '[');
	assert_invalid(text->str, (gssize)text->len);
	for (gsize i = 0; i < levels; i++)
		g_string_append_c(text, ']');
	g_string_append_c(text, '}');
	assert_invalid(text->str, (gssize)text->len);
}

/* Comments, which json-glib takes, must not hide levels; a closed string must end where it ends. */
static void test_hidden_nesting(void **state)
{
	static const char *const pieces[] = { "[/*]*/",	    "[/*\"*/", "[//]\n", "[#]\n",
					      "[\"\\\\\",", "['\",",   "{\"]\":" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(pieces); i++) {
		g_autoptr(GString) text = g_string_new("{\"a\":");
		for (int level = 0; level < 500000; level++)
			g_string_append(text, pieces[i]);
		assert_invalid(text->str, (gssize)text->len);
	}
}

/* Brackets in texts are no levels. */
static void test_brackets_in_text(void **state)
{
	g_autofree char *brackets = g_strnfill(10000, '[');
	g_autofree char *text = g_strdup_printf("{\"a\":\"\\\"%s\",\"b\":{\"c\":[[1]]}}", brackets);
	g_autoptr(JsonObject) object = parse(text);

	(void)state;
	assert_int_equal(strlen(mtw_json_string(object, "a", "")), 10001);
}

/* The other object may be gone then. */
static void test_add_members(void **state)
{
	g_autoptr(JsonObject) object = parse("{\"z\":1,\"a\":0}");
	JsonObject *members = parse("{\"a\":[1],\"b\":{\"c\":true}}");
	g_autofree char *line = NULL;

	(void)state;
	mtw_json_add_members(object, members);
	json_object_unref(members);
	line = mtw_json_line(object);
	assert_string_equal(line, "{\"z\":1,\"a\":[1],\"b\":{\"c\":true}}");
}

static void assert_filled(const char *text, const char *wanted)
{
	g_autoptr(JsonObject) values =
		parse("{\"a\":\"1\\n{b}\",\"b\":\"two\",\"null\":null,\"n\":7}");
	g_autofree char *filled = mtw_json_fill(text, values, "?");

	assert_string_equal(filled, wanted);
}

/* A value is a text, and no place for another one. */
static void test_fill(void **state)
{
	(void)state;
	assert_filled("", "");
	assert_filled("{b}, {a} and {b}", "two, 1 {b} and two");
	assert_filled("{null} {n}", "? ?");
	assert_filled("{c} {b {} {", "{c} {b {} {");
	assert_filled("{{b}}ü", "{two}ü");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_members_of_another_type),
		cmocka_unit_test(test_no_object),
		cmocka_unit_test(test_line_and_pretty),
		cmocka_unit_test(test_set_text),
		cmocka_unit_test(test_object_at),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_add_members),
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_hidden_nesting),
		cmocka_unit_test(test_brackets_in_text),
	};

	return cmocka_run_group_tests_name("base-json", tests, NULL, NULL);
}
