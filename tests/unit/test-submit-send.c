/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-submit-script.h"

/* ---- all goes well ---- */

static void test_sent(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	JsonObject *facts, *sent;
	g_autofree char *stored = stored_archive(item);

	send_well(item, queue);
	assert_int_equal(server_count("upload"), 1);
	assert_int_equal(server_count("issue"), 1);
	assert_int_equal(server_count("look"), 0);
	facts = mtw_json_object(mtw_item_state_json(item), "facts");
	assert_true(mtw_json_int(facts, "done", 0) > 0);
	assert_string_equal(mtw_item_url(item), "https://tracker.test/issues/1");
	sent = last_event("sent");
	assert_string_equal(mtw_json_string(sent, "url", ""), mtw_item_url(item));
	assert_string_equal(mtw_json_string(sent, "id", ""), mtw_item_id(item));
	assert_string_equal(mtw_json_string(sent, "report_id", ""), REPORT_ID);
	assert_string_equal(mtw_json_string(sent, "sha256", ""),
			    mtw_json_string(facts, "scripted-file", "?"));
	assert_false(g_file_test(stored, G_FILE_TEST_EXISTS));
	assert_true(g_file_test(queue->archive, G_FILE_TEST_EXISTS));
}

static void test_not_sent_twice(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	send_well(item, queue);
	g_clear_pointer(&item, mtw_item_free);
	item = queue_item(queue);
	send_well(item, queue);
	assert_int_equal(server_count("upload"), 1);
	assert_int_equal(server_count("issue"), 1);
	assert_int_equal(count_events("sent"), 2);
}

static MtwItem *item_with(const Queue *queue, const MtwLink *issue, const char *report_folder)
{
	const char *const paths[] = { queue->archive, NULL };
	MtwItemPlan plan = queue_plan(queue, paths);
	MtwItem *item;

	plan.issue = issue;
	plan.report_folder = report_folder;
	item = mtw_item_new(queue->caller, &plan, NULL);
	assert_true(mtw_item_consent(item, queue->target, NULL));
	return item;
}

static void test_receipt(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = queue_path(queue, "report");
	g_autofree char *path = g_build_filename(folder, "submission.json", NULL);
	g_autoptr(MtwItem) item = NULL;
	g_autofree char *text = NULL;
	g_autoptr(JsonObject) receipt = NULL;

	assert_int_equal(g_mkdir(folder, 0700), 0);
	item = item_with(queue, NULL, folder);
	send_well(item, queue);
	text = mtw_file_read(path, 10000, NULL, NULL);
	receipt = mtw_json_parse(text, -1, path, NULL);
	assert_string_equal(mtw_json_string(receipt, "url", ""), mtw_item_url(item));
	assert_string_equal(mtw_json_string(receipt, "target", ""), "test");
	assert_string_equal(mtw_json_string(receipt, "report_id", ""), REPORT_ID);
	assert_int_equal(strlen(mtw_json_string(receipt, "sha256", "")), 64);
	expect_text(mtw_json_string(receipt, "time", ""), "T");
}

/* The report is sent; that the folder cannot take the receipt is told. */
static void test_receipt_cannot_be_written(void **state)
{
	Queue *queue = *state;
	g_autofree char *folder = queue_path(queue, "report");
	g_autofree char *path = g_build_filename(folder, "submission.json", "x", NULL);
	g_autoptr(MtwItem) item = NULL;

	assert_int_equal(g_mkdir_with_parents(path, 0700), 0);
	item = item_with(queue, NULL, folder);
	send_well(item, queue);
	expect_text(mtw_json_string(last_event("warning"), "message", ""), "submission.json");
}

static void test_to_an_issue(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = item_with(queue, &queue->issue, NULL);

	send_well(item, queue);
	assert_int_equal(server_count("note"), 1);
	assert_int_equal(server_count("issue"), 0);
}

static void test_kind_without_issues(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = item_with(queue, &queue->issue, NULL);
	MtwSendOptions options = { 0 };
	MtwKind kind = scripted_kind;
	g_autoptr(GError) error = NULL;

	kind.issue_phases = NULL;
	assert_false(mtw_send_item_as(&kind, item, queue->target, &options, &error));
	expect_error(&error, MTW_ERROR_USAGE);
}

/* ---- nothing is sent ---- */

static void test_no_consent(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_item(queue);

	send_badly(item, queue, MTW_ERROR_DECLINED);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_PREPARED);
	assert_int_equal(server_count("upload"), 0);
}

/* What leaves nothing of this computer needs no yes, and no network. */
static void test_local_kind(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_item(queue);
	MtwSendOptions options = { .no_network = TRUE };
	MtwKind kind = scripted_kind;
	g_autoptr(GError) error = NULL;
	g_autofree char *stored = stored_archive(item);

	kind.is_local = TRUE;
	kind.needs_network = FALSE;
	assert_true(mtw_send_item_as(&kind, item, queue->target, &options, &error));
	assert_true(g_file_test(stored, G_FILE_TEST_EXISTS));
}

static void test_no_network(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	MtwSendOptions options = { .no_network = TRUE };
	g_autoptr(GError) error = NULL;

	assert_false(send_with(item, queue, &options, &error));
	expect_error(&error, MTW_ERROR_NETWORK);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_CONSENTED);
	assert_int_equal(server_count("upload"), 0);
}

