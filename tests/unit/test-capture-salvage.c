/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a dead run left becomes one clean log. */
#include "fake-root.h"
#include "test-capture-tracer.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "capture/salvage.h"

#include <fcntl.h>
#include <unistd.h>

#define RECORD "R 4 1.000000 1 0xfeb40000 0x1 0x0 0\n"
#define HEADER "VERSION 20070824\n"
#define PCIDEV "PCIDEV 0020 8086100e b feb40000 0 0 0 0 0 0 20000 0 0 0 0 0 0 e1000\n"
#define LOST "MARK 0.000000 Lost 13524 events.\n"

static MtwSession session_in(FakeRoot *root)
{
	return (MtwSession){
		.id = (char *)"x", .folder = root->folder, .lock_fd = -1, .log_fd = -1
	};
}

static void assert_content(FakeRoot *root, const char *name, const char *wanted)
{
	g_autofree char *text = fake_root_read(root, name);

	assert_string_equal(text, wanted);
}

static void test_newest(void **state)
{
	FakeRoot *root = *state;
	MtwSession session = session_in(root);

	assert_int_equal(mtw_salvage_newest(&session), 0);
	fake_root_put(root, "trace.txt", "");
	fake_root_put(root, "trace-x.txt", "");
	fake_root_put(root, "trace-7.txt.old", "");
	fake_root_put(root, "trace-8.json", "");
	assert_int_equal(mtw_salvage_newest(&session), 0);
	fake_root_put(root, "trace-2.txt", "");
	fake_root_put(root, "trace-10.txt", "");
	assert_int_equal(mtw_salvage_newest(&session), 10);
}

/* Opens what @bytes of @text were left of a trace and checks what is kept. */
static void assert_kept(FakeRoot *root, const char *text, gsize bytes, const char *wanted)
{
	MtwSession session = session_in(root);
	g_autoptr(GError) error = NULL;
	g_auto(MtwFd) fd = -1;

	fake_root_put_bytes(root, "trace-1.txt", text, bytes);
	fd = mtw_salvage_open(&session, 1, &error);
	assert_null(error);
	assert_true(fd >= 0);
	assert_true(mtw_file_write_all(fd, "next\n", 5, NULL));
	mtw_fd_clear(&fd);
	{
		g_autofree char *all = g_strconcat(wanted, "next\n", NULL);
		assert_content(root, "trace-1.txt", all);
	}
}

static void test_open(void **state)
{
	FakeRoot *root = *state;
	static const char zeros[] = RECORD RECORD "\0\0\0\0\0\0\0";

	assert_kept(root, "", 0, "");
	assert_kept(root, RECORD, strlen(RECORD), RECORD);
	/* torn in the middle of a line */
	assert_kept(root, RECORD RECORD, 2 * strlen(RECORD) - 1, RECORD);
	assert_kept(root, RECORD "R", strlen(RECORD) + 1, RECORD);
	/* not even one line */
	assert_kept(root, RECORD, 5, "");
	/* blocks that were allocated and never written */
	assert_kept(root, zeros, sizeof zeros, RECORD RECORD);
}

/* Many blocks behind the last line. */
static void test_open_with_a_long_tail(void **state)
{
	FakeRoot *root = *state;
	const gsize bytes = 300000;
	g_autofree char *text = g_malloc0(bytes);

	memcpy(text, RECORD, strlen(RECORD));
	assert_kept(root, text, bytes, RECORD);
	memset(text, 'x', bytes);
	assert_kept(root, text, bytes, "");
	/* the line end is the last byte of a block */
	memset(text, 'x', 65536);
	text[65535] = '\n';
	memset(text + 65536, 0, bytes - 65536);
	{
		g_autofree char *line = g_strndup(text, 65536);
		assert_kept(root, text, bytes, line);
	}
}

static void test_open_errors(void **state)
{
	FakeRoot *root = *state;
	MtwSession session = session_in(root);
	g_autoptr(GError) error = NULL;

	assert_int_equal(mtw_salvage_open(&session, 1, &error), -1);
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	assert_non_null(strstr(error->message, "trace-1.txt"));
	g_clear_error(&error);
	fake_root_put(root, "precious", "no line end");
	fake_root_link(root, "trace-1.txt", "precious");
	assert_int_equal(mtw_salvage_open(&session, 1, &error), -1);
	assert_content(root, "precious", "no line end");
}

