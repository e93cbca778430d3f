/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of several tries the best one is kept. */
#include "fake-root.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "capture/buffer.h"
#include "capture/judge.h"

#include <string.h>
#include <unistd.h>

#define MIB (G_GUINT64_CONSTANT(1024) * 1024)

typedef struct {
	FakeRoot *root;
	MtwSession *session;
} Fixture;

static int setup(void **state)
{
	Fixture *fixture = g_new0(Fixture, 1);

	fixture->root = fake_root_new();
	fixture->session = mtw_session_create(fixture->root->paths, 0x8086, 0x100e, NULL);
	*state = fixture;
	return fixture->session != NULL ? 0 : -1;
}

static int teardown(void **state)
{
	Fixture *fixture = *state;

	mtw_session_free(fixture->session);
	fake_root_free(fixture->root);
	g_free(fixture);
	return 0;
}

static char *file_in(const Fixture *fixture, const char *name)
{
	return g_build_filename("var/lib/mmiotrace-wizard/sessions", fixture->session->id, name,
				NULL);
}

/* A try with so many reads of the target and so many events lost. @text: of its trace */
static void try(const Fixture *fixture, guint number, const char *text, guint64 reads, guint64 lost)
{
	MtwCounts counts = { .headers = 1, .version_supported = TRUE, .lines = 2, .bytes = 50 };
	MtwLoss loss = { .lost = lost, .exact = TRUE };
	g_autofree char *name = g_strdup_printf("trace-%u.txt", number);
	g_autofree char *path = file_in(fixture, name);
	g_autoptr(MtwVerdict) verdict = NULL;
	g_autoptr(JsonObject) object = NULL;

	counts.n_bars = 1;
	counts.bars[0] = (MtwBarCount){ .start = 0xfeb40000, .length = 0x20000, .reads = reads };
	counts.kinds[MTW_RECORD_READ] = reads;
	counts.kinds[MTW_RECORD_MAP] = 1;
	fake_root_put(fixture->root, path, text);
	verdict = mtw_verdict_new(&counts, &loss, TRUE, NULL);
	object = mtw_judge_keep(fixture->session, number, verdict, &counts);
	assert_string_equal(mtw_json_string(object, "grade", ""), mtw_grade_name(verdict->grade));
}

static void assert_kept(const Fixture *fixture, const char *text, const char *grade)
{
	g_autofree char *trace = file_in(fixture, "trace.txt");
	g_autofree char *verdict = file_in(fixture, "verdict.json");
	g_autofree char *kept = fake_root_read(fixture->root, trace);
	g_autofree char *json = fake_root_read(fixture->root, verdict);
	g_autoptr(JsonObject) object = mtw_json_parse(json, -1, "verdict", NULL);

	assert_string_equal(kept, text);
	assert_string_equal(mtw_json_string(object, "grade", ""), grade);
}

/* "kept" of each try: "+-" */
static void assert_tries(const Fixture *fixture, const char *wanted)
{
	JsonArray *tries = mtw_json_array(fixture->session->state, "tries");
	g_autoptr(GString) found = g_string_new(NULL);

	for (guint i = 0; i < json_array_get_length(tries); i++) {
		JsonObject *entry = json_array_get_object_element(tries, i);
		assert_int_equal(mtw_json_int(entry, "try", 0), i + 1);
		g_string_append_c(found, mtw_json_bool(entry, "kept", FALSE) ? '+' : '-');
	}
	assert_string_equal(found->str, wanted);
}

static void test_better_wins(void **state)
{
	const Fixture *fixture = *state;

	try(fixture, 1, "one", 10, 100);
	assert_kept(fixture, "one", "lost");
	try(fixture, 2, "two", 10, 50);
	assert_kept(fixture, "two", "lost");
	try(fixture, 3, "three", 10, 70);
	assert_kept(fixture, "two", "lost");
	try(fixture, 4, "four", 0, 0);
	assert_kept(fixture, "two", "lost");
	try(fixture, 5, "five", 10, 0);
	assert_kept(fixture, "five", "good");
	try(fixture, 6, "six", 10, 1);
	assert_kept(fixture, "five", "good");
	assert_tries(fixture, "++--+-");
}

/* What is not kept is gone, what is kept has lost its number. */
static void test_files(void **state)
{
	const Fixture *fixture = *state;
	g_autoptr(GPtrArray) names = NULL;

	try(fixture, 1, "one", 10, 100);
	try(fixture, 2, "two", 10, 200);
	names = mtw_folder_list(fixture->session->folder);
	for (guint i = 0; i < names->len; i++)
		assert_false(g_str_has_prefix(names->pdata[i], "trace-"));
}

/* The newer one, when there is no difference. */
static void test_equal(void **state)
{
	const Fixture *fixture = *state;

	try(fixture, 1, "one", 10, 0);
	try(fixture, 2, "two", 20, 0);
	assert_kept(fixture, "two", "good");
}

