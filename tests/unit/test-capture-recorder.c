/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"
#include "test-capture-tracer.h"

#include "base/file.h"
#include "capture/recorder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#define HEADER "VERSION 20070824\n"
#define RECORD "R 4 1.000000 1 0xfeb40000 0x1 0x0 0\n"
#define ELSEWHERE "W 4 1.000001 1 0xfea00000 0x1 0x0 0\n"
#define LOST "MARK 0.000000 Lost 6 events.\n"

static const char *const some_blocks[] = { HEADER, RECORD RECORD, ELSEWHERE "R 4 1.0000",
					   "02 1 0xfeb40004 0x2 0x0 0\n", NULL };

static MtwStats *new_stats(void)
{
	MtwStats *stats = mtw_stats_new();

	mtw_stats_add_bar(stats, 0, 0xfeb40000, 0x20000);
	return stats;
}

static MtwRecorder *new_recorder(FakeRoot *root, Script *script, guint64 reserve_bytes)
{
	g_autofree char *path = fake_root_path(root, "trace-1.txt");
	int fd = mtw_file_create(path, 0600, NULL);

	assert_true(fd >= 0);
	return mtw_recorder_new(&script->base, fd, new_stats(), reserve_bytes);
}

static void assert_file(FakeRoot *root, const char *wanted)
{
	g_autofree char *text = fake_root_read(root, "trace-1.txt");

	assert_string_equal(text, wanted);
}

/* Until the script is at its end; the meson time-out is the limit. */
static void wait_for(Script *script)
{
	while (!g_atomic_int_get(&script->enough))
		g_usleep(1000);
}

static void test_record(void **state)
{
	FakeRoot *root = *state;
	Script script = script_new(some_blocks);
	g_autoptr(MtwRecorder) recorder = new_recorder(root, &script, 0);
	g_autofree char *all = g_strjoinv("", (char **)some_blocks);
	g_autoptr(GError) error = NULL;
	MtwCounts counts;

	script.empty_after = 3;
	mtw_recorder_start(recorder);
	wait_for(&script);
	assert_true(mtw_recorder_pause(recorder, &error));
	assert_true(mtw_recorder_finish(recorder, &error));
	mtw_recorder_counts(recorder, &counts);
	assert_int_equal(script.pauses, 1);
	assert_int_equal(counts.bars[0].reads, 3);
	assert_int_equal(counts.elsewhere, 1);
	assert_true(counts.version_supported);
	assert_int_equal(counts.bytes, strlen(all));
	assert_file(root, all);
}

/* Before the threads run: the header, in the caller's thread. */
static void test_drain(void **state)
{
	FakeRoot *root = *state;
	Script script = script_new(some_blocks);
	g_autoptr(MtwRecorder) recorder = new_recorder(root, &script, 0);
	g_autofree char *all = g_strjoinv("", (char **)some_blocks);

	mtw_recorder_drain(recorder);
	assert_false(mtw_recorder_failed(recorder, NULL));
	assert_file(root, all);
}

/* What is lost before the stop is lost; what comes after it, is not (KERNEL-FACTS 1.7). */
static void test_pause_divides(void **state)
{
	static const char *const blocks[] = { HEADER, RECORD LOST, NULL, LOST, NULL };
	FakeRoot *root = *state;
	Script script = script_new(blocks);
	g_autoptr(MtwRecorder) recorder = new_recorder(root, &script, 0);
	MtwCounts counts;

	assert_true(mtw_recorder_pause(recorder, NULL));
	script.at = 3;
	assert_true(mtw_recorder_finish(recorder, NULL));
	mtw_recorder_counts(recorder, &counts);
	assert_int_equal(counts.lost_marks, 12);
	assert_int_equal(counts.lost_marks_after_stop, 6);
}

static void test_pause_fails(void **state)
{
	FakeRoot *root = *state;
	Script script = script_new(some_blocks);
	g_autoptr(MtwRecorder) recorder = new_recorder(root, &script, 0);
	g_autoptr(GError) error = NULL;

	script.pause_fails = TRUE;
	assert_false(mtw_recorder_pause(recorder, &error));
	assert_string_equal(error->message, "cannot pause");
	assert_true(mtw_recorder_finish(recorder, NULL));
}

