/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/parse.h"

#include <string.h>

#define UNTOUCHED 0xabcdef

static void assert_u64(const char *text, guint base, guint64 wanted)
{
	guint64 value = UNTOUCHED;

	assert_true(mtw_parse_u64(text, base, &value));
	assert_true(value == wanted);
}

static void assert_no_u64(const char *text, guint base)
{
	guint64 value = UNTOUCHED;

	if (mtw_parse_u64(text, base, &value))
		fail_msg("\"%s\" was taken for a number", text);
	assert_true(value == UNTOUCHED);
}

static void test_u64(void **state)
{
	(void)state;
	assert_u64("0", 10, 0);
	assert_u64("1408\n", 10, 1408);
	assert_u64("007", 10, 7);
	assert_u64("18446744073709551615", 10, G_MAXUINT64);
	assert_u64("ff", 16, 0xff);
	assert_u64("0xFEB40000", 16, 0xfeb40000);
	assert_u64("0Xf\n", 16, 15);
	assert_u64("ffffffffffffffff", 16, G_MAXUINT64);
}

static void test_u64_strict(void **state)
{
	static const char *const decimal[] = { "",
					       "\n",
					       " 1",
					       "1 ",
					       "+1",
					       "-1",
					       "1\n\n",
					       "\t1",
					       "1.0",
					       "1k",
					       "0x10",
					       "a",
					       "1\r\n",
					       "1_000",
					       "18446744073709551616",
					       "99999999999999999999" };
	static const char *const hexadecimal[] = { "",
						   "0x",
						   "0x0x1",
						   "0X0x1",
						   "x1",
						   "-0x1",
						   "0x 1",
						   "+f",
						   " f",
						   "fg",
						   "10000000000000000" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(decimal); i++)
		assert_no_u64(decimal[i], 10);
	for (gsize i = 0; i < G_N_ELEMENTS(hexadecimal); i++)
		assert_no_u64(hexadecimal[i], 16);
}

static void test_uint(void **state)
{
	guint value = UNTOUCHED;

	(void)state;
	assert_true(mtw_parse_uint("3", 3, 5, &value));
	assert_int_equal(value, 3);
	assert_true(mtw_parse_uint("5", 3, 5, &value));
	assert_int_equal(value, 5);
	value = UNTOUCHED;
	assert_false(mtw_parse_uint("2", 3, 5, &value));
	assert_false(mtw_parse_uint("6", 3, 5, &value));
	assert_false(mtw_parse_uint("4294967296", 0, G_MAXUINT, &value));
	assert_false(mtw_parse_uint("-1", 0, G_MAXUINT, &value));
	assert_int_equal(value, UNTOUCHED);
	assert_true(mtw_parse_uint("4294967295", 0, G_MAXUINT, &value));
	assert_int_equal(value, G_MAXUINT);
}

static void assert_bdf(const char *text, const char *wanted)
{
	char formatted[MTW_BDF_TEXT_BYTES];
	MtwBdf bdf;

	assert_true(mtw_parse_bdf(text, &bdf));
	assert_string_equal(mtw_bdf_format(&bdf, formatted), wanted);
}

static void test_bdf(void **state)
{
	static const char *const bad[] = { "",
					   "0",
					   "0000:01:00",
					   "0000:01:00.8",
					   "0000:01:20.0",
					   "0000:01:00.0 ",
					   "0000:01:00.0\n",
					   " 0000:01:00.0",
					   "000:01:00.0",
					   "0000:1:00.0",
					   "0000:01:0.0",
					   "0000.01.00.0",
					   "0000:01:00:0",
					   "g000:01:00.0",
					   "01:00",
					   "01:00.",
					   "01:00.00",
					   "-1:00.0",
					   "../../etc/passwd",
					   "0000:01:00.0/../../../x",
					   "0000:01:00.0.0" };

	(void)state;
	assert_bdf("0000:01:00.0", "0000:01:00.0");
	assert_bdf("01:00.0", "0000:01:00.0");
	assert_bdf("ffff:ff:1f.7", "ffff:ff:1f.7");
	assert_bdf("ABCD:EF:1F.3", "abcd:ef:1f.3");
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		MtwBdf bdf = { .domain = 0x4242 };
		if (mtw_parse_bdf(bad[i], &bdf))
			fail_msg("\"%s\" was taken for a PCI address", bad[i]);
		assert_int_equal(bdf.domain, 0x4242);
	}
}

