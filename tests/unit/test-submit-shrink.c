/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-submit-fixture.h"

#include "base/process.h"
#include "submit/shrink.h"

#include <archive.h>
#include <archive_entry.h>

#define TEXT_BYTES 300000
#define LARGE_BYTES (70 * 1024 * 1024)

/* Compressible, and no two stretches are the same. */
static char *make_text(void)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; text->len < TEXT_BYTES; i++)
		g_string_append_printf(text, "W 4 %u.%06u 1 0x%x 0x0 0x0 0\n", i / 7, i, i * 4);
	g_string_truncate(text, TEXT_BYTES);
	return g_string_free(text, FALSE);
}

static void pack(const char *path, const char *text, gboolean gzip)
{
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();

	archive_write_set_format_pax_restricted(archive);
	if (gzip)
		archive_write_add_filter_gzip(archive);
	assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
	archive_entry_set_pathname(entry, "mydump.txt");
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (la_int64_t)strlen(text));
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	assert_int_equal(archive_write_data(archive, text, strlen(text)), strlen(text));
	archive_entry_free(entry);
	assert_int_equal(archive_write_free(archive), ARCHIVE_OK);
}

/* The tar without its filter. Returns: (transfer full) */
static GByteArray *raw(const char *path)
{
	GByteArray *bytes = g_byte_array_new();
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	guint8 block[4096];
	la_ssize_t got;

	archive_read_support_filter_all(archive);
	archive_read_support_format_raw(archive);
	assert_int_equal(archive_read_open_filename(archive, path, 4096), ARCHIVE_OK);
	assert_int_equal(archive_read_next_header(archive, &entry), ARCHIVE_OK);
	while ((got = archive_read_data(archive, block, sizeof block)) > 0)
		g_byte_array_append(bytes, block, (guint)got);
	assert_int_equal(got, 0);
	archive_read_free(archive);
	return bytes;
}

static void expect_same_tar(const char *a, const char *b)
{
	g_autoptr(GByteArray) first = raw(a);
	g_autoptr(GByteArray) second = raw(b);

	assert_int_equal(first->len, second->len);
	assert_memory_equal(first->data, second->data, first->len);
}

static char *sha256_of(const char *path)
{
	g_auto(MtwFd) fd = mtw_file_open_read(path, NULL);
	g_autoptr(GError) error = NULL;
	char *text = NULL;

	assert_true(mtw_file_sha256(fd, NULL, &text, NULL, &error));
	return text;
}

/* A folder of its own for what comes out. Returns: (transfer full) */
static char *out_folder(const Queue *queue)
{
	char *folder = queue_path(queue, "out");

	assert_int_equal(g_mkdir(folder, 0700), 0);
	return folder;
}

