/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each case runs in a child: giving up root is for good. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/caller.h"
#include "base/error.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534
#define DAEMON 1
#define NO_SUCH_USER "4123456789"

/* Runs @body in a child. Returns: its exit status, or -1 */
static int in_child(int (*body)(void))
{
	pid_t pid = fork();
	int wait_status = 0;

	if (pid == 0)
		_exit(body());
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &wait_status, 0), pid);
	return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
}

static void need_root(void)
{
	if (geteuid() != 0 || getpwuid(NOBODY) == NULL || getpwuid(DAEMON) == NULL)
		skip();
}

static int setup(void **state)
{
	(void)state;
	unsetenv("SUDO_UID");
	unsetenv("PKEXEC_UID");
	unsetenv("XDG_STATE_HOME");
	return 0;
}

static void test_self(void **state)
{
	g_autoptr(MtwCaller) caller = mtw_caller_get(NULL);

	(void)state;
	assert_int_equal(caller->uid, geteuid());
	assert_true(mtw_caller_is_self(caller));
	assert_true(strlen(caller->name) > 0);
	assert_true(g_path_is_absolute(caller->home));
	assert_true(caller->groups->len >= 1);
}

static void assert_uid(uid_t wanted)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwCaller) caller = mtw_caller_get(&error);

	assert_null(error);
	assert_int_equal(caller->uid, wanted);
}

static void test_sudo(void **state)
{
	g_autoptr(MtwCaller) caller = NULL;

	(void)state;
	need_root();
	setenv("SUDO_UID", "65534", 1);
	caller = mtw_caller_get(NULL);
	assert_int_equal(caller->uid, NOBODY);
	assert_int_equal(caller->gid, getpwuid(NOBODY)->pw_gid);
	assert_string_equal(caller->name, getpwuid(NOBODY)->pw_name);
	assert_string_equal(caller->home, getpwuid(NOBODY)->pw_dir);
	assert_false(mtw_caller_is_self(caller));
}

static void test_pkexec_comes_first(void **state)
{
	(void)state;
	need_root();
	setenv("SUDO_UID", "1", 1);
	setenv("PKEXEC_UID", "65534", 1);
	assert_uid(NOBODY);
}

/* What is not a number is as if it were not there. */
static void test_nonsense(void **state)
{
	static const char *const nonsense[] = { "",	" 65534",     "-1",	     "65534x",
						"0x10", "4294967295", "99999999999", "nobody" };

	(void)state;
	need_root();
	for (gsize i = 0; i < G_N_ELEMENTS(nonsense); i++) {
		setenv("SUDO_UID", nonsense[i], 1);
		setenv("PKEXEC_UID", nonsense[i], 1);
		assert_uid(0);
	}
}

static void test_unknown_user(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	need_root();
	setenv("SUDO_UID", NO_SUCH_USER, 1);
	assert_null(mtw_caller_get(&error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	assert_non_null(strstr(error->message, NO_SUCH_USER));
}

static int ask_as_nobody(void)
{
	g_autoptr(MtwCaller) caller = NULL;

	if (setresuid(NOBODY, NOBODY, NOBODY) != 0)
		return 1;
	setenv("SUDO_UID", "1", 1);
	setenv("PKEXEC_UID", "0", 1);
	caller = mtw_caller_get(NULL);
	return caller != NULL && caller->uid == NOBODY && mtw_caller_is_self(caller) ? 0 : 2;
}

/* Only sudo and pkexec, which run it as root, may say who asked. */
static void test_believed_only_as_root(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(in_child(ask_as_nobody), 0);
}

static int become_nobody(void)
{
	g_autoptr(MtwCaller) caller = NULL;
	uid_t real, effective, saved;
	gid_t groups[64];
	int n_groups;

	setenv("SUDO_UID", "65534", 1);
	caller = mtw_caller_get(NULL);
	if (caller == NULL || !mtw_caller_become(caller))
		return 1;
	if (getresuid(&real, &effective, &saved) != 0 || real != NOBODY || effective != NOBODY ||
	    saved != NOBODY)
		return 2;
	n_groups = getgroups(64, groups);
	for (int i = 0; i < n_groups; i++)
		if (groups[i] == 0)
			return 3;
	if (setuid(0) == 0 || seteuid(0) == 0 || setgid(0) == 0 || setreuid(-1, 0) == 0)
		return 4;
	return getegid() == caller->gid ? 0 : 5;
}

static void test_become_is_for_good(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(in_child(become_nobody), 0);
}

static int become_without_rights(void)
{
	g_autoptr(MtwCaller) caller = NULL;

	setenv("SUDO_UID", "1", 1);
	caller = mtw_caller_get(NULL);
	if (setresuid(NOBODY, NOBODY, NOBODY) != 0)
		return 1;
	return mtw_caller_become(caller) ? 2 : 0;
}

static void test_become_without_rights(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(in_child(become_without_rights), 0);
}

static void assert_state_dir(const char *wanted)
{
	g_autoptr(MtwCaller) caller = mtw_caller_get(NULL);
	g_autofree char *folder = mtw_caller_state_dir(caller);
	g_autofree char *usual =
		g_build_filename(caller->home, ".local/state/mmiotrace-wizard", NULL);

	assert_string_equal(folder, wanted != NULL ? wanted : usual);
}

static void test_state_dir(void **state)
{
	(void)state;
	assert_state_dir(NULL);
	setenv("XDG_STATE_HOME", "/somewhere", 1);
	assert_state_dir("/somewhere/mmiotrace-wizard");
	setenv("XDG_STATE_HOME", "relative", 1);
	assert_state_dir(NULL);
	need_root();
	/* The variable is root's, not the person's. */
	setenv("XDG_STATE_HOME", "/somewhere", 1);
	setenv("SUDO_UID", "65534", 1);
	assert_state_dir(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_self, setup),
		cmocka_unit_test_setup(test_sudo, setup),
		cmocka_unit_test_setup(test_pkexec_comes_first, setup),
		cmocka_unit_test_setup(test_nonsense, setup),
		cmocka_unit_test_setup(test_unknown_user, setup),
		cmocka_unit_test_setup(test_believed_only_as_root, setup),
		cmocka_unit_test_setup(test_become_is_for_good, setup),
		cmocka_unit_test_setup(test_become_without_rights, setup),
		cmocka_unit_test_setup(test_state_dir, setup),
	};

	return cmocka_run_group_tests_name("base-caller", tests, NULL, NULL);
}
