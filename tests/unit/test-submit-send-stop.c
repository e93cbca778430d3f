/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sender that is killed anywhere, stopped by the person, or runs out of disk: the next one goes on. */
#include "test-submit-script.h"

#include <signal.h>
#include <sys/wait.h>

/* ---- killed ---- */

#define KILLED 77
#define MANY 1000

static guint steps, fatal_step;

static void count_step(void)
{
	if (++steps == fatal_step)
		_exit(KILLED);
}

gboolean __real_mtw_file_write_atomic(const char *path, const char *data, gsize bytes, mode_t mode,
				      GError **error);
gboolean __wrap_mtw_file_write_atomic(const char *path, const char *data, gsize bytes, mode_t mode,
				      GError **error);

/* Every time something is written down: killed before it, or after it. */
gboolean __wrap_mtw_file_write_atomic(const char *path, const char *data, gsize bytes, mode_t mode,
				      GError **error)
{
	gboolean ok;

	step();
	ok = __real_mtw_file_write_atomic(path, data, bytes, mode, error);
	step();
	return ok;
}

/* Sends in a child that dies at a step. Returns: whether it came to its end before */
static gboolean send_in_child(const Queue *queue, const char *id, guint step_to_die)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		MtwSendOptions options = { 0 };
		MtwItem *item = mtw_item_open(queue->caller, id, TRUE, NULL);
		steps = 0;
		fatal_step = step_to_die;
		script.step = count_step;
		_exit(item != NULL && send_with(item, queue, &options, NULL) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) != KILLED)
		assert_int_equal(WEXITSTATUS(status), 0);
	return WEXITSTATUS(status) == 0;
}

static char *new_report(const Queue *queue)
{
	g_autoptr(MtwItem) item = queue_consented(queue);

	g_unlink(script.server);
	return g_strdup(mtw_item_id(item));
}

static void expect_sent_once(const Queue *queue, const char *id)
{
	g_autoptr(MtwItem) item = mtw_item_open(queue->caller, id, TRUE, NULL);

	assert_non_null(item);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_DONE);
	assert_string_equal(mtw_item_url(item), "https://tracker.test/issues/1");
	assert_int_equal(server_count("upload"), 1);
	assert_int_equal(server_count("issue"), 1);
	assert_true(mtw_item_drop(item, NULL));
}

static void test_killed_anywhere(void **state)
{
	Queue *queue = *state;
	gboolean ended = FALSE;
	guint at;

	for (at = 1; !ended && at < MANY; at++) {
		g_autofree char *id = new_report(queue);
		ended = send_in_child(queue, id, at);
		assert_true(send_in_child(queue, id, 0));
		expect_sent_once(queue, id);
	}
	/* Five times something is written down, and four times the server could be in between. */
	assert_true(at > 14);
	assert_true(ended);
}

static void test_killed_again_and_again(void **state)
{
	Queue *queue = *state;
	gboolean ended = FALSE;

	for (guint first = 1; first < 16; first += 2) {
		ended = FALSE;
		for (guint second = 1; !ended && second < MANY; second++) {
			g_autofree char *id = new_report(queue);
			send_in_child(queue, id, first);
			ended = send_in_child(queue, id, second);
			assert_true(send_in_child(queue, id, 0));
			expect_sent_once(queue, id);
		}
	}
}

/* Making the item and the person's yes, too. */
static gboolean prepare_in_child(const Queue *queue, guint step_to_die)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		steps = 0;
		fatal_step = step_to_die;
		script.step = count_step;
		mtw_item_free(queue_consented(queue));
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status) == 0;
}

static void test_killed_while_prepared(void **state)
{
	Queue *queue = *state;
	gboolean ended = FALSE;

	for (guint at = 1; !ended && at < MANY; at++) {
		g_autofree char *id = NULL;
		g_autoptr(GPtrArray) problems = mtw_messages_new();
		g_autoptr(GPtrArray) items = NULL;
		ended = prepare_in_child(queue, at);
		items = mtw_queue_list(queue->caller, problems);
		assert_int_equal(problems->len, 0);
		id = new_report(queue);
		assert_true(send_in_child(queue, id, 0));
		expect_sent_once(queue, id);
	}
	assert_true(ended);
}

/* ---- two at once ---- */

static void wait_for_ever(void)
{
	server_take("waiting");
	for (;;)
		pause();
}

static void test_two_senders(void **state)
{
	Queue *queue = *state;
	g_autofree char *id = new_report(queue);
	g_autoptr(GError) error = NULL;
	pid_t pid = fork();

	if (pid == 0) {
		MtwSendOptions options = { 0 };
		MtwItem *item = mtw_item_open(queue->caller, id, TRUE, NULL);
		script.step = wait_for_ever;
		_exit(item != NULL && send_with(item, queue, &options, NULL) ? 0 : 1);
	}
	while (server_count("waiting") == 0)
		g_usleep(1000);
	assert_null(mtw_item_open(queue->caller, id, TRUE, &error));
	expect_error(&error, MTW_ERROR_BUSY);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(send_in_child(queue, id, 0));
	expect_sent_once(queue, id);
}

