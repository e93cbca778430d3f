/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/session.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SESSIONS "var/lib/mmiotrace-wizard/sessions/"

static MtwSession *create(FakeRoot *root)
{
	g_autoptr(GError) error = NULL;
	MtwSession *session = mtw_session_create(root->paths, 0x8086, 0x100e, &error);

	assert_null(error);
	assert_non_null(session);
	return session;
}

/* Creates one and lets go of it. Returns: (transfer full): its id */
static char *create_and_close(FakeRoot *root)
{
	g_autoptr(MtwSession) session = create(root);

	return g_strdup(session->id);
}

static void expect(GError **error, MtwErrorCode code)
{
	if (!g_error_matches(*error, MTW_ERROR, (int)code))
		fail_msg("%s", *error != NULL ? (*error)->message : "no error");
	g_clear_error(error);
}

static mode_t mode_of(FakeRoot *root, const char *path)
{
	g_autofree char *full = fake_root_path(root, path);
	struct stat status;

	assert_int_equal(lstat(full, &status), 0);
	return status.st_mode & 07777;
}

static void test_create(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwSession) session = create(root);
	g_autoptr(MtwSession) read = mtw_session_open(root->paths, session->id, FALSE, NULL);
	g_autofree char *file = g_strconcat(SESSIONS, session->id, "/state.json", NULL);

	assert_true(g_str_has_suffix(session->id, "-8086-100e"));
	assert_non_null(read);
	assert_string_equal(mtw_json_string(read->state, "id", ""), session->id);
	assert_string_equal(mtw_json_string(read->state, "state", ""), MTW_SESSION_PREPARING);
	assert_true(mtw_json_bool(read->state, "restored", FALSE));
	assert_int_equal(mtw_json_int(read->state, "format", 0), 1);
	assert_int_equal(mode_of(root, "var/lib/mmiotrace-wizard"), 0700);
	assert_int_equal(mode_of(root, SESSIONS), 0700);
	assert_int_equal(mode_of(root, file), 0600);
}

static void test_ids_are_unique(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GPtrArray) listed = NULL;

	for (int i = 0; i < 5; i++)
		assert_true(g_hash_table_add(ids, create_and_close(root)));
	listed = mtw_session_list(root->paths);
	assert_int_equal(listed->len, 5);
	for (guint i = 0; i < listed->len; i++)
		assert_true(g_hash_table_contains(ids, listed->pdata[i]));
}

static void test_state_is_kept(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwSession) session = create(root);
	g_autoptr(MtwSession) read = NULL;

	json_object_set_string_member(session->state, "device", "0000:00:04.0");
	assert_true(mtw_session_set_state(session, MTW_SESSION_CAPTURED, NULL));
	read = mtw_session_open(root->paths, session->id, FALSE, NULL);
	assert_string_equal(mtw_json_string(read->state, "state", ""), MTW_SESSION_CAPTURED);
	assert_string_equal(mtw_json_string(read->state, "device", ""), "0000:00:04.0");
}

static void test_log(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwSession) session = create(root);
	g_autoptr(MtwSession) reader = mtw_session_open(root->paths, session->id, FALSE, NULL);
	g_autofree char *file = g_strconcat(SESSIONS, session->id, "/log", NULL);
	g_autofree char *text = NULL;

	mtw_session_log(session, "100%% of %s", "it");
	mtw_session_log(reader, "a reader does not write");
	text = fake_root_read(root, file);
	assert_true(g_regex_match_simple("^\\d\\d:\\d\\d:\\d\\d 100% of it$", text,
					 G_REGEX_MULTILINE, 0));
	assert_null(strstr(text, "a reader"));
}