static void test_target_that_is_off(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	MtwSendOptions options = { 0 };
	g_autoptr(GError) error = NULL;

	queue->target->enabled = FALSE;
	queue->target->disabled_why = g_strdup("Kind is not known");
	assert_false(send_with(item, queue, &options, &error));
	expect_text(error->message, "Kind is not known");
	expect_error(&error, MTW_ERROR_INVALID);
}

static void test_tampered_file(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_auto(MtwFd) fd = open(queue->archive, O_WRONLY | O_CLOEXEC);

	assert_int_equal(pwrite(fd, "THE", 3, 0), 3);
	send_badly(item, queue, MTW_ERROR_DECLINED);
	assert_int_equal(server_count("upload"), 0);
}

static void change_archive(MtwJob *job)
{
	g_autofree char *path = g_build_filename(job->folder, "files", ARCHIVE_NAME, NULL);
	g_auto(MtwFd) fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	assert_int_equal(write(fd, "more", 4), 4);
}

static void test_file_changed_while_sent(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	MtwSendOptions options = { .event = take_event };
	g_autoptr(GError) error = NULL;
	JsonObject *phases;

	script.in_upload = change_archive;
	assert_false(send_with(item, queue, &options, &error));
	expect_text(error->message, "while it was being sent");
	expect_error(&error, MTW_ERROR_DECLINED);
	phases = mtw_json_object(mtw_item_state_json(item), "phases");
	assert_string_equal(mtw_json_string(phases, "upload", ""), "started");
	send_badly(item, queue, MTW_ERROR_DECLINED);
	assert_int_equal(count_events("sent"), 0);
}

/* ---- progress ---- */

static void show_progress(MtwJob *job)
{
	const MtwJobFile *file = job->files->pdata[0];
	MtwSendProgress *progress = ((MtwSendJob *)job->owner)->progress;

	/* Past the end, and back. */
	for (guint64 i = 0; i <= 2 * file->bytes; i++) {
		progress->shown_usec = 0; /* long ago */
		mtw_send_progress_tell(progress, 0, i, file->bytes);
	}
	mtw_send_progress_tell(progress, 0, 1, file->bytes);
}

static void expect_monotonic(gint64 total)
{
	gint64 before = 0;

	for (guint i = 0; i < events->len; i++) {
		JsonObject *event = events->pdata[i];
		gint64 bytes = mtw_json_int(event, "bytes", -1);
		gboolean confirmed = mtw_json_bool(event, "confirmed", FALSE);
		if (strcmp(mtw_json_string(event, "event", ""), "progress") != 0)
			continue;
		assert_true(bytes >= before);
		assert_int_equal(mtw_json_int(event, "total", 0), total);
		assert_int_equal(bytes == total, confirmed);
		before = bytes;
	}
}

static void test_progress(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	script.in_upload = show_progress;
	send_well(item, queue);
	expect_monotonic(strlen("the archive"));
	assert_true(count_events("progress") > 1);
	assert_int_equal(mtw_json_int(last_event("progress"), "bytes", 0), strlen("the archive"));
}

static void test_progress_without_a_yes(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	script.in_upload = show_progress;
	PLAN(upload, { .class = MTW_FAILURE_PERMANENT, .code = MTW_ERROR_REJECTED });
	send_badly(item, queue, MTW_ERROR_REJECTED);
	expect_monotonic(strlen("the archive"));
	assert_true(mtw_json_int(last_event("progress"), "bytes", 0) <
		    (gint64)strlen("the archive"));
}

/* In pieces, of which the server has some already. */
static void test_progress_in_pieces(void **state)
{
	static const struct {
		guint64 there, done, total, shown;
	} told[] = {
		{ 0, 50, 100, 50 },    { 0, 100, 100, 100 }, { 0, 10, 100, 110 },
		{ 400, 10, 100, 410 }, { 0, 5, 50, 410 },    { 950, 60, 100, 999 },
	};
	MtwSendOptions options = { .event = take_event };
	MtwSendProgress progress;

	(void)state;
	mtw_send_progress_begin(&progress, &options, 1000);
	for (gsize i = 0; i < G_N_ELEMENTS(told); i++) {
		progress.shown_usec = 0;
		mtw_send_progress_tell(&progress, told[i].there, told[i].done, told[i].total);
		assert_int_equal(mtw_json_int(last_event("progress"), "bytes", 0), told[i].shown);
	}
	/* Just shown: faster than anybody can look. */
	progress.shown_usec = G_MAXINT64 / 2;
	mtw_send_progress_tell(&progress, 0, 70, 100);
	mtw_send_progress_end(&progress, FALSE);
	mtw_send_progress_tell(&progress, 0, 80, 100);
	assert_int_equal(count_events("progress"), G_N_ELEMENTS(told));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRIPT_TEST(test_sent),
		SCRIPT_TEST(test_not_sent_twice),
		SCRIPT_TEST(test_receipt),
		SCRIPT_TEST(test_receipt_cannot_be_written),
		SCRIPT_TEST(test_to_an_issue),
		SCRIPT_TEST(test_kind_without_issues),
		SCRIPT_TEST(test_no_consent),
		SCRIPT_TEST(test_local_kind),
		SCRIPT_TEST(test_no_network),
		SCRIPT_TEST(test_target_that_is_off),
		SCRIPT_TEST(test_tampered_file),
		SCRIPT_TEST(test_file_changed_while_sent),
		SCRIPT_TEST(test_progress),
		SCRIPT_TEST(test_progress_without_a_yes),
		SCRIPT_TEST(test_progress_in_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
