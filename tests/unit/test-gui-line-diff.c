/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words that were replaced inside of a line. */
#include "gui/line-diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* "[old|new]" for each place, and what is the same around it. */
static char *marked(const char *before, const char *after)
{
	g_autoptr(GArray) changes = mtw_line_diff(before, after);
	g_autoptr(GString) text = g_string_new(NULL);
	gsize at = 0, after_at = 0;

	for (guint i = 0; i < changes->len; i++) {
		const MtwLineChange *change = &g_array_index(changes, MtwLineChange, i);
		/* What is between two places is the same in both. */
		assert_int_equal(change->before - at, change->after - after_at);
		assert_memory_equal(before + at, after + after_at, change->before - at);
		g_string_append_len(text, before + at, (gssize)(change->before - at));
		g_string_append_c(text, '[');
		g_string_append_len(text, before + change->before, (gssize)change->before_bytes);
		g_string_append_c(text, '|');
		g_string_append_len(text, after + change->after, (gssize)change->after_bytes);
		g_string_append_c(text, ']');
		at = change->before + change->before_bytes;
		after_at = change->after + change->after_bytes;
	}
	assert_string_equal(before + at, after + after_at);
	g_string_append(text, before + at);
	return g_strdup(text->str);
}

static void check(const char *before, const char *after, const char *wanted)
{
	g_autofree char *text = marked(before, after);

	assert_string_equal(text, wanted);
}

static void test_one_word(void **state)
{
	(void)state;
	check("my host is alice today", "my host is MASKED today",
	      "my host is [alice|MASKED] today");
	check("alice was here", "X was here", "[alice|X] was here");
	check("it was alice", "it was X", "it was [alice|X]");
}

static void test_nothing(void **state)
{
	(void)state;
	check("", "", "");
	check("the same", "the same", "the same");
	check("", "new", "[|new]");
	check("old", "", "[old|]");
}

/* The words beside it that look alike are not touched. */
static void test_whole_words(void **state)
{
	(void)state;
	check("serial 1234567", "serial 1230007", "serial [1234567|1230007]");
}

static void test_several(void **state)
{
	(void)state;
	check("from alice to bob by carol", "from A to bob by C",
	      "from [alice|A] to bob by [carol|C]");
	check("alice alice alice", "X alice X", "[alice|X] alice [alice|X]");
}

/* An address is one thing. */
static void test_addresses(void **state)
{
	(void)state;
	check("mac 52:54:00:12:34:56 up", "mac 52:54:00:00:00:01 up",
	      "mac 52:54:00:[12:34:56|00:00:01] up");
	check("ip 192.168.1.20, host", "ip 10.0.0.1, host", "ip [192.168.1.20|10.0.0.1], host");
	check("a=alice b=bob", "a=X b=Y", "a=[alice|X] b=[bob|Y]");
}

static void test_inserted_and_removed(void **state)
{
	(void)state;
	check("one three", "one two three", "one [|two ]three");
	check("one two three", "one three", "one [two |]three");
}

/* Never in the middle of a character. */
static void test_utf8(void **state)
{
	g_autoptr(GArray) changes = mtw_line_diff("Grüße", "Größe");
	const MtwLineChange *change = &g_array_index(changes, MtwLineChange, 0);

	(void)state;
	assert_int_equal(changes->len, 1);
	assert_int_equal(change->before, 0);
	assert_int_equal(change->before_bytes, strlen("Grüße"));
}

/* A line of a megabyte: quickly, and with not much memory. */
static void test_long(void **state)
{
	g_autoptr(GString) before = g_string_new("begin ");
	g_autoptr(GString) after = g_string_new("begin ");
	g_autofree char *text = NULL;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		g_string_append_printf(before, "a%d ", i);
		g_string_append_printf(after, "b%d ", i);
	}
	g_string_append(before, "end");
	g_string_append(after, "end");
	text = marked(before->str, after->str);
	assert_true(g_str_has_prefix(text, "begin [a0 a1 "));
	assert_true(g_str_has_suffix(text, "b99999] end"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_word),    cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_whole_words), cmocka_unit_test(test_several),
		cmocka_unit_test(test_addresses),   cmocka_unit_test(test_inserted_and_removed),
		cmocka_unit_test(test_utf8),	    cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
