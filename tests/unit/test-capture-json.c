/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a capture and of a check, from and to JSON. */
#include "fake-root.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/capture-json.h"

#include <string.h>

#define NIC "0000:00:03.0"

static JsonObject *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	JsonObject *object = mtw_json_parse(text, -1, "options", &error);

	if (object == NULL)
		fail_msg("%s", error->message);
	return object;
}

static void test_all_options_come_back(void **state)
{
	static const char *const collectors[] = { "vbios", "acpi_tables", NULL };
	const MtwCaptureOptions given = { .device = NIC,
					  .driver = "e1000",
					  .module_options = "debug=16 copybreak=0",
					  .buffer_kb = 4096,
					  .owner_uid = 1000,
					  .issue = "https://example.org/-/issues/7",
					  .profile = "my project",
					  .notes = "with it\nand \"so\"\n",
					  .countdown_sec = 10,
					  .unattended_sec = 3600,
					  .load_driver = FALSE,
					  .collectors = collectors,
					  .consent_edid = TRUE,
					  .consent_vbios = TRUE };
	g_autoptr(JsonObject) object = mtw_capture_options_to_json(&given);
	g_auto(MtwCaptureOptions) back = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(mtw_capture_options_from_json(object, &back, &error));
	assert_string_equal(back.device, NIC);
	assert_string_equal(back.driver, "e1000");
	assert_string_equal(back.module_options, "debug=16 copybreak=0");
	assert_int_equal(back.buffer_kb, 4096);
	assert_string_equal(back.issue, "https://example.org/-/issues/7");
	assert_string_equal(back.profile, "my project");
	assert_string_equal(back.notes, "with it\nand \"so\"\n");
	assert_int_equal(back.countdown_sec, 10);
	assert_int_equal(back.unattended_sec, 3600);
	assert_false(back.load_driver);
	assert_true(g_strv_equal(back.collectors, collectors));
	assert_true(back.consent_edid && back.consent_vbios);
	/* Whose it is, nobody can say of themselves. */
	assert_int_equal(back.owner_uid, 0);
}

static void test_little_is_enough(void **state)
{
	g_autoptr(JsonObject) object = parse("{\"device\":\"" NIC "\",\"driver\":null}");
	g_auto(MtwCaptureOptions) options = { 0 };

	(void)state;
	assert_true(mtw_capture_options_from_json(object, &options, NULL));
	assert_null(options.driver);
	assert_null(options.module_options);
	assert_null(options.issue);
	assert_null(options.profile);
	assert_null(options.notes);
	assert_null(options.collectors);
	assert_int_equal(options.buffer_kb, 0);
	assert_true(options.load_driver);
	assert_false(options.consent_edid || options.consent_vbios);
}

/* @member: the one whose name the error says */
static void assert_refused(const char *text, const char *member)
{
	g_autoptr(JsonObject) object = parse(text);
	g_auto(MtwCaptureOptions) options = { 0 };
	g_autoptr(GError) error = NULL;

	if (mtw_capture_options_from_json(object, &options, &error))
		fail_msg("%s was taken", text);
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_USAGE));
	if (strstr(error->message, member) == NULL)
		fail_msg("%s: %s", text, error->message);
}

