/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-report-fixture.h"

#include "base/json.h"
#include "report/archive.h"
#include "report/manifest.h"
#include "trace/verdict-json.h"

/* A verdict on a small trace, through the real counting. */
static JsonObject *some_verdict(void)
{
	static const char trace[] = "VERSION 20070824\n"
				    "MAP 1.000000 1 0xfeb40000 0xffffc90000000000 0x20000 0x0 0\n"
				    "R 4 1.000001 1 0xfeb40008 0x80080783 0x0 0\n"
				    "W 4 1.000002 1 0xfeb400d8 0xffffffff 0x0 0\n"
				    "UNKNOWN 1.000003 1 0xfeb400d8 0x0 0x0 0\n"
				    "MARK 1.000004 hello\n"
				    "R 4 1.000005 2 0xfd000000 0x1 0x0 0\n"
				    "UNMAP 1.000006 1 0x0 0\n";
	g_autoptr(MtwStats) stats = mtw_stats_new();
	g_autoptr(MtwVerdict) verdict = NULL;
	const MtwCounts *counts;
	MtwLoss loss;

	mtw_stats_add_bar(stats, 0, 0xfeb40000, 0x20000);
	mtw_stats_feed(stats, trace, strlen(trace));
	counts = mtw_stats_counts(stats);
	loss = mtw_loss_estimate(counts);
	loss.lost = 7;
	loss.after_stop = 3;
	verdict = mtw_verdict_new(counts, &loss, TRUE, NULL);
	return mtw_verdict_to_json(verdict, counts);
}

static void test_verdict(void **state)
{
	g_autoptr(JsonObject) verdict = some_verdict();
	JsonObject *lost = mtw_json_object(verdict, "lost");
	JsonArray *bars = mtw_json_array(verdict, "bars");
	JsonArray *findings = mtw_json_array(verdict, "findings");
	JsonObject *bar;

	(void)state;
	assert_string_equal(mtw_json_string(verdict, "grade", ""), "lost");
	assert_true(strlen(mtw_json_string(verdict, "sentence", "")) > 0);
	assert_int_equal(mtw_json_int(lost, "events", -1), 7);
	assert_int_equal(mtw_json_int(lost, "after_stop", -1), 3);
	assert_true(json_object_has_member(lost, "exact"));
	assert_int_equal(mtw_json_int(verdict, "reads", -1), 2);
	assert_int_equal(mtw_json_int(verdict, "writes", -1), 1);
	assert_int_equal(mtw_json_int(verdict, "maps", -1), 1);
	assert_int_equal(mtw_json_int(verdict, "unmaps", -1), 1);
	assert_int_equal(mtw_json_int(verdict, "markers", -1), 1);
	assert_int_equal(mtw_json_int(verdict, "elsewhere", -1), 1);
	assert_int_equal(json_array_get_length(mtw_json_array(verdict, "holes")), 0);
	assert_int_equal(json_array_get_length(bars), 1);
	bar = json_array_get_object_element(bars, 0);
	assert_string_equal(mtw_json_string(bar, "start", ""), "0xfeb40000");
	assert_int_equal(mtw_json_int(bar, "length", -1), 0x20000);
	assert_int_equal(mtw_json_int(bar, "reads", -1), 1);
	assert_int_equal(mtw_json_int(bar, "writes", -1), 1);
	assert_true(json_array_get_length(findings) > 0);
	assert_true(json_object_get_boolean_member(json_array_get_object_element(findings, 0),
						   "serious"));
}

/* Numbers that JSON's cannot hold, and a hole. */
static void test_verdict_extremes(void **state)
{
	MtwCounts counts = { .events = G_MAXUINT64, .n_holes = 1, .n_bars = 1 };
	MtwLoss loss = { .lost = 0 };
	g_autoptr(MtwVerdict) verdict = NULL;
	g_autoptr(JsonObject) object = NULL;
	JsonObject *hole, *bar;

	(void)state;
	counts.holes[0] = (MtwHole){ MTW_HOLE_HUGE_TAIL, G_MAXUINT64, 5 };
	counts.bars[0].start = G_MAXUINT64;
	verdict = mtw_verdict_new(&counts, &loss, TRUE, NULL);
	object = mtw_verdict_to_json(verdict, &counts);
	assert_int_equal(mtw_json_int(object, "events", -1), G_MAXINT64);
	hole = json_array_get_object_element(mtw_json_array(object, "holes"), 0);
	bar = json_array_get_object_element(mtw_json_array(object, "bars"), 0);
	assert_string_equal(mtw_json_string(hole, "kind", ""), "huge-tail");
	assert_string_equal(mtw_json_string(hole, "address", ""), "0xffffffffffffffff");
	assert_string_equal(mtw_json_string(bar, "start", ""), "0xffffffffffffffff");
}

