/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of profiles: every key, every way to get it wrong, the shipped ones. */
#include "test-profile-data.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "wizard/scenario.h"

#include <locale.h>
#include <string.h>

static void assert_list(char **list, const char *joined)
{
	g_autofree char *text = g_strjoinv("|", list);

	assert_string_equal(text, joined);
}

static void test_profile_keys(void **state)
{
	g_autoptr(MtwProfile) profile = load_test_profile("all-keys");

	(void)state;
	assert_string_equal(profile->id, "all-keys");
	assert_int_equal(profile->origin, MTW_PROFILE_FILE);
	assert_string_equal(profile->title, "A \\ project; with all keys");
	assert_string_equal(profile->contact, "people@example.org");
	assert_string_equal(profile->request, "https://example.org/wishes?a=1#b");
	assert_string_equal(profile->privacy, "First line.\nSecond line.");
	assert_string_equal(profile->driver_options, "debug=1 config=NvGspRm=1,NvBoost=2  verbose");
	assert_string_equal(profile->archive_format, "tar.xz");
	assert_list(profile->collectors, "default|vbios");
	assert_list(profile->targets, "project-tracker|file");
	assert_list(profile->vendors, "10DE|1234-12ff");
	assert_list(profile->devices, "1e00-2fff");
	assert_list(profile->classes, "0300|0302|12");
	assert_list(profile->drivers, "nvidia*|nouveau");
	assert_int_equal(profile->scenario->len, 4);
	assert_int_equal(profile->questions->len, 2);
	assert_int_equal(profile->hints->len, 2);
}

static void test_question_keys(void **state)
{
	g_autoptr(MtwProfile) profile = load_test_profile("all-keys");
	const MtwQuestion *version = profile->questions->pdata[0];
	const MtwQuestion *story = profile->questions->pdata[1];

	(void)state;
	assert_string_equal(version->id, "version");
	assert_string_equal(version->ask, "Which version?");
	assert_string_equal(version->prefill, "Version: {driver-version} {{not a fact}}");
	assert_true(version->required);
	assert_false(version->many_lines);
	assert_string_equal(story->ask, "What happened?\nAll of it, please.");
	assert_false(story->required);
	assert_true(story->many_lines);
}

static void test_hint_keys(void **state)
{
	g_autoptr(MtwProfile) profile = load_test_profile("all-keys");
	const MtwHint *old = profile->hints->pdata[0];
	const MtwHint *plain = profile->hints->pdata[1];

	(void)state;
	assert_string_equal(old->id, "old");
	assert_string_equal(old->say, "An old card.");
	assert_string_equal(old->options, "NVreg_A=1 NVreg_B=0x2");
	assert_string_equal(old->tell_with, "With the options.");
	assert_string_equal(old->tell_without, "Without the options.");
	assert_null(plain->options);
	assert_string_equal(plain->tell_with, "");
	assert_string_equal(plain->tell_without, "");
}

static void test_defaults(void **state)
{
	static const char text[] = "[Profile]\nTitle=T";
	g_autoptr(MtwProfile) profile =
		mtw_profile_parse(text, strlen(text), "/a/b/mine.conf", NULL);

	(void)state;
	assert_string_equal(profile->id, "mine");
	assert_string_equal(profile->path, "/a/b/mine.conf");
	assert_string_equal(profile->contact, "");
	assert_string_equal(profile->request, "");
	assert_string_equal(profile->privacy, "");
	assert_null(profile->driver_options);
	assert_string_equal(profile->archive_format, "tar.gz");
	assert_null(profile->collectors[0]);
	assert_null(profile->targets[0]);
	assert_null(profile->vendors);
	assert_int_equal(profile->scenario->len, 0);
	assert_int_equal(profile->questions->len, 0);
	assert_int_equal(profile->hints->len, 0);
}

/* "# expect 5: reason" is the second line of each file. */
static void check_bad(const char *path)
{
	static const char expect[] = "# expect ";
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", 3);
	g_autoptr(GError) error = NULL;
	g_autofree char *place = NULL;
	g_autoptr(MtwProfile) profile = mtw_profile_load(path, &error);
	const char *reason;

	if (profile != NULL)
		fail_msg("not refused: %s", path);
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_true(g_str_has_prefix(lines[1], expect));
	reason = strchr(lines[1], ':') + 1;
	place = g_strdup_printf("%s:%.*s", path, (int)(reason - lines[1] - strlen(expect)),
				lines[1] + strlen(expect));
	if (!g_str_has_prefix(error->message, place) || strstr(error->message, reason + 1) == NULL)
		fail_msg("wanted: %s%s\ngot:    %s", place, reason, error->message);
}

static void test_bad_files(void **state)
{
	g_autofree char *folder =
		g_build_filename(g_getenv("MTW_TEST_DATA"), "profiles", "bad", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	(void)state;
	assert_true(names->len > 70);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		check_bad(path);
	}
}

