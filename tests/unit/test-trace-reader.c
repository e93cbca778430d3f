/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-trace-data.h"

#include "base/error.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define TRACE "VERSION 20070824\nR 4 1.000000 1 0x0 0x0 0x0 0\n"
#define LONGER_TRACE TRACE "R 4 2.000000 1 0x0 0x0 0x0 0\n"
#define NOTES "I plugged the card in.\n"

typedef struct {
	char *folder;
	char *path; /* of the file under test */
} Fixture;

static int setup(void **state)
{
	Fixture *fixture = g_new0(Fixture, 1);

	fixture->folder = g_dir_make_tmp("mtw-reader-XXXXXX", NULL);
	fixture->path = g_build_filename(fixture->folder, "file", NULL);
	*state = fixture;
	return fixture->folder != NULL ? 0 : -1;
}

static int teardown(void **state)
{
	Fixture *fixture = *state;

	g_unlink(fixture->path);
	g_rmdir(fixture->folder);
	g_free(fixture->path);
	g_free(fixture->folder);
	g_free(fixture);
	return 0;
}

typedef struct {
	const char *name;
	const char *text; /* NULL: a folder */
	gsize bytes;	  /* 0: strlen */
} Member;

static void write_member(struct archive *archive, const Member *member)
{
	struct archive_entry *entry = archive_entry_new();
	gsize bytes = member->bytes;

	if (bytes == 0 && member->text != NULL)
		bytes = strlen(member->text);
	archive_entry_set_pathname(entry, member->name);
	archive_entry_set_filetype(entry, member->text != NULL ? AE_IFREG : AE_IFDIR);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (gint64)bytes);
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	if (bytes > 0)
		assert_int_equal(archive_write_data(archive, member->text, bytes), bytes);
	archive_entry_free(entry);
}

/* Writes an archive; @members end with a member without name. */
static void write_archive(const char *path, int format, int filter, const Member *members)
{
	struct archive *archive = archive_write_new();

	assert_int_equal(archive_write_set_format(archive, format), ARCHIVE_OK);
	assert_int_equal(archive_write_add_filter(archive, filter), ARCHIVE_OK);
	assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
	for (; members->name != NULL; members++)
		write_member(archive, members);
	assert_int_equal(archive_write_free(archive), ARCHIVE_OK);
}

static void assert_reads(MtwTraceReader *reader, const char *member, const char *wanted,
			 gsize bytes)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TestText) text = NULL;

	assert_non_null(reader);
	text = test_read_all(reader, &error);
	assert_null(error);
	if (member == NULL)
		assert_null(mtw_trace_reader_member(reader));
	else
		assert_string_equal(mtw_trace_reader_member(reader), member);
	assert_int_equal(text->len, bytes);
	assert_memory_equal(text->str, wanted, bytes);
}

static void check_reads(const Fixture *fixture, const char *member, const char *wanted)
{
	g_autoptr(MtwTraceReader) reader = mtw_trace_reader_open(fixture->path, NULL);

	assert_reads(reader, member, wanted, strlen(wanted));
}

static void check_refused(const char *path, int code)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwTraceReader) reader = mtw_trace_reader_open(path, &error);

	assert_null(reader);
	assert_true(g_error_matches(error, MTW_ERROR, code));
	assert_non_null(strstr(error->message, path));
}

/* The file as it comes through a pipe, which cannot be read twice. */
static MtwTraceReader *open_through_pipe(const Fixture *fixture)
{
	g_autofree char *content = NULL;
	gsize bytes;
	int ends[2];

	assert_true(g_file_get_contents(fixture->path, &content, &bytes, NULL));
	assert_true(bytes <= 65536); /* fits into the pipe */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], content, bytes), bytes);
	close(ends[1]);
	return mtw_trace_reader_open_fd(ends[0], NULL);
}

static void test_plain(void **state)
{
	const Fixture *fixture = *state;

	g_file_set_contents(fixture->path, TRACE, -1, NULL);
	check_reads(fixture, NULL, TRACE);
	/* What it is, is not the reader's business. */
	g_file_set_contents(fixture->path, NOTES, -1, NULL);
	check_reads(fixture, NULL, NOTES);
	g_file_set_contents(fixture->path, "", -1, NULL);
	check_reads(fixture, NULL, "");
}

static void test_compressed(void **state)
{
	static const int filters[] = { ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_ZSTD,
				       ARCHIVE_FILTER_BZIP2 };
	static const Member trace[] = { { "x", TRACE, 0 }, { 0 } };
	static const Member nothing[] = { { "x", "", 0 }, { 0 } };
	const Fixture *fixture = *state;

	for (gsize i = 0; i < G_N_ELEMENTS(filters); i++) {
		write_archive(fixture->path, ARCHIVE_FORMAT_RAW, filters[i], trace);
		check_reads(fixture, NULL, TRACE);
		write_archive(fixture->path, ARCHIVE_FORMAT_RAW, filters[i], nothing);
		check_reads(fixture, NULL, "");
	}
}