/* A child that holds the session until it is killed. Returns: its pid; it has begun */
static pid_t hold_in_child(FakeRoot *root, const char *id)
{
	int ready[2];
	pid_t pid;
	char byte;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		MtwSession *session = mtw_session_open(root->paths, id, TRUE, NULL);
		int lock = mtw_capture_lock(root->paths, NULL);
		if (session == NULL || lock < 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* The lock goes with the process, however that ends. */
static void test_live(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *id = create_and_close(root);
	g_autoptr(MtwSession) reader = mtw_session_open(root->paths, id, FALSE, NULL);
	g_autoptr(MtwSession) owner = NULL;
	g_autoptr(GError) error = NULL;
	int lock;
	pid_t pid;

	assert_false(mtw_session_is_live(reader));
	pid = hold_in_child(root, id);
	assert_true(mtw_session_is_live(reader));
	assert_null(mtw_session_open(root->paths, id, TRUE, &error));
	expect(&error, MTW_ERROR_BUSY);
	assert_int_equal(mtw_capture_lock(root->paths, &error), -1);
	expect(&error, MTW_ERROR_BUSY);
	assert_false(mtw_session_delete(root->paths, id, &error));
	expect(&error, MTW_ERROR_BUSY);
	end_child(pid);
	assert_false(mtw_session_is_live(reader));
	owner = mtw_session_open(root->paths, id, TRUE, &error);
	assert_non_null(owner);
	lock = mtw_capture_lock(root->paths, &error);
	assert_true(lock >= 0);
	close(lock);
}

static gpointer look_again_and_again(gpointer data)
{
	const MtwSession *session = data;

	for (int i = 0; i < 20000; i++)
		mtw_session_is_live(session);
	return NULL;
}

/* Somebody who only looks (`sessions`) keeps nobody from working on it. */
static void test_looking_disturbs_nobody(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *id = create_and_close(root);
	g_autoptr(MtwSession) reader = mtw_session_open(root->paths, id, FALSE, NULL);
	GThread *thread = g_thread_new("looks", look_again_and_again, reader);
	g_autoptr(GError) error = NULL;

	for (int i = 0; i < 1000 && error == NULL; i++)
		mtw_session_free(mtw_session_open(root->paths, id, TRUE, &error));
	g_thread_join(thread);
	assert_null(error);
}

static void test_hostile_ids(void **state)
{
	static const char *const ids[] = {
		"",
		".",
		"..",
		"../x",
		"../../../../etc",
		"/etc",
		"20260101-000000-8086-100e/../../x",
		"20260101-000000-8086-100E",
		"a b",
		"a\nb",
		"\xc3\xa4",
		"0123456789012345678901234567890123456789012345678901234567890123"
	};
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;

	fake_root_put(root, "var/lib/mmiotrace-wizard/x/state.json", "{\"restored\":true}");
	fake_root_put(root, SESSIONS "abc/state.json", "{\"restored\":true}");
	for (gsize i = 0; i < G_N_ELEMENTS(ids); i++) {
		assert_null(mtw_session_open(root->paths, ids[i], FALSE, &error));
		expect(&error, MTW_ERROR_NOT_FOUND);
		assert_false(mtw_session_delete(root->paths, ids[i], &error));
		expect(&error, MTW_ERROR_NOT_FOUND);
	}
	g_free(fake_root_read(root, "var/lib/mmiotrace-wizard/x/state.json"));
}

static void test_list(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) none = mtw_session_list(root->paths);
	g_autoptr(GPtrArray) ids = NULL;

	assert_int_equal(none->len, 0);
	fake_root_put(root, SESSIONS "20260102-000000-8086-100e/state.json", "{}");
	fake_root_put(root, SESSIONS "20260101-000000-8086-100e/state.json", "{}");
	fake_root_put(root, SESSIONS "lost+found/state.json", "{}");
	fake_root_put(root, SESSIONS "README", "");
	ids = mtw_session_list(root->paths);
	assert_int_equal(ids->len, 2);
	assert_string_equal(ids->pdata[0], "20260101-000000-8086-100e");
}

static void test_broken_state(void **state)
{
	static const struct {
		const char *text; /* NULL: no file */
		MtwErrorCode code;
	} cases[] = {
		{ NULL, MTW_ERROR_NOT_FOUND },
		{ "", MTW_ERROR_INVALID },
		{ "{\"state\":", MTW_ERROR_INVALID },
		{ "[]", MTW_ERROR_INVALID },
	};
	FakeRoot *root = *state;

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		fake_root_remove(root, SESSIONS "abc");
		if (cases[i].text != NULL)
			fake_root_put(root, SESSIONS "abc/state.json", cases[i].text);
		assert_null(mtw_session_open(root->paths, "abc", FALSE, &error));
		assert_non_null(strstr(error->message, "abc"));
		expect(&error, cases[i].code);
	}
}

static gboolean exists(FakeRoot *root, const char *path)
{
	g_autofree char *full = fake_root_path(root, path);
	struct stat status;

	return lstat(full, &status) == 0;
}

static void test_delete(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *id = create_and_close(root);
	g_autofree char *folder = g_strconcat(SESSIONS, id, NULL);
	g_autofree char *link = g_strconcat(folder, "/collected/link", NULL);
	g_autofree char *file = g_strconcat(folder, "/collected/deep/file", NULL);
	g_autoptr(GError) error = NULL;

	fake_root_put(root, "precious/file", "precious");
	fake_root_put(root, file, "");
	fake_root_link(root, link, "../../../../../../precious");
	assert_true(mtw_session_delete(root->paths, id, &error));
	assert_false(exists(root, folder));
	assert_true(exists(root, "precious/file"));
	assert_false(mtw_session_delete(root->paths, id, &error));
	expect(&error, MTW_ERROR_NOT_FOUND);
}

