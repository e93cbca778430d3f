/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-report-fixture.h"

#include "report/archive.h"

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>

#define TIME_SEC 1700000000
#define STEM "10de-1b80-alice-mmiotrace"

/* A member behind a file of @folder. */
static void add_file(GPtrArray *members, const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	g_ptr_array_add(members, mtw_member_new_fd(name, fd));
}

static void add_text(GPtrArray *members, const char *name, const char *text)
{
	g_ptr_array_add(members, mtw_member_new_data(name, g_strdup(text), strlen(text)));
}

static void add_noise(GPtrArray *members, const char *name, gsize bytes)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(7);
	char *data = g_malloc(bytes);

	for (gsize i = 0; i < bytes; i++)
		data[i] = (char)g_rand_int(random);
	g_ptr_array_add(members, mtw_member_new_data(name, data, bytes));
}

static GPtrArray *some_members(void)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *members = mtw_members_new();

	add_text(members, "mydump.txt", "VERSION 20070824\n");
	add_text(members, "lspci.txt", "00:00.0 Host bridge\n");
	add_text(members, "empty.txt", "");
	assert_true(mtw_archive_measure(members, &error));
	return members;
}

/* Packs and checks the name that came back. */
static void pack_as(const char *folder, GPtrArray *members, const char *expected_name)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *expected = g_build_filename(folder, expected_name, NULL);
	g_autofree char *path =
		mtw_archive_write(folder, STEM, members, TIME_SEC, NULL, NULL, &error);

	assert_null(error);
	assert_string_equal(path, expected);
}

/* The output of a program, or NULL when there is none of that name. */
static char *run(const char *const *argv)
{
	g_autoptr(GError) error = NULL;
	char *output = NULL;
	int status = 0;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL,
			  &status, &error)) {
		assert_true(g_error_matches(error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT));
		return NULL;
	}
	assert_int_equal(status, 0);
	return output;
}

static void test_stem(void **state)
{
	static const struct {
		const char *nick, *model, *stem;
	} rows[] = {
		{ "alice", NULL, "10de-1b80-alice-mmiotrace" },
		{ "alice", "GTX 1080", "GTX-1080-alice-mmiotrace" },
		{ "../../etc", NULL, "10de-1b80-etc-mmiotrace" },
		{ "a b/c", NULL, "10de-1b80-a-b-c-mmiotrace" },
		{ "\xc3\xbc"
		  "ber",
		  NULL, "10de-1b80-ber-mmiotrace" },
		{ "a\n\033[31mb", NULL, "10de-1b80-a-31mb-mmiotrace" },
		{ "", NULL, NULL },
		{ "\xc3\xbc", NULL, NULL },
		{ "...", NULL, NULL },
		{ "-", NULL, NULL },
		{ "alice", "/", NULL },
	};
	(void)state;

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *stem =
			mtw_archive_stem(0x10de, 0x1b80, rows[i].nick, rows[i].model, &error);
		if (rows[i].stem == NULL) {
			assert_null(stem);
			fixture_expect_error(&error, MTW_ERROR_USAGE);
		} else {
			assert_string_equal(stem, rows[i].stem);
		}
	}
}

static void test_stem_long(void **state)
{
	g_autofree char *nick = g_strnfill(300, 'x');
	g_autofree char *stem = mtw_archive_stem(1, 2, nick, NULL, NULL);

	(void)state;
	assert_true(g_str_has_prefix(stem, "0001-0002-xxxx"));
	assert_true(g_str_has_suffix(stem, "x-mmiotrace"));
	assert_true(strlen(stem) < 100);
}

