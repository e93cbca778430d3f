/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile in more than one language: what the person reads, and what the developers get. */
#include "test-wizard-script.h"

#include "base/key-file.h"
#include "report/archive.h"
#include "test-profile-data.h"
#include "wizard/scenario.h"

static void speak(const char *language)
{
	g_setenv("LC_ALL", "C.UTF-8", TRUE);
	g_setenv("LANGUAGE", language, TRUE);
}

static int teardown(void **state)
{
	(void)state;
	speak("");
	return 0;
}

/* ---- which of the texts ------------------------------------------------------------------------- */

static void assert_shown(const char *language, const char *wanted)
{
	static const char text[] = "[A]\nSay=plain\nSay[de]=de\nSay[de_AT]=de_AT\nSay[ko]=ko\n"
				   "Say[sr@latin]=sr@latin\nSay[pt_BR]=pt_BR\nOther=x\n";
	g_autoptr(MtwKeyFile) file = mtw_key_file_parse(text, strlen(text), "x", NULL);
	const MtwKeyGroup *group = mtw_key_file_group(file, "A");
	g_autofree char *shown = NULL;
	g_autofree char *plain = NULL;
	g_autofree char *other = NULL;

	speak(language);
	shown = mtw_key_group_shown(group, "Say");
	plain = mtw_key_group_text(group, "Say");
	other = mtw_key_group_shown(group, "Other");
	if (strcmp(shown, wanted) != 0)
		fail_msg("%s: %s", language, shown);
	assert_string_equal(plain, "plain");
	assert_string_equal(other, "x");
	assert_null(mtw_key_group_shown(group, "No"));
	assert_null(mtw_key_group_shown(NULL, "Say"));
}

static void test_choice(void **state)
{
	(void)state;
	assert_shown("", "plain");
	assert_shown("en", "plain");
	assert_shown("fr_FR.UTF-8", "plain");
	assert_shown("de", "de");
	assert_shown("de_DE", "de");
	assert_shown("de_DE.UTF-8", "de");
	assert_shown("de_AT", "de_AT");
	assert_shown("de_AT.UTF-8@euro", "de_AT");
	assert_shown("ko_KR.UTF-8", "ko");
	assert_shown("sr_RS@latin", "sr@latin");
	assert_shown("sr", "plain");
	assert_shown("pt", "plain");
	/* The first that is there. */
	assert_shown("fr:ko:de", "ko");
}

/* As gettext: LC_ALL=C is no language, whatever else is set. */
static void test_no_language(void **state)
{
	static const char text[] = "[Profile]\nTitle=plain\nTitle[de]=de\n";
	static const char *const names[] = { "C", "POSIX" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(MtwProfile) profile = NULL;
		speak("de");
		g_setenv("LC_ALL", names[i], TRUE);
		profile = mtw_profile_parse(text, strlen(text), "x", NULL);
		assert_string_equal(profile->title, "plain");
	}
}

/* ---- the two texts ------------------------------------------------------------------------------ */

static void test_both(void **state)
{
	g_autoptr(MtwProfile) profile = NULL;
	const MtwScenarioStep *step, *untranslated;
	const MtwQuestion *question;
	const MtwHint *hint;

	(void)state;
	speak("de_AT:fr");
	profile = load_test_profile("all-keys");
	step = profile->scenario->pdata[0];
	untranslated = profile->scenario->pdata[1];
	question = profile->questions->pdata[0];
	hint = profile->hints->pdata[0];
	assert_string_equal(profile->title, "Ein Projekt");
	assert_string_equal(profile->title_plain, "A \\ project; with all keys");
	assert_string_equal(profile->privacy, "Erste Zeile.");
	assert_string_equal(profile->privacy_plain, "First line.\nSecond line.");
	assert_string_equal(step->say, "Tu es.");
	assert_string_equal(step->say_plain, "Do it.\nThen wait.");
	assert_string_equal(untranslated->say, "Wait.");
	assert_string_equal(question->ask, "Welche Version?");
	assert_string_equal(question->ask_plain, "Which version?");
	assert_string_equal(hint->say, "Eine alte Karte.");
	assert_string_equal(hint->say_plain, "An old card.");
	assert_string_equal(step->marker, "first done");
	assert_string_equal(hint->tell_with, "With the options.");
}

/* A program gets the same on every desktop. */
static void test_json(void **state)
{
	g_autoptr(MtwProfile) profile = NULL;
	g_autoptr(MtwProfile) plain = NULL;
	g_autoptr(JsonObject) json = NULL;
	g_autoptr(JsonObject) wanted = NULL;
	g_autofree char *line = NULL;
	g_autofree char *wanted_line = NULL;

	(void)state;
	plain = load_test_profile("all-keys");
	wanted = mtw_profile_to_json(plain);
	speak("de");
	profile = load_test_profile("all-keys");
	assert_string_not_equal(profile->title, plain->title);
	json = mtw_profile_to_json(profile);
	line = mtw_json_line(json);
	wanted_line = mtw_json_line(wanted);
	assert_string_equal(line, wanted_line);
}

/* ---- the shipped ones --------------------------------------------------------------------------- */