static GPtrArray *some_members(void)
{
	GPtrArray *members = mtw_members_new();

	g_ptr_array_add(members, mtw_member_new_data("mydump.txt", g_strdup("trace"), 5));
	g_ptr_array_add(members, mtw_member_new_data("lspci.txt", g_strdup("lspci"), 5));
	assert_true(mtw_archive_measure(members, NULL));
	return members;
}

/* Returns: (transfer full): manifest.json of @members */
static char *manifest_of(GPtrArray *members)
{
	g_autoptr(JsonObject) verdict = some_verdict();
	g_autoptr(JsonObject) capture = json_object_new();
	g_autoptr(GPtrArray) messages = mtw_messages_new();
	const MtwManifestFacts facts = {
		.members = members,
		.verdict = verdict,
		.capture = capture,
		.nick = "alice \xff",
		.messages = messages,
		.time_sec = 1700000000,
	};

	json_object_set_string_member(capture, "driver", "e1000");
	g_ptr_array_add(messages, mtw_message_new("dmesg.txt", MTW_LEVEL_WARNING, "It failed.", "",
						  "%s", "because"));
	return mtw_manifest_new(&facts);
}

static void test_manifest(void **state)
{
	g_autoptr(GPtrArray) members = some_members();
	g_autofree char *text = manifest_of(members);
	g_autofree char *again = manifest_of(members);
	g_autoptr(JsonObject) manifest = mtw_json_parse(text, -1, "manifest", NULL);
	JsonObject *file, *collected;

	(void)state;
	assert_string_equal(text, again);
	assert_true(g_str_has_suffix(text, "}\n"));
	assert_int_equal(mtw_json_int(manifest, "format", 0), 1);
	assert_string_equal(mtw_json_string(manifest, "program", ""), "mmiotrace-wizard");
	assert_string_equal(mtw_json_string(manifest, "time", ""), "2023-11-14T22:13:20Z");
	assert_int_equal(mtw_json_int(manifest, "time_sec", 0), 1700000000);
	assert_string_equal(mtw_json_string(manifest, "nick", ""), "alice \xef\xbf\xbd");
	assert_int_equal(json_array_get_length(mtw_json_array(manifest, "files")), 2);
	file = json_array_get_object_element(mtw_json_array(manifest, "files"), 0);
	assert_string_equal(mtw_json_string(file, "name", ""), "mydump.txt");
	assert_int_equal(mtw_json_int(file, "bytes", 0), 5);
	assert_int_equal(strlen(mtw_json_string(file, "sha256", "")), 64);
	assert_string_equal(mtw_json_string(mtw_json_object(manifest, "verdict"), "grade", ""),
			    "lost");
	assert_string_equal(mtw_json_string(mtw_json_object(manifest, "capture"), "driver", ""),
			    "e1000");
	collected = json_array_get_object_element(mtw_json_array(manifest, "collected"), 0);
	assert_string_equal(mtw_json_string(collected, "level", ""), "warning");
	assert_string_equal(mtw_json_string(collected, "detail", ""), "because");
}

static void test_manifest_little(void **state)
{
	g_autoptr(GPtrArray) members = mtw_members_new();
	const MtwManifestFacts facts = { .members = members };
	g_autofree char *text = mtw_manifest_new(&facts);
	g_autoptr(JsonObject) manifest = mtw_json_parse(text, -1, "manifest", NULL);

	(void)state;
	assert_non_null(manifest);
	assert_true(json_object_get_null_member(manifest, "verdict"));
	assert_true(json_object_get_null_member(manifest, "nick"));
}

