/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "capture/collect-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A test waits so long for something that never comes. */
#define SHORT_USEC (1000 * 1000)
/* Nothing takes so long, also on a machine that does many other things. */
#define LONG_USEC (60 * G_USEC_PER_SEC)

/* ---- a ROM that can be switched on and off ---- */

/* What was written to it, in whichever process; NULL: calls go to the real file. */
static char *rom_log;

ssize_t __real_pread64(int fd, void *data, size_t bytes, off_t offset);
ssize_t __real_pwrite64(int fd, const void *data, size_t bytes, off_t offset);
ssize_t __wrap_pread64(int fd, void *data, size_t bytes, off_t offset);
ssize_t __wrap_pwrite64(int fd, const void *data, size_t bytes, off_t offset);

static gboolean rom_is_on(void)
{
	g_auto(MtwFd) fd = open(rom_log, O_RDONLY);
	char text[64];
	ssize_t got = read(fd, text, sizeof text);

	return got >= 2 && text[got - 2] == '1';
}

ssize_t __wrap_pread64(int fd, void *data, size_t bytes, off_t offset)
{
	if (rom_log != NULL && !rom_is_on()) {
		errno = EINVAL;
		return -1;
	}
	return __real_pread64(fd, data, bytes, offset);
}

ssize_t __wrap_pwrite64(int fd, const void *data, size_t bytes, off_t offset)
{
	g_auto(MtwFd) log = -1;

	if (rom_log == NULL)
		return __real_pwrite64(fd, data, bytes, offset);
	log = open(rom_log, O_WRONLY | O_APPEND);
	return write(log, data, bytes);
}

static void start_rom_log(FakeRoot *root, const char *text)
{
	fake_root_put(root, "rom-log", text);
	g_free(rom_log);
	rom_log = fake_root_path(root, "rom-log");
}

static int teardown(void **state)
{
	g_clear_pointer(&rom_log, g_free);
	return fake_root_teardown(state);
}

#define READER_TEST(function) cmocka_unit_test_setup_teardown(function, fake_root_setup, teardown)

/* ---- */

static char *put_fifo(FakeRoot *root, const char *name)
{
	char *path = fake_root_path(root, name);

	assert_int_equal(mkfifo(path, 0600), 0);
	return path;
}

static MtwReadLimits limits_of(gsize max_bytes, gint64 usec)
{
	return (MtwReadLimits){ .max_bytes = max_bytes,
				.deadline_usec = g_get_monotonic_time() + usec };
}

static char *read_it(FakeRoot *root, MtwReader *reader, const char *name, gsize max_bytes,
		     gsize *ret_bytes, gboolean *ret_cut, GError **error)
{
	g_autofree char *path = fake_root_path(root, name);
	MtwReadLimits limits = limits_of(max_bytes, LONG_USEC);

	return mtw_reader_read(reader, path, &limits, ret_bytes, ret_cut, error);
}

static void expect_code(GError *error, MtwErrorCode code)
{
	assert_non_null(error);
	if (!g_error_matches(error, MTW_ERROR, (int)code))
		fail_msg("error %d instead of %d: %s", error->code, (int)code, error->message);
}

static void test_whole_files(void **state)
{
	static const struct {
		const char *data;
		gsize bytes;
	} rows[] = { { "", 0 }, { "a", 1 }, { "a\n\0b\xff", 5 }, { "12345678", 8 } };
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *data = NULL;
		gsize bytes = 99;
		gboolean cut = TRUE;
		fake_root_put_bytes(root, "file", rows[i].data, rows[i].bytes);
		data = read_it(root, reader, "file", 8, &bytes, &cut, NULL);
		assert_non_null(data);
		assert_int_equal(bytes, rows[i].bytes);
		assert_memory_equal(data, rows[i].data, bytes);
		assert_int_equal(data[bytes], 0);
		assert_false(cut);
	}
}

static void test_large_file(void **state)
{
	const gsize size = 5 * 1024 * 1024 + 3;
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *written = g_malloc(size);
	g_autofree char *data = NULL;
	gsize bytes;
	gboolean cut;

	for (gsize i = 0; i < size; i++)
		written[i] = (char)(i * 31 + i / 4096);
	fake_root_put_bytes(root, "file", written, size);
	data = read_it(root, reader, "file", size, &bytes, &cut, NULL);
	assert_int_equal(bytes, size);
	assert_memory_equal(data, written, size);
	assert_false(cut);
}

