/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-report-fixture.h"

#include "base/json.h"
#include "report/description.h"

static JsonObject *parse(const char *text)
{
	JsonObject *object = mtw_json_parse(text, -1, "test", NULL);

	assert_non_null(object);
	return object;
}

static const char capture_text[] =
	"{\"device\":{\"address\":\"0000:01:00.0\",\"name\":\"GP104\"},\"driver\":\"nvidia\","
	"\"tries\":2,\"buffer_kb\":65536,\"restored\":true,\"nothing\":null,"
	"\"options\":[\"a=1\",\"b=2\"],\"bars\":[{\"index\":0}],"
	"\"steps\":[{\"id\":0},{\"id\":1}],"
	"\"vendor_id\":4318,\"device_id\":7040,\"time_sec\":1700000000}";

static const char verdict_text[] =
	"{\"grade\":\"lost\",\"sentence\":\"The trace has gaps.\",\"lost\":{\"events\":7,"
	"\"after_stop\":3,\"exact\":false},\"events\":100,\"reads\":40,\"writes\":50,\"unknown\":5,"
	"\"maps\":3,\"bars\":[{\"index\":0,\"start\":\"0xfeb40000\",\"reads\":40,\"writes\":50,"
	"\"unknown\":5}],\"findings\":[{\"serious\":true,\"sentence\":\"Events are missing.\","
	"\"detail\":\"7\"},{\"serious\":false,\"sentence\":\"Still in use.\",\"detail\":\"\"}]}";

static void test_whole(void **state)
{
	g_autoptr(JsonObject) capture = parse(capture_text);
	g_autoptr(JsonObject) verdict = parse(verdict_text);
	g_autofree char *text = mtw_description_new(capture, verdict, "alice", " a@b.example ",
						    "  Booted.\n\nStarted X.\n\n");

	(void)state;
	assert_string_equal(text, "mmiotrace made with mmiotrace-wizard\n"
				  "Thanks to: alice\n"
				  "Contact: a@b.example\n"
				  "\n"
				  "== Capture ==\n"
				  "Made on: 2023-11-14 22:13:20 UTC\n"
				  "PCI id: 10de:1b80\n"
				  "Device:\n"
				  "  Address: 0000:01:00.0\n"
				  "  Name: GP104\n"
				  "Driver: nvidia\n"
				  "Tries: 2\n"
				  "Buffer (KiB): 65536\n"
				  "Restored: yes\n"
				  "Options:\n"
				  "  - a=1\n"
				  "  - b=2\n"
				  "Steps:\n"
				  "  Id: 0\n"
				  "\n"
				  "  Id: 1\n"
				  "\n"
				  "== Verdict ==\n"
				  "Grade: lost\n"
				  "The trace has gaps.\n"
				  "Events: 100 (40 reads, 50 writes, 5 not decoded, 3 mappings)\n"
				  "Lost: about 7 events\n"
				  "Accesses after recording was off (no loss): 3\n"
				  "BAR 0 at 0xfeb40000: 40 reads, 50 writes, 5 not decoded\n"
				  "Problem: Events are missing. (7)\n"
				  "Note: Still in use.\n"
				  "\n"
				  "== In their own words ==\n"
				  "  Booted.\n"
				  "\n"
				  "Started X.\n");
}

static void test_little(void **state)
{
	g_autoptr(JsonObject) capture = json_object_new();
	g_autoptr(JsonObject) empty = json_object_new();
	g_autofree char *without = mtw_description_new(capture, NULL, "", "", NULL);
	g_autofree char *with = mtw_description_new(capture, empty, "alice", "", " \n\t\n");

	(void)state;
	assert_null(strstr(without, "Thanks"));
	assert_null(strstr(without, "Contact"));
	assert_null(strstr(without, "Verdict"));
	assert_non_null(strstr(without, "(nothing was written)\n"));
	assert_non_null(strstr(with, "Grade: unknown\n"));
	assert_non_null(strstr(with, "(nothing was written)\n"));
}

/* Nothing that a person types or a device reports can look like a fact of the program. */
static void test_hostile(void **state)
{
	g_autoptr(JsonObject) capture = json_object_new();
	g_autoptr(JsonObject) verdict = parse("{\"grade\":\"good\\nLost: 0\",\"bars\":[1,null,{}],"
					      "\"findings\":{},\"lost\":[]}");
	g_autofree char *text = NULL;

	(void)state;
	json_object_set_string_member(capture, "driver", "e1000\nTries: 99\033[2J");
	json_object_set_string_member(capture, "a\nb", "c");
	json_object_set_string_member(capture, "", "empty");
	text = mtw_description_new(capture, verdict, "al\nice\rx", "a@b\nVerdict: good",
				   "one\r\ntwo\rthree\xff\033[31m");
	assert_true(g_utf8_validate(text, -1, NULL));
	assert_non_null(strstr(text, "\nThanks to: al ice x\n"));
	assert_non_null(strstr(text, "\nContact: a@b Verdict: good\n"));
	assert_non_null(strstr(text, "\nDriver: e1000 Tries: 99 [2J\n"));
	assert_non_null(strstr(text, "\nA b: c\n"));
	assert_non_null(strstr(text, "\nGrade: good Lost: 0\n"));
	assert_non_null(strstr(text, "\none\ntwo\nthree\xef\xbf\xbd [31m\n"));
	assert_null(strpbrk(text, "\r\033"));
}

/* Deeper than anyone writes: shown as JSON, not walked into. */
static void test_deep(void **state)
{
	g_autoptr(JsonObject) capture =
		parse("{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":1}}}}},\"g\":[[[[1]]]]}");
	g_autofree char *text = mtw_description_new(capture, NULL, "alice", "", "x");

	(void)state;
	assert_non_null(strstr(text, "{\"f\":1}"));
	assert_non_null(strstr(text, "- [[[1]]]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_little),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests_name("report-description", tests, NULL, NULL);
}
