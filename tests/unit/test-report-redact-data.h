/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of the redactor: the rules that are shipped, rules of a test, texts of tests/data/redact. */
#pragma once

#include "fake-root.h"

#include "base/error.h"
#include "report/redact.h"

#include <glib.h>
#include <string.h>

static inline char *redact_data_path(const char *folder, const char *name)
{
	const char *data = g_getenv("MTW_TEST_DATA");

	assert_non_null(data);
	return g_build_filename(data, folder, name, NULL);
}

/* A text of tests/data/redact. */
static inline char *redact_text(const char *name)
{
	g_autofree char *path = redact_data_path("redact", name);
	char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

/* data/redact.d of the source. */
static inline char *redact_rules_folder(void)
{
	return redact_data_path("../../data", "redact.d");
}

static inline MtwRedactRules *shipped_rules(void)
{
	g_autofree char *data = redact_data_path("../../data", "");
	g_autoptr(MtwPaths) paths = mtw_paths_new("/nonexistent");
	g_autoptr(GError) error = NULL;
	MtwRedactRules *rules;

	mtw_paths_set(paths, MTW_PATH_DATA, data);
	rules = mtw_redact_rules_load(paths, &error);
	if (rules == NULL)
		fail_msg("%s", error->message);
	return rules;
}

static inline MtwRedactor *shipped_redactor(void)
{
	g_autoptr(MtwRedactRules) rules = shipped_rules();

	return mtw_redactor_new(rules);
}

static inline MtwRedactRules *rules_of(const char *text)
{
	g_autoptr(GError) error = NULL;
	MtwRedactRules *rules = mtw_redact_rules_load_data("test.conf", text, strlen(text), &error);

	if (rules == NULL)
		fail_msg("%s", error->message);
	return rules;
}

/* Cleans @text and compares; it must have nothing left, and stay when it is cleaned again. */
static inline void expect_clean(MtwRedactor *redactor, const char *text, const char *expected)
{
	g_autoptr(MtwRedactResult) once =
		mtw_redactor_file(redactor, "dmesg.txt", text, strlen(text));
	g_autoptr(GArray) left = mtw_redactor_scan(redactor, "dmesg.txt", once->text, once->bytes);
	g_autoptr(MtwRedactResult) twice =
		mtw_redactor_file(redactor, "dmesg.txt", once->text, once->bytes);

	assert_string_equal(once->text, expected);
	assert_string_equal(twice->text, expected);
	assert_int_equal(left->len, 0);
}
