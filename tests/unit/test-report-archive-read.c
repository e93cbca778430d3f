/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-report-fixture.h"

#include "report/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#define HELLO_SHA256 "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

/* An archive of someone else, member by member. */
typedef struct {
	struct archive *archive;
	char *path;
} Foreign;

static Foreign foreign_new(const char *folder, int format, int filter)
{
	Foreign foreign = { .archive = archive_write_new(),
			    .path = g_build_filename(folder, "foreign", NULL) };

	assert_int_equal(archive_write_set_format(foreign.archive, format), ARCHIVE_OK);
	assert_int_equal(archive_write_add_filter(foreign.archive, filter), ARCHIVE_OK);
	return foreign;
}

static Foreign foreign_open(const char *folder, int format, int filter)
{
	Foreign foreign = foreign_new(folder, format, filter);

	assert_int_equal(archive_write_open_filename(foreign.archive, foreign.path), ARCHIVE_OK);
	return foreign;
}

static void foreign_add_entry(Foreign *foreign, struct archive_entry *entry, const char *text)
{
	assert_true(archive_write_header(foreign->archive, entry) >= ARCHIVE_WARN);
	if (text != NULL)
		archive_write_data(foreign->archive, text, strlen(text));
	archive_entry_free(entry);
}

static struct archive_entry *new_entry(const char *name, guint type, gint64 bytes)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_copy_pathname(entry, name);
	archive_entry_set_filetype(entry, type);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, bytes);
	return entry;
}

static void foreign_add(Foreign *foreign, const char *name, const char *text)
{
	foreign_add_entry(foreign, new_entry(name, AE_IFREG, (gint64)strlen(text)), text);
}

/* Returns: (transfer full): the path */
static char *foreign_close(Foreign *foreign)
{
	assert_int_equal(archive_write_free(foreign->archive), ARCHIVE_OK);
	return foreign->path;
}

static const MtwMemberFacts *facts_at(const GPtrArray *list, guint index)
{
	assert_true(index < list->len);
	return list->pdata[index];
}

static void expect_list_error(const char *path, MtwErrorCode code)
{
	g_autoptr(GError) error = NULL;

	assert_null(mtw_archive_list(path, &error));
	fixture_expect_error(&error, code);
}

static void test_round_trip(void **state)
{
	g_autoptr(GPtrArray) members = mtw_members_new();
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(GPtrArray) sizes = NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;
	g_autofree char *text = NULL;
	gsize bytes = 0;

	g_ptr_array_add(members, mtw_member_new_data("a.txt", g_strdup("hello"), 5));
	g_ptr_array_add(members, mtw_member_new_data("zeros", g_malloc0(3000000), 3000000));
	assert_true(mtw_archive_measure(members, &error));
	path = mtw_archive_write(*state, "stem", members, 0, NULL, NULL, &error);
	list = mtw_archive_list(path, &error);
	assert_non_null(list);
	assert_int_equal(list->len, 2);
	assert_string_equal(facts_at(list, 0)->name, "a.txt");
	assert_string_equal(facts_at(list, 0)->sha256, HELLO_SHA256);
	sizes = mtw_archive_sizes(path, &error);
	assert_int_equal(sizes->len, 2);
	for (guint i = 0; i < 2; i++) {
		const MtwMember *member = members->pdata[i];
		assert_string_equal(facts_at(sizes, i)->name, facts_at(list, i)->name);
		assert_int_equal(facts_at(sizes, i)->bytes, member->bytes);
		assert_null(facts_at(sizes, i)->sha256);
		assert_int_equal(facts_at(list, i)->bytes, member->bytes);
		assert_string_equal(facts_at(list, i)->sha256, member->sha256);
	}
	text = mtw_archive_read_member(path, "a.txt", 5, &bytes, &error);
	assert_string_equal(text, "hello");
	assert_int_equal(bytes, 5);
}

static void test_read_errors(void **state)
{
	Foreign foreign = foreign_open(*state, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP);
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;

	foreign_add(&foreign, "a.txt", "hello");
	path = foreign_close(&foreign);
	assert_null(mtw_archive_read_member(path, "b.txt", 100, NULL, &error));
	fixture_expect_error(&error, MTW_ERROR_NOT_FOUND);
	assert_null(mtw_archive_read_member(path, "a.txt", 4, NULL, &error));
	fixture_expect_error(&error, MTW_ERROR_INVALID);
	assert_null(mtw_archive_read_member("/nowhere/x", "a.txt", 4, NULL, &error));
	fixture_expect_error(&error, MTW_ERROR_NOT_FOUND);
}

