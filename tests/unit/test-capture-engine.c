/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The local engine around a capture; the capture itself is in test-capture-run.c. */
#include "test-capture-kernel.h"

#include "base/cleanup.h"
#include "base/json.h"
#include "capture/engine.h"
#include "capture/session.h"

#include <sys/stat.h>

#define SESSIONS "var/lib/mmiotrace-wizard/sessions/"

static MtwEngine *engine;

static int setup(void **state)
{
	kernel_setup(state);
	engine = mtw_engine_new_local(kernel.root->paths);
	return 0;
}

static int teardown(void **state)
{
	mtw_engine_free(engine);
	return kernel_teardown(state);
}

/* A finished session that nobody has open. Returns: (transfer full): its id */
static char *make_session(void)
{
	g_autoptr(MtwSession) session =
		mtw_session_create(kernel.root->paths, 0x8086, 0x100e, NULL);
	g_autofree char *trace = g_build_filename(SESSIONS, session->id, "trace.txt", NULL);

	json_object_set_string_member(session->state, "device", NIC);
	assert_true(mtw_session_set_state(session, MTW_SESSION_CAPTURED, NULL));
	fake_root_put(kernel.root, trace, "VERSION 20070824\n");
	return g_strdup(session->id);
}

static void expect(GError **error, MtwErrorCode code)
{
	if (!g_error_matches(*error, MTW_ERROR, (int)code))
		fail_msg("%s", *error != NULL ? (*error)->message : "no error");
	g_clear_error(error);
}

static void test_plan(void **state)
{
	const MtwCaptureOptions options = { .device = NIC,
					    .buffer_kb = 64000,
					    .load_driver = TRUE };
	const MtwCaptureOptions wrong = { .device = "0000:77:00.0" };
	g_autoptr(GError) error = NULL;
	g_autoptr(JsonObject) plan = mtw_engine_plan(engine, &options, &error);

	(void)state;
	assert_null(error);
	assert_string_equal(mtw_json_string(plan, "way", ""), "rebind");
	assert_string_equal(kernel.written->str, "");
	assert_null(mtw_engine_plan(engine, &wrong, &error));
	expect(&error, MTW_ERROR_NOT_FOUND);
}

/* Only the real machine is changed, never what looks like one. */
static void test_start_is_refused(void **state)
{
	const MtwCaptureOptions options = { .device = NIC, .load_driver = TRUE };
	g_autofree char *folder = fake_root_path(kernel.root, "var/lib/mmiotrace-wizard");
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_false(mtw_engine_start(engine, &options, &error));
	expect(&error, MTW_ERROR_CANNOT_TRACE);
	assert_string_equal(kernel.written->str, "");
	assert_int_equal(g_access(folder, F_OK), -1);
}

/* Before anything began, whatever is asked is answered. */
static void test_without_session(void **state)
{
	g_autoptr(MtwMessage) about = mtw_message_new("x.txt", MTW_LEVEL_OK, "s", "", NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mtw_engine_session_id(engine));
	assert_null(mtw_engine_facts(engine));
	assert_null(mtw_engine_counters(engine));
	assert_int_equal(mtw_engine_open_file(engine, "trace.txt", &error), -1);
	expect(&error, MTW_ERROR_FAILED);
	assert_false(mtw_engine_mark(engine, "x", &error));
	expect(&error, MTW_ERROR_FAILED);
	assert_false(mtw_engine_keep_fact(engine, "x", json_node_init_int(json_node_alloc(), 1),
					  &error));
	expect(&error, MTW_ERROR_FAILED);
	assert_false(mtw_engine_keep_file(engine, about, "x", 1, &error));
	expect(&error, MTW_ERROR_FAILED);
	assert_null(mtw_engine_collect(engine, &error));
	expect(&error, MTW_ERROR_FAILED);
	assert_null(mtw_engine_next_event(engine, 1));
	mtw_engine_stop(engine);
	mtw_engine_log(engine, "nobody reads it");
}

static void test_open_session(void **state)
{
	g_autofree char *id = make_session();
	g_autoptr(MtwSession) session = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(mtw_engine_open_session(engine, id, &error));
	assert_string_equal(mtw_engine_session_id(engine), id);
	assert_string_equal(mtw_json_string(mtw_engine_facts(engine), "device", ""), NIC);
	/* It is ours now. */
	assert_null(mtw_session_open(kernel.root->paths, id, TRUE, &error));
	expect(&error, MTW_ERROR_BUSY);
	assert_false(mtw_engine_open_session(engine, "../x", &error));
	expect(&error, MTW_ERROR_NOT_FOUND);
	assert_null(mtw_engine_session_id(engine));
	/* And now it is not. */
	session = mtw_session_open(kernel.root->paths, id, TRUE, &error);
	assert_non_null(session);
	assert_false(mtw_engine_open_session(engine, id, &error));
	expect(&error, MTW_ERROR_BUSY);
}