static void test_several_gzip_streams(void **state)
{
	static const Member trace[] = { { "x", TRACE, 0 }, { 0 } };
	const Fixture *fixture = *state;
	g_autofree char *content = NULL;
	g_autoptr(GString) twice = g_string_new(NULL);
	gsize bytes;

	write_archive(fixture->path, ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_GZIP, trace);
	assert_true(g_file_get_contents(fixture->path, &content, &bytes, NULL));
	g_string_append_len(twice, content, (gssize)bytes);
	g_string_append_len(twice, content, (gssize)bytes);
	g_file_set_contents(fixture->path, twice->str, (gssize)twice->len, NULL);
	check_reads(fixture, NULL, TRACE TRACE);
}

static void test_named_member(void **state)
{
	static const Member members[] = { { "10de-nick/", NULL, 0 },
					  { "10de-nick/longer.txt", LONGER_TRACE, 0 },
					  { "10de-nick/lspci.txt", NOTES, 0 },
					  { "10de-nick/mydump.txt", TRACE, 0 },
					  { "10de-nick/._mydump.txt", NOTES, 0 },
					  { 0 } };
	const Fixture *fixture = *state;

	write_archive(fixture->path, ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_GZIP,
		      members);
	check_reads(fixture, "10de-nick/mydump.txt", TRACE);
	write_archive(fixture->path, ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, members);
	check_reads(fixture, "10de-nick/mydump.txt", TRACE);
	write_archive(fixture->path, ARCHIVE_FORMAT_7ZIP, ARCHIVE_FILTER_NONE, members);
	check_reads(fixture, "10de-nick/mydump.txt", TRACE);
}

static void test_largest_trace(void **state)
{
	static const char junk[4 * sizeof(LONGER_TRACE)] = "no trace";
	static const Member members[] = { { "junk", junk, sizeof junk },
					  { "small", TRACE, 0 },
					  { "large", "# comment\n" LONGER_TRACE, 0 },
					  { "small-too", TRACE, 0 },
					  { "folder", NULL, 0 },
					  { 0 } };
	const Fixture *fixture = *state;

	write_archive(fixture->path, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, members);
	check_reads(fixture, "large", "# comment\n" LONGER_TRACE);
	write_archive(fixture->path, ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, members);
	check_reads(fixture, "large", "# comment\n" LONGER_TRACE);
}

/* Larger than what is looked at, so that both parts must come, and once. */
static void test_large_member_through_pipe(void **state)
{
	GString *text = g_string_new("VERSION 20070824\n");
	const Fixture *fixture = *state;
	Member members[] = { { "notes", NOTES, 0 }, { "trace", NULL, 0 }, { 0 } };
	MtwTraceReader *reader;

	for (int i = 0; i < 1000; i++)
		g_string_append_printf(text, "R 4 1.%06d 1 0x0 0x0 0x0 0\n", i);
	members[1].text = text->str;
	write_archive(fixture->path, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, members);
	reader = open_through_pipe(fixture);
	assert_reads(reader, "trace", text->str, text->len);
	mtw_trace_reader_free(reader);
	check_reads(fixture, "trace", text->str);
	g_string_free(text, TRUE);
}

static void test_first_trace_through_pipe(void **state)
{
	static const Member members[] = {
		{ "notes", NOTES, 0 }, { "first", TRACE, 0 }, { "second", LONGER_TRACE, 0 }, { 0 }
	};
	const Fixture *fixture = *state;
	g_autoptr(MtwTraceReader) reader = NULL;

	write_archive(fixture->path, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_XZ, members);
	reader = open_through_pipe(fixture);
	assert_reads(reader, "first", TRACE, strlen(TRACE));
}

static void test_plain_through_pipe(void **state)
{
	const Fixture *fixture = *state;
	g_autoptr(MtwTraceReader) reader = NULL;

	g_file_set_contents(fixture->path, TRACE, -1, NULL);
	reader = open_through_pipe(fixture);
	assert_reads(reader, NULL, TRACE, strlen(TRACE));
}

