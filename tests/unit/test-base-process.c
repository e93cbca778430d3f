/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Real programs: the shell, as a program that does odd things. */
#include "fake-root.h"

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1024 * 1024)

static MtwProcessResult *run_with(const char *script, const MtwProcessOptions *options)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	g_autoptr(GError) error = NULL;
	MtwProcessResult *result = mtw_process_run(argv, options, &error);

	assert_null(error);
	assert_non_null(result);
	return result;
}

static MtwProcessResult *run(const char *script)
{
	const MtwProcessOptions options = { .max_output_bytes = MIB };

	return run_with(script, &options);
}

static void test_output_and_status(void **state)
{
	g_autoptr(MtwProcessResult) result = run("echo one; echo two >&2; printf 'a\\0b'; exit 3");

	(void)state;
	assert_int_equal(result->exit_status, 3);
	assert_int_equal(result->signal, 0);
	assert_false(result->timed_out || result->cancelled || result->truncated);
	assert_int_equal(result->output->len, 11);
	assert_memory_equal(result->output->str, "one\ntwo\na\0b", 11);
}

static void test_signal(void **state)
{
	g_autoptr(MtwProcessResult) result = run("kill -USR1 $$");

	(void)state;
	assert_int_equal(result->exit_status, -1);
	assert_int_equal(result->signal, SIGUSR1);
}

static void test_no_input(void **state)
{
	g_autoptr(MtwProcessResult) result = run("cat; echo end");

	(void)state;
	assert_string_equal(result->output->str, "end\n");
}

static void test_output_is_capped(void **state)
{
	const MtwProcessOptions options = { .max_output_bytes = 1000 };
	const MtwProcessOptions none = { .max_output_bytes = 0 };
	g_autoptr(MtwProcessResult) result =
		run_with("head -c 5000000 /dev/zero | tr '\\0' x; exit 4", &options);
	g_autoptr(MtwProcessResult) silent = run_with("echo anything", &none);

	(void)state;
	assert_true(result->truncated);
	assert_int_equal(result->output->len, 1000);
	assert_int_equal(result->exit_status, 4);
	assert_int_equal(silent->output->len, 0);
	assert_true(silent->truncated);
}

static void test_time_out(void **state)
{
	const MtwProcessOptions options = { .timeout_sec = 1, .max_output_bytes = MIB };
	g_autoptr(MtwProcessResult) result = run_with("sleep 1000 & wait", &options);

	(void)state;
	assert_true(result->timed_out);
	assert_false(result->cancelled);
	assert_int_equal(result->signal, SIGTERM);
}

typedef struct {
	char *path; /* the script makes it when it has come so far */
	int flag;
} Ready;

static gpointer cancel_when_ready(gpointer data)
{
	Ready *ready = data;

	while (access(ready->path, F_OK) != 0)
		g_usleep(1000);
	g_atomic_int_set(&ready->flag, 1);
	return NULL;
}

/* Runs @script and cancels it when it has made the file $READY. */
static MtwProcessResult *run_and_cancel(FakeRoot *root, const char *script, gsize max_output_bytes)
{
	Ready ready = { .path = fake_root_path(root, "ready") };
	const MtwProcessOptions options = { .max_output_bytes = max_output_bytes,
					    .cancel = &ready.flag };
	g_autofree char *path = ready.path;
	g_autofree char *text = g_strdup_printf("READY=%s; cd %s; %s", path, root->folder, script);
	GThread *thread = g_thread_new("cancel", cancel_when_ready, &ready);
	MtwProcessResult *result = run_with(text, &options);

	g_thread_join(thread);
	assert_true(result->cancelled);
	assert_false(result->timed_out);
	return result;
}

static void test_cancel(void **state)
{
	g_autoptr(MtwProcessResult) result =
		run_and_cancel(*state, "echo begun; : >$READY; sleep 1000 & wait", MIB);

	assert_int_equal(result->signal, SIGTERM);
	assert_string_equal(result->output->str, "begun\n");
}

/* Whoever does not hear SIGTERM gets SIGKILL. */
static void test_cancel_ignored(void **state)
{
	g_autoptr(MtwProcessResult) result = run_and_cancel(
		*state, "trap '' TERM; : >$READY; while :; do sleep 1000; done", MIB);

	assert_int_equal(result->signal, SIGKILL);
}

/* A program that never stops writing must not keep its reader from looking up. */
static void test_cancel_a_flood(void **state)
{
	g_autoptr(MtwProcessResult) result = run_and_cancel(
		*state, "head -c 5000 /dev/zero; : >$READY; cat /dev/zero & cat /dev/zero", 1000);

	assert_true(result->truncated);
	assert_int_equal(result->output->len, 1000);
}

/* The whole group is ended: a child of the program would go on using the device. */
static void test_cancel_ends_children(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *fifo = fake_root_path(root, "fifo");
	/* The end of file comes when the last writer is gone, whoever it is. */
	g_autoptr(MtwProcessResult) result = run_and_cancel(
		root, "mkfifo fifo; exec 3<>fifo; sleep 1000 & : >$READY; sleep 1000", MIB);
	int fd = open(fifo, O_RDONLY | O_NONBLOCK);
	char byte;

	assert_int_equal(result->signal, SIGTERM);
	assert_true(fd >= 0);
	while (read(fd, &byte, 1) != 0)
		g_usleep(1000);
	close(fd);
}

