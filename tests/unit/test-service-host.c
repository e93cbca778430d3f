/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host without a capture, and the jobs; captures are in tests/service, where there is a kernel. */
#include "fake-root.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/session.h"
#include "service/job.h"

#include <string.h>

#define ALICE 1000
#define BOB 1001

static FakeRoot *root;
static MtwHost *host;

static void on_event(const char *session, guint number, gpointer user_data)
{
	(void)session;
	(void)number;
	(void)user_data;
	fail_msg("nothing happens here");
}

static void on_state(gpointer user_data)
{
	on_event(NULL, 0, user_data);
}

static void on_discard(const char *session, gpointer user_data)
{
	on_event(session, 0, user_data);
}

static int setup(void **state)
{
	const MtwHostHooks hooks = { .event_added = on_event,
				     .state_changed = on_state,
				     .discard = on_discard };

	fake_root_setup(state);
	root = *state;
	host = mtw_host_new(root->paths, &hooks);
	return 0;
}

static int teardown(void **state)
{
	mtw_host_free(host);
	return fake_root_teardown(state);
}

/* Returns: (transfer full): its id */
static char *make_session(gint64 owner_uid)
{
	g_autoptr(MtwSession) session = mtw_session_create(root->paths, 0x8086, 0x100e, NULL);

	if (owner_uid >= 0)
		json_object_set_int_member(session->state, "owner_uid", owner_uid);
	assert_true(mtw_session_set_state(session, MTW_SESSION_CAPTURED, NULL));
	return g_strdup(session->id);
}

static void assert_may_not(const char *session, uid_t uid)
{
	g_autoptr(GError) error = NULL;

	assert_false(mtw_host_may(host, session, uid, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
}

static void test_sessions_are_of_their_owner(void **state)
{
	g_autofree char *of_alice = make_session(ALICE);
	g_autofree char *of_nobody = make_session(-1);

	(void)state;
	assert_true(mtw_host_may(host, of_alice, ALICE, NULL));
	assert_true(mtw_host_may(host, of_alice, 0, NULL));
	assert_may_not(of_alice, BOB);
	assert_may_not(of_nobody, ALICE);
	assert_true(mtw_host_may(host, of_nobody, 0, NULL));
	assert_may_not("20260101-000000-8086-100e", 0);
	assert_may_not("../sessions", 0);
	assert_may_not("", 0);
}

/* On a fake root nothing can be captured: the next one finds the host as it was. */
static void test_start_that_fails(void **state)
{
	const MtwCaptureOptions options = { .device = "0000:00:03.0", .owner_uid = ALICE };
	MtwHostStart start = { .options = &options, .sender = ":1.1" };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mtw_host_start(host, &start, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE));
	g_clear_error(&error);
	assert_false(mtw_host_is_running(host));
	assert_true(mtw_host_is_free(host, NULL));
	assert_false(mtw_host_is_same(host, &start));
	start.again = "20260101-000000-8086-100e";
	assert_false(mtw_host_is_same(host, &start));
	assert_null(mtw_host_start(host, &start, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	g_clear_error(&error);
	mtw_host_close(host);
	start.again = NULL;
	assert_null(mtw_host_start(host, &start, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
}

static void test_nothing_runs(void **state)
{
	g_auto(MtwHostStatus) status = { 0 };
	g_autoptr(GError) error = NULL;
	guint last = 7;

	(void)state;
	mtw_host_status(host, &status);
	assert_string_equal(status.state, "idle");
	assert_string_equal(status.session, "");
	assert_int_equal(status.owner_uid, 0);
	assert_null(mtw_host_events(host, "20260101-000000-8086-100e", 0, &last));
	assert_null(mtw_host_counters(host, "20260101-000000-8086-100e"));
	assert_false(mtw_host_mark(host, "20260101-000000-8086-100e", "x", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_FAILED));
	mtw_host_stop(host, NULL, TRUE);
	mtw_host_set_watched(host, FALSE);
	mtw_host_release(host, NULL);
}

static void test_borrowing(void **state)
{
	g_autofree char *id = make_session(ALICE);
	g_autoptr(MtwSession) session = NULL;
	g_autoptr(GError) error = NULL;
	MtwEngine *engine = mtw_host_borrow(host, id, FALSE, NULL);

	(void)state;
	assert_non_null(engine);
	assert_string_equal(mtw_engine_session_id(engine), id);
	mtw_host_give_back(host, engine);
	/* It was let go of. */
	session = mtw_session_open(root->paths, id, TRUE, NULL);
	assert_non_null(session);
	assert_null(mtw_host_borrow(host, id, FALSE, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static GString *done;

static void note(MtwJob *job)
{
	g_string_append(done, job->session);
}

static void test_jobs_are_done_in_order(void **state)
{
	MtwJobs *jobs = mtw_jobs_new();

	(void)state;
	done = g_string_new(NULL);
	for (int i = 0; i < 9; i++) {
		MtwJob *job = mtw_job_new(jobs, NULL, NULL, NULL);
		job->session = g_strdup_printf("%d", i);
		mtw_job_push(job, note);
	}
	mtw_jobs_free(jobs);
	assert_string_equal(done->str, "012345678");
	g_string_free(done, TRUE);
}

static void test_calls_of_one_user_are_limited(void **state)
{
	const uid_t alice = ALICE, bob = BOB, root_uid = 0;
	MtwJobs *jobs = mtw_jobs_new();
	g_autoptr(GPtrArray) taken = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_job_free);
	g_autoptr(GError) error = NULL;

	(void)state;
	for (guint i = 0; i < MTW_JOBS_OF_A_USER_MAX; i++)
		g_ptr_array_add(taken, mtw_job_new(jobs, NULL, &alice, NULL));
	assert_null(mtw_job_new(jobs, NULL, &alice, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
	/* Nobody else is kept from it, and root never. */
	g_ptr_array_add(taken, mtw_job_new(jobs, NULL, &bob, NULL));
	for (guint i = 0; i <= MTW_JOBS_OF_A_USER_MAX; i++)
		g_ptr_array_add(taken, mtw_job_new(jobs, NULL, &root_uid, NULL));
	assert_int_equal(mtw_jobs_waiting(jobs), taken->len);
	g_ptr_array_remove_index_fast(taken, 0);
	g_ptr_array_add(taken, mtw_job_new(jobs, NULL, &alice, NULL));
	for (guint i = 0; i < taken->len; i++)
		assert_non_null(taken->pdata[i]);
	g_ptr_array_set_size(taken, 0);
	assert_int_equal(mtw_jobs_waiting(jobs), 0);
	mtw_jobs_free(jobs);
}

#define HOST_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HOST_TEST(test_sessions_are_of_their_owner),
		HOST_TEST(test_start_that_fails),
		HOST_TEST(test_nothing_runs),
		HOST_TEST(test_borrowing),
		cmocka_unit_test(test_jobs_are_done_in_order),
		cmocka_unit_test(test_calls_of_one_user_are_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
