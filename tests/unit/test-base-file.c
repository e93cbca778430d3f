/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect(GError **error, MtwErrorCode code, const char *part)
{
	assert_true(g_error_matches(*error, MTW_ERROR, (int)code));
	assert_non_null(strstr((*error)->message, part));
	g_clear_error(error);
}

static guint count_names(FakeRoot *root, const char *folder)
{
	g_autofree char *path = fake_root_path(root, folder);
	g_autoptr(GPtrArray) names = mtw_folder_list(path);

	return names->len;
}

static void assert_content(FakeRoot *root, const char *path, const char *wanted)
{
	g_autofree char *text = fake_root_read(root, path);

	assert_string_equal(text, wanted);
}

static void test_read(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "file");
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	g_autofree char *line = NULL;
	gsize bytes = 0;

	fake_root_put_bytes(root, "file", "a\0b\n", 4);
	text = mtw_file_read(path, 4, &bytes, &error);
	assert_non_null(text);
	assert_int_equal(bytes, 4);
	assert_memory_equal(text, "a\0b\n", 5);
	assert_null(mtw_file_read(path, 3, &bytes, &error));
	expect(&error, MTW_ERROR_INVALID, path);
	fake_root_put(root, "file", "nop\n");
	line = mtw_file_read_line(path, &error);
	assert_string_equal(line, "nop");
}

static void test_read_errors(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *absent = fake_root_path(root, "absent");
	g_autoptr(GError) error = NULL;

	assert_null(mtw_file_read(absent, 100, NULL, &error));
	expect(&error, MTW_ERROR_NOT_FOUND, absent);
	assert_null(mtw_file_read(root->folder, 100, NULL, &error));
	expect(&error, MTW_ERROR_FAILED, root->folder);
}

/* Nobody writes to it: an open that waits would never come back. */
static void test_read_fifo(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "fifo");
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	assert_int_equal(mkfifo(path, 0600), 0);
	text = mtw_file_read(path, 100, NULL, NULL);
	assert_string_equal(text, "");
	assert_int_equal(mtw_file_open_read(path, &error), -1);
	expect(&error, MTW_ERROR_INVALID, path);
}

static void test_write_kernel(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "tracing_on");
	g_autofree char *absent = fake_root_path(root, "absent");
	g_autoptr(GError) error = NULL;

	fake_root_put(root, "tracing_on", "1\n");
	assert_true(mtw_file_write_kernel(path, "0", &error));
	assert_content(root, "tracing_on", "0\n");
	assert_false(mtw_file_write_kernel(absent, "0", &error));
	expect(&error, MTW_ERROR_NOT_FOUND, absent);
	assert_int_equal(g_access(absent, F_OK), -1);
	/* "No space" and "I/O error" of the kernel are none of a disk. */
	assert_false(mtw_file_write_kernel("/dev/full", "0", &error));
	expect(&error, MTW_ERROR_FAILED, "/dev/full");
}

/* The kernel takes less than all of it: here because the file may not grow. */
static void test_write_kernel_short(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "file");
	struct rlimit before, limit;
	g_autoptr(GError) error = NULL;
	gboolean written;

	fake_root_put(root, "file", "");
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 4;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	written = mtw_file_write_kernel(path, "mmiotrace", &error);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_false(written);
	expect(&error, MTW_ERROR_FAILED, "4 of 9 bytes");
}

static void test_atomic(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "folder/state.json");
	g_autoptr(GError) error = NULL;
	struct stat status;

	fake_root_put(root, "folder/state.json", "old");
	assert_true(mtw_file_write_atomic(path, "n\0w", 3, 0600, &error));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 3);
	assert_int_equal(status.st_mode & 07777, 0600);
	assert_int_equal(count_names(root, "folder"), 1);
	/* What a killed process left is in nobody's way. */
	fake_root_put(root, "folder/state.json.new", "half of");
	assert_true(mtw_file_write_atomic(path, "newer", 5, 0600, &error));
	assert_content(root, "folder/state.json", "newer");
	assert_int_equal(count_names(root, "folder"), 1);
}

static gboolean write_with_limit(const char *path, gsize bytes, rlim_t most, GError **error)
{
	g_autofree char *data = g_strnfill(bytes, 'x');
	struct rlimit before, limit;
	gboolean written;

	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = most;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	written = mtw_file_write_atomic(path, data, bytes, 0600, error);
	setrlimit(RLIMIT_FSIZE, &before);
	return written;
}

/* A disk that is full in the middle leaves the old content and no rest. */
static void test_atomic_failure(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "folder/state.json");
	g_autofree char *nowhere = fake_root_path(root, "absent/state.json");
	g_autoptr(GError) error = NULL;

	fake_root_put(root, "folder/state.json", "old");
	assert_false(write_with_limit(path, 100000, 50000, &error));
	expect(&error, MTW_ERROR_DISK, path);
	assert_content(root, "folder/state.json", "old");
	assert_int_equal(count_names(root, "folder"), 1);
	assert_false(mtw_file_write_atomic(nowhere, "x", 1, 0600, &error));
	expect(&error, MTW_ERROR_NOT_FOUND, nowhere);
}

/* Links are replaced, never followed: neither the file's nor the temporary one's. */
static void test_atomic_links(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "folder/state.json");
	g_autoptr(GError) error = NULL;
	struct stat status;

	fake_root_put(root, "precious", "precious");
	fake_root_link(root, "folder/state.json", "../precious");
	fake_root_link(root, "folder/state.json.new", "../precious");
	assert_true(mtw_file_write_atomic(path, "new", 3, 0600, &error));
	assert_content(root, "precious", "precious");
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISREG(status.st_mode));
}