static void test_cut(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *path = fake_root_path(root, "file");
	MtwReadLimits limits = limits_of(4, LONG_USEC);
	g_autofree char *data = NULL;
	g_autofree char *only = NULL;
	gsize bytes;
	gboolean cut = FALSE;

	fake_root_put(root, "file", "12345");
	data = mtw_reader_read(reader, path, &limits, &bytes, &cut, NULL);
	assert_string_equal(data, "1234");
	assert_true(cut);
	limits.only_these = TRUE;
	only = mtw_reader_read(reader, path, &limits, &bytes, &cut, NULL);
	assert_string_equal(only, "1234");
	assert_false(cut);
}

static void test_errors(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *long_name = g_strnfill(5000, 'x');
	g_autoptr(GError) missing = NULL;
	g_autoptr(GError) folder = NULL;
	g_autoptr(GError) too_long = NULL;

	assert_null(read_it(root, reader, "nothing", 8, NULL, NULL, &missing));
	expect_code(missing, MTW_ERROR_NOT_FOUND);
	assert_non_null(strstr(missing->message, "/nothing: "));
	fake_root_put(root, "folder/file", "");
	assert_null(read_it(root, reader, "folder", 8, NULL, NULL, &folder));
	expect_code(folder, MTW_ERROR_FAILED);
	assert_null(read_it(root, reader, long_name, 8, NULL, NULL, &too_long));
	expect_code(too_long, MTW_ERROR_FAILED);
}

/* Opening a FIFO that nobody writes hangs; what comes after it is read by a new process. */
static void test_hangs(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *fifo = put_fifo(root, "fifo");
	gint64 start_usec = g_get_monotonic_time();

	fake_root_put(root, "file", "alive");
	for (int i = 0; i < 3; i++) {
		MtwReadLimits limits = limits_of(8, SHORT_USEC);
		g_autoptr(GError) error = NULL;
		g_autofree char *data = NULL;
		assert_null(mtw_reader_read(reader, fifo, &limits, NULL, NULL, &error));
		expect_code(error, MTW_ERROR_TIMEOUT);
		assert_non_null(strstr(error->message, "/fifo: "));
		data = read_it(root, reader, "file", 8, NULL, NULL, NULL);
		assert_string_equal(data, "alive");
	}
	assert_true(g_get_monotonic_time() - start_usec < 20 * G_USEC_PER_SEC);
}

static gboolean take(const void *data, gsize bytes, gpointer user_data)
{
	g_string_append_len(user_data, data, (gssize)bytes);
	return TRUE;
}

/* What came before it hung is not lost. */
static void test_hangs_halfway(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *fifo = put_fifo(root, "fifo");
	g_auto(MtwFd) writer = open(fifo, O_RDWR | O_CLOEXEC);
	MtwReadLimits limits = limits_of(100, SHORT_USEC);
	g_autoptr(GString) content = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	assert_int_equal(write(writer, "half", 4), 4);
	assert_false(mtw_reader_stream(reader, fifo, &limits, take, content, NULL, &error));
	expect_code(error, MTW_ERROR_TIMEOUT);
	assert_string_equal(content->str, "half");
}

static void test_too_late(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *path = fake_root_path(root, "file");
	MtwReadLimits limits = limits_of(8, -1);
	g_autoptr(GError) error = NULL;

	fake_root_put(root, "file", "there");
	assert_null(mtw_reader_read(reader, path, &limits, NULL, NULL, &error));
	expect_code(error, MTW_ERROR_TIMEOUT);
}

static gboolean take_once(const void *data, gsize bytes, gpointer user_data)
{
	(void)data;
	(void)bytes;
	(*(guint *)user_data)++;
	return FALSE;
}

static void test_sink_has_enough(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *zeros = g_malloc0(1024 * 1024);
	g_autofree char *path = fake_root_path(root, "large");
	g_autofree char *data = NULL;
	MtwReadLimits limits = limits_of(1024 * 1024, LONG_USEC);
	guint calls = 0;

	fake_root_put_bytes(root, "large", zeros, 1024 * 1024);
	fake_root_put(root, "file", "next");
	assert_true(mtw_reader_stream(reader, path, &limits, take_once, &calls, NULL, NULL));
	assert_int_equal(calls, 1);
	data = read_it(root, reader, "file", 8, NULL, NULL, NULL);
	assert_string_equal(data, "next");
}

/* A process that hangs must not keep our locks, pipes and terminals open. */
static void test_holds_nothing(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *fifo = put_fifo(root, "fifo");
	MtwReadLimits limits = limits_of(8, SHORT_USEC);
	struct pollfd poll_fd = { .events = POLLIN };
	g_autofree char *data = NULL;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	fake_root_put(root, "file", "");
	data = read_it(root, reader, "file", 8, NULL, NULL, NULL);
	close(ends[1]);
	poll_fd.fd = ends[0];
	assert_int_equal(poll(&poll_fd, 1, 20000), 1);
	assert_true(poll_fd.revents & POLLHUP);
	close(ends[0]);
	assert_null(mtw_reader_read(reader, fifo, &limits, NULL, NULL, NULL));
}