static void test_descriptor_from_where_it_stands(void **state)
{
	static const Member members[] = { { "a", TRACE, 0 }, { "b", LONGER_TRACE, 0 }, { 0 } };
	const Fixture *fixture = *state;
	g_autofree char *content = NULL;
	g_autoptr(GString) behind = g_string_new("a header that is somebody else's");
	g_autoptr(MtwTraceReader) reader = NULL;
	gsize header_bytes = behind->len, bytes;
	int fd;

	write_archive(fixture->path, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, members);
	assert_true(g_file_get_contents(fixture->path, &content, &bytes, NULL));
	g_string_append_len(behind, content, (gssize)bytes);
	g_file_set_contents(fixture->path, behind->str, (gssize)behind->len, NULL);
	fd = open(fixture->path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(lseek(fd, (off_t)header_bytes, SEEK_SET), header_bytes);
	reader = mtw_trace_reader_open_fd(fd, NULL);
	assert_reads(reader, "b", LONGER_TRACE, strlen(LONGER_TRACE));
}

static void test_small_reads(void **state)
{
	static const Member members[] = { { "trace", TRACE, 0 }, { 0 } };
	const Fixture *fixture = *state;
	g_autoptr(MtwTraceReader) reader = NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	char byte;

	write_archive(fixture->path, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP, members);
	reader = open_through_pipe(fixture);
	while (mtw_trace_reader_read(reader, &byte, 1, NULL) == 1)
		g_string_append_c(text, byte);
	assert_string_equal(text->str, TRACE);
	/* The end stays the end. */
	assert_int_equal(mtw_trace_reader_read(reader, &byte, 1, NULL), 0);
}

static void test_archive_without_trace(void **state)
{
	static const Member members[] = { { "notes", NOTES, 0 },
					  { "folder", NULL, 0 },
					  { "quote", "the line R 4 1.000000 1 0x0 0x0 0x0 0\n", 0 },
					  { "empty", "", 0 },
					  { 0 } };
	static const Member none[] = { { 0 } };
	const Fixture *fixture = *state;

	write_archive(fixture->path, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP, members);
	check_refused(fixture->path, MTW_ERROR_INVALID);
	write_archive(fixture->path, ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, members);
	check_refused(fixture->path, MTW_ERROR_INVALID);
	write_archive(fixture->path, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, none);
	check_refused(fixture->path, MTW_ERROR_INVALID);
}

static void test_no_file(void **state)
{
	const Fixture *fixture = *state;

	check_refused(fixture->path, MTW_ERROR_NOT_FOUND);
	check_refused(fixture->folder, MTW_ERROR_INVALID);
}

static void test_unreadable_file(void **state)
{
	const Fixture *fixture = *state;

	g_file_set_contents(fixture->path, TRACE, -1, NULL);
	assert_int_equal(g_chmod(fixture->path, 0), 0);
	if (access(fixture->path, R_OK) == 0)
		skip(); /* root may read it all the same */
	check_refused(fixture->path, MTW_ERROR_PERMISSION);
}

/* Cuts the file under test to @bytes. */
static void cut(const Fixture *fixture, gsize bytes)
{
	assert_int_equal(truncate(fixture->path, (off_t)bytes), 0);
}

static void write_real_trace(const Fixture *fixture, int format, int filter, const TestText *text)
{
	const Member members[] = { { "trace.txt", text->str, text->len }, { 0 } };

	write_archive(fixture->path, format, filter, members);
}

/* Of a cut download most of the trace is still read, and the cut is an error at its end. */
static void check_cut(const Fixture *fixture, const TestText *text)
{
	g_autoptr(MtwTraceReader) reader = mtw_trace_reader_open(fixture->path, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(TestText) part = NULL;

	assert_non_null(reader);
	part = test_read_all(reader, &error);
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_non_null(strstr(error->message, fixture->path));
	assert_true(part->len > text->len / 4 && part->len < text->len);
	assert_memory_equal(part->str, text->str, part->len);
}

static void test_cut_files(void **state)
{
	g_autoptr(TestText) text = test_trace("01-e1000-markers-6.1.txt.xz");
	const Fixture *fixture = *state;

	write_real_trace(fixture, ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_GZIP, text);
	cut(fixture, 40000);
	check_cut(fixture, text);
	write_real_trace(fixture, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP, text);
	cut(fixture, 40000);
	check_cut(fixture, text);
	write_real_trace(fixture, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, text);
	cut(fixture, 300000);
	check_cut(fixture, text);
}

/* One bit in the compressed data: the checksum tells, at the latest at the end. */
static void test_damaged_file(void **state)
{
	g_autoptr(TestText) text = test_trace("01-e1000-markers-6.1.txt.xz");
	const Fixture *fixture = *state;
	g_autofree char *content = NULL;
	g_autoptr(MtwTraceReader) reader = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(TestText) part = NULL;
	gsize bytes;

	write_real_trace(fixture, ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_XZ, text);
	assert_true(g_file_get_contents(fixture->path, &content, &bytes, NULL));
	content[bytes / 2] ^= 0x10;
	g_file_set_contents(fixture->path, content, (gssize)bytes, NULL);
	reader = mtw_trace_reader_open(fixture->path, NULL);
	assert_non_null(reader);
	part = test_read_all(reader, &error);
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plain, setup, teardown),
		cmocka_unit_test_setup_teardown(test_compressed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_several_gzip_streams, setup, teardown),
		cmocka_unit_test_setup_teardown(test_named_member, setup, teardown),
		cmocka_unit_test_setup_teardown(test_largest_trace, setup, teardown),
		cmocka_unit_test_setup_teardown(test_large_member_through_pipe, setup, teardown),
		cmocka_unit_test_setup_teardown(test_first_trace_through_pipe, setup, teardown),
		cmocka_unit_test_setup_teardown(test_plain_through_pipe, setup, teardown),
		cmocka_unit_test_setup_teardown(test_descriptor_from_where_it_stands, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_small_reads, setup, teardown),
		cmocka_unit_test_setup_teardown(test_archive_without_trace, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unreadable_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cut_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged_file, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