static void test_sha256(void **state)
{
	Queue *queue = *state;
	g_autofree char *path = queue_path(queue, "abc");
	g_autofree char *text = NULL;
	g_autofree char *again = NULL;
	guint64 bytes = 0;

	write_file(path, "abc");
	g_auto(MtwFd) fd = mtw_file_open_read(path, NULL);
	assert_true(mtw_file_sha256(fd, NULL, &text, &bytes, NULL));
	assert_string_equal(text,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_int_equal(bytes, 3);
	/* From the beginning, wherever the descriptor is. */
	assert_int_equal(lseek(fd, 2, SEEK_SET), 2);
	assert_true(mtw_file_sha256(fd, NULL, &again, NULL, NULL));
	assert_string_equal(text, again);
}

static void test_sha256_of_nothing_and_much(void **state)
{
	Queue *queue = *state;
	g_autofree char *path = queue_path(queue, "file");
	g_autofree char *text = make_text();
	g_autofree char *of_text = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
	g_autofree char *of_file = NULL;
	g_autofree char *of_nothing = NULL;

	write_file(path, "");
	of_nothing = sha256_of(path);
	assert_string_equal(of_nothing,
			    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	write_file(path, text);
	of_file = sha256_of(path);
	assert_string_equal(of_file, of_text);
}

static void recompress_as(const Queue *queue, const char *format, const char *magic, gsize bytes)
{
	g_autofree char *text = make_text();
	g_autofree char *folder = out_folder(queue);
	g_autofree char *name = g_strconcat("10de1cb3-nick-mmiotrace.", format, NULL);
	g_autofree char *expected = g_build_filename(folder, name, NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;
	g_autofree char *content = NULL;

	pack(queue->archive, text, TRUE);
	path = mtw_shrink_recompress(queue->archive, folder, format, NULL, &error);
	assert_null(error);
	assert_string_equal(path, expected);
	assert_int_equal(count_in_folder(folder), 1);
	expect_same_tar(queue->archive, path);
	assert_true(g_file_get_contents(path, &content, NULL, NULL));
	assert_memory_equal(content, magic, bytes);
}

static void test_recompress_xz(void **state)
{
	recompress_as(*state, "tar.xz", "\3757zXZ", 5);
}

static void test_recompress_zst(void **state)
{
	recompress_as(*state, "tar.zst", "\x28\xb5\x2f\xfd", 4);
}

/* As pigz and our own packer may write it. */
static void test_recompress_several_gzip_members(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = out_folder(queue);
	g_autofree char *one = queue_path(queue, "one.tar.gz");
	g_autofree char *content = NULL;
	g_autoptr(GByteArray) result = NULL;
	g_autoptr(GByteArray) single = NULL;
	g_autofree char *path = NULL;
	gsize bytes;

	pack(one, "some text", TRUE);
	single = raw(one);
	assert_true(g_file_get_contents(one, &content, &bytes, NULL));
	g_autofree char *twice = g_malloc(2 * bytes);
	memcpy(twice, content, bytes);
	memcpy(twice + bytes, content, bytes);
	assert_true(g_file_set_contents(queue->archive, twice, (gssize)(2 * bytes), NULL));
	path = mtw_shrink_recompress(queue->archive, folder, "tar.xz", NULL, NULL);
	assert_non_null(path);
	result = raw(path);
	assert_int_equal(result->len, 2 * single->len);
}

static guint64 size_of(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return (guint64)status.st_size;
}

static void take_progress(guint64 done, guint64 total, gpointer user_data)
{
	guint64 *last = user_data;

	assert_true(done >= last[0] && done <= total);
	last[0] = done;
	last[1] = total;
}

/* More than one processor packs, and in their order. */
static void large_as(const Queue *queue, const char *format)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *folder = out_folder(queue);
	g_autofree char *path = NULL;
	guint64 last[2] = { 0, 0 };
	MtwShrinkHooks hooks = { NULL, take_progress, last };

	while (text->len < LARGE_BYTES) {
		g_autofree char *line = g_strdup_printf("%010zu\n", text->len);
		for (int i = 0; i < 20000; i++)
			g_string_append(text, line);
	}
	pack(queue->archive, text->str, TRUE);
	path = mtw_shrink_recompress(queue->archive, folder, format, &hooks, NULL);
	assert_non_null(path);
	expect_same_tar(queue->archive, path);
	assert_int_equal(last[0], last[1]);
	assert_int_equal(last[1], size_of(queue->archive));
}

static void test_recompress_large_xz(void **state)
{
	large_as(*state, "tar.xz");
}

static void test_recompress_large_zst(void **state)
{
	large_as(*state, "tar.zst");
}

static void test_recompress_plain_tar(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = out_folder(queue);
	g_autofree char *tar = queue_path(queue, "x.tar");
	g_autofree char *path = NULL;

	pack(tar, "some text", FALSE);
	path = mtw_shrink_recompress(tar, folder, "tar.xz", NULL, NULL);
	assert_non_null(path);
	assert_true(g_str_has_suffix(path, "/x.tar.xz"));
	expect_same_tar(tar, path);
}

static void test_recompress_damaged(void **state)
{
	Queue *queue = *state;
	g_autofree char *text = make_text();
	g_autofree char *folder = out_folder(queue);
	g_autoptr(GError) error = NULL;
	struct stat status;

	pack(queue->archive, text, TRUE);
	assert_int_equal(stat(queue->archive, &status), 0);
	assert_int_equal(truncate(queue->archive, status.st_size / 2), 0);
	assert_null(mtw_shrink_recompress(queue->archive, folder, "tar.xz", NULL, &error));
	expect_text(error->message, ARCHIVE_NAME);
	expect_error(&error, MTW_ERROR_INVALID);
	assert_int_equal(count_in_folder(folder), 0);
}

static void test_recompress_takes_no_name_of_another(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = out_folder(queue);
	g_autofree char *other = queue_path(queue, "other");
	g_autofree char *result = g_build_filename(folder, "10de1cb3-nick-mmiotrace.tar.xz", NULL);
	g_autofree char *part = g_strconcat(result, ".part", NULL);
	g_autofree char *path = NULL;
	g_autofree char *content = NULL;
	g_autoptr(GError) error = NULL;

	pack(queue->archive, "some text", TRUE);
	write_file(other, "untouched");
	/* As if a killed run had left it. */
	assert_int_equal(symlink(other, part), 0);
	path = mtw_shrink_recompress(queue->archive, folder, "tar.xz", NULL, &error);
	assert_non_null(path);
	assert_int_equal(count_in_folder(folder), 1);
	assert_int_equal(g_unlink(result), 0);
	assert_int_equal(symlink(other, result), 0);
	assert_null(mtw_shrink_recompress(queue->archive, folder, "tar.xz", NULL, &error));
	expect_error(&error, MTW_ERROR_FAILED);
	assert_true(g_file_get_contents(other, &content, NULL, NULL));
	assert_string_equal(content, "untouched");
	assert_true(g_file_test(result, G_FILE_TEST_IS_SYMLINK));
	assert_int_equal(count_in_folder(folder), 1);
}

static void test_recompress_format(void **state)
{
	Queue *queue = *state;
	g_autoptr(GError) error = NULL;

	assert_null(mtw_shrink_recompress(queue->archive, queue->folder, "zip", NULL, &error));
	expect_error(&error, MTW_ERROR_USAGE);
}

static void stop_in_the_middle(guint64 done, guint64 total, gpointer user_data)
{
	assert_true(done <= total);
	g_atomic_int_set((int *)user_data, 1);
}

static void test_cancel(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = out_folder(queue);
	g_autofree char *text = make_text();
	int cancel = 0;
	MtwShrinkHooks hooks = { &cancel, stop_in_the_middle, &cancel };
	g_autoptr(GError) error = NULL;
	g_autofree char *sum = NULL;

	/* Large enough for several blocks. */
	GString *much = g_string_new(NULL);
	for (int i = 0; i < 10; i++)
		g_string_append(much, text);
	pack(queue->archive, much->str, FALSE);
	g_string_free(much, TRUE);
	assert_null(mtw_shrink_recompress(queue->archive, folder, "tar.xz", &hooks, &error));
	expect_error(&error, MTW_ERROR_INTERRUPTED);
	cancel = 0;
	assert_null(mtw_shrink_split(queue->archive, folder, 100000, &hooks, &error));
	expect_error(&error, MTW_ERROR_INTERRUPTED);
	cancel = 0;
	g_auto(MtwFd) fd = mtw_file_open_read(queue->archive, NULL);
	assert_false(mtw_file_sha256(fd, &hooks, &sum, NULL, &error));
	expect_error(&error, MTW_ERROR_INTERRUPTED);
	assert_int_equal(count_in_folder(folder), 0);
}

static void run_in(const char *folder, const char *command)
{
	g_autofree char *script = g_strdup_printf("cd '%s' && %s", folder, command);
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	MtwProcessOptions options = { .timeout_sec = 60, .max_output_bytes = 10000 };
	g_autoptr(MtwProcessResult) result = mtw_process_run(argv, &options, NULL);

	assert_non_null(result);
	if (result->exit_status != 0)
		fail_msg("%s: %s", command, result->output->str);
}

/* What the note tells people to do is done. */
static void join_as_told(const char *folder, const char *note)
{
	const char *command = strstr(note, "cat ");
	g_autofree char *line = NULL;

	assert_non_null(command);
	line = g_strndup(command, strcspn(command, "\n"));
	run_in(folder, line);
	run_in(folder, "LC_ALL=C sha256sum -c " ARCHIVE_NAME ".join.txt 2>sums");
}

static void test_split(void **state)
{
	Queue *queue = *state;
	g_autofree char *text = make_text();
	g_autofree char *folder = out_folder(queue);
	g_autofree char *joined = g_build_filename(folder, ARCHIVE_NAME, NULL);
	g_autofree char *before = NULL;
	g_autofree char *after = NULL;
	g_autofree char *note = NULL;
	g_autoptr(GPtrArray) paths = NULL;

	write_file(queue->archive, text);
	before = sha256_of(queue->archive);
	paths = mtw_shrink_split(queue->archive, folder, 100001, NULL, NULL);
	assert_non_null(paths);
	assert_int_equal(paths->len, 4);
	assert_true(g_str_has_suffix(paths->pdata[0], ARCHIVE_NAME ".001"));
	assert_int_equal(size_of(paths->pdata[0]), 100001);
	assert_int_equal(size_of(paths->pdata[2]), TEXT_BYTES - 2 * 100001);
	assert_true(g_str_has_suffix(paths->pdata[3], ARCHIVE_NAME ".join.txt"));
	assert_true(g_file_get_contents(paths->pdata[3], &note, NULL, NULL));
	expect_text(note, "copy /b " ARCHIVE_NAME ".001+" ARCHIVE_NAME ".002+" ARCHIVE_NAME
			  ".003 " ARCHIVE_NAME);
	join_as_told(folder, note);
	after = sha256_of(joined);
	assert_string_equal(before, after);
	expect_text(note, before);
}

static void test_split_sizes(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = out_folder(queue);
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) paths = NULL;

	assert_int_equal(truncate(queue->archive, 9900), 0);
	assert_null(mtw_shrink_split(queue->archive, folder, 99, NULL, &error));
	expect_error(&error, MTW_ERROR_INVALID);
	assert_null(mtw_shrink_split(queue->archive, folder, 0, NULL, &error));
	expect_error(&error, MTW_ERROR_INVALID);
	assert_int_equal(count_in_folder(folder), 0);
	paths = mtw_shrink_split(queue->archive, folder, 100, NULL, NULL);
	assert_int_equal(paths->len, 100);
	assert_int_equal(size_of(paths->pdata[98]), 100);
}

static void test_split_takes_no_name_of_another(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = out_folder(queue);
	g_autofree char *taken = g_build_filename(folder, ARCHIVE_NAME ".002", NULL);
	g_autofree char *content = NULL;
	g_autoptr(GError) error = NULL;

	write_file(taken, "mine");
	assert_null(mtw_shrink_split(queue->archive, folder, 5, NULL, &error));
	expect_text(error->message, taken);
	assert_true(g_file_get_contents(taken, &content, NULL, NULL));
	assert_string_equal(content, "mine");
	assert_int_equal(count_in_folder(folder), 1);
}

static void test_no_regular_file(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = out_folder(queue);
	g_autofree char *link = queue_path(queue, "link.tar.gz");
	g_autofree char *fifo = queue_path(queue, "fifo.tar.gz");
	const char *const paths[] = { link, fifo };

	assert_int_equal(symlink(queue->archive, link), 0);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
		assert_null(mtw_shrink_split(paths[i], folder, 5, NULL, NULL));
		assert_null(mtw_shrink_recompress(paths[i], folder, "tar.xz", NULL, NULL));
	}
	assert_int_equal(count_in_folder(folder), 0);
}