static void test_broken_verdict_of_before(void **state)
{
	const Fixture *fixture = *state;
	g_autofree char *path = file_in(fixture, "verdict.json");

	fake_root_put(fixture->root, path, "{\"grade\":");
	try(fixture, 1, "one", 10, 100);
	assert_kept(fixture, "one", "lost");
	fake_root_put(fixture->root, path, "{\"grade\":7,\"lost\":[]}");
	try(fixture, 2, "two", 10, 100);
	assert_kept(fixture, "two", "lost");
}

static void test_bars(void **state)
{
	MtwPciDevice device = { 0 };
	g_autoptr(JsonArray) bars = NULL;
	JsonObject *bar;

	(void)state;
	device.bars[0] = (MtwPciBar){ .kind = MTW_BAR_IO, .start = 0xc000, .length = 64 };
	device.bars[2] = (MtwPciBar){ .kind = MTW_BAR_MEMORY,
				      .start = G_GUINT64_CONSTANT(0xfffffffff0000000),
				      .length = 4096 };
	bars = mtw_judge_bars_to_json(&device);
	assert_int_equal(json_array_get_length(bars), 1);
	bar = json_array_get_object_element(bars, 0);
	assert_int_equal(mtw_json_int(bar, "index", 0), 2);
	assert_true((guint64)mtw_json_int(bar, "start", 0) ==
		    G_GUINT64_CONSTANT(0xfffffffff0000000));
}

static void test_doubts(void **state)
{
	const Fixture *fixture = *state;
	g_auto(GStrv) doubts = NULL;
	g_auto(GStrv) none = NULL;

	none = mtw_judge_doubts(fixture->root->paths, 0);
	assert_int_equal(g_strv_length(none), 0);
	fake_root_put(fixture->root, "dev/kmsg",
		      "6,1,100,-;mmiotrace: enabled.\n"
		      "4,2,200,-;mmiotrace: multiple CPUs still online, may miss events.\n"
		      "4,3,300,-;mmiotrace: Unable to set page fault.\n");
	doubts = mtw_judge_doubts(fixture->root->paths, 0);
	assert_int_equal(g_strv_length(doubts), 2);
	assert_non_null(strstr(doubts[0], "multiple CPUs"));
}

static void test_driver_restored(void **state)
{
	const Fixture *fixture = *state;
	g_autoptr(JsonObject) facts = json_object_new();
	g_autoptr(GError) error = NULL;

	/* There was none before, or the run died before it knew. */
	assert_true(mtw_judge_driver_restored(fixture->root->paths, facts, &error));
	json_object_set_string_member(facts, "device", "0000:00:04.0");
	json_object_set_null_member(facts, "driver_before");
	assert_true(mtw_judge_driver_restored(fixture->root->paths, facts, &error));
	json_object_set_string_member(facts, "driver_before", "e1000");
	fake_root_link(fixture->root, "sys/bus/pci/devices/0000:00:04.0/driver",
		       "../../drivers/e1000");
	assert_true(mtw_judge_driver_restored(fixture->root->paths, facts, &error));
}

static void test_default_buffer(void **state)
{
	(void)state;
	/* A quarter, between the kernel's own size and 512 MiB; unknown memory: 64 MiB. */
	assert_int_equal(mtw_buffer_default_kb(0), 64 * 1024);
	assert_int_equal(mtw_buffer_default_kb(1), 1408);
	assert_int_equal(mtw_buffer_default_kb(256 * MIB), 64 * 1024);
	assert_int_equal(mtw_buffer_default_kb(1024 * MIB), 256 * 1024);
	assert_int_equal(mtw_buffer_default_kb(2048 * MIB), 512 * 1024);
	assert_int_equal(mtw_buffer_default_kb(G_MAXUINT64), 512 * 1024);
}

static void test_next_buffer(void **state)
{
	(void)state;
	assert_int_equal(mtw_buffer_next_kb(1024, 1024 * MIB), 2048);
	/* At most half of the memory. */
	assert_int_equal(mtw_buffer_next_kb(256 * 1024, 1024 * MIB), 512 * 1024);
	assert_int_equal(mtw_buffer_next_kb(256 * 1024 + 1, 1024 * MIB), 0);
	assert_int_equal(mtw_buffer_next_kb(1024, 0), 0);
	assert_int_equal(mtw_buffer_next_kb(G_MAXUINT64, G_MAXUINT64), 0);
}

#define JUDGE_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		JUDGE_TEST(test_better_wins),
		JUDGE_TEST(test_files),
		JUDGE_TEST(test_equal),
		JUDGE_TEST(test_broken_verdict_of_before),
		cmocka_unit_test(test_bars),
		JUDGE_TEST(test_doubts),
		JUDGE_TEST(test_driver_restored),
		cmocka_unit_test(test_default_buffer),
		cmocka_unit_test(test_next_buffer),
	};

	return cmocka_run_group_tests_name("capture-judge", tests, NULL, NULL);
}