static void test_facts_are_kept(void **state)
{
	g_autofree char *id = make_session();
	g_autoptr(MtwSession) read = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(mtw_engine_open_session(engine, id, &error));
	assert_true(mtw_engine_keep_fact(engine, "archive",
					 json_node_init_string(json_node_alloc(), "/a"), &error));
	read = mtw_session_open(kernel.root->paths, id, FALSE, NULL);
	assert_string_equal(mtw_json_string(read->state, "archive", ""), "/a");
}

static void test_open_file(void **state)
{
	static const char *const hostile[] = {
		"../../../../../precious",     "..",   ".",	   "", "/etc/passwd",
		"collected/../../x/trace.txt", "link", "collected"
	};
	g_autofree char *id = make_session();
	g_autofree char *link = g_build_filename(SESSIONS, id, "link", NULL);
	g_autofree char *file = g_build_filename(SESSIONS, id, "collected/lspci.txt", NULL);
	g_auto(MtwFd) fd = -1;
	g_auto(MtwFd) second = -1;
	g_autoptr(GError) error = NULL;

	(void)state;
	fake_root_put(kernel.root, "precious", "precious");
	fake_root_put(kernel.root, SESSIONS "x/trace.txt", "precious");
	fake_root_put(kernel.root, file, "text");
	fake_root_link(kernel.root, link, "../../../../../precious");
	assert_true(mtw_engine_open_session(engine, id, &error));
	fd = mtw_engine_open_file(engine, "trace.txt", &error);
	assert_true(fd >= 0);
	second = mtw_engine_open_file(engine, "collected/lspci.txt", &error);
	assert_true(second >= 0);
	for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
		int opened = mtw_engine_open_file(engine, hostile[i], &error);
		if (opened >= 0)
			fail_msg("\"%s\" was opened", hostile[i]);
		assert_non_null(error);
		g_clear_error(&error);
	}
}

static void test_keep_file(void **state)
{
	static const char *const hostile[] = { "../x", "", "a/b", ".hidden", "a\nb", "/x" };
	g_autofree char *id = make_session();
	g_autofree char *path = g_build_filename(SESSIONS, id, "collected/exercise-1.txt", NULL);
	g_autoptr(MtwMessage) about =
		mtw_message_new("exercise-1.txt", MTW_LEVEL_OK, "What it said.", "", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(mtw_engine_open_session(engine, id, &error));
	assert_true(mtw_engine_keep_file(engine, about, "out", 3, &error));
	text = fake_root_read(kernel.root, path);
	assert_string_equal(text, "out");
	for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
		g_autoptr(MtwMessage) bad =
			mtw_message_new(hostile[i], MTW_LEVEL_OK, "s", "", NULL);
		assert_false(mtw_engine_keep_file(engine, bad, "out", 3, &error));
		expect(&error, MTW_ERROR_FAILED);
	}
}

/* What is collected, and what was kept before, in one list; once. */
static void test_collect(void **state)
{
	g_autofree char *id = make_session();
	g_autofree char *lspci = g_build_filename(SESSIONS, id, "collected/lspci.txt", NULL);
	g_autoptr(MtwMessage) about =
		mtw_message_new("exercise-1.txt", MTW_LEVEL_OK, "What it said.", "", NULL);
	g_autoptr(GPtrArray) messages = NULL;
	g_autoptr(GPtrArray) again = NULL;
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(mtw_engine_open_session(engine, id, &error));
	assert_true(mtw_engine_keep_file(engine, about, "out", 3, &error));
	messages = mtw_engine_collect(engine, &error);
	assert_non_null(messages);
	assert_non_null(mtw_messages_find(messages, "lspci.txt"));
	assert_non_null(mtw_messages_find(messages, "exercise-1.txt"));
	text = fake_root_read(kernel.root, lspci);
	assert_non_null(strstr(text, NIC));
	again = mtw_engine_collect(engine, &error);
	assert_int_equal(again->len, messages->len);
}

/* A state that somebody edited. */
static void test_hostile_state(void **state)
{
	g_autofree char *id = make_session();
	g_autofree char *path = g_build_filename(SESSIONS, id, "state.json", NULL);
	g_autoptr(GPtrArray) messages = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	fake_root_put(kernel.root, path,
		      "{\"device\":\"" NIC "\",\"wanted\":[1,null,{},\"lspci\"],\"boot_id\":7,"
		      "\"collected_live\":[1,{},null],\"module\":[],\"driver\":{}}");
	assert_true(mtw_engine_open_session(engine, id, &error));
	messages = mtw_engine_collect(engine, &error);
	assert_true(messages != NULL || error != NULL);
}

#define ENGINE_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ENGINE_TEST(test_plan),
		ENGINE_TEST(test_start_is_refused),
		ENGINE_TEST(test_without_session),
		ENGINE_TEST(test_open_session),
		ENGINE_TEST(test_facts_are_kept),
		ENGINE_TEST(test_open_file),
		ENGINE_TEST(test_keep_file),
		ENGINE_TEST(test_collect),
		ENGINE_TEST(test_hostile_state),
	};

	return cmocka_run_group_tests_name("capture-engine", tests, NULL, NULL);
}