static void test_disk_full(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = queue_path(queue, "small");
	g_autoptr(GError) error = NULL;
	g_autofree char *noise = g_malloc(TEXT_BYTES);
	const char *why;

	if (!small_disk(folder, 64 * 1024, &why)) {
		print_message("%s\n", why);
		skip();
	}
	for (guint i = 0; i < TEXT_BYTES; i++)
		noise[i] = (char)g_random_int_range('0', 'z');
	noise[TEXT_BYTES - 1] = '\0';
	pack(queue->archive, noise, TRUE);
	assert_null(mtw_shrink_recompress(queue->archive, folder, "tar.xz", NULL, &error));
	expect_error(&error, MTW_ERROR_DISK);
	assert_null(mtw_shrink_split(queue->archive, folder, 50000, NULL, &error));
	expect_error(&error, MTW_ERROR_DISK);
	assert_int_equal(count_in_folder(folder), 0);
	assert_int_equal(umount(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUEUE_TEST(test_sha256),
		QUEUE_TEST(test_sha256_of_nothing_and_much),
		QUEUE_TEST(test_recompress_xz),
		QUEUE_TEST(test_recompress_zst),
		QUEUE_TEST(test_recompress_several_gzip_members),
		QUEUE_TEST(test_recompress_large_xz),
		QUEUE_TEST(test_recompress_large_zst),
		QUEUE_TEST(test_recompress_plain_tar),
		QUEUE_TEST(test_recompress_damaged),
		QUEUE_TEST(test_recompress_takes_no_name_of_another),
		QUEUE_TEST(test_recompress_format),
		QUEUE_TEST(test_cancel),
		QUEUE_TEST(test_split),
		QUEUE_TEST(test_split_sizes),
		QUEUE_TEST(test_split_takes_no_name_of_another),
		QUEUE_TEST(test_no_regular_file),
		QUEUE_TEST(test_disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
