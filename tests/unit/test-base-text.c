/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

#include <string.h>

#define EMOJI "\xf0\x9f\x90\xa7" /* 4 bytes */
#define REPLACEMENT "\xef\xbf\xbd"

static void assert_marker_bytes(const char *text, gssize bytes, const char *wanted)
{
	g_autofree char *clean = mtw_text_clean_marker(text, bytes);

	assert_string_equal(clean, wanted);
}

static void assert_marker(const char *text, const char *wanted)
{
	assert_marker_bytes(text, -1, wanted);
}

static void test_marker_plain(void **state)
{
	(void)state;
	assert_marker("X is up", "X is up");
	assert_marker("  spaces around  ", "spaces around");
	assert_marker("\xc3\xbc n\xc3\xaf\xc3\xa7"
		      "e " EMOJI,
		      "\xc3\xbc n\xc3\xaf\xc3\xa7"
		      "e " EMOJI);
	assert_marker("100% %s %n", "100% %s %n");
	assert_marker("", "");
	assert_marker(" \t\r\n ", "");
}

/* A line end would forge a record, a NUL would swallow the line end (KERNEL-FACTS 4.4, 4.5). */
static void test_marker_controls(void **state)
{
	(void)state;
	assert_marker("line1\nW 4 1.000000 1 0xdead 0xbeef 0x0 0",
		      "line1 W 4 1.000000 1 0xdead 0xbeef 0x0 0");
	assert_marker("a\r\nb", "a  b");
	assert_marker_bytes("A\0B\n", 4, "A B");
	assert_marker_bytes("\0\0", 2, "");
	assert_marker("\033[31mred\a\177", "[31mred");
	assert_marker("tab\there", "tab here");
	/* NEL, line separator, paragraph separator */
	assert_marker("a\xc2\x85"
		      "b\xe2\x80\xa8"
		      "c\xe2\x80\xa9"
		      "d",
		      "a b c d");
	/* the one-character CSI of 8-bit terminals */
	assert_marker("a\xc2\x9b"
		      "31m",
		      "a 31m");
}

/* What turns the direction of reading makes a line look like another one. */
static void test_marker_directions(void **state)
{
	static const char *const turns[] = { "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac",
					     "\xe2\x80\xad", "\xe2\x80\xae", "\xe2\x81\xa6",
					     "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(turns); i++) {
		g_autofree char *text = g_strdup_printf("a%sb", turns[i]);
		assert_marker(text, "a b");
	}
}

static void test_marker_invalid_utf8(void **state)
{
	(void)state;
	assert_marker("a\xff"
		      "b",
		      "a" REPLACEMENT "b");
	/* a surrogate, an overlong slash */
	assert_marker("\xed\xa0\x80", REPLACEMENT REPLACEMENT REPLACEMENT);
	assert_marker("\xc0\xaf", REPLACEMENT REPLACEMENT);
}

static void test_marker_is_cut(void **state)
{
	g_autofree char *long_text = g_strnfill(4096, 'x');
	g_autofree char *cut = mtw_text_clean_marker(long_text, -1);
	g_autofree char *exact = g_strnfill(MTW_MARKER_MAX_BYTES, 'x');

	(void)state;
	assert_string_equal(cut, exact);
	assert_marker(exact, exact);
}

/* At every position of the cut within the character. */
static void test_marker_is_cut_between_characters(void **state)
{
	(void)state;
	for (gsize before = MTW_MARKER_MAX_BYTES - 4; before <= MTW_MARKER_MAX_BYTES; before++) {
		g_autofree char *start = g_strnfill(before, 'x');
		g_autofree char *text = g_strconcat(start, EMOJI EMOJI, NULL);
		g_autofree char *clean = mtw_text_clean_marker(text, -1);
		gboolean fits = before + 4 <= MTW_MARKER_MAX_BYTES;

		assert_true(g_utf8_validate(clean, -1, NULL));
		assert_int_equal(strlen(clean), before + (fits ? 4 : 0));
	}
}

static void assert_name(const char *text, const char *wanted)
{
	g_autofree char *clean = mtw_text_clean_name(text);

	if (wanted == NULL)
		assert_null(clean);
	else
		assert_string_equal(clean, wanted);
}

static void test_name(void **state)
{
	g_autofree char *many = g_strnfill(300, 'a');
	g_autofree char *most = g_strnfill(64, 'a');

	(void)state;
	assert_name("alice", "alice");
	assert_name("GTX_1080.Ti-v2", "GTX_1080.Ti-v2");
	assert_name("Alice & Bob", "Alice-Bob");
	assert_name("../../etc", "etc");
	assert_name("/etc/passwd", "etc-passwd");
	assert_name("..", NULL);
	assert_name("-rf", "rf");
	assert_name(".hidden", "hidden");
	assert_name("", NULL);
	assert_name("\xc3\xbc", NULL);
	assert_name("J\xc3\xbcrgen", "J-rgen");
	assert_name("a\nb\033c", "a-b-c");
	assert_name("dots...", "dots");
	assert_name(many, most);
}

static void test_line(void **state)
{
	g_autofree char *clean = mtw_text_clean_line("\033]0;title\a and \xff and \xe2\x80\xae.");

	(void)state;
	assert_string_equal(clean, " ]0;title  and " REPLACEMENT " and  .");
}

static void test_bytes(void **state)
{
	g_autofree char *none = mtw_text_bytes(0);
	g_autofree char *some = mtw_text_bytes(G_GUINT64_CONSTANT(1536) * 1024 * 1024);

	(void)state;
	assert_non_null(strstr(none, "0"));
	assert_non_null(strstr(some, "1.5"));
	assert_non_null(strstr(some, "GiB"));
}

/* In English, wherever it is written: developers read it. */
static void test_bytes_data(void **state)
{
	static const struct {
		guint64 bytes;
		const char *text;
	} rows[] = {
		{ 0, "0 bytes" },	    { 1, "1 byte" },
		{ 1023, "1023 bytes" },	    { 1024, "1.0 KiB" },
		{ 1536 * 1024, "1.5 MiB" }, { G_MAXUINT64, "16.0 EiB" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = mtw_text_bytes_data(rows[i].bytes);
		assert_string_equal(text, rows[i].text);
	}
}

static void test_columns(void **state)
{
	(void)state;
	assert_int_equal(mtw_text_columns(""), 0);
	assert_int_equal(mtw_text_columns("abc"), 3);
	assert_int_equal(mtw_text_columns("gr\303\266\303\237er"), 6);
	/* Two Korean letters, and an "e" with its accent apart. */
	assert_int_equal(mtw_text_columns("\354\236\245\354\271\230"), 4);
	assert_int_equal(mtw_text_columns("e\314\201"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marker_plain),
		cmocka_unit_test(test_marker_controls),
		cmocka_unit_test(test_marker_directions),
		cmocka_unit_test(test_marker_invalid_utf8),
		cmocka_unit_test(test_marker_is_cut),
		cmocka_unit_test(test_marker_is_cut_between_characters),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_bytes_data),
		cmocka_unit_test(test_columns),
	};

	return cmocka_run_group_tests_name("base-text", tests, NULL, NULL);
}