/* What cannot stand in a text file of the tests. */
static void test_bad_bytes(void **state)
{
	static const struct {
		const char *text;
		gsize bytes;
		const char *error;
	} cases[] = {
		{ "[Profile]\nTitle=a\0b\n", 20, "x.conf:2: this is not plain text in UTF-8" },
		{ "[Profile]\nTitle=\xff\n", 18, "x.conf:2: this is not plain text in UTF-8" },
		{ "[Profile]\nTitle=\033[31m\n", 22, "x.conf:2: this is not plain text" },
		{ "\xef\xbb\xbf[Profile]\nTitle=a\n", 21, "x.conf:1: " },
		{ "[Profile]\nTitle=a\rb\n", 20, "x.conf:2: this is not plain text" },
		{ "[Profile]\nTitle[d\xc3\xa9]=a\n", 22, "x.conf:2: " },
		{ "", 0, "x.conf:1: there is no group [Profile]" },
		{ "\0", 1, "x.conf:1: this is not plain text" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(mtw_profile_parse(cases[i].text, cases[i].bytes, "x.conf", &error));
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
		if (!g_str_has_prefix(error->message, cases[i].error))
			fail_msg("wanted: %s\ngot:    %s", cases[i].error, error->message);
	}
}

/* Texts that are shown on a terminal or in a window cannot steer it. */
static void test_texts_are_safe(void **state)
{
	static const char text[] = "[Profile]\r\nTitle=a\xe2\x80\xae"
				   "b\nPrivacy=a\\n\\tb\xe2\x81\xa6\xc2\x9b\n";
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwProfile) profile = mtw_profile_parse(text, strlen(text), "x", &error);

	(void)state;
	assert_null(error);
	assert_string_equal(profile->title, "a b");
	assert_string_equal(profile->privacy, "a\n\tb  ");
}

/* A hostile file is no work: a megabyte of groups, of keys, of translations. */
static void test_large(void **state)
{
	g_autoptr(GString) groups = g_string_new("[Profile]\nTitle=T\n");
	g_autoptr(GString) keys = g_string_new("[Profile]\nTitle=T\n");
	g_autoptr(MtwProfile) of_groups = NULL;
	g_autoptr(MtwProfile) of_keys = NULL;
	gint64 start = g_get_monotonic_time();

	(void)state;
	for (guint i = 0; groups->len < 1000000; i++)
		g_string_append_printf(groups, "[Step s%u]\nMarker=m\nSay=s\n", i);
	for (guint i = 0; keys->len < 1000000; i++)
		g_string_append_printf(keys, "Title[x%u]=t\n", i);
	of_groups = mtw_profile_parse(groups->str, groups->len, "x", NULL);
	of_keys = mtw_profile_parse(keys->str, keys->len, "x", NULL);
	assert_true(of_groups->scenario->len > 20000);
	assert_string_equal(of_keys->title, "T");
	assert_true(g_get_monotonic_time() - start < 20 * G_USEC_PER_SEC);
}

static void test_not_a_file(void **state)
{
	g_autoptr(GError) missing = NULL;
	g_autoptr(GError) folder = NULL;
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "no.conf");

	assert_null(mtw_profile_load(path, &missing));
	assert_true(g_error_matches(missing, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	assert_null(mtw_profile_load(root->folder, &folder));
	assert_non_null(folder);
}

/* The shipped ones are right, and say what they must. */
static void test_shipped(void **state)
{
	static const char *const ids[] = { "audio",   "generic", "network",
					   "nouveau", "storage", "wireless" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(ids); i++) {
		g_autoptr(MtwProfile) profile = load_shipped_profile(ids[i]);
		g_autoptr(JsonObject) json = mtw_profile_to_json(profile);
		assert_true(profile->questions->len > 0);
		assert_string_equal(mtw_json_string(json, "id", ""), ids[i]);
		if (i != 1)
			assert_non_null(profile->classes);
	}
}

static void test_nouveau_markers(void **state)
{
	static const char *const markers[] = { "X is up", "3D test", "mode change", "X down" };
	g_autoptr(MtwProfile) profile = load_shipped_profile("nouveau");

	(void)state;
	assert_int_equal(profile->scenario->len, G_N_ELEMENTS(markers));
	for (guint i = 0; i < profile->scenario->len; i++) {
		const MtwScenarioStep *step = profile->scenario->pdata[i];
		assert_string_equal(step->marker, markers[i]);
	}
}

static void test_wireless_warns(void **state)
{
	g_autoptr(MtwProfile) profile = load_shipped_profile("wireless");

	(void)state;
	assert_non_null(strstr(profile->privacy, "keys"));
	assert_non_null(strstr(profile->privacy, "join"));
}

static void test_json(void **state)
{
	g_autoptr(MtwProfile) profile = load_test_profile("all-keys");
	g_autoptr(JsonObject) json = mtw_profile_to_json(profile);
	JsonArray *steps = mtw_json_array(json, "steps");
	JsonObject *third = json_array_get_object_element(steps, 2);
	JsonObject *match = mtw_json_object(json, "match");

	(void)state;
	assert_string_equal(mtw_json_string(json, "origin", ""), "file");
	assert_int_equal(json_array_get_length(steps), 4);
	assert_string_equal(mtw_json_string(third, "wait", ""), "device");
	assert_string_equal(mtw_json_string(third, "device", ""), "dri/card*");
	assert_int_equal(mtw_json_int(third, "seconds", 0), 5);
	assert_int_equal(json_array_get_length(mtw_json_array(match, "classes")), 3);
	assert_int_equal(json_array_get_length(mtw_json_array(json, "hints")), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_profile_keys),
		cmocka_unit_test(test_question_keys),
		cmocka_unit_test(test_hint_keys),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_bad_bytes),
		cmocka_unit_test(test_texts_are_safe),
		cmocka_unit_test(test_large),
		cmocka_unit_test_setup_teardown(test_not_a_file, fake_root_setup,
						fake_root_teardown),
		cmocka_unit_test(test_shipped),
		cmocka_unit_test(test_nouveau_markers),
		cmocka_unit_test(test_wireless_warns),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