static void test_leaves_no_process(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *fifo = put_fifo(root, "fifo");
	MtwReadLimits limits = limits_of(8, SHORT_USEC);
	MtwReader *reader = mtw_reader_new();
	g_autofree char *data = NULL;

	assert_null(mtw_reader_read(reader, fifo, &limits, NULL, NULL, NULL));
	fake_root_put(root, "file", "");
	data = read_it(root, reader, "file", 8, NULL, NULL, NULL);
	mtw_reader_free(reader);
	/* On a slow machine a thread reaps it. */
	for (int i = 0; i < 1000 && waitpid(-1, NULL, WNOHANG) >= 0; i++)
		g_usleep(10 * 1000);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static char *read_rom(FakeRoot *root, MtwReader *reader, gint64 usec, GError **error)
{
	g_autofree char *path = fake_root_path(root, "rom");
	MtwReadLimits limits = limits_of(1024, usec);
	gsize bytes;
	gboolean cut;

	return mtw_reader_read_rom(reader, path, &limits, &bytes, &cut, error);
}

static void expect_log(FakeRoot *root, const char *text)
{
	g_autofree char *log = fake_root_read(root, "rom-log");

	assert_string_equal(log, text);
}

static void test_rom(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *rom = NULL;

	start_rom_log(root, "");
	fake_root_put(root, "rom", "U\xaa image");
	rom = read_rom(root, reader, LONG_USEC, NULL);
	assert_string_equal(rom, "U\xaa image");
	expect_log(root, "1\n0\n");
}

/* Somebody else's switch is left where it is. */
static void test_rom_was_on(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *rom = NULL;

	start_rom_log(root, "1\n");
	fake_root_put(root, "rom", "image");
	rom = read_rom(root, reader, LONG_USEC, NULL);
	assert_string_equal(rom, "image");
	expect_log(root, "1\n");
}

static void test_rom_missing(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autoptr(GError) error = NULL;

	start_rom_log(root, "");
	assert_null(read_rom(root, reader, LONG_USEC, &error));
	expect_code(error, MTW_ERROR_NOT_FOUND);
	expect_log(root, "");
}

/* Reading fails: it is switched off all the same. */
static void test_rom_fails(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *path = fake_root_path(root, "rom");
	g_autoptr(GError) error = NULL;

	start_rom_log(root, "");
	/* Can be opened for reading and writing, but not read: the memory of a process at address
	 * 0. */
	assert_int_equal(symlink("/proc/self/mem", path), 0);
	assert_null(read_rom(root, reader, LONG_USEC, &error));
	expect_code(error, MTW_ERROR_DISK);
	expect_log(root, "1\n0\n");
}

/* The process that reads it hangs, and another one switches it off. */
static void test_rom_hangs(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *fifo = put_fifo(root, "rom");
	g_auto(MtwFd) other_end = open(fifo, O_RDWR | O_CLOEXEC);
	g_autoptr(GError) error = NULL;

	start_rom_log(root, "");
	assert_null(read_rom(root, reader, SHORT_USEC, &error));
	expect_code(error, MTW_ERROR_TIMEOUT);
	expect_log(root, "1\n0\n");
}

static void test_rom_stays_on(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *fifo = put_fifo(root, "rom");
	g_autoptr(GError) error = NULL;

	start_rom_log(root, "");
	assert_null(read_rom(root, reader, SHORT_USEC, &error));
	expect_code(error, MTW_ERROR_NOT_RESTORED);
	expect_log(root, "1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		READER_TEST(test_whole_files),	 READER_TEST(test_large_file),
		READER_TEST(test_cut),		 READER_TEST(test_errors),
		READER_TEST(test_hangs),	 READER_TEST(test_hangs_halfway),
		READER_TEST(test_too_late),	 READER_TEST(test_sink_has_enough),
		READER_TEST(test_holds_nothing), READER_TEST(test_leaves_no_process),
		READER_TEST(test_rom),		 READER_TEST(test_rom_was_on),
		READER_TEST(test_rom_missing),	 READER_TEST(test_rom_fails),
		READER_TEST(test_rom_hangs),	 READER_TEST(test_rom_stays_on),
	};

	return cmocka_run_group_tests_name("capture-collect-reader", tests, NULL, NULL);
}
