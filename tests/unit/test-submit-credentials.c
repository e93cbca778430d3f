/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-report-fixture.h"

#include "base/cleanup.h"
#include "submit/credentials.h"

#include <stdlib.h>
#include <sys/wait.h>

#define TOKEN "glpat-0123456789abcdef"
#define OTHER "glpat-fedcba9876543210"

/* Each test: the folder is XDG_CONFIG_HOME, and there is no session bus. */
static int setup(void **state)
{
	if (fixture_setup(state) != 0)
		return -1;
	g_setenv("XDG_CONFIG_HOME", *state, TRUE);
	g_unsetenv("DBUS_SESSION_BUS_ADDRESS");
	g_unsetenv("XDG_RUNTIME_DIR");
	return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, fixture_teardown)

static MtwTarget target_of(const char *id)
{
	return (MtwTarget){ .id = (char *)id, .name = (char *)"Tracker", .user = (char *)"bob" };
}

static const MtwCredentialSource nothing_named = { .token_fd = -1 };

/* NULL: there must be none. */
static void expect_token(const char *id, const MtwCredentialSource *source, const char *token,
			 MtwCredentialOrigin origin)
{
	const MtwTarget target = target_of(id);
	g_autoptr(MtwSecret) secret = NULL;
	g_autoptr(GError) error = NULL;
	MtwCredentialOrigin found = MTW_CREDENTIAL_NONE;

	assert_true(mtw_credential_find(&target, source, &secret, &found, &error));
	assert_null(error);
	assert_int_equal(found, origin);
	if (token == NULL)
		assert_null(secret);
	else
		assert_string_equal(mtw_secret_text(secret), token);
}

static void expect_error(const char *id, const MtwCredentialSource *source, int code,
			 const char *part)
{
	const MtwTarget target = target_of(id);
	g_autoptr(MtwSecret) secret = NULL;
	g_autoptr(GError) error = NULL;
	MtwCredentialOrigin found = MTW_CREDENTIAL_NONE;

	assert_false(mtw_credential_find(&target, source, &secret, &found, &error));
	assert_null(secret);
	assert_int_equal(found, MTW_CREDENTIAL_NONE);
	if (!g_error_matches(error, MTW_ERROR, code) || strstr(error->message, part) == NULL)
		fail_msg("%d: %s", error->code, error->message);
	assert_null(strstr(error->message, TOKEN));
}

static void write_token(const char *folder, const char *id, const char *text, mode_t mode)
{
	g_autofree char *name = g_strconcat("mmiotrace-wizard/tokens/", id, NULL);
	g_autofree char *path = g_build_filename(folder, name, NULL);

	fixture_write(folder, name, text);
	assert_int_equal(chmod(path, mode), 0);
}

static void test_file(void **state)
{
	expect_token("file", &nothing_named, NULL, MTW_CREDENTIAL_NONE);
	write_token(*state, "file", " " TOKEN " \r\n\n", 0600);
	expect_token("file", &nothing_named, TOKEN, MTW_CREDENTIAL_FILE);
	write_token(*state, "file", TOKEN, 0400);
	expect_token("file", &nothing_named, TOKEN, MTW_CREDENTIAL_FILE);
	expect_token("fil", &nothing_named, NULL, MTW_CREDENTIAL_NONE);
	expect_token("../tokens/file", &nothing_named, NULL, MTW_CREDENTIAL_NONE);
}

static void test_file_of_all(void **state)
{
	static const mode_t modes[] = { 0644, 0640, 0604, 0620, 0602, 0601 };

	for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
		write_token(*state, "open", TOKEN, modes[i]);
		expect_error("open", &nothing_named, MTW_ERROR_PERMISSION, "chmod 600 /");
	}
}

static void test_no_file(void **state)
{
	g_autofree char *fifo = g_build_filename(*state, "fifo", NULL);
	g_autofree char *link = g_build_filename(*state, "link", NULL);
	g_autofree char *missing = g_build_filename(*state, "missing", NULL);
	MtwCredentialSource source = { .token_fd = -1 };

	write_token(*state, "real", TOKEN, 0600);
	fixture_link(*state, "mmiotrace-wizard/tokens/link", "real");
	expect_error("link", &nothing_named, MTW_ERROR_PERMISSION, "symbolic link");
	fixture_link(*state, "link", "mmiotrace-wizard/tokens/real");
	source.token_file = link;
	expect_error("x", &source, MTW_ERROR_PERMISSION, "symbolic link");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	source.token_file = fifo;
	expect_error("x", &source, MTW_ERROR_INVALID, "--token-fd");
	source.token_file = *state;
	expect_error("x", &source, MTW_ERROR_INVALID, "regular file");
	source.token_file = missing;
	expect_error("x", &source, MTW_ERROR_NOT_FOUND, "missing");
}

