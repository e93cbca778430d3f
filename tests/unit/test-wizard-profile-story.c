/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Proposed answers, the text for the editor, and what comes back from it. */
#include "test-profile-data.h"

#include "wizard/profile-template.h"

#include <string.h>

static JsonObject *facts_of(const char *name, const char *value)
{
	JsonObject *facts = json_object_new();

	if (value != NULL)
		json_object_set_string_member(facts, name, value);
	return facts;
}

static char *prefill(const char *template, gboolean many_lines, JsonObject *facts)
{
	const MtwQuestion question = { .prefill = (char *)template, .many_lines = many_lines };

	return mtw_profile_prefill(&question, facts);
}

static void assert_prefill(const char *template, const char *value, const char *wanted)
{
	g_autoptr(JsonObject) facts = facts_of("kernel", value);
	g_autofree char *text = prefill(template, FALSE, facts);

	assert_string_equal(text, wanted);
}

static void test_prefill(void **state)
{
	(void)state;
	assert_prefill("", "6.1", "");
	assert_prefill("Kernel: {kernel}.", "6.1", "Kernel: 6.1.");
	assert_prefill("{kernel}{kernel}", "6.1", "6.16.1");
	assert_prefill("{{kernel}} {kernel}", "6.1", "{kernel} 6.1");
	assert_prefill("Kernel: {kernel}.", NULL, "Kernel: .");
	assert_prefill("{unheard-of}|", "6.1", "|");
	/* What a fact says is not a template. */
	assert_prefill("{kernel}", "{kernel}", "{kernel}");
	/* It comes from devices: nothing in it can steer a terminal or begin a line. */
	assert_prefill("{kernel}", "a\nb\033[2J\tc", "a b [2J c");
}

static void test_prefill_without_facts(void **state)
{
	g_autofree char *text = prefill("A {kernel} b", FALSE, NULL);
	g_autoptr(JsonObject) odd = json_object_new();
	g_autofree char *of_odd = NULL;

	(void)state;
	assert_string_equal(text, "A  b");
	json_object_set_int_member(odd, "kernel", 6);
	of_odd = prefill("{kernel}|", FALSE, odd);
	assert_string_equal(of_odd, "|");
}

static void test_prefill_lines(void **state)
{
	g_autoptr(JsonObject) facts = facts_of("kernel", "6.1");
	g_autofree char *one = prefill("a\n{kernel}", FALSE, facts);
	g_autofree char *many = prefill("a\n{kernel}", TRUE, facts);

	(void)state;
	assert_string_equal(one, "a 6.1");
	assert_string_equal(many, "a\n6.1");
}

static gboolean is_kernel(const char *name)
{
	return strcmp(name, "kernel") == 0;
}

static void test_template_check(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "", NULL },
		{ "{kernel}{{}}", NULL },
		{ "}}{{", NULL },
		{ "{", "a single {: write it twice, or {fact}" },
		{ "a}", "a single }: write it twice, or {fact}" },
		{ "{kernel", "a single {: write it twice, or {fact}" },
		{ "{}", "there is no fact {}" },
		{ "{Kernel}", "there is no fact {Kernel}" },
		{ "{a{kernel}", "a single {: write it twice, or {fact}" },
		{ "{{{kernel}}}", NULL },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *why = NULL;
		gboolean good = mtw_template_check(cases[i].text, is_kernel, &why);
		assert_int_equal(good, cases[i].why == NULL);
		if (!good)
			assert_string_equal(why, cases[i].why);
	}
}

static void test_story_template(void **state)
{
	g_autoptr(MtwProfile) profile = load_test_profile("all-keys");
	g_autoptr(JsonObject) facts = facts_of("driver-version", "1.0");
	g_autofree char *story = NULL;

	(void)state;
	json_object_set_string_member(facts, "kernel", "6.1");
	story = mtw_profile_story_template(profile, facts);
	assert_string_equal(story, "# Which version? *\n"
				   "Version: 1.0 {not a fact}\n"
				   "\n"
				   "# What happened?\n"
				   "# All of it, please.\n"
				   "Kernel: 6.1\n"
				   "Machine: \n"
				   "\n");
}

/* An answer that begins with "#" stays an answer. */
static void test_story_hash(void **state)
{
	g_autoptr(MtwProfile) profile =
		parse_profile("[Question a]\nAsk=A\nPrefill={kernel}\\n#2\nLines=many\n"
			      "[Question b]\nAsk=B\n");
	g_autoptr(JsonObject) facts = facts_of("kernel", "#1");
	g_autofree char *template = mtw_profile_story_template(profile, facts);
	g_autofree char *story = mtw_profile_story_from_template(template);

	(void)state;
	assert_string_equal(template, "# A\n #1\n #2\n\n# B\n\n\n");
	assert_string_equal(story, " #1\n #2\n");
}

static void test_story_without_questions(void **state)
{
	g_autoptr(MtwProfile) profile = parse_profile("");
	g_autofree char *story = mtw_profile_story_template(profile, NULL);

	(void)state;
	assert_string_equal(story, "");
}

static void test_story_back(void **state)
{
	static const struct {
		const char *edited, *story;
	} cases[] = {
		{ "", "" },
		{ "# only\n# comments\n\n", "" },
		{ "# A\nanswer\n", "answer\n" },
		{ "# A\nanswer", "answer\n" },
		{ "\n\n# A\nanswer\n\n\n\n# B\n\nother  \n\n", "answer\n\nother\n" },
		{ "  # not a comment\n", "  # not a comment\n" },
		{ "a\r\n#b\r\nc\r\n", "a\nc\n" },
		{ "a\033[31m\tb\xff\n", "a [31m\tb\xef\xbf\xbd\n" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *story = mtw_profile_story_from_template(cases[i].edited);
		assert_string_equal(story, cases[i].story);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prefill),
		cmocka_unit_test(test_prefill_without_facts),
		cmocka_unit_test(test_prefill_lines),
		cmocka_unit_test(test_template_check),
		cmocka_unit_test(test_story_template),
		cmocka_unit_test(test_story_hash),
		cmocka_unit_test(test_story_without_questions),
		cmocka_unit_test(test_story_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