static void test_create(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "new");
	g_autofree char *link = fake_root_path(root, "link");
	g_autoptr(GError) error = NULL;
	g_auto(MtwFd) fd = mtw_file_create(path, 0600, &error);

	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(mtw_file_create(path, 0600, &error), -1);
	expect(&error, MTW_ERROR_FAILED, path);
	fake_root_link(root, "link", "elsewhere");
	assert_int_equal(mtw_file_create(link, 0600, &error), -1);
	expect(&error, MTW_ERROR_FAILED, link);
	assert_int_equal(count_names(root, ""), 2);
}

static void test_open_read(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "file");
	g_autofree char *link = fake_root_path(root, "link");
	g_autoptr(GError) error = NULL;
	g_auto(MtwFd) fd = -1;

	fake_root_put(root, "file", "text");
	fake_root_link(root, "link", "file");
	fd = mtw_file_open_read(path, &error);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(mtw_file_open_read(link, &error), -1);
	expect(&error, MTW_ERROR_FAILED, link);
	assert_int_equal(mtw_file_open_read(root->folder, &error), -1);
	expect(&error, MTW_ERROR_INVALID, root->folder);
}

static void test_folder(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "a/b/c");
	g_autofree char *link = fake_root_path(root, "link");
	g_autofree char *file = fake_root_path(root, "file");
	g_autofree char *below = fake_root_path(root, "file/below");
	g_autoptr(GError) error = NULL;
	struct stat status;

	assert_true(mtw_folder_ensure(path, 0700, &error));
	assert_true(mtw_folder_ensure(path, 0700, &error));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0700);
	assert_true(mtw_folder_sync(path, &error));
	fake_root_link(root, "link", "a");
	fake_root_put(root, "file", "");
	assert_false(mtw_folder_ensure(link, 0700, &error));
	expect(&error, MTW_ERROR_PERMISSION, link);
	assert_false(mtw_folder_ensure(file, 0700, &error));
	expect(&error, MTW_ERROR_PERMISSION, file);
	assert_false(mtw_folder_ensure(below, 0700, &error));
	expect(&error, MTW_ERROR_FAILED, below);
	assert_false(mtw_folder_sync(file, &error));
	expect(&error, MTW_ERROR_FAILED, file);
}

static void test_folder_of_another(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "theirs");
	g_autoptr(GError) error = NULL;

	if (geteuid() != 0)
		skip();
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_false(mtw_folder_ensure(path, 0700, &error));
	expect(&error, MTW_ERROR_PERMISSION, "65534");
}

static void test_list(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *absent = fake_root_path(root, "absent");
	g_autoptr(GPtrArray) none = mtw_folder_list(absent);
	g_autoptr(GPtrArray) names = NULL;

	fake_root_put(root, "b", "");
	fake_root_put(root, ".a", "");
	fake_root_put(root, "c/d", "");
	names = mtw_folder_list(root->folder);
	assert_int_equal(none->len, 0);
	assert_int_equal(names->len, 3);
	assert_string_equal(names->pdata[0], ".a");
	assert_string_equal(names->pdata[1], "b");
	assert_string_equal(names->pdata[2], "c");
}

/* With all that is in it, but nothing that a link in it points to. */
static void test_remove(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *folder = fake_root_path(root, "gone");
	g_autofree char *kept = fake_root_path(root, "kept/file");
	g_autofree char *below_file = fake_root_path(root, "kept/file/x");
	g_autoptr(GError) error = NULL;

	fake_root_put(root, "kept/file", "x");
	fake_root_put(root, "gone/a/b/c", "x");
	fake_root_link(root, "gone/a/link", "../../kept");
	assert_true(mtw_folder_remove(folder, &error));
	assert_int_equal(g_access(folder, F_OK), -1);
	assert_int_equal(g_access(kept, F_OK), 0);
	assert_true(mtw_folder_remove(folder, &error));
	assert_null(error);
	assert_false(mtw_folder_remove(below_file, &error));
	assert_non_null(strstr(error->message, "kept/file/x"));
}

static void test_link_name(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *link = fake_root_path(root, "driver");
	g_autofree char *name = NULL;

	fake_root_link(root, "driver", "../../../bus/pci/drivers/e1000");
	name = mtw_link_name(link);
	assert_string_equal(name, "e1000");
	assert_null(mtw_link_name(root->folder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_ROOT_TEST(test_read),
		FAKE_ROOT_TEST(test_read_errors),
		FAKE_ROOT_TEST(test_read_fifo),
		FAKE_ROOT_TEST(test_write_kernel),
		FAKE_ROOT_TEST(test_write_kernel_short),
		FAKE_ROOT_TEST(test_atomic),
		FAKE_ROOT_TEST(test_atomic_failure),
		FAKE_ROOT_TEST(test_atomic_links),
		FAKE_ROOT_TEST(test_create),
		FAKE_ROOT_TEST(test_open_read),
		FAKE_ROOT_TEST(test_folder),
		FAKE_ROOT_TEST(test_folder_of_another),
		FAKE_ROOT_TEST(test_list),
		FAKE_ROOT_TEST(test_remove),
		FAKE_ROOT_TEST(test_link_name),
	};

	return cmocka_run_group_tests_name("base-file", tests, NULL, NULL);
}