static void test_refused(void **state)
{
	static const char *const wrong[][2] = {
		{ "device", "\"eth0\"" },
		{ "device", "7" },
		{ "device", "\"0000:00:03.0\\n\"" },
		{ "device", "\"../0000:00:03.0\"" },
		{ "driver", "\"\"" },
		{ "driver", "\"a b\"" },
		{ "driver", "\"../../etc\"" },
		{ "driver", "[]" },
		{ "module_options", "\"a=1\\nb=2\"" },
		{ "module_options", "\"a=\\\"b c\\\"\"" },
		{ "module_options", "\"a=$(x)\"" },
		{ "module_options", "\"a=`x`\"" },
		{ "module_options", "{}" },
		{ "issue", "\"a b\"" },
		{ "issue", "\"https://example.org/\\n7\"" },
		{ "issue", "7" },
		{ "profile", "\"\"" },
		{ "profile", "\"../x\"" },
		{ "profile", "[]" },
		{ "notes", "1" },
		{ "notes", "[\"x\"]" },
		{ "buffer_kb", "-1" },
		{ "buffer_kb", "67108865" },
		{ "buffer_kb", "\"1\"" },
		{ "buffer_kb", "1.5" },
		{ "buffer_kb", "9223372036854775807" },
		{ "countdown_sec", "61" },
		{ "unattended_sec", "86401" },
		{ "load_driver", "0" },
		{ "load_driver", "\"no\"" },
		{ "consent_edid", "1" },
		{ "consent_vbios", "[]" },
		{ "collectors", "\"a\"" },
		{ "collectors", "{}" },
		{ "collectors", "[1]" },
		{ "collectors", "[\"a\",null]" },
		{ "collectors", "[\"a/b\"]" },
		{ "owner_uid", "0" },
		{ "Device", "1" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autofree char *text =
			strcmp(wrong[i][0], "device") == 0
				? g_strdup_printf("{\"device\":%s}", wrong[i][1])
				: g_strdup_printf("{\"device\":\"" NIC "\",\"%s\":%s}", wrong[i][0],
						  wrong[i][1]);
		assert_refused(text, wrong[i][0]);
	}
	assert_refused("{}", "device");
	assert_refused("{\"device\":null}", "device");
}

static void test_longest_notes(void **state)
{
	g_autofree char *notes = g_strnfill(MTW_NOTES_MAX_BYTES, '\n');
	g_autofree char *too_long = g_strconcat(notes, "\n", NULL);
	MtwCaptureOptions given = { .device = NIC, .notes = notes };
	g_autoptr(JsonObject) fits = mtw_capture_options_to_json(&given);
	g_auto(MtwCaptureOptions) back = { 0 };
	g_autoptr(JsonObject) refused = NULL;

	(void)state;
	assert_true(mtw_capture_options_from_json(fits, &back, NULL));
	given.notes = too_long;
	refused = mtw_capture_options_to_json(&given);
	assert_false(mtw_capture_options_from_json(refused, &back, NULL));
}

/* What a session tells of a capture that failed at once; nothing that was not given. */
static void test_kept(void **state)
{
	const MtwCaptureOptions little = { .device = NIC, .owner_uid = 7 };
	const MtwCaptureOptions much = { .device = NIC,
					 .owner_uid = 7,
					 .issue = "https://example.org/7",
					 .profile = "mine",
					 .notes = "so" };
	g_autoptr(JsonObject) state_of_little = json_object_new();
	g_autoptr(JsonObject) state_of_much = json_object_new();
	g_autofree char *text_of_little = NULL;
	g_autofree char *text_of_much = NULL;

	(void)state;
	mtw_capture_options_keep(&little, state_of_little);
	mtw_capture_options_keep(&much, state_of_much);
	text_of_little = mtw_json_line(state_of_little);
	text_of_much = mtw_json_line(state_of_much);
	assert_string_equal(text_of_little, "{\"owner_uid\":7,\"device\":\"" NIC "\"}");
	assert_string_equal(text_of_much, "{\"owner_uid\":7,\"device\":\"" NIC
					  "\",\"issue\":\"https://example.org/7\","
					  "\"profile\":\"mine\",\"notes\":\"so\"}");
}

static void test_limits(void **state)
{
	g_autofree char *long_name = g_strnfill(65, 'a');
	g_autofree char *name = g_strnfill(64, 'a');
	g_autofree char *long_options = g_strnfill(1025, 'a');
	g_autofree char *many = g_strnfill(65, ',');
	g_autofree char *first =
		g_strdup_printf("{\"device\":\"" NIC "\",\"driver\":\"%s\"}", long_name);
	g_autofree char *second =
		g_strdup_printf("{\"device\":\"" NIC "\",\"module_options\":\"%s\"}", long_options);
	g_autofree char *third =
		g_strdup_printf("{\"device\":\"" NIC "\",\"driver\":\"%s\"}", name);
	g_autoptr(JsonObject) fits = parse(third);
	g_auto(MtwCaptureOptions) options = { 0 };
	g_auto(GStrv) commas = g_strsplit(many, ",", -1);
	g_autofree char *names = NULL;
	g_autofree char *fourth = NULL;

	(void)state;
	assert_refused(first, "driver");
	assert_refused(second, "module_options");
	assert_true(mtw_capture_options_from_json(fits, &options, NULL));
	for (char **at = commas; *at != NULL; at++) {
		g_free(*at);
		*at = g_strdup("\"a\"");
	}
	names = g_strjoinv(",", commas);
	fourth = g_strdup_printf("{\"device\":\"" NIC "\",\"collectors\":[%s]}", names);
	assert_refused(fourth, "collectors");
}

static void test_check_options(void **state)
{
	const MtwCheckOptions given = {
		.device = NIC, .driver = "e1000", .buffer_kb = 2048, .min_free_bytes = 1 << 20
	};
	g_autoptr(JsonObject) object = mtw_check_options_to_json(&given);
	g_autoptr(JsonObject) nothing = json_object_new();
	g_autoptr(JsonObject) wrong = parse("{\"driver\":\"a b\"}");
	MtwCheckOptions back;

	(void)state;
	assert_true(mtw_check_options_from_json(object, &back, NULL));
	assert_string_equal(back.device, NIC);
	assert_string_equal(back.driver, "e1000");
	assert_int_equal(back.buffer_kb, 2048);
	assert_int_equal(back.min_free_bytes, 1 << 20);
	assert_true(mtw_check_options_from_json(nothing, &back, NULL));
	assert_null(back.device);
	assert_false(mtw_check_options_from_json(wrong, &back, NULL));
}

static void test_counters(void **state)
{
	const MtwCounters counters = {
		.counts = { .events = 7,
			    .bytes = 400,
			    .n_bars = 2,
			    .bars = { { .index = 0, .reads = 1, .writes = 2 },
				      { .index = 3, .unknown = 3 } } },
		.lost = 5,
		.seconds = 1.5
	};
	g_autoptr(JsonObject) object = mtw_counters_to_json(&counters);
	g_autofree char *line = mtw_json_line(object);

	(void)state;
	assert_int_equal(mtw_json_int(object, "target", 0), 6);
	assert_int_equal(mtw_json_int(object, "lost", 0), 5);
	assert_non_null(strstr(line, "{\"index\":3,\"reads\":0,\"writes\":0,\"unknown\":3}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_options_come_back),
		cmocka_unit_test(test_little_is_enough),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_longest_notes),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_check_options),
		cmocka_unit_test(test_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