/* The journal is all that knows how the machine was. */
static void test_delete_not_restored(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *id = NULL;
	g_autofree char *folder = NULL;
	g_autoptr(GError) error = NULL;
	MtwSession *session = create(root);

	id = g_strdup(session->id);
	folder = g_strconcat(SESSIONS, id, NULL);
	json_object_set_boolean_member(session->state, "restored", FALSE);
	assert_true(mtw_session_save(session, NULL));
	mtw_session_free(session);
	assert_false(mtw_session_delete(root->paths, id, &error));
	expect(&error, MTW_ERROR_NOT_RESTORED);
	assert_true(exists(root, folder));
}

static void test_folder_of_somebody_else(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *folder = fake_root_path(root, "var/lib/mmiotrace-wizard");
	g_autoptr(GError) error = NULL;

	fake_root_put(root, "elsewhere/x", "");
	fake_root_put(root, "var/lib/x", "");
	fake_root_link(root, "var/lib/mmiotrace-wizard", "../../elsewhere");
	assert_null(mtw_session_create(root->paths, 1, 2, &error));
	expect(&error, MTW_ERROR_PERMISSION);
	assert_int_equal(mtw_capture_lock(root->paths, &error), -1);
	expect(&error, MTW_ERROR_PERMISSION);
	assert_false(exists(root, "elsewhere/sessions"));
	assert_false(exists(root, "elsewhere/capture.lock"));
}

static void test_reserve(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwSession) session = create(root);
	g_autofree char *file = g_strconcat(SESSIONS, session->id, "/reserve", NULL);

	mtw_session_release(session);
	mtw_session_reserve(session);
	assert_true(exists(root, file));
	mtw_session_reserve(session);
	assert_true(exists(root, file));
	mtw_session_release(session);
	assert_false(exists(root, file));
}

static gboolean is_wanted(const char *id, gpointer hidden)
{
	return g_strcmp0(id, hidden) != 0;
}

static JsonObject *facts_at(JsonArray *array, guint index, const char *id)
{
	JsonObject *facts = json_array_get_object_element(array, index);

	assert_string_equal(mtw_json_string(facts, "id", ""), id);
	return facts;
}

/* A dead one, one at work, one that is somebody else's, one that cannot be read. */
static void test_all_facts(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *dead = create_and_close(root);
	g_autoptr(MtwSession) at_work = create(root);
	g_autofree char *hidden = create_and_close(root);
	g_autofree char *broken = create_and_close(root);
	g_autofree char *file = g_strconcat(SESSIONS, broken, "/state.json", NULL);
	g_autoptr(GPtrArray) problems =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_error_free);
	g_autoptr(JsonArray) all = NULL;
	JsonObject *facts;

	fake_root_put(root, file, "{");
	all = mtw_session_all_facts(root->paths, is_wanted, hidden, problems);
	assert_int_equal(json_array_get_length(all), 2);
	assert_int_equal(problems->len, 1);
	assert_non_null(strstr(((const GError *)problems->pdata[0])->message, broken));
	facts = facts_at(all, 0, dead);
	assert_false(mtw_session_is_at_work(facts));
	assert_string_equal(mtw_session_state_now(facts), MTW_SESSION_DIED);
	facts = facts_at(all, 1, at_work->id);
	assert_true(mtw_session_is_at_work(facts));
	assert_string_equal(mtw_session_state_now(facts), MTW_SESSION_PREPARING);
	json_array_unref(g_steal_pointer(&all));
	all = mtw_session_all_facts(root->paths, NULL, NULL, NULL);
	assert_int_equal(json_array_get_length(all), 3);
}

/* The service may have one open whose capture is over; and one that ended did not die. */
static void test_over_and_open(void **state)
{
	g_autoptr(MtwSession) session = create(*state);

	assert_true(mtw_session_set_state(session, MTW_SESSION_CAPTURED, NULL));
	assert_false(mtw_session_is_at_work(mtw_session_facts(session)));
	assert_true(mtw_json_bool(session->state, "live", FALSE));
	assert_string_equal(mtw_session_state_now(session->state), MTW_SESSION_CAPTURED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_ROOT_TEST(test_create),
		FAKE_ROOT_TEST(test_ids_are_unique),
		FAKE_ROOT_TEST(test_state_is_kept),
		FAKE_ROOT_TEST(test_log),
		FAKE_ROOT_TEST(test_live),
		FAKE_ROOT_TEST(test_looking_disturbs_nobody),
		FAKE_ROOT_TEST(test_hostile_ids),
		FAKE_ROOT_TEST(test_list),
		FAKE_ROOT_TEST(test_broken_state),
		FAKE_ROOT_TEST(test_delete),
		FAKE_ROOT_TEST(test_delete_not_restored),
		FAKE_ROOT_TEST(test_folder_of_somebody_else),
		FAKE_ROOT_TEST(test_reserve),
		FAKE_ROOT_TEST(test_all_facts),
		FAKE_ROOT_TEST(test_over_and_open),
	};

	return cmocka_run_group_tests_name("capture-session", tests, NULL, NULL);
}
