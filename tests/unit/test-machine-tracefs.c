/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/error.h"
#include "machine/mounts.h"
#include "machine/tracefs.h"

#include <string.h>

#define TRACING "sys/kernel/tracing"

static void test_find(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwTracefs) tracefs = mtw_tracefs_find(root->paths, &error);
	g_autofree char *folder = fake_root_path(root, TRACING);

	assert_non_null(tracefs);
	assert_string_equal(mtw_tracefs_folder(tracefs), folder);
}

static void assert_found(FakeRoot *root, const char *where)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwTracefs) tracefs = mtw_tracefs_find(root->paths, &error);
	g_autofree char *folder = fake_root_path(root, where);

	assert_non_null(tracefs);
	assert_string_equal(mtw_tracefs_folder(tracefs), folder);
}

static void test_find_elsewhere(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;

	fake_root_put(root, TRACING "/readme", "empty folder: not mounted\n");
	assert_null(mtw_tracefs_find(root->paths, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	fake_root_put(root, "mnt/my trace/current_tracer", "nop\n");
	fake_root_put(root, "proc/self/mountinfo",
		      "garbage\n30 28 0:12 / /mnt/my\\040trace rw - tracefs nodev rw\n");
	assert_found(root, "mnt/my trace");
	fake_root_put(root, "sys/kernel/debug/tracing/current_tracer", "nop\n");
	assert_found(root, "sys/kernel/debug/tracing");
	fake_root_put(root, TRACING "/current_tracer", "nop\n");
	assert_found(root, TRACING);
}

static void test_mountable(void **state)
{
	FakeRoot *root = *state;

	assert_false(mtw_tracefs_mountable(root->paths));
	fake_root_put(root, "proc/filesystems", "nodev\tsysfs\nnodev\ttracefs\n");
	assert_false(mtw_tracefs_mountable(root->paths));
	fake_root_put(root, TRACING "/x", "");
	assert_true(mtw_tracefs_mountable(root->paths));
	fake_root_put(root, "proc/filesystems", "nodev\tnottracefs\n");
	assert_false(mtw_tracefs_mountable(root->paths));
}

static void test_mount_refused(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;

	assert_false(mtw_tracefs_mount(root->paths, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_FAILED));
	g_clear_error(&error);
	assert_false(mtw_tracefs_unmount(root->paths, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_FAILED));
}

static void test_files(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwTracefs) tracefs = mtw_tracefs_find(root->paths, &error);
	g_autofree char *tracer = mtw_tracefs_read(tracefs, "current_tracer", &error);
	g_autofree char *clock = mtw_tracefs_clock(tracefs, &error);
	g_autoptr(GArray) cpus = mtw_tracefs_cpus(tracefs);
	g_autofree char *written = NULL;
	guint64 kb = 0;

	assert_string_equal(tracer, "nop");
	assert_string_equal(clock, "local");
	assert_true(mtw_tracefs_has_tracer(tracefs, "mmiotrace"));
	assert_false(mtw_tracefs_has_tracer(tracefs, "mmio"));
	assert_true(mtw_tracefs_buffer_kb(tracefs, 0, &kb, &error));
	assert_int_equal(kb, 7);
	assert_int_equal(cpus->len, 4);
	assert_true(mtw_tracefs_write(tracefs, "tracing_on", "0", &error));
	written = fake_root_read(root, TRACING "/tracing_on");
	assert_string_equal(written, "0\n");
	assert_false(mtw_tracefs_write(tracefs, "absent", "0", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	assert_false(mtw_tracefs_pipe_busy(tracefs));
}

static void test_files_hostile(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwTracefs) tracefs = mtw_tracefs_find(root->paths, &error);
	g_autofree char *huge = g_strnfill(5 * 1024 * 1024, 'x');
	guint64 kb = 42;

	fake_root_put(root, TRACING "/trace_clock", "local global\n");
	assert_null(mtw_tracefs_clock(tracefs, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	g_clear_error(&error);
	fake_root_put(root, TRACING "/per_cpu/cpu0/buffer_size_kb", "X\n");
	assert_false(mtw_tracefs_buffer_kb(tracefs, 0, &kb, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_int_equal(kb, 42);
	g_clear_error(&error);
	assert_false(mtw_tracefs_buffer_kb(tracefs, 99, &kb, &error));
	g_clear_error(&error);
	fake_root_put(root, TRACING "/available_tracers", huge);
	assert_false(mtw_tracefs_has_tracer(tracefs, "x"));
	assert_null(mtw_tracefs_read(tracefs, "available_tracers", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	fake_root_link(root, TRACING "/trace_pipe", "trace_pipe");
	assert_false(mtw_tracefs_pipe_busy(tracefs));
	fake_root_put(root, TRACING "/per_cpu/cpux/stats", "");
	fake_root_put(root, TRACING "/per_cpu/cpu10/stats", "");
	g_autoptr(GArray) cpus = mtw_tracefs_cpus(tracefs);
	assert_int_equal(cpus->len, 5);
	assert_int_equal(g_array_index(cpus, guint, 4), 10);
}

static void test_live(void **state)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwTracefs) tracefs = mtw_tracefs_find(paths, &error);

	(void)state;
	assert_true((tracefs == NULL) == (error != NULL));
}

static void test_mounts(void **state)
{
	g_autoptr(GPtrArray) mounts = mtw_mounts_parse(
		"28 1 253:0 / / rw,relatime shared:1 master:2 - ext4 /dev/mapper/a\\134b rw\n"
		"29 28 0:5 / /a\\040b\\011c\\012\\09 rw - tmpfs none rw\n"
		"short line\n"
		"1 2 3 4 5 6 - \n"
		"1 2 3 4 5 6 - type\n"
		"- - - - - - - - -\n"
		"\n");
	const MtwMount *first = mounts->pdata[0];
	const MtwMount *second = mounts->pdata[1];

	(void)state;
	assert_int_equal(mounts->len, 3);
	assert_string_equal(first->device, "253:0");
	assert_string_equal(first->point, "/");
	assert_string_equal(first->type, "ext4");
	assert_string_equal(first->source, "/dev/mapper/a\\b");
	assert_string_equal(second->point, "/a b\tc\n\\09");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_DESKTOP_TEST(test_find),	FAKE_ROOT_TEST(test_find_elsewhere),
		FAKE_ROOT_TEST(test_mountable), FAKE_ROOT_TEST(test_mount_refused),
		FAKE_DESKTOP_TEST(test_files),	FAKE_DESKTOP_TEST(test_files_hostile),
		cmocka_unit_test(test_live),	cmocka_unit_test(test_mounts),
	};

	return cmocka_run_group_tests_name("machine-tracefs", tests, NULL, NULL);
}
