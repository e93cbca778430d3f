/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A real keyring on a session bus of its own; and buses that are not there or do not answer. Each test in a process
 * of its own: GLib connects to one session bus in its life.
 */
#include "test-report-fixture.h"

#include "base/cleanup.h"
#include "submit/credentials.h"

#include <gio/gio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#define TOKEN "glpat-0123456789abcdef"
#define DBUS_DAEMON "/usr/bin/dbus-daemon"
#define KEYRING_DAEMON "/usr/bin/gnome-keyring-daemon"
#define CANNOT_BE_TESTED 77

static MtwTarget target_of(const char *id, const char *user)
{
	return (MtwTarget){ .id = (char *)id, .name = (char *)"Tracker", .user = (char *)user };
}

/* What must not fail in the child; the line is told by the exit status' message. */
#define CHECK(condition)                                                                \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			return 1;                                                       \
		}                                                                       \
	} while (0)

/* Returns: TRUE when what is found is @token (NULL: nothing) from @origin */
static gboolean finds(const char *id, const char *user, const char *token,
		      MtwCredentialOrigin origin, gboolean no_keyring)
{
	const MtwTarget target = target_of(id, user);
	const MtwCredentialSource source = { .token_fd = -1, .no_keyring = no_keyring };
	g_autoptr(MtwSecret) secret = NULL;
	MtwCredentialOrigin found;

	return mtw_credential_find(&target, &source, &secret, &found, NULL) && found == origin &&
	       g_strcmp0(secret != NULL ? mtw_secret_text(secret) : NULL, token) == 0;
}

static gboolean remembers(const char *id, const char *user, const char *token, const char *where)
{
	const MtwTarget target = target_of(id, user);
	g_autoptr(MtwSecret) secret = mtw_secret_new(token, strlen(token));
	const char *kept = NULL;

	return mtw_credential_remember(&target, secret, &kept, NULL) && strcmp(kept, where) == 0;
}

/* ---- servers ---- */

/* @input: (nullable) for its standard input */
static pid_t start_program(char **argv, const char *input)
{
	int ends[2] = { -1, -1 };
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	if (input != NULL)
		assert_int_equal(write(ends[1], input, strlen(input)), strlen(input));
	close(ends[1]);
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		dup2(ends[0], STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execv(argv[0], argv);
		_exit(127);
	}
	close(ends[0]);
	return pid;
}

static void stop_program(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static gboolean wait_for_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	g_strlcpy(address.sun_path, path, sizeof address.sun_path);
	for (int i = 0; i < 3000; i++) {
		g_auto(MtwFd) fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
			return TRUE;
		g_usleep(10000);
	}
	return FALSE;
}

static pid_t start_bus(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "bus", NULL);
	g_autofree char *address = g_strconcat("unix:path=", path, NULL);
	g_autofree char *option = g_strconcat("--address=", address, NULL);
	char *argv[] = { (char *)DBUS_DAEMON,
			 (char *)"--session",
			 (char *)"--nofork",
			 (char *)"--nopidfile",
			 option,
			 NULL };
	pid_t pid = start_program(argv, NULL);

	g_setenv("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
	return wait_for_socket(path) ? pid : -1;
}