static void test_file_of_another(void **state)
{
	g_autofree char *path =
		g_build_filename(*state, "mmiotrace-wizard", "tokens", "foreign", NULL);

	if (geteuid() != 0)
		skip();
	write_token(*state, "foreign", TOKEN, 0600);
	assert_int_equal(chown(path, 65534, 65534), 0);
	expect_error("foreign", &nothing_named, MTW_ERROR_PERMISSION, "belongs to user 65534");
}

static void test_content(void **state)
{
	g_autofree char *long_text = g_strnfill(64 * 1024 + 1, 'x');

	write_token(*state, "bad", "", 0600);
	expect_error("bad", &nothing_named, MTW_ERROR_INVALID, "empty");
	write_token(*state, "bad", " \n", 0600);
	expect_error("bad", &nothing_named, MTW_ERROR_INVALID, "empty");
	write_token(*state, "bad", TOKEN "\nX-Evil: 1\n", 0600);
	expect_error("bad", &nothing_named, MTW_ERROR_INVALID, "more than one line");
	write_token(*state, "bad", long_text, 0600);
	expect_error("bad", &nothing_named, MTW_ERROR_INVALID, "too long");
	long_text[64 * 1024] = '\0';
	write_token(*state, "bad", long_text, 0600);
	expect_token("bad", &nothing_named, long_text, MTW_CREDENTIAL_FILE);
}

static void test_order(void **state)
{
	g_autofree char *named = g_build_filename(*state, "named", NULL);
	const MtwCredentialSource source = { .token_file = named, .token_fd = -1 };

	write_token(*state, "a.b-c", OTHER, 0600);
	g_setenv("MMIOTRACE_WIZARD_TOKEN_A_B_C", "", TRUE);
	expect_token("a.b-c", &nothing_named, OTHER, MTW_CREDENTIAL_FILE);
	g_setenv("MMIOTRACE_WIZARD_TOKEN_A_B_C", TOKEN "\n", TRUE);
	expect_token("a.b-c", &nothing_named, TOKEN, MTW_CREDENTIAL_ENVIRONMENT);
	assert_null(g_getenv("MMIOTRACE_WIZARD_TOKEN_A_B_C"));
	expect_token("a.b-c", &nothing_named, TOKEN, MTW_CREDENTIAL_ENVIRONMENT);
	expect_token("a.b", &nothing_named, NULL, MTW_CREDENTIAL_NONE);
	fixture_write(*state, "named", "third\n");
	assert_int_equal(chmod(named, 0600), 0);
	expect_token("a.b-c", &source, "third", MTW_CREDENTIAL_NAMED);
	g_setenv("MMIOTRACE_WIZARD_TOKEN_FORGED", "a\nb", TRUE);
	expect_error("forged", &nothing_named, MTW_ERROR_INVALID, "MMIOTRACE_WIZARD_TOKEN_FORGED");
}

static int pipe_with(const char *text)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
	close(ends[1]);
	return ends[0];
}

/* They can be read once; the second call of the same program has the token all the same. */
static void test_descriptors(void **state)
{
	MtwCredentialSource source = { .token_fd = pipe_with(TOKEN "\n") };
	int stdin_copy = dup(STDIN_FILENO);
	int end = pipe_with(OTHER "\n");

	(void)state;
	expect_token("x", &source, TOKEN, MTW_CREDENTIAL_NAMED);
	assert_int_equal(fcntl(source.token_fd, F_GETFD), -1);
	expect_token("x", &source, TOKEN, MTW_CREDENTIAL_NAMED);
	assert_int_equal(dup2(end, STDIN_FILENO), STDIN_FILENO);
	source = (MtwCredentialSource){ .token_file = "-", .token_fd = -1 };
	expect_token("x", &source, OTHER, MTW_CREDENTIAL_NAMED);
	expect_token("x", &source, OTHER, MTW_CREDENTIAL_NAMED);
	dup2(stdin_copy, STDIN_FILENO);
	close(stdin_copy);
	close(end);
	source = (MtwCredentialSource){ .token_fd = 12345 };
	expect_error("x", &source, MTW_ERROR_FAILED, "--token-fd");
}

/* ---- the environment of a program that really was started with the token ---- */

#define VARIABLE "MMIOTRACE_WIZARD_TOKEN_STARTED"

/* Whether the kernel shows the token as part of the environment; @fd: /proc/self/environ */
static gboolean is_shown(int fd)
{
	char shown[4096];
	ssize_t bytes = pread(fd, shown, sizeof shown, 0);

	assert_true(bytes > 0);
	return memmem(shown, (gsize)bytes, TOKEN, strlen(TOKEN)) != NULL;
}