static void test_not_an_archive(void **state)
{
	g_autofree char *text = g_build_filename(*state, "text", NULL);
	g_autofree char *empty = g_build_filename(*state, "empty", NULL);
	g_autofree char *fifo = g_build_filename(*state, "fifo", NULL);

	fixture_write(*state, "text", "VERSION 20070824\nR 4 1.000000 1 0xfe000000 0x0 0x0 0\n");
	fixture_write(*state, "empty", "");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	expect_list_error(text, MTW_ERROR_INVALID);
	expect_list_error(empty, MTW_ERROR_INVALID);
	expect_list_error(fifo, MTW_ERROR_INVALID);
	expect_list_error(*state, MTW_ERROR_INVALID);
}

static void test_other_formats(void **state)
{
	static const struct {
		int format, filter;
	} rows[] = {
		{ ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FILTER_NONE },
		{ ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_XZ },
		{ ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_BZIP2 },
		{ ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_ZSTD },
		{ ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE },
		{ ARCHIVE_FORMAT_7ZIP, ARCHIVE_FILTER_NONE },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Foreign foreign = foreign_open(*state, rows[i].format, rows[i].filter);
		g_autoptr(GPtrArray) list = NULL;
		g_autoptr(GError) error = NULL;
		g_autofree char *path = NULL;

		foreign_add(&foreign, "./a.txt", "hello");
		path = foreign_close(&foreign);
		list = mtw_archive_list(path, &error);
		assert_null(error);
		assert_int_equal(list->len, 1);
		assert_string_equal(facts_at(list, 0)->name, "a.txt");
		assert_int_equal(facts_at(list, 0)->bytes, 5);
		assert_string_equal(facts_at(list, 0)->sha256, HELLO_SHA256);
	}
}

static void test_hostile_names(void **state)
{
	static const struct {
		const char *name, *clean;
	} rows[] = {
		{ "../../etc/passwd", "etc/passwd" },
		{ "/etc/shadow", "etc/shadow" },
		{ "a/../../b", "a/b" },
		{ "..", "unnamed" },
		{ "x\n\033[31mred", "x  [31mred" },
		{ "\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd" },
	};
	g_autofree char *long_name = g_strnfill(1000, 'n');
	Foreign foreign = foreign_open(*state, ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FILTER_GZIP);
	g_autoptr(GPtrArray) list = NULL;
	g_autofree char *path = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		foreign_add(&foreign, rows[i].name, "hello");
	foreign_add(&foreign, long_name, "hello");
	path = foreign_close(&foreign);
	list = mtw_archive_list(path, NULL);
	assert_int_equal(list->len, G_N_ELEMENTS(rows) + 1);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_string_equal(facts_at(list, i)->name, rows[i].clean);
	assert_int_equal(strlen(facts_at(list, G_N_ELEMENTS(rows))->name), 255);
	assert_false(fixture_exists(*state, "b"));
	assert_int_equal(fixture_count(*state), 1);
}

/* Only regular files count; a link that pretends to be the trace is none. */
static void test_hostile_types(void **state)
{
	Foreign foreign =
		foreign_open(*state, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_GZIP);
	struct archive_entry *entry = new_entry("mydump.txt", AE_IFLNK, 0);
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;

	archive_entry_set_symlink(entry, "/etc/passwd");
	foreign_add_entry(&foreign, entry, NULL);
	entry = new_entry("hard", AE_IFREG, 0);
	archive_entry_set_hardlink(entry, "/etc/passwd");
	foreign_add_entry(&foreign, entry, NULL);
	foreign_add_entry(&foreign, new_entry("folder", AE_IFDIR, 0), NULL);
	foreign_add_entry(&foreign, new_entry("null", AE_IFCHR, 0), NULL);
	foreign_add_entry(&foreign, new_entry("fifo", AE_IFIFO, 0), NULL);
	foreign_add(&foreign, "folder/real.txt", "hello");
	path = foreign_close(&foreign);
	list = mtw_archive_list(path, NULL);
	assert_int_equal(list->len, 1);
	assert_string_equal(facts_at(list, 0)->name, "folder/real.txt");
	assert_null(mtw_archive_read_member(path, "mydump.txt", 100, NULL, &error));
	fixture_expect_error(&error, MTW_ERROR_NOT_FOUND);
}

static void test_many_members(void **state)
{
	for (guint count = 10000; count <= 10001; count++) {
		Foreign foreign =
			foreign_open(*state, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP);
		g_autoptr(GPtrArray) list = NULL;
		g_autofree char *path = NULL;

		for (guint i = 0; i < count; i++)
			foreign_add(&foreign, "x", "");
		path = foreign_close(&foreign);
		list = mtw_archive_list(path, NULL);
		assert_true((list != NULL) == (count == 10000));
	}
}

