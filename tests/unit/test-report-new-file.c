/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-report-fixture.h"

#include "report/new-file.h"

#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define TEXT "the new content"

/* Returns: (transfer full) (nullable): the path of the new file */
static char *make(const char *folder, GError **error)
{
	g_autoptr(MtwNewFile) file = mtw_new_file_open(folder, "stem", error);

	if (file == NULL || !mtw_file_write_all(mtw_new_file_fd(file), TEXT, strlen(TEXT), error))
		return NULL;
	return mtw_new_file_publish(file, "stem", ".tar.gz", error);
}

static void make_as(const char *folder, const char *name)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *expected = g_build_filename(folder, name, NULL);
	g_autofree char *path = make(folder, &error);
	g_autofree char *content = NULL;

	assert_null(error);
	assert_string_equal(path, expected);
	content = fixture_read(folder, name);
	assert_string_equal(content, TEXT);
}

static void test_mode_and_rest(void **state)
{
	g_autofree char *path = g_build_filename(*state, "stem.tar.gz", NULL);
	mode_t before = umask(0077);
	struct stat status;

	make_as(*state, "stem.tar.gz");
	umask(before);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0644);
	assert_int_equal(status.st_nlink, 1);
	assert_int_equal(fixture_count(*state), 1);
}

/* Until it is published it is private and hidden, and leaves nothing when it is given up. */
static void test_given_up(void **state)
{
	MtwNewFile *file = mtw_new_file_open(*state, "stem", NULL);
	struct stat status;

	assert_int_equal(fstat(mtw_new_file_fd(file), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	assert_int_equal(fixture_count(*state), 1);
	assert_false(fixture_exists(*state, "stem.tar.gz"));
	mtw_new_file_free(file);
	assert_int_equal(fixture_count(*state), 0);
}

static void test_never_overwrites(void **state)
{
	g_autofree char *old = NULL;
	g_autofree char *victim = NULL;

	fixture_write(*state, "stem.tar.gz", "old");
	fixture_write(*state, "victim", "untouched");
	fixture_link(*state, "stem-2.tar.gz", "victim");
	fixture_link(*state, "stem-3.tar.gz", "nowhere");
	make_as(*state, "stem-4.tar.gz");
	old = fixture_read(*state, "stem.tar.gz");
	victim = fixture_read(*state, "victim");
	assert_string_equal(old, "old");
	assert_string_equal(victim, "untouched");
	assert_false(fixture_exists(*state, "nowhere"));
}

/* A link at the very name that the next temporary file would have. */
static void test_planted_temporary(void **state)
{
	g_autofree char *name = NULL;
	g_autofree char *victim = NULL;

	g_random_set_seed(42);
	name = g_strdup_printf(".stem.%08x.part", g_random_int());
	fixture_write(*state, "victim", "untouched");
	fixture_link(*state, name, "victim");
	g_random_set_seed(42);
	make_as(*state, "stem.tar.gz");
	victim = fixture_read(*state, "victim");
	assert_string_equal(victim, "untouched");
	assert_true(fixture_exists(*state, name));
	assert_int_equal(fixture_count(*state), 3);
}

/* The person renames the folder meanwhile: the file stays in it. */
static void test_folder_moves(void **state)
{
	g_autofree char *before = g_build_filename(*state, "before", NULL);
	g_autofree char *after = g_build_filename(*state, "after", NULL);
	g_autoptr(MtwNewFile) file = NULL;
	g_autofree char *path = NULL;

	assert_int_equal(g_mkdir(before, 0755), 0);
	file = mtw_new_file_open(before, "stem", NULL);
	assert_int_equal(g_rename(before, after), 0);
	path = mtw_new_file_publish(file, "stem", ".tar.gz", NULL);
	assert_non_null(path);
	assert_true(fixture_exists(after, "stem.tar.gz"));
	assert_int_equal(fixture_count(after), 1);
}

static void test_no_folder(void **state)
{
	g_autofree char *folder = g_build_filename(*state, "nowhere", NULL);
	g_autoptr(GError) error = NULL;

	assert_null(make(folder, &error));
	fixture_expect_error(&error, MTW_ERROR_NOT_FOUND);
}

/* Lets the system call @number fail from here on, as some file systems do. */
static gboolean forbid(guint number)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = G_N_ELEMENTS(filter), .filter = filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static gboolean forbid_noreplace(void)
{
	return forbid(SYS_renameat2);
}

static gboolean forbid_links(void)
{
	return forbid(SYS_renameat2) && forbid(SYS_linkat);
}

static gboolean forbid_renaming(void)
{
	return forbid(SYS_renameat2) && forbid(SYS_linkat) && forbid(SYS_renameat);
}

static gboolean become_nobody(void)
{
	return setgroups(0, NULL) == 0 && setresgid(65534, 65534, 65534) == 0 &&
	       setresuid(65534, 65534, 65534) == 0;
}

#define CANNOT_BE_TESTED 77

/* Makes the file in a child. Returns: 0, 1 + the error's code, or CANNOT_BE_TESTED */
static int make_in_child(const char *folder, gboolean (*prepare)(void))
{
	g_autoptr(GError) error = NULL;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (prepare != NULL && !prepare())
			_exit(CANNOT_BE_TESTED);
		g_free(make(folder, &error));
		_exit(error != NULL ? 1 + error->code : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* File systems without renameat2's flag, then without hard links, then without anything. */
static void test_poor_file_systems(void **state)
{
	g_autofree char *last = NULL;

	if (make_in_child(*state, forbid_noreplace) == CANNOT_BE_TESTED)
		skip();
	assert_int_equal(make_in_child(*state, forbid_noreplace), 0);
	assert_int_equal(make_in_child(*state, forbid_links), 0);
	assert_int_equal(make_in_child(*state, forbid_links), 0);
	assert_int_equal(fixture_count(*state), 4);
	assert_true(fixture_exists(*state, "stem.tar.gz"));
	assert_true(fixture_exists(*state, "stem-3.tar.gz"));
	last = fixture_read(*state, "stem-4.tar.gz");
	assert_string_equal(last, TEXT);
	assert_int_equal(make_in_child(*state, forbid_renaming), 1 + MTW_ERROR_PERMISSION);
	assert_int_equal(fixture_count(*state), 4);
}

static void test_no_permission(void **state)
{
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(*state, 0755), 0);
	assert_int_equal(make_in_child(*state, become_nobody), 1 + MTW_ERROR_PERMISSION);
	assert_int_equal(fixture_count(*state), 0);
}

static void test_race(void **state)
{
	pid_t children[8];

	for (gsize i = 0; i < G_N_ELEMENTS(children); i++) {
		children[i] = fork();
		if (children[i] == 0)
			_exit(make_in_child(*state, NULL));
	}
	for (gsize i = 0; i < G_N_ELEMENTS(children); i++) {
		int status;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(fixture_count(*state), 8);
	assert_true(fixture_exists(*state, "stem-8.tar.gz"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(test_mode_and_rest),
		FIXTURE_TEST(test_given_up),
		FIXTURE_TEST(test_never_overwrites),
		FIXTURE_TEST(test_planted_temporary),
		FIXTURE_TEST(test_folder_moves),
		FIXTURE_TEST(test_no_folder),
		FIXTURE_TEST(test_poor_file_systems),
		FIXTURE_TEST(test_no_permission),
		FIXTURE_TEST(test_race),
	};

	return cmocka_run_group_tests_name("report-new-file", tests, NULL, NULL);
}