/* A daemon that the program leaves behind keeps the pipe open; it is not waited for. */
static void test_grandchild_holds_the_pipe(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *pid_file = fake_root_path(root, "pid");
	g_autofree char *script =
		g_strdup_printf("echo before; sleep 1000 & echo $! > %s; exit 0", pid_file);
	g_autoptr(MtwProcessResult) result = run(script);
	g_autofree char *pid = fake_root_read(root, "pid");

	assert_int_equal(result->exit_status, 0);
	assert_string_equal(result->output->str, "before\n");
	assert_int_equal(kill((pid_t)g_ascii_strtoll(pid, NULL, 10), SIGKILL), 0);
}

static guint count_descriptors(void)
{
	g_autoptr(GPtrArray) names = mtw_folder_list("/proc/self/fd");

	return names->len;
}

static void test_missing_program(void **state)
{
	const MtwProcessOptions options = { .max_output_bytes = MIB };
	const MtwProcessOptions inherit = { .max_output_bytes = MIB, .inherit_environment = TRUE };
	g_autoptr(GError) error = NULL;
	guint before = count_descriptors();

	(void)state;
	assert_null(mtw_process_run((const char *const[]){ "/does/not/exist", NULL }, &options,
				    &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	assert_non_null(strstr(error->message, "/does/not/exist"));
	g_clear_error(&error);
	assert_null(mtw_process_run((const char *const[]){ "no-such-program-at-all", NULL },
				    &inherit, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	assert_int_equal(count_descriptors(), before);
}

static void test_clean_environment(void **state)
{
	g_autoptr(MtwProcessResult) result = NULL;
	g_auto(GStrv) lines = NULL;

	(void)state;
	g_setenv("LD_LIBRARY_PATH", "/tmp/evil", TRUE);
	g_setenv("MTW_SECRET", "secret", TRUE);
	result = run("/usr/bin/env");
	g_unsetenv("LD_LIBRARY_PATH");
	lines = g_strsplit(result->output->str, "\n", -1);
	assert_true(
		g_strv_contains((const char *const *)lines, "PATH=/usr/sbin:/usr/bin:/sbin:/bin"));
	assert_true(g_strv_contains((const char *const *)lines, "LC_ALL=C.UTF-8"));
	assert_true(g_strv_contains((const char *const *)lines, "HOME=/"));
	assert_null(strstr(result->output->str, "MTW_SECRET"));
	assert_null(strstr(result->output->str, "LD_LIBRARY_PATH"));
}

static void test_inherited_environment(void **state)
{
	const MtwProcessOptions options = { .max_output_bytes = MIB, .inherit_environment = TRUE };
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwProcessResult) result = NULL;

	(void)state;
	g_setenv("MTW_GREETING", "hello", TRUE);
	g_setenv(MTW_TOKEN_VARIABLE "X", "s3cr3t", TRUE);
	/* Found by PATH. */
	result = mtw_process_run((const char *const[]){ "env", NULL }, &options, &error);
	assert_non_null(result);
	assert_non_null(strstr(result->output->str, "MTW_GREETING=hello\n"));
	/* A secret that was given to this program is for no other. */
	assert_null(strstr(result->output->str, "s3cr3t"));
	g_unsetenv(MTW_TOKEN_VARIABLE "X");
}

/* No descriptor of ours, no signal that we block or ignore. */
static void test_nothing_is_handed_on(void **state)
{
	g_autoptr(MtwProcessResult) result = NULL;
	sigset_t set, before;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	signal(SIGPIPE, SIG_IGN);
	result = run("grep -E '^(SigBlk|SigIgn)' /proc/self/status; ls /proc/self/fd | wc -l");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	signal(SIGPIPE, SIG_DFL);
	close(ends[0]);
	close(ends[1]);
	/* 0, 1, 2, and the folder that ls reads */
	assert_string_equal(result->output->str,
			    "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n4\n");
}

static void test_not_a_shell(void **state)
{
	const MtwProcessOptions options = { .max_output_bytes = MIB };
	const char *const argv[] = { "/bin/echo", "$HOME;", "`id`", "* \"x y\"", NULL };
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwProcessResult) result = mtw_process_run(argv, &options, &error);

	(void)state;
	assert_string_equal(result->output->str, "$HOME; `id` * \"x y\"\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_output_and_status),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_no_input),
		cmocka_unit_test(test_output_is_capped),
		cmocka_unit_test(test_time_out),
		FAKE_ROOT_TEST(test_cancel),
		FAKE_ROOT_TEST(test_cancel_ignored),
		FAKE_ROOT_TEST(test_cancel_a_flood),
		FAKE_ROOT_TEST(test_cancel_ends_children),
		FAKE_ROOT_TEST(test_grandchild_holds_the_pipe),
		cmocka_unit_test(test_missing_program),
		cmocka_unit_test(test_clean_environment),
		cmocka_unit_test(test_inherited_environment),
		cmocka_unit_test(test_nothing_is_handed_on),
		cmocka_unit_test(test_not_a_shell),
	};

	return cmocka_run_group_tests_name("base-process", tests, NULL, NULL);
}