static void test_compressed_twice(void **state)
{
	Foreign foreign = foreign_new(*state, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP);
	g_autofree char *path = NULL;

	assert_int_equal(archive_write_add_filter_gzip(foreign.archive), ARCHIVE_OK);
	assert_int_equal(archive_write_open_filename(foreign.archive, foreign.path), ARCHIVE_OK);
	foreign_add(&foreign, "a.txt", "hello");
	path = foreign_close(&foreign);
	expect_list_error(path, MTW_ERROR_INVALID);
}

/* A hole of an exabyte: refused at once, not filled with zeros. */
static void test_sparse(void **state)
{
	const gint64 huge = G_GINT64_CONSTANT(1) << 60;
	Foreign foreign =
		foreign_open(*state, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_GZIP);
	struct archive_entry *entry = new_entry("mydump.txt", AE_IFREG, huge);
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;

	archive_entry_sparse_add_entry(entry, huge - 5, 5);
	assert_int_equal(archive_write_header(foreign.archive, entry), ARCHIVE_OK);
	archive_entry_free(entry);
	/* Writing the exabyte is not possible: the file is cut, which does not matter here. */
	archive_write_data(foreign.archive, "hello", 5);
	archive_write_fail(foreign.archive);
	archive_write_close(foreign.archive);
	archive_write_free(foreign.archive);
	path = foreign.path;
	expect_list_error(path, MTW_ERROR_INVALID);
	assert_null(mtw_archive_read_member(path, "mydump.txt", 100, NULL, &error));
	fixture_expect_error(&error, MTW_ERROR_INVALID);
}

static char *read_back(const char *folder, gsize *ret_bytes)
{
	g_autofree char *path = g_build_filename(folder, "foreign", NULL);
	char *content = NULL;

	assert_true(g_file_get_contents(path, &content, ret_bytes, NULL));
	return content;
}

/* Cut at every place: an error, or (between members) fewer members, never a wrong content. */
static void test_cut(void **state)
{
	Foreign foreign = foreign_open(*state, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE);
	g_autofree char *path = NULL;
	g_autofree char *content = NULL;
	gsize bytes;

	foreign_add(&foreign, "a.txt", "hello");
	foreign_add(&foreign, "b.txt", "hello");
	path = foreign_close(&foreign);
	content = read_back(*state, &bytes);
	for (gsize cut = 0; cut < 2100; cut += 50) {
		g_autoptr(GPtrArray) list = NULL;
		fixture_write_bytes(*state, "foreign", content, cut);
		list = mtw_archive_list(path, NULL);
		for (guint i = 0; list != NULL && i < list->len; i++)
			assert_string_equal(facts_at(list, i)->sha256, HELLO_SHA256);
	}
}

/* Bytes changed by chance: whatever comes out, it comes back and is safe to show. */
static void damage_and_list(const char *folder, int format, int filter)
{
	Foreign foreign = foreign_open(folder, format, filter);
	g_autoptr(GRand) random = g_rand_new_with_seed(11);
	g_autofree char *path = NULL;
	g_autofree char *content = NULL;
	gsize bytes;

	foreign_add(&foreign, "a.txt", "hello");
	foreign_add(&foreign, "folder/b.txt", "hello hello hello hello hello hello");
	path = foreign_close(&foreign);
	content = read_back(folder, &bytes);
	for (guint round = 0; round < 150; round++) {
		g_autofree char *damaged = g_memdup2(content, bytes);
		g_autoptr(GPtrArray) list = NULL;

		for (guint i = 0; i < 4; i++)
			damaged[g_rand_int_range(random, 0, (gint32)MIN(bytes, 2048))] =
				(char)g_rand_int(random);
		fixture_write_bytes(folder, "foreign", damaged, bytes);
		list = mtw_archive_list(path, NULL);
		for (guint i = 0; list != NULL && i < list->len; i++) {
			assert_true(g_utf8_validate(facts_at(list, i)->name, -1, NULL));
			assert_null(strstr(facts_at(list, i)->name, "../"));
		}
		g_free(mtw_archive_read_member(path, "a.txt", 1000, NULL, NULL));
	}
}

static void test_damaged(void **state)
{
	damage_and_list(*state, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE);
	damage_and_list(*state, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_GZIP);
	damage_and_list(*state, ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE);
	damage_and_list(*state, ARCHIVE_FORMAT_7ZIP, ARCHIVE_FILTER_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(test_round_trip),	   FIXTURE_TEST(test_read_errors),
		FIXTURE_TEST(test_not_an_archive), FIXTURE_TEST(test_other_formats),
		FIXTURE_TEST(test_hostile_names),  FIXTURE_TEST(test_hostile_types),
		FIXTURE_TEST(test_many_members),   FIXTURE_TEST(test_compressed_twice),
		FIXTURE_TEST(test_sparse),	   FIXTURE_TEST(test_cut),
		FIXTURE_TEST(test_damaged),
	};

	return cmocka_run_group_tests_name("report-archive-read", tests, NULL, NULL);
}
