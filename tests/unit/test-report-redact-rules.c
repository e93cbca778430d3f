/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-report-redact-data.h"

#include "base/file.h"

#define HEAD "[Rule x]\nKind=serial\n"

static void test_shipped_examples(void **state)
{
	g_autofree char *folder = redact_rules_folder();
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	(void)state;
	assert_true(names->len >= 6);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		g_autoptr(GError) error = NULL;
		if (!mtw_redact_rules_check(path, &error))
			fail_msg("%s", error->message);
	}
}

static void test_shipped_together(void **state)
{
	g_autoptr(MtwRedactRules) rules = shipped_rules();

	(void)state;
	assert_true(mtw_redact_rules_count(rules) > 50);
}

/* What is refused, and words of the reason. */
static void test_refused(void **state)
{
	static const struct {
		const char *text;
		const char *reason;
	} cases[] = {
		{ "[Rule x]\nShape=mac\n", "Kind is missing" },
		{ "[Rule x]\nKind=nonsense\nShape=mac\n", "Kind=nonsense: no such kind" },
		{ HEAD, "one of Pattern and Shape" },
		{ HEAD "Shape=mac\nPattern=a\n", "one of Pattern and Shape" },
		{ HEAD "Shape=square\n", "Shape=square: no such shape" },
		{ HEAD "Pattern=a(b\nAnchor=ab\n", "Pattern, character 4" },
		{ HEAD "Pattern=\\Cab\nAnchor=ab\n", "Pattern" },
		{ HEAD "Pattern=ab\n", "Anchor is missing" },
		{ HEAD "Pattern=ab\nAnchor=\n", "Anchor is missing" },
		{ HEAD "Pattern=ab\nAnchor=a\n", "Anchor \"a\" is shorter" },
		{ HEAD "Pattern=a(b)\nAnchor=ab\nGroup=2\n", "Group=2: the pattern has 1" },
		{ HEAD "Pattern=a(b)\nAnchor=ab\nGroup=x\n", "Group=x" },
		{ HEAD "Pattern=ab\nAnchor=ab\nAfter=x\n", "After and NotAfter" },
		{ HEAD "Pattern=ab\nAnchor=ab\nPatern=x\n", "unknown key \"Patern\"" },
		{ "[Words]\nCommon=a\nOther=b\n", "unknown key \"Other\"" },
		{ "[Stuff]\na=b\n", "neither [Rule NAME] nor [Words]" },
		{ "Kind=mac\n", "" },
		{ "[Rule x\n", "" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(MtwRedactRules) rules = mtw_redact_rules_load_data(
			"some.conf", cases[i].text, strlen(cases[i].text), &error);
		assert_null(rules);
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
		assert_true(g_str_has_prefix(error->message, "some.conf"));
		if (strstr(error->message, cases[i].reason) == NULL)
			fail_msg("\"%s\" is not in \"%s\"", cases[i].reason, error->message);
	}
}

static void test_refused_with_line(void **state)
{
	static const char text[] =
		"# comment\n[Rule good]\nKind=mac\nShape=mac\n\n[Rule bad]\nKind=x\n";
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwRedactRules) rules =
		mtw_redact_rules_load_data("some.conf", text, strlen(text), &error);

	(void)state;
	assert_null(rules);
	assert_true(g_str_has_prefix(error->message, "some.conf:6: [Rule bad]: "));
}

#define GOOD "Pattern=sn ([0-9]+)\nAnchor=sn\n"

static void test_check(void **state)
{
	static const struct {
		const char *examples;
		const char *reason; /* NULL: good */
	} cases[] = {
		{ "Example1=sn 12345678 => sn SERIAL1X\nExample2=no number\n", NULL },
		{ "", "Example is missing" },
		{ "Example1=no number\n", "Example is missing" },
		{ "Example1=sn 12345678 => sn SERIAL1\n", "becomes \"sn SERIAL1X\"" },
		{ "Example1=sn 12345678\n", "becomes \"sn SERIAL1X\"" },
	};
	FakeRoot *root = *state;

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = g_strconcat(HEAD GOOD, cases[i].examples, NULL);
		g_autofree char *path = fake_root_path(root, "rule.conf");
		g_autoptr(GError) error = NULL;
		gboolean good;
		fake_root_put(root, "rule.conf", text);
		good = mtw_redact_rules_check(path, &error);
		assert_int_equal(good, cases[i].reason == NULL);
		if (!good && strstr(error->message, cases[i].reason) == NULL)
			fail_msg("\"%s\" is not in \"%s\"", cases[i].reason, error->message);
	}
}