/* In the program that test_environment starts. Returns: its exit status */
static int look_at_environment(void)
{
	const MtwTarget target = target_of("started");
	g_autoptr(MtwSecret) secret = NULL;
	MtwCredentialOrigin origin;
	/* Opened now: a process that cannot be dumped may not open its own. */
	g_auto(MtwFd) fd = open("/proc/self/environ", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || !is_shown(fd))
		return 10;
	mtw_credential_take_environment();
	if (is_shown(fd))
		return 11;
	if (g_getenv(VARIABLE) != NULL || g_getenv("MMIOTRACE_WIZARD_TOKEN_OF_ANOTHER") != NULL)
		return 12;
	if (!mtw_credential_find(&target, &nothing_named, &secret, &origin, NULL) ||
	    origin != MTW_CREDENTIAL_ENVIRONMENT || strcmp(mtw_secret_text(secret), TOKEN) != 0)
		return 13;
	return 0;
}

static int wait_for(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_environment(void **state)
{
	static char name[] = "test", option[] = "--environment", first[] = VARIABLE "=" TOKEN,
		    second[] = "MMIOTRACE_WIZARD_TOKEN_OF_ANOTHER=" TOKEN;
	char *argv[] = { name, option, NULL };
	char *environment[] = { first, second, NULL };
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		execve("/proc/self/exe", argv, environment);
		_exit(1);
	}
	assert_int_equal(wait_for(pid), 0);
}

/* ---- remembering ---- */

static void remember(const char *id, const char *token, const char *where)
{
	const MtwTarget target = target_of(id);
	g_autoptr(MtwSecret) secret = mtw_secret_new(token, strlen(token));
	g_autoptr(GError) error = NULL;
	const char *kept = NULL;

	if (!mtw_credential_remember(&target, secret, &kept, &error))
		fail_msg("%s", error->message);
	assert_string_equal(kept, where);
}

static void forget(const char *id)
{
	const MtwTarget target = target_of(id);
	g_autoptr(GError) error = NULL;

	if (!mtw_credential_forget(&target, &error))
		fail_msg("%s", error->message);
}

static void expect_mode(const char *folder, const char *name, mode_t mode)
{
	g_autofree char *path = g_build_filename(folder, "mmiotrace-wizard", name, NULL);
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, mode);
}

static void test_remember_file(void **state)
{
	mode_t before = umask(0);

	remember("kept", TOKEN, "file");
	umask(before);
	expect_mode(*state, "tokens", 0700);
	expect_mode(*state, "tokens/kept", 0600);
	expect_token("kept", &nothing_named, TOKEN, MTW_CREDENTIAL_FILE);
	remember("kept", OTHER, "file");
	expect_token("kept", &nothing_named, OTHER, MTW_CREDENTIAL_FILE);
	forget("kept");
	expect_token("kept", &nothing_named, NULL, MTW_CREDENTIAL_NONE);
	forget("kept");
}

/* A link where the token would be written leads nowhere. */
static void test_remember_link(void **state)
{
	g_autofree char *victim = NULL;

	fixture_write(*state, "victim", "untouched");
	fixture_link(*state, "mmiotrace-wizard/tokens/kept", "../../victim");
	fixture_link(*state, "mmiotrace-wizard/tokens/kept.new", "../../victim");
	remember("kept", TOKEN, "file");
	victim = fixture_read(*state, "victim");
	assert_string_equal(victim, "untouched");
	expect_mode(*state, "tokens/kept", 0600);
}

static void test_remember_bad(void **state)
{
	const MtwTarget target = target_of("bad");
	g_autoptr(MtwSecret) secret = mtw_secret_new("a\nb", 3);
	g_autoptr(GError) error = NULL;
	const char *where = NULL;

	(void)state;
	assert_false(mtw_credential_remember(&target, secret, &where, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	expect_token("bad", &nothing_named, NULL, MTW_CREDENTIAL_NONE);
}

/* Only what the process's own user has: root does not use the tokens of who called sudo. */
static void test_other_caller(void **state)
{
	if (geteuid() != 0)
		skip();
	write_token(*state, "mine", TOKEN, 0600);
	g_setenv("SUDO_UID", "65534", TRUE);
	expect_token("mine", &nothing_named, NULL, MTW_CREDENTIAL_NONE);
	g_unsetenv("SUDO_UID");
	expect_token("mine", &nothing_named, TOKEN, MTW_CREDENTIAL_FILE);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(mtw_credential_origin_name(MTW_CREDENTIAL_NONE), "none");
	assert_string_equal(mtw_credential_origin_name(MTW_CREDENTIAL_FILE), "file");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_file),	  TEST(test_file_of_all),
		TEST(test_no_file),	  TEST(test_file_of_another),
		TEST(test_content),	  TEST(test_order),
		TEST(test_descriptors),	  TEST(test_environment),
		TEST(test_remember_file), TEST(test_remember_link),
		TEST(test_remember_bad),  TEST(test_other_caller),
		TEST(test_names),
	};

	if (argc > 1 && strcmp(argv[1], "--environment") == 0)
		return look_at_environment();
	return cmocka_run_group_tests_name("submit-credentials", tests, NULL, NULL);
}