static gboolean wait_for_name(const char *name)
{
	g_autoptr(GDBusConnection) bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);

	for (int i = 0; i < 3000 && bus != NULL; i++) {
		gboolean there = FALSE;
		g_autoptr(GVariant) answer = g_dbus_connection_call_sync(
			bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
			"org.freedesktop.DBus", "NameHasOwner", g_variant_new("(s)", name),
			G_VARIANT_TYPE("(b)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
		if (answer != NULL)
			g_variant_get(answer, "(b)", &there);
		if (there)
			return TRUE;
		g_usleep(10000);
	}
	return FALSE;
}

static pid_t start_keyring(const char *folder)
{
	g_autofree char *control = g_strconcat("--control-directory=", folder, NULL);
	char *argv[] = { (char *)KEYRING_DAEMON,
			 (char *)"--foreground",
			 (char *)"--unlock",
			 (char *)"--components=secrets",
			 control,
			 NULL };
	pid_t pid = start_program(argv, "password of the keyring");

	return wait_for_name("org.freedesktop.secrets") ? pid : -1;
}

/* ---- what the children do ---- */

/* A call to the keyring itself. Returns: (transfer full) (nullable) */
static GVariant *call_keyring(const char *method, GVariant *arguments)
{
	g_autoptr(GDBusConnection) bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);

	return g_dbus_connection_call_sync(bus, "org.freedesktop.secrets",
					   "/org/freedesktop/secrets",
					   "org.freedesktop.Secret.Service", method, arguments,
					   NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
}

static gboolean lock_keyring(void)
{
	g_autoptr(GVariant) alias = call_keyring("ReadAlias", g_variant_new("(s)", "default"));
	g_autoptr(GVariant) locked = NULL;
	const char *paths[] = { NULL, NULL };

	if (alias == NULL)
		return FALSE;
	g_variant_get(alias, "(&o)", &paths[0]);
	locked = call_keyring("Lock", g_variant_new("(^ao)", paths));
	return locked != NULL;
}

static int use_keyring(const char *folder)
{
	g_autofree char *file = g_build_filename(folder, "mmiotrace-wizard/tokens/one", NULL);
	const MtwTarget target = target_of("one", "bob");

	CHECK(finds("one", "bob", NULL, MTW_CREDENTIAL_NONE, FALSE));
	fixture_write(folder, "mmiotrace-wizard/tokens/one", "old");
	CHECK(chmod(file, 0600) == 0);
	CHECK(finds("one", "bob", "old", MTW_CREDENTIAL_FILE, FALSE));
	CHECK(remembers("one", "bob", TOKEN, "keyring"));
	/* The file that it replaces is gone. */
	CHECK(access(file, F_OK) != 0);
	CHECK(finds("one", "bob", TOKEN, MTW_CREDENTIAL_KEYRING, FALSE));
	CHECK(finds("one", "bob", NULL, MTW_CREDENTIAL_NONE, TRUE));
	CHECK(finds("one", "eve", NULL, MTW_CREDENTIAL_NONE, FALSE));
	CHECK(finds("two", "bob", NULL, MTW_CREDENTIAL_NONE, FALSE));
	CHECK(remembers("one", "bob", "another", "keyring"));
	CHECK(remembers("two", "bob", "of two", "keyring"));
	CHECK(finds("one", "bob", "another", MTW_CREDENTIAL_KEYRING, FALSE));
	CHECK(mtw_credential_forget(&target, NULL));
	CHECK(finds("one", "bob", NULL, MTW_CREDENTIAL_NONE, FALSE));
	CHECK(finds("two", "bob", "of two", MTW_CREDENTIAL_KEYRING, FALSE));
	CHECK(mtw_credential_forget(&target, NULL));
	CHECK(lock_keyring());
	/* Nobody is there to type the password. */
	CHECK(finds("two", "bob", NULL, MTW_CREDENTIAL_NONE, FALSE));
	CHECK(finds("one", "bob", NULL, MTW_CREDENTIAL_NONE, FALSE));
	return 0;
}

static int with_keyring(const char *folder)
{
	pid_t bus, keyring;
	int result = CANNOT_BE_TESTED;

	if (access(DBUS_DAEMON, X_OK) != 0 || access(KEYRING_DAEMON, X_OK) != 0)
		return CANNOT_BE_TESTED;
	bus = start_bus(folder);
	CHECK(bus > 0);
	keyring = start_keyring(folder);
	if (keyring > 0) {
		result = use_keyring(folder);
		stop_program(keyring);
	}
	stop_program(bus);
	return result;
}

/* The order of things where the keyring cannot be used: it goes on with the file. */
static int use_file(void)
{
	CHECK(remembers("one", "bob", TOKEN, "file"));
	CHECK(finds("one", "bob", TOKEN, MTW_CREDENTIAL_FILE, FALSE));
	return 0;
}

static int without_bus(const char *folder)
{
	(void)folder;
	g_unsetenv("DBUS_SESSION_BUS_ADDRESS");
	return use_file();
}

static int with_dead_bus(const char *folder)
{
	g_autofree char *address = g_strdup_printf("unix:path=%s/nowhere", folder);

	g_setenv("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
	return use_file();
}

/* Takes the connection, or does not even do that, and never says a word. */
static int with_silent_bus(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "silent", NULL);
	g_autofree char *address_text = g_strconcat("unix:path=", path, NULL);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	g_auto(MtwFd) fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	g_strlcpy(address.sun_path, path, sizeof address.sun_path);
	CHECK(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
	CHECK(listen(fd, 8) == 0);
	g_setenv("DBUS_SESSION_BUS_ADDRESS", address_text, TRUE);
	return use_file();
}

/* On the bus, but the keyring itself hangs: a process that has its name and answers nothing. */
static pid_t start_silent_keyring(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
		/* Its worker thread would answer calls to unknown objects: it gets no chance to. */
		g_dbus_connection_call_sync(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
					    "org.freedesktop.DBus", "RequestName",
					    g_variant_new("(su)", "org.freedesktop.secrets", 0),
					    NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	return pid;
}

static int with_silent_keyring(const char *folder)
{
	pid_t bus, keyring;
	int result, status;

	if (access(DBUS_DAEMON, X_OK) != 0)
		return CANNOT_BE_TESTED;
	bus = start_bus(folder);
	CHECK(bus > 0);
	keyring = start_silent_keyring();
	CHECK(waitpid(keyring, &status, WUNTRACED) == keyring && WIFSTOPPED(status));
	result = use_file();
	stop_program(keyring);
	stop_program(bus);
	return result;
}

static void run_in_child(const char *folder, int (*test)(const char *folder))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		g_setenv("XDG_CONFIG_HOME", folder, TRUE);
		g_setenv("XDG_DATA_HOME", folder, TRUE);
		g_setenv("HOME", folder, TRUE);
		g_unsetenv("XDG_RUNTIME_DIR");
		_exit(test(folder));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == CANNOT_BE_TESTED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_keyring(void **state)
{
	run_in_child(*state, with_keyring);
}

static void test_no_bus(void **state)
{
	run_in_child(*state, without_bus);
	run_in_child(*state, with_dead_bus);
}

static void test_silent_bus(void **state)
{
	run_in_child(*state, with_silent_bus);
}

static void test_silent_keyring(void **state)
{
	run_in_child(*state, with_silent_keyring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(test_keyring),
		FIXTURE_TEST(test_no_bus),
		FIXTURE_TEST(test_silent_bus),
		FIXTURE_TEST(test_silent_keyring),
	};

	return cmocka_run_group_tests_name("submit-credentials-keyring", tests, NULL, NULL);
}