static void assert_drained(FakeRoot *root, const char *const *blocks, const char *wanted)
{
	g_autofree char *path = fake_root_path(root, "out");
	Script script = script_new(blocks);
	gboolean at_start = TRUE;
	g_autoptr(GError) error = NULL;
	g_auto(MtwFd) fd = -1;

	fake_root_remove(root, "out");
	fd = mtw_file_create(path, 0600, NULL);
	assert_true(mtw_salvage_drain(&script.base, fd, &at_start, &error));
	assert_content(root, "out", wanted);
}

/* A new reader is given the header again: it is in the file already. */
static void test_drain(void **state)
{
	static const char *const split[] = { HEADER, PCIDEV, PCIDEV, RECORD, RECORD, NULL };
	static const char *const joined[] = { HEADER PCIDEV PCIDEV RECORD, RECORD, NULL };
	static const char *const only_header[] = { HEADER, PCIDEV, NULL };
	static const char *const no_header[] = { RECORD, RECORD, NULL };
	static const char *const nothing[] = { NULL };
	/* a header in the middle is somebody's marker, or another session's */
	static const char *const later[] = { HEADER, RECORD, HEADER, PCIDEV, NULL };

	assert_drained(*state, split, RECORD RECORD);
	assert_drained(*state, joined, RECORD RECORD);
	assert_drained(*state, only_header, "");
	assert_drained(*state, no_header, RECORD RECORD);
	assert_drained(*state, nothing, "");
	assert_drained(*state, later, RECORD HEADER PCIDEV);
}

/* The kernel tells of losses right behind the version (KERNEL-FACTS 2.3). */
static void test_drain_lost_in_the_header(void **state)
{
	static const char *const split[] = { HEADER, LOST, PCIDEV, PCIDEV, RECORD, NULL };
	static const char *const joined[] = { HEADER LOST PCIDEV PCIDEV RECORD, NULL };
	static const char *const first[] = { LOST HEADER, PCIDEV, RECORD, NULL };

	assert_drained(*state, split, LOST RECORD);
	assert_drained(*state, joined, LOST RECORD);
	assert_drained(*state, first, LOST RECORD);
}

static void test_drain_goes_on(void **state)
{
	static const char *const blocks[] = { HEADER, PCIDEV, RECORD, NULL };
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "out");
	g_auto(MtwFd) fd = mtw_file_create(path, 0600, NULL);
	Script script = script_new(blocks);
	gboolean at_start = TRUE;
	g_autoptr(GError) error = NULL;

	script.fail_at = 2;
	script.fail_code = MTW_ERROR_DISK;
	assert_false(mtw_salvage_drain(&script.base, fd, &at_start, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_DISK));
	g_clear_error(&error);
	/* Still within the header. */
	assert_true(at_start);
	script.fail_at = 0;
	assert_true(mtw_salvage_drain(&script.base, fd, &at_start, &error));
	assert_false(at_start);
	assert_content(root, "out", RECORD);
}

static void test_drain_on_a_full_disk(void **state)
{
	static const char *const blocks[] = { RECORD, NULL };
	Script script = script_new(blocks);
	gboolean at_start = TRUE;
	g_autoptr(GError) error = NULL;
	g_auto(MtwFd) fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	assert_false(mtw_salvage_drain(&script.base, fd, &at_start, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_DISK));
}

static void test_count(void **state)
{
	FakeRoot *root = *state;
	MtwSession session = session_in(root);
	g_autoptr(MtwStats) stats = mtw_stats_new();
	g_autoptr(GString) text = g_string_new(HEADER);
	g_autoptr(GError) error = NULL;
	g_auto(MtwFd) fd = -1;

	for (int i = 0; i < 5000; i++)
		g_string_append(text, RECORD);
	fake_root_put(root, "trace-1.txt", text->str);
	mtw_stats_add_bar(stats, 0, 0xfeb40000, 0x20000);
	fd = mtw_salvage_open(&session, 1, NULL);
	assert_true(mtw_salvage_count(fd, stats, &error));
	assert_int_equal(mtw_stats_counts(stats)->bars[0].reads, 5000);
	assert_int_equal(mtw_stats_counts(stats)->headers, 1);
	assert_false(mtw_salvage_count(-1, stats, &error));
	assert_non_null(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_ROOT_TEST(test_newest),
		FAKE_ROOT_TEST(test_open),
		FAKE_ROOT_TEST(test_open_with_a_long_tail),
		FAKE_ROOT_TEST(test_open_errors),
		FAKE_ROOT_TEST(test_drain),
		FAKE_ROOT_TEST(test_drain_lost_in_the_header),
		FAKE_ROOT_TEST(test_drain_goes_on),
		cmocka_unit_test(test_drain_on_a_full_disk),
		FAKE_ROOT_TEST(test_count),
	};

	return cmocka_run_group_tests_name("capture-salvage", tests, NULL, NULL);
}