/* @wanted: the numbers, separated by spaces */
static void assert_cpus(const char *text, const char *wanted)
{
	g_autoptr(GArray) cpus = mtw_parse_cpu_list(text);
	g_autoptr(GString) found = g_string_new(NULL);

	assert_non_null(cpus);
	for (guint i = 0; i < cpus->len; i++)
		g_string_append_printf(found, "%s%u", i > 0 ? " " : "",
				       g_array_index(cpus, guint, i));
	assert_string_equal(found->str, wanted);
}

static void test_cpu_list(void **state)
{
	static const char *const bad[] = { "x",	      "-",    "-1",	    "1-",	   "3-1",
					   "0-65536", "0,,1", ",",	    "0,",	   "0-1-2",
					   "0 1",     "0, 1", "4294967296", "0-4294967295" };

	(void)state;
	assert_cpus("", "");
	assert_cpus("\n", "");
	assert_cpus("0", "0");
	assert_cpus("0-3\n", "0 1 2 3");
	assert_cpus("0-1,5,7-8", "0 1 5 7 8");
	assert_cpus("65535", "65535");
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GArray) cpus = mtw_parse_cpu_list(bad[i]);
		if (cpus != NULL)
			fail_msg("\"%s\" was taken for a list of CPUs", bad[i]);
	}
}

static void test_buffer_size(void **state)
{
	guint64 kb = UNTOUCHED;

	(void)state;
	assert_true(mtw_parse_buffer_size_kb("1408\n", &kb));
	assert_int_equal(kb, 1408);
	assert_true(mtw_parse_buffer_size_kb("7 (expanded: 1408)\n", &kb));
	assert_int_equal(kb, 7);
	kb = UNTOUCHED;
	assert_false(mtw_parse_buffer_size_kb("X\n", &kb));
	assert_false(mtw_parse_buffer_size_kb("", &kb));
	assert_false(mtw_parse_buffer_size_kb(" 7", &kb));
	assert_false(mtw_parse_buffer_size_kb("-7", &kb));
	assert_false(mtw_parse_buffer_size_kb("(expanded: 1408)", &kb));
	assert_int_equal(kb, UNTOUCHED);
}

static void assert_bracketed(const char *text, const char *wanted)
{
	g_autofree char *word = mtw_parse_bracketed(text);

	if (wanted == NULL)
		assert_null(word);
	else
		assert_string_equal(word, wanted);
}

static void test_bracketed(void **state)
{
	(void)state;
	assert_bracketed("local [global] counter", "global");
	assert_bracketed("[none] integrity", "none");
	assert_bracketed("[]", "");
	assert_bracketed("none", NULL);
	assert_bracketed("a] [b", NULL);
	assert_bracketed("", NULL);
}

static void test_has_word(void **state)
{
	(void)state;
	assert_true(mtw_parse_has_word("blk mmiotrace nop\n", "mmiotrace"));
	assert_true(mtw_parse_has_word("mmiotrace", "mmiotrace"));
	assert_true(mtw_parse_has_word("nommiotrace mmiotrace", "mmiotrace"));
	assert_false(mtw_parse_has_word("mmiotrace2 nommiotrace", "mmiotrace"));
	assert_false(mtw_parse_has_word("", "mmiotrace"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_u64),	  cmocka_unit_test(test_u64_strict),
		cmocka_unit_test(test_uint),	  cmocka_unit_test(test_bdf),
		cmocka_unit_test(test_cpu_list),  cmocka_unit_test(test_buffer_size),
		cmocka_unit_test(test_bracketed), cmocka_unit_test(test_has_word),
	};

	return cmocka_run_group_tests_name("base-parse", tests, NULL, NULL);
}
