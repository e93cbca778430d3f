/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/error.h"
#include "wizard/answers.h"

#include <string.h>

static gboolean load(MtwAnswers *answers, FakeRoot *root, const char *text, GError **error)
{
	g_autofree char *path = fake_root_path(root, "answers");

	fake_root_put(root, "answers", text);
	return mtw_answers_load(answers, path, error);
}

static void test_load(void **state)
{
	g_autoptr(MtwAnswers) answers = mtw_answers_new();
	g_autoptr(GError) error = NULL;

	assert_true(load(answers, *state,
			 "# a comment\n[Answers]\nnick=Alice B.\nstory=one\\ntwo\nempty=\n"
			 "on-lost = keep\n[Other]\nnick=x\n",
			 &error));
	assert_string_equal(mtw_answers_get(answers, "nick"), "Alice B.");
	assert_string_equal(mtw_answers_get(answers, "story"), "one\ntwo");
	assert_string_equal(mtw_answers_get(answers, "empty"), "");
	assert_string_equal(mtw_answers_get(answers, "on-lost"), "keep");
	assert_null(mtw_answers_get(answers, "absent"));
}

/* What the command line says comes first, whatever the file says. */
static void test_first_one_stays(void **state)
{
	g_autoptr(MtwAnswers) answers = mtw_answers_new();

	mtw_answers_set(answers, "nick", "bob");
	mtw_answers_set(answers, "nick", "carol");
	mtw_answers_set(answers, "device", NULL);
	assert_true(load(answers, *state, "[Answers]\nnick=alice\ndevice=01:00.0\n", NULL));
	assert_string_equal(mtw_answers_get(answers, "nick"), "bob");
	assert_string_equal(mtw_answers_get(answers, "device"), "01:00.0");
}

static void assert_invalid(FakeRoot *root, const char *text, const char *part)
{
	g_autoptr(MtwAnswers) answers = mtw_answers_new();
	g_autoptr(GError) error = NULL;

	assert_false(load(answers, root, text, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_non_null(strstr(error->message, "answers"));
	assert_non_null(strstr(error->message, part));
}

static void test_invalid(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwAnswers) answers = mtw_answers_new();
	g_autofree char *absent = fake_root_path(root, "absent");
	g_autoptr(GError) error = NULL;

	assert_invalid(root, "", "Answers");
	assert_invalid(root, "nick=alice\n", "");
	assert_invalid(root, "[Answers]\nthis is no answer\n", "this is no answer");
	assert_invalid(root, "[Other]\nnick=x\n", "Answers");
	assert_invalid(root, "[Answers\n", "");
	assert_false(mtw_answers_load(answers, absent, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
}

/* A value that is no UTF-8 is named, not passed over. */
static void test_bytes(void **state)
{
	FakeRoot *root = *state;

	assert_invalid(root, "[Answers]\nnick=\xff\n", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_ROOT_TEST(test_load),
		FAKE_ROOT_TEST(test_first_one_stays),
		FAKE_ROOT_TEST(test_invalid),
		FAKE_ROOT_TEST(test_bytes),
	};

	return cmocka_run_group_tests_name("wizard-answers", tests, NULL, NULL);
}
