/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/error.h"
#include "machine/kmsg.h"

#include <string.h>
#include <unistd.h>

static void assert_text(const char *record, const char *expected)
{
	MtwKmsgLine line = { 0 };

	assert_true(mtw_kmsg_parse(record, strlen(record), &line));
	assert_string_equal(line.text, expected);
	g_free(line.text);
}

static void test_parse(void **state)
{
	static const char record[] = "30,339,5140900,-,caller=T1;text; more\n KEY=value\n";
	MtwKmsgLine line = { 0 };

	(void)state;
	assert_true(mtw_kmsg_parse(record, strlen(record), &line));
	assert_int_equal(line.level, 6);
	assert_int_equal(line.sequence, 339);
	assert_int_equal(line.time_usec, 5140900);
	assert_string_equal(line.text, "text; more");
	g_free(line.text);
	assert_text("6,1,1,c;", "");
	assert_text("6,1,1,-;a\\x0ab\\x5cc", "a\nb\\c");
	assert_text("6,1,1,-;\\x", "\\x");
	assert_text("6,1,1,-;\\x0", "\\x0");
	assert_text("6,1,1,-;\\xzz\\x00\\x41", "\\xzz\\x00A");
	assert_text("6,1,1,-;\xff\xfe", "\xff\xfe");
}

static void test_parse_malformed(void **state)
{
	static const char *const records[] = {
		"",
		"6",
		"6,1",
		"6,1,2",
		"6,1,2,-",
		"6,1,2,-\n;x",
		"x,1,2,-;t",
		"6,,2,-;",
		"-6,1,2,-;t",
		"6,1,2;t",
		" KEY=value\n",
		",,,;",
		"6,99999999999999999999,2,-;t",
		"6,1,2 ,-;t",
	};
	MtwKmsgLine line = { .text = NULL };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(records); i++)
		assert_false(mtw_kmsg_parse(records[i], strlen(records[i]), &line));
	assert_null(line.text);
}

static void test_read(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;
	guint64 next = 0;
	g_autofree char *all = mtw_kmsg_read(root->paths, 0, &next, &error);
	g_autofree char *some = NULL;
	g_autofree char *none = NULL;

	assert_string_equal(all,
			    "[    0.000000] Linux version 6.1.0-57-amd64\n"
			    "[    0.000012] Command line: quiet\n"
			    "[    5.140900] e1000 0000:00:03.0 eth0: Intel(R) PRO/1000 Network "
			    "Connection\n"
			    "[    6.000001] two\n[    6.000001] lines\n");
	assert_int_equal(next, 341);
	some = mtw_kmsg_read(root->paths, 340, &next, &error);
	assert_string_equal(some, "[    6.000001] two\n[    6.000001] lines\n");
	assert_int_equal(next, 341);
	none = mtw_kmsg_read(root->paths, 500, &next, &error);
	assert_string_equal(none, "");
	assert_int_equal(next, 500);
}

static void test_read_hostile(void **state)
{
	FakeRoot *root = *state;
	static const char content[] = "garbage\0\n\n6,7,1,-;ok\n"
				      "6,8,1,-;nul\0inside\n"
				      "6,9,18446744073709551615,-;\n no end";
	g_autoptr(GError) error = NULL;
	guint64 next = 0;
	g_autofree char *text = NULL;

	assert_null(mtw_kmsg_read(root->paths, 0, &next, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	g_clear_error(&error);
	fake_root_put_bytes(root, "dev/kmsg", content, sizeof content - 1);
	text = mtw_kmsg_read(root->paths, 0, &next, &error);
	assert_string_equal(text, "[    0.000001] ok\n[    0.000001] nulinside\n"
				  "[18446744073709.551615] \n");
	assert_int_equal(next, 10);
	fake_root_remove(root, "dev/kmsg");
	fake_root_put(root, "dev/kmsg/folder", "");
	assert_null(mtw_kmsg_read(root->paths, 0, &next, &error));
	assert_non_null(error);
}

static void test_live(void **state)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new(NULL);
	g_autoptr(GError) error = NULL;
	guint64 next = 0;
	g_autofree char *text = mtw_kmsg_read(paths, 0, &next, &error);

	(void)state;
	/* In a container neither the device nor the call may be allowed. */
	if (text == NULL)
		assert_non_null(error);
	else
		assert_true(*text == '\0' || *text == '[');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse), cmocka_unit_test(test_parse_malformed),
		FAKE_DESKTOP_TEST(test_read), FAKE_ROOT_TEST(test_read_hostile),
		cmocka_unit_test(test_live),
	};

	return cmocka_run_group_tests_name("machine-kmsg", tests, NULL, NULL);
}