static gboolean is_translated(const MtwKeyGroup *group, const char *key, const char *locale)
{
	for (guint i = 0; i < group->entries->len; i++) {
		const MtwKeyEntry *entry = group->entries->pdata[i];
		if (g_str_equal(entry->key, key) && g_strcmp0(entry->locale, locale) == 0)
			return TRUE;
	}
	return FALSE;
}

/* "\n" is where a line ends; no line is wider than a terminal. */
static void check_width(const char *name, const MtwKeyEntry *entry)
{
	g_auto(GStrv) lines = g_strsplit(entry->value, "\\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		guint columns = 0;
		for (const char *at = *line; *at != '\0'; at = g_utf8_next_char(at))
			columns += g_unichar_iswide(g_utf8_get_char(at)) ? 2 : 1;
		if (columns > 78)
			fail_msg("%s:%u: a line of %u columns", name, entry->line, columns);
	}
}

static void check_shipped_group(const char *name, const MtwKeyGroup *group)
{
	static const char *const keys[] = { "Title", "Privacy", "Say", "Ask", "Name", NULL };

	for (guint i = 0; i < group->entries->len; i++) {
		const MtwKeyEntry *entry = group->entries->pdata[i];
		if (!g_strv_contains(keys, entry->key) ||
		    (g_str_equal(group->kind, "Target") && g_str_equal(entry->key, "Title")))
			continue;
		check_width(name, entry);
		if (!is_translated(group, entry->key, "de") ||
		    !is_translated(group, entry->key, "ko"))
			fail_msg("%s:%u: %s is not in German and Korean", name, entry->line,
				 entry->key);
	}
}

static void check_shipped_folder(const char *folder)
{
	g_autofree char *path =
		g_build_filename(g_getenv("MTW_TEST_DATA"), "..", "..", "data", folder, NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(path);
	guint n_files = 0;

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *name = g_build_filename(path, names->pdata[i], NULL);
		g_autoptr(MtwKeyFile) file = NULL;
		if (!g_str_has_suffix(name, ".conf"))
			continue;
		n_files++;
		file = mtw_key_file_read(name, NULL);
		assert_non_null(file);
		for (guint k = 0; k < file->groups->len; k++)
			check_shipped_group(name, file->groups->pdata[k]);
	}
	assert_true(n_files > 5);
}

static void test_shipped(void **state)
{
	(void)state;
	check_shipped_folder("profiles");
	check_shipped_folder("targets.d");
}

/* ---- a walk ------------------------------------------------------------------------------------- */

#define PROFILE                                                                          \
	"[Profile]\nTitle=Any device\nTitle[de]=Beliebiges Gerät\n"                     \
	"[Question worked]\nAsk=Did it\\nwork?\nAsk[de]=Ging es?\nPrefill=It worked: \n" \
	"[Question other]\nAsk=What else?\n"

static GString *asked; /* sentences of the profile's questions */
static GString *titles;

static char *ask(MtwView *view, const MtwRequest *request)
{
	if (strcmp(request->id, "worked") == 0 || strcmp(request->id, "other") == 0)
		g_string_append_printf(asked, "%s;", request->sentence);
	return script_ask(view, request);
}

static void show(MtwView *view, JsonObject *event)
{
	if (strcmp(mtw_json_string(event, "event", ""), "profile") == 0)
		g_string_append_printf(titles, "%s;", mtw_json_string(event, "title", ""));
	script_show(view, event);
}

static const MtwViewOps ops = {
	.show = show, .ask = ask, .capture_line = script_capture_line, .can_edit = script_can_edit
};

static int setup_walk(void **state)
{
	int result = script_setup(state);

	asked = g_string_new(NULL);
	titles = g_string_new(NULL);
	script.view.base.ops = &ops;
	fake_root_put(kernel.root, "usr/share/mmiotrace-wizard/profiles/generic.conf", PROFILE);
	return result;
}

static int teardown_walk(void **state)
{
	g_string_free(asked, TRUE);
	g_string_free(titles, TRUE);
	teardown(state);
	return script_teardown(state);
}

static void test_description(void **state)
{
	g_autofree char *path =
		g_build_filename(script.output, "8086-100e-alice-mmiotrace.tar.gz", NULL);
	g_autofree char *description = NULL;

	(void)state;
	speak("de_DE");
	walk_with_person(ANSWERS("welcome=yes", "prepare=yes", "nick=alice", "worked=Ja, es ging.",
				 "other=Nichts.", "review=ok", "agree=yes"));
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	assert_string_equal(titles->str, "Beliebiges Gerät;");
	assert_string_equal(asked->str, "Ging es?;What else?;");
	description = mtw_archive_read_member(path, "description.txt", 1000000, NULL, NULL);
	assert_non_null(description);
	assert_non_null(strstr(description, "Did it\nwork?\nJa, es ging.\n"));
	assert_non_null(strstr(description, "What else?\nNichts.\n"));
	assert_null(strstr(description, "Ging es?"));
}

#define LANGUAGE_TEST(function) cmocka_unit_test_setup_teardown(function, teardown, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LANGUAGE_TEST(test_choice),
		LANGUAGE_TEST(test_no_language),
		LANGUAGE_TEST(test_both),
		LANGUAGE_TEST(test_json),
		LANGUAGE_TEST(test_shipped),
		cmocka_unit_test_setup_teardown(test_description, setup_walk, teardown_walk),
	};

	return cmocka_run_group_tests_name("wizard-languages", tests, NULL, NULL);
}