/* The archive of @members with its manifest, as a list; @ret_manifest (transfer full). */
static GPtrArray *packed(const char *folder, GPtrArray *members, JsonObject **ret_manifest)
{
	char *text = manifest_of(members);
	g_autofree char *path = NULL;
	g_autofree char *read_back = NULL;
	GPtrArray *list;

	g_ptr_array_add(members, mtw_member_new_data("manifest.json", text, strlen(text)));
	assert_true(mtw_archive_measure(members, NULL));
	path = mtw_archive_write(folder, "stem", members, 0, NULL, NULL, NULL);
	read_back = mtw_archive_read_member(path, "manifest.json", 1000000, NULL, NULL);
	*ret_manifest = mtw_json_parse(read_back, -1, "manifest", NULL);
	assert_non_null(*ret_manifest);
	list = mtw_archive_list(path, NULL);
	assert_int_equal(list->len, members->len);
	return list;
}

/* The ids of what the check says, joined by spaces. */
static void expect_complaints(JsonObject *manifest, const GPtrArray *list, const char *expected)
{
	g_autoptr(GPtrArray) messages = mtw_manifest_check(manifest, list);
	g_autoptr(GString) ids = g_string_new(NULL);

	for (guint i = 0; i < messages->len; i++) {
		const MtwMessage *message = messages->pdata[i];
		g_string_append_printf(ids, "%s%s:%s", i > 0 ? " " : "", message->id,
				       message->detail);
	}
	assert_string_equal(ids->str, expected);
}

static void test_check(void **state)
{
	g_autoptr(GPtrArray) members = some_members();
	g_autoptr(JsonObject) manifest = NULL;
	g_autoptr(GPtrArray) list = packed(*state, members, &manifest);
	MtwMemberFacts *dump = list->pdata[0];
	MtwMemberFacts *lspci = list->pdata[1];

	expect_complaints(manifest, list, "");
	dump->sha256[0] ^= 1;
	expect_complaints(manifest, list, "changed-member:mydump.txt");
	dump->sha256[0] ^= 1;
	dump->bytes++;
	expect_complaints(manifest, list, "changed-member:mydump.txt");
	dump->bytes--;
	strcpy(lspci->name, "x.txt");
	expect_complaints(manifest, list, "missing-member:lspci.txt extra-member:x.txt");
	/* A second file of a known name is one too many. */
	g_free(lspci->name);
	lspci->name = g_strdup("mydump.txt");
	expect_complaints(manifest, list, "missing-member:lspci.txt extra-member:mydump.txt");
	g_free(lspci->name);
	lspci->name = g_strdup("manifest.json");
	expect_complaints(manifest, list, "missing-member:lspci.txt extra-member:manifest.json");
}

static void test_check_hostile(void **state)
{
	static const struct {
		const char *manifest, *complaints;
	} rows[] = {
		{ "{}", "bad-manifest:files" },
		{ "{\"format\":1,\"files\":{}}", "bad-manifest:files" },
		{ "{\"format\":2,\"files\":[]}", "bad-manifest:format" },
		{ "{\"format\":\"1\",\"files\":[]}", "bad-manifest:format" },
		{ "{\"format\":1,\"files\":[]}", "" },
		{ "{\"format\":1,\"files\":[1]}", "bad-manifest:files" },
		{ "{\"format\":1,\"files\":[null,[]]}", "bad-manifest:files bad-manifest:files" },
		{ "{\"format\":1,\"files\":[{}]}", "missing-member:" },
		{ "{\"format\":1,\"files\":[{\"name\":5}]}", "missing-member:" },
		{ "{\"format\":1,\"files\":[{\"name\":\"a\\u001b[31m\"}]}",
		  "missing-member:a [31m" },
	};
	g_autoptr(GPtrArray) nothing = g_ptr_array_new();
	(void)state;

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(JsonObject) manifest =
			mtw_json_parse(rows[i].manifest, -1, "manifest", NULL);
		assert_non_null(manifest);
		expect_complaints(manifest, nothing, rows[i].complaints);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict),	 cmocka_unit_test(test_verdict_extremes),
		cmocka_unit_test(test_manifest), cmocka_unit_test(test_manifest_little),
		FIXTURE_TEST(test_check),	 cmocka_unit_test(test_check_hostile),
	};

	return cmocka_run_group_tests_name("report-manifest", tests, NULL, NULL);
}