/* Real tar lists and unpacks it: top level, root, 0644, our order, our time. */
static void check_with(const char *folder, const char *tar, const char *applet)
{
	g_autofree char *archive = g_build_filename(folder, STEM ".tar.gz", NULL);
	g_autofree char *out = g_build_filename(folder, "out", NULL);
	const char *const list[] = { tar, applet ? applet : "tzvf", applet ? "tzvf" : archive,
				     applet ? archive : NULL, NULL };
	const char *const unpack[] = { tar,
				       applet ? applet : "-C",
				       applet ? "-C" : out,
				       applet ? out : "-xzf",
				       applet ? "-xzf" : archive,
				       applet ? archive : NULL,
				       NULL };
	g_autofree char *listing = run(list);
	g_autofree char *nothing = NULL;
	g_autofree char *dump = NULL;
	g_auto(GStrv) lines = NULL;

	if (listing == NULL)
		return;
	lines = g_strsplit(listing, "\n", -1);
	assert_int_equal(g_strv_length(lines), 4);
	for (int i = 0; i < 3; i++) {
		assert_true(g_str_has_prefix(lines[i], "-rw-r--r-- root/root"));
		assert_non_null(strstr(lines[i], "2023-11-14"));
	}
	assert_true(g_str_has_suffix(lines[0], " mydump.txt"));
	assert_true(g_str_has_suffix(lines[1], " lspci.txt"));
	assert_true(g_str_has_suffix(lines[2], " empty.txt"));
	assert_int_equal(g_mkdir(out, 0755), 0);
	nothing = run(unpack);
	dump = fixture_read(out, "mydump.txt");
	assert_string_equal(dump, "VERSION 20070824\n");
	assert_int_equal(fixture_count(out), 3);
	nftw(out, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void test_real_tar(void **state)
{
	g_autoptr(GPtrArray) members = some_members();

	pack_as(*state, members, STEM ".tar.gz");
	check_with(*state, "tar", NULL);
	check_with(*state, "busybox", "tar");
}

static void test_same_bytes(void **state)
{
	g_autoptr(GPtrArray) members = some_members();
	g_autofree char *first = NULL;
	g_autofree char *second = NULL;
	g_autofree char *first_path = g_build_filename(*state, STEM ".tar.gz", NULL);
	g_autofree char *second_path = g_build_filename(*state, STEM "-2.tar.gz", NULL);
	gsize first_bytes, second_bytes;

	pack_as(*state, members, STEM ".tar.gz");
	pack_as(*state, members, STEM "-2.tar.gz");
	assert_true(g_file_get_contents(first_path, &first, &first_bytes, NULL));
	assert_true(g_file_get_contents(second_path, &second, &second_bytes, NULL));
	assert_int_equal(first_bytes, second_bytes);
	assert_memory_equal(first, second, first_bytes);
	/* Magic, deflate, no name, no time. */
	assert_memory_equal(first, "\x1f\x8b\x08\x00\x00\x00\x00\x00", 8);
}

static void expect_failure(const char *folder, const char *stem, GPtrArray *members,
			   MtwErrorCode code)
{
	g_autoptr(GError) error = NULL;

	assert_null(mtw_archive_write(folder, stem, members, TIME_SEC, NULL, NULL, &error));
	fixture_expect_error(&error, code);
}

static void test_bad_names(void **state)
{
	static const char *const names[] = { "",    "..",   ".hidden",	 "a/b", "/etc/passwd",
					     "a b", "a\nb", "mydump.txt" };
	g_autoptr(GPtrArray) good = some_members();
	g_autoptr(GPtrArray) unmeasured = mtw_members_new();

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(GPtrArray) members = some_members();
		add_text(members, names[i], "text");
		assert_true(mtw_archive_measure(members, NULL));
		expect_failure(*state, STEM, members, MTW_ERROR_USAGE);
	}
	add_text(unmeasured, "a.txt", "text");
	expect_failure(*state, STEM, unmeasured, MTW_ERROR_USAGE);
	expect_failure(*state, "../up", good, MTW_ERROR_USAGE);
	expect_failure(*state, "", good, MTW_ERROR_USAGE);
	assert_int_equal(fixture_count(*state), 0);
}

static void test_no_folder(void **state)
{
	g_autoptr(GPtrArray) members = some_members();
	g_autofree char *folder = g_build_filename(*state, "nowhere", NULL);

	expect_failure(folder, STEM, members, MTW_ERROR_NOT_FOUND);
}

/* Measured, then changed: each way must be seen, and nothing may be left. */
static void test_changed_member(void **state)
{
	static const char *const contents[] = { "01234567", "0123", "01234567890", "" };
	g_autofree char *path = g_build_filename(*state, "trace", NULL);
	g_autofree char *out = g_build_filename(*state, "out", NULL);

	assert_int_equal(g_mkdir(out, 0755), 0);
	for (gsize i = 0; i < G_N_ELEMENTS(contents); i++) {
		g_autoptr(GPtrArray) members = mtw_members_new();
		const struct timespec later[] = { { .tv_sec = 2000000000 },
						  { .tv_sec = 2000000000 } };
		int fd;

		fixture_write(*state, "trace", "abcdefgh");
		add_file(members, *state, "trace");
		assert_true(mtw_archive_measure(members, NULL));
		fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
		assert_true(mtw_file_write_all(fd, contents[i], strlen(contents[i]), NULL));
		assert_int_equal(futimens(fd, later), 0);
		close(fd);
		expect_failure(out, STEM, members, MTW_ERROR_INVALID);
		assert_int_equal(fixture_count(out), 0);
	}
}

static void test_measure(void **state)
{
	g_autoptr(GPtrArray) members = mtw_members_new();
	g_autoptr(GError) error = NULL;
	const MtwMember *file, *text;
	int ends[2];

	fixture_write(*state, "abc", "abc");
	add_file(members, *state, "abc");
	add_text(members, "text", "abc");
	assert_true(mtw_archive_measure(members, &error));
	file = members->pdata[0];
	text = members->pdata[1];
	assert_int_equal(file->bytes, 3);
	assert_string_equal(file->sha256,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_string_equal(text->sha256, file->sha256);
	assert_int_equal(pipe(ends), 0);
	close(ends[1]);
	g_ptr_array_add(members, mtw_member_new_fd("pipe", ends[0]));
	assert_false(mtw_archive_measure(members, &error));
	fixture_expect_error(&error, MTW_ERROR_FAILED);
}

typedef struct {
	guint64 last, total;
	guint calls, cancel_at;
} Seen;

static gboolean see(guint64 done, guint64 total, gpointer user_data)
{
	Seen *seen = user_data;

	assert_true(done > seen->last && done <= total);
	seen->last = done;
	seen->total = total;
	return ++seen->calls != seen->cancel_at;
}

static void test_progress_and_cancel(void **state)
{
	g_autoptr(GPtrArray) members = some_members();
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;
	Seen seen = { .last = 0 };

	add_noise(members, "noise", 5 * 1024 * 1024 + 1);
	assert_true(mtw_archive_measure(members, NULL));
	path = mtw_archive_write(*state, STEM, members, TIME_SEC, see, &seen, &error);
	assert_non_null(path);
	assert_int_equal(seen.last, seen.total);
	assert_int_equal(seen.calls, 8);
	seen = (Seen){ .cancel_at = 4 };
	assert_null(mtw_archive_write(*state, STEM, members, TIME_SEC, see, &seen, &error));
	fixture_expect_error(&error, MTW_ERROR_INTERRUPTED);
	assert_int_equal(fixture_count(*state), 1);
}

static void test_disk_full(void **state)
{
	g_autoptr(GPtrArray) small = some_members();
	g_autoptr(GPtrArray) large = some_members();

	add_noise(large, "noise", 1024 * 1024);
	assert_true(mtw_archive_measure(large, NULL));
	/* In a name space of our own: an aborted test leaves no mount behind. */
	if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("mtw-test", *state, "tmpfs", 0, "size=256k") != 0)
		skip();
	expect_failure(*state, STEM, large, MTW_ERROR_DISK);
	assert_int_equal(fixture_count(*state), 0);
	assert_int_equal(umount(*state), 0);
	/* Nothing is written before the end: then closing fails. */
	assert_int_equal(mount("mtw-test", *state, "tmpfs", 0, "size=4k"), 0);
	fixture_write(*state, "filler", "x");
	expect_failure(*state, STEM, small, MTW_ERROR_DISK);
	assert_int_equal(fixture_count(*state), 1);
	assert_int_equal(umount(*state), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stem),
		cmocka_unit_test(test_stem_long),
		FIXTURE_TEST(test_real_tar),
		FIXTURE_TEST(test_same_bytes),
		FIXTURE_TEST(test_bad_names),
		FIXTURE_TEST(test_no_folder),
		FIXTURE_TEST(test_changed_member),
		FIXTURE_TEST(test_measure),
		FIXTURE_TEST(test_progress_and_cancel),
		FIXTURE_TEST(test_disk_full),
	};

	/* tar lists local times. */
	g_setenv("TZ", "UTC", TRUE);
	return cmocka_run_group_tests_name("report-archive", tests, NULL, NULL);
}