/* What came before the error is kept; the error stays and is not overwritten by a later one. */
static void test_read_fails(void **state)
{
	FakeRoot *root = *state;
	Script script = script_new(some_blocks);
	g_autoptr(MtwRecorder) recorder = new_recorder(root, &script, 0);
	g_autoptr(GError) error = NULL;
	g_autoptr(GError) again = NULL;

	script.fail_at = 3;
	script.fail_code = MTW_ERROR_BUSY;
	mtw_recorder_start(recorder);
	while (!mtw_recorder_failed(recorder, NULL))
		g_usleep(1000);
	script.fail_code = MTW_ERROR_DISK;
	assert_true(mtw_recorder_failed(recorder, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
	/* The tracer is stopped all the same. */
	assert_true(mtw_recorder_pause(recorder, NULL));
	assert_int_equal(script.pauses, 1);
	assert_false(mtw_recorder_finish(recorder, &again));
	assert_true(g_error_matches(again, MTW_ERROR, MTW_ERROR_BUSY));
	assert_file(root, HEADER RECORD RECORD);
}

static void assert_disk_error(MtwRecorder *recorder)
{
	g_autoptr(GError) error = NULL;

	assert_true(mtw_recorder_failed(recorder, &error));
	if (!g_error_matches(error, MTW_ERROR, MTW_ERROR_DISK))
		fail_msg("%s", error->message);
}

static void test_disk_is_full(void **state)
{
	Script script = script_new(some_blocks);
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	g_autoptr(MtwRecorder) recorder = mtw_recorder_new(&script.base, fd, new_stats(), 0);

	(void)state;
	mtw_recorder_drain(recorder);
	assert_disk_error(recorder);
	assert_int_equal(script.reads, 1);
	assert_false(mtw_recorder_finish(recorder, NULL));
}

/* It gets full in the middle of a block: the file ends within a line. */
static void test_disk_gets_full(void **state)
{
	FakeRoot *root = *state;
	Script script = script_new(some_blocks);
	g_autoptr(MtwRecorder) recorder = new_recorder(root, &script, 0);
	struct rlimit before, limit;

	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = strlen(HEADER) + strlen(RECORD) + 5;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	mtw_recorder_drain(recorder);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_disk_error(recorder);
	assert_file(root, HEADER RECORD "R 4 1");
}

/* The guard stops before the disk is full, while data goes on coming. */
static void test_reserve(void **state)
{
	FakeRoot *root = *state;
	Script script = script_new(some_blocks);
	g_autoptr(MtwRecorder) recorder = new_recorder(root, &script, G_MAXUINT64);

	mtw_recorder_start(recorder);
	while (!mtw_recorder_failed(recorder, NULL))
		g_usleep(1000);
	assert_disk_error(recorder);
	assert_false(mtw_recorder_finish(recorder, NULL));
}

/* Freed in whatever state: the threads end first. */
static void test_ended_by_free(void **state)
{
	FakeRoot *root = *state;
	Script script = script_new(some_blocks);
	MtwRecorder *recorder = new_recorder(root, &script, 0);

	mtw_recorder_free(NULL);
	mtw_recorder_start(recorder);
	mtw_recorder_free(recorder);
}

static gpointer count_again_and_again(gpointer data)
{
	MtwCounts counts = { 0 };
	guint64 last = 0;

	while (counts.lines < 10001) {
		mtw_recorder_counts(data, &counts);
		if (counts.bytes < last)
			return NULL;
		last = counts.bytes;
		g_thread_yield();
	}
	return GINT_TO_POINTER(1);
}

/* The counts can be asked for meanwhile. */
static void test_counts_meanwhile(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) blocks = g_ptr_array_new();
	g_autoptr(MtwRecorder) recorder = NULL;
	Script script;
	GThread *thread;

	g_ptr_array_add(blocks, (char *)HEADER);
	for (int i = 0; i < 10000; i++)
		g_ptr_array_add(blocks, (char *)RECORD);
	g_ptr_array_add(blocks, NULL);
	script = script_new((const char *const *)blocks->pdata);
	recorder = new_recorder(root, &script, 0);
	thread = g_thread_new("counts", count_again_and_again, recorder);
	mtw_recorder_start(recorder);
	assert_non_null(g_thread_join(thread));
	assert_true(mtw_recorder_finish(recorder, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_ROOT_TEST(test_record),	     FAKE_ROOT_TEST(test_drain),
		FAKE_ROOT_TEST(test_pause_divides),  FAKE_ROOT_TEST(test_pause_fails),
		FAKE_ROOT_TEST(test_read_fails),     cmocka_unit_test(test_disk_is_full),
		FAKE_ROOT_TEST(test_disk_gets_full), FAKE_ROOT_TEST(test_reserve),
		FAKE_ROOT_TEST(test_ended_by_free),  FAKE_ROOT_TEST(test_counts_meanwhile),
	};

	return cmocka_run_group_tests_name("capture-recorder", tests, NULL, NULL);
}