static char *data_path(FakeRoot *root, const char *name)
{
	g_autofree char *data =
		g_build_filename(mtw_paths_get(root->paths, MTW_PATH_DATA), "redact.d", name, NULL);

	assert_true(g_str_has_prefix(data, root->folder));
	return g_strdup(data + strlen(root->folder) + 1);
}

static void test_etc_wins(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *one = data_path(root, "10-one.conf"),
			*two = data_path(root, "20-two.conf");
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwRedactRules) rules = NULL;
	g_autoptr(MtwRedactor) redactor = NULL;

	fake_root_put(root, one, "[Rule one]\nKind=serial\nPattern=one ([0-9]+)\nAnchor=one\n");
	fake_root_put(root, two, "[Rule two]\nKind=serial\nPattern=two ([0-9]+)\nAnchor=two\n");
	fake_root_put(root, "etc/mmiotrace-wizard/redact.d/10-one.conf",
		      "[Rule other]\nKind=host\nPattern=other (\\w+)\nAnchor=other\n");
	fake_root_put(root, "etc/mmiotrace-wizard/redact.d/notes.txt", "not a rule");
	rules = mtw_redact_rules_load(root->paths, &error);
	assert_non_null(rules);
	assert_int_equal(mtw_redact_rules_count(rules), 2);
	redactor = mtw_redactor_new(rules);
	expect_clean(redactor, "one 12345 two 12345 other ada5",
		     "one 12345 two SERIAL1 other host1");
}

static void test_none(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;

	assert_null(mtw_redact_rules_load(root->paths, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
}

static void test_bad_file_refuses_all(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *one = data_path(root, "10-one.conf");
	g_autoptr(GError) error = NULL;

	fake_root_put(root, one, "[Rule one]\nKind=serial\nPattern=one ([0-9]+)\nAnchor=one\n");
	fake_root_put(root, "etc/mmiotrace-wizard/redact.d/bad.conf", "[Rule bad]\n");
	assert_null(mtw_redact_rules_load(root->paths, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_non_null(strstr(error->message, "bad.conf:1: [Rule bad]: "));
}

static void test_files(void **state)
{
	g_autoptr(MtwRedactRules) rules = rules_of(
		"[Rule x]\nKind=serial\nPattern=sn ([0-9]+)\nAnchor=sn\nFiles=lspci*;a?c.txt\n");
	g_autoptr(MtwRedactor) redactor = mtw_redactor_new(rules);
	static const struct {
		const char *file;
		gboolean cleaned;
	} cases[] = {
		{ "lspci.txt", TRUE },	{ "lspci-after.txt", TRUE }, { "abc.txt", TRUE },
		{ "dmesg.txt", FALSE }, { "abbc.txt", FALSE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwRedactResult) result =
			mtw_redactor_file(redactor, cases[i].file, "sn 123", 6);
		assert_string_equal(result->text, cases[i].cleaned ? "sn SERIAL1" : "sn 123");
	}
}

/* A pattern that would take for ever: the limits end it, and what it could not look at goes. */
static void test_too_hard(void **state)
{
	g_autoptr(MtwRedactRules) rules = rules_of(
		"[Rule x]\nKind=secret\nPattern=key (?:a+)+(?:a+)+(?:a+)+(?:a+)+b\nAnchor=key\n");
	g_autoptr(MtwRedactor) redactor = mtw_redactor_new(rules);
	g_autofree char *many = g_strnfill(900, 'a');
	g_autofree char *text = g_strdup_printf("key %s cb\n", many);
	g_autoptr(MtwRedactResult) result = mtw_redactor_file(redactor, "x", text, strlen(text));

	(void)state;
	assert_string_equal(result->text, "keySECRET1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shipped_examples),
		cmocka_unit_test(test_shipped_together),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_refused_with_line),
		FAKE_ROOT_TEST(test_check),
		FAKE_ROOT_TEST(test_etc_wins),
		FAKE_ROOT_TEST(test_none),
		FAKE_ROOT_TEST(test_bad_file_refuses_all),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_too_hard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