/* ---- stopped by the person ---- */

static int cancel;

static void cancel_at_retry(JsonObject *event, gpointer user_data)
{
	take_event(event, user_data);
	if (strcmp(mtw_json_string(event, "event", ""), "retry") == 0)
		g_atomic_int_set(&cancel, 1);
}

static void expect_interrupted(MtwItem *item, const Queue *queue)
{
	MtwSendOptions options = { .event = cancel_at_retry, .cancel = &cancel };
	g_autoptr(GError) error = NULL;

	assert_false(send_with(item, queue, &options, &error));
	expect_error(&error, MTW_ERROR_INTERRUPTED);
	cancel = 0;
}

/* Most of an hour: the test would not end. */
static void test_stopped_while_waiting(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(upload, { .class = MTW_FAILURE_TRANSIENT,
		       .code = MTW_ERROR_NETWORK,
		       .retry_after_sec = 3000 });
	expect_interrupted(item, queue);
	send_well(item, queue);
	assert_int_equal(server_count("upload"), 1);
}

static void test_stopped_before_it_began(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	cancel = 1;
	expect_interrupted(item, queue);
	assert_int_equal(server_count("upload"), 0);
	send_well(item, queue);
}

/* Nobody knows what the server has. */
static void test_stopped_while_sending(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autofree char *id = g_strdup(mtw_item_id(item));

	PLAN(issue,
	     { .class = MTW_FAILURE_CANCELLED, .code = MTW_ERROR_INTERRUPTED, .after = TRUE });
	expect_interrupted(item, queue);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_UPLOADED);
	g_clear_pointer(&item, mtw_item_free);
	assert_true(send_in_child(queue, id, 0));
	expect_sent_once(queue, id);
	assert_int_equal(count_events("retry"), 0);
}

static void cancel_now(MtwJob *job)
{
	(void)job;
	g_atomic_int_set(&cancel, 1);
}

static void test_stopped_between_two_phases(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	script.in_upload = cancel_now;
	expect_interrupted(item, queue);
	assert_int_equal(server_count("upload"), 1);
	assert_int_equal(server_count("issue"), 0);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_UPLOADED);
	send_well(item, queue);
	assert_int_equal(server_count("upload"), 1);
}

/* ---- no room ---- */

static char *filler;

static void fill_now(MtwJob *job)
{
	(void)job;
	fill_disk(filler);
}

static void test_disk_full(void **state)
{
	Queue *queue = *state;
	g_autofree char *disk = queue_path(queue, "disk");
	g_autoptr(GError) error = NULL;
	const char *why;

	if (!small_disk(disk, 256 * 1024, &why)) {
		print_message("%s\n", why);
		skip();
	}
	g_setenv("XDG_STATE_HOME", disk, TRUE);
	filler = g_build_filename(disk, "filler", NULL);
	MtwItem *item = queue_consented(queue);
	g_autofree char *id = g_strdup(mtw_item_id(item));
	script.in_upload = fill_now;
	send_badly(item, queue, MTW_ERROR_DISK);
	mtw_item_free(item);
	/* What was written down before is whole, and there is room again. */
	assert_int_equal(g_unlink(filler), 0);
	script.in_upload = NULL;
	assert_true(send_in_child(queue, id, 0));
	expect_sent_once(queue, id);
	g_free(filler);
	assert_int_equal(umount(disk), 0);
}

/* Full before it begins: nothing is sent that could not be written down. */
static void test_disk_full_before(void **state)
{
	Queue *queue = *state;
	g_autofree char *disk = queue_path(queue, "disk");
	const char *why;

	if (!small_disk(disk, 256 * 1024, &why)) {
		print_message("%s\n", why);
		skip();
	}
	g_setenv("XDG_STATE_HOME", disk, TRUE);
	filler = g_build_filename(disk, "filler", NULL);
	MtwItem *item = queue_consented(queue);
	fill_disk(filler);
	send_badly(item, queue, MTW_ERROR_DISK);
	assert_int_equal(server_count("upload"), 0);
	mtw_item_free(item);
	g_free(filler);
	assert_int_equal(umount(disk), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRIPT_TEST(test_killed_anywhere),
		SCRIPT_TEST(test_killed_again_and_again),
		SCRIPT_TEST(test_killed_while_prepared),
		SCRIPT_TEST(test_two_senders),
		SCRIPT_TEST(test_stopped_while_waiting),
		SCRIPT_TEST(test_stopped_before_it_began),
		SCRIPT_TEST(test_stopped_while_sending),
		SCRIPT_TEST(test_stopped_between_two_phases),
		SCRIPT_TEST(test_disk_full),
		SCRIPT_TEST(test_disk_full_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
