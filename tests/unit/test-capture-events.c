/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events are what --json prints: names of members are an interface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"

#include <string.h>

/* As a reader of --json gets it: the event as a line and read again. @event: (transfer full) */
static JsonObject *through_a_line(JsonObject *event)
{
	g_autoptr(JsonObject) owned = event;
	g_autofree char *line = mtw_json_line(owned);
	g_autoptr(GError) error = NULL;
	JsonObject *read = mtw_json_parse(line, -1, "line", &error);

	assert_null(strchr(line, '\n'));
	assert_null(strchr(line, '\033'));
	assert_null(error);
	return read;
}

static void assert_text(JsonObject *object, const char *name, const char *wanted)
{
	const char *text = mtw_json_string(object, name, NULL);

	if (g_strcmp0(text, wanted) != 0)
		fail_msg("\"%s\" is %s and not %s", name, text, wanted);
}

static void test_state(void **state)
{
	g_autoptr(JsonObject) event =
		through_a_line(mtw_event_state("capturing", "20260101-000000-8086-100e", 2));

	(void)state;
	assert_text(event, "event", "state");
	assert_text(event, "state", "capturing");
	assert_text(event, "session", "20260101-000000-8086-100e");
	assert_int_equal(mtw_json_int(event, "try", 0), 2);
}

static void test_change(void **state)
{
	g_autoptr(MtwChange) change =
		mtw_change_new(MTW_CHANGE_CLOCK, "trace_clock", "local", "mono");
	g_autoptr(GError) error = g_error_new(MTW_ERROR, MTW_ERROR_BUSY, "no\nway \xff");
	g_autoptr(JsonObject) good = through_a_line(mtw_event_change(change, "apply", NULL));
	g_autoptr(JsonObject) bad = through_a_line(mtw_event_change(change, "undo", error));
	JsonObject *why = mtw_json_object(bad, "error");

	(void)state;
	assert_text(good, "event", "change");
	assert_text(good, "action", "apply");
	assert_text(good, "kind", "clock");
	assert_text(good, "subject", "trace_clock");
	assert_text(good, "before", "local");
	assert_text(good, "after", "mono");
	assert_true(mtw_json_bool(good, "ok", FALSE));
	assert_null(mtw_json_object(good, "error"));
	assert_false(mtw_json_bool(bad, "ok", TRUE));
	assert_text(why, "name", "busy");
	assert_text(why, "message", "no\nway \xef\xbf\xbd");
}

/* In a plan `before` is not known as long as tracefs is not mounted. */
static void test_planned_change(void **state)
{
	g_autoptr(MtwChange) change = mtw_change_new(MTW_CHANGE_LOAD, "e1000", NULL, "loaded");
	g_autoptr(JsonObject) object = NULL;

	(void)state;
	change->options = g_strdup("debug=1");
	change->keep = TRUE;
	object = through_a_line(mtw_change_to_json(change));
	assert_text(object, "kind", "load");
	assert_true(json_object_get_null_member(object, "before"));
	assert_text(object, "options", "debug=1");
	assert_true(mtw_json_bool(object, "keep", FALSE));
	assert_text(object, "sentence", mtw_change_sentence(change));
	assert_text(object, "undo", mtw_change_undo_sentence(change));
}

static void test_message(void **state)
{
	g_autoptr(MtwMessage) message = mtw_message_new("disk", MTW_LEVEL_FAILURE, "Too little.",
							"Make room.", "%s", "/var");
	g_autoptr(JsonObject) event = through_a_line(mtw_event_message(message));
	g_autoptr(JsonObject) object = through_a_line(mtw_message_to_json(message));

	(void)state;
	assert_text(event, "event", "message");
	assert_text(event, "id", "disk");
	assert_text(event, "level", "failure");
	assert_text(event, "sentence", "Too little.");
	assert_text(event, "detail", "/var");
	assert_text(event, "hint", "Make room.");
	assert_text(object, "event", NULL);
	assert_text(object, "id", "disk");
}

/* What there is to do about it goes along; a word that nobody knows does not. */
static void test_message_fix(void **state)
{
	g_autoptr(MtwMessage) message =
		mtw_message_new("disk", MTW_LEVEL_FAILURE, "Too little.", "", NULL);
	g_autoptr(JsonObject) without = mtw_event_message(message);
	g_autoptr(JsonObject) object = NULL;
	g_autoptr(MtwMessage) back = NULL;
	g_autoptr(MtwMessage) unknown = NULL;
	g_autoptr(MtwMessage) none = mtw_message_from_json(without);

	(void)state;
	assert_false(json_object_has_member(without, "fix"));
	assert_null(none->fix);
	message->fix = MTW_FIX_FREE_ROOM;
	object = through_a_line(mtw_message_to_json(message));
	assert_text(object, "fix", "free-room");
	back = mtw_message_from_json(object);
	/* Not a text of the object, which may be gone. */
	assert_ptr_equal(back->fix, mtw_fix_find("free-room"));
	json_object_set_string_member(object, "fix", "rm -rf /");
	unknown = mtw_message_from_json(object);
	assert_null(unknown->fix);
}

static void test_marker(void **state)
{
	g_autoptr(JsonObject) event = through_a_line(mtw_event_marker("X \"is\" up \xc3\xa4"));

	(void)state;
	assert_text(event, "event", "marker");
	assert_text(event, "text", "X \"is\" up \xc3\xa4");
}

static void test_error(void **state)
{
	(void)state;
	for (int code = 0; code < MTW_N_ERRORS; code++) {
		g_autoptr(GError) error = g_error_new(MTW_ERROR, code, "message %d", code);
		g_autoptr(JsonObject) object = through_a_line(mtw_error_to_json(error));
		g_autoptr(GError) again = mtw_error_from_json(object);
		assert_true(g_error_matches(again, MTW_ERROR, code));
		assert_string_equal(again->message, error->message);
	}
}

static void test_error_from_anything(void **state)
{
	g_autoptr(JsonObject) empty = json_object_new();
	g_autoptr(GError) error = mtw_error_from_json(empty);

	(void)state;
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_FAILED));
	assert_string_equal(error->message, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_state),	       cmocka_unit_test(test_change),
		cmocka_unit_test(test_planned_change), cmocka_unit_test(test_message),
		cmocka_unit_test(test_message_fix),    cmocka_unit_test(test_marker),
		cmocka_unit_test(test_error),	       cmocka_unit_test(test_error_from_anything),
	};

	return cmocka_run_group_tests_name("capture-events", tests, NULL, NULL);
}
