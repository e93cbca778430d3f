/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-submit-fixture.h"

/* ---- what is made ---- */

static mode_t mode_of(const char *path)
{
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return status.st_mode & 07777;
}

static ino_t inode_of(const char *path)
{
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return status.st_ino;
}

static void test_new(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_item(queue);
	JsonObject *meta = mtw_item_meta(item);
	JsonObject *file = mtw_json_object_at(mtw_json_array(meta, "files"), 0);
	g_autofree char *meta_path = item_path(item, "meta.json");
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "the archive", -1);

	assert_int_equal(strlen(mtw_item_id(item)), 16);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_PREPARED);
	assert_string_equal(mtw_item_target(item), "test");
	assert_null(mtw_item_url(item));
	assert_int_equal(mode_of(mtw_item_folder(item)), 0700);
	assert_int_equal(mode_of(meta_path), 0600);
	assert_string_equal(mtw_json_string(meta, "title", ""), queue->letter.title);
	assert_string_equal(mtw_json_string(meta, "body", ""), queue->letter.body);
	assert_string_equal(mtw_json_string(meta, "report_id", ""), REPORT_ID);
	assert_string_equal(mtw_json_string(meta, "host", ""), "tracker.test");
	assert_string_equal(mtw_json_string(meta, "issue", "?"), "");
	assert_string_equal(mtw_json_string(file, "name", ""), ARCHIVE_NAME);
	assert_string_equal(mtw_json_string(file, "sha256", ""), sum);
	assert_int_equal(mtw_json_int(file, "bytes", 0), strlen("the archive"));
	assert_true(mtw_json_int(meta, "created_sec", 0) > 0);
}

static void test_file_is_linked(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_item(queue);
	g_autofree char *stored = stored_archive(item);

	assert_int_equal(inode_of(stored), inode_of(queue->archive));
}

/* The queue is on another file system than the archive. */
static void test_file_is_copied(void **state)
{
	Queue *queue = *state;
	g_autofree char *disk = queue_path(queue, "disk");
	g_autofree char *content = NULL;
	const char *why;

	if (!small_disk(disk, 64 * 1024, &why)) {
		print_message("%s\n", why);
		skip();
	}
	g_setenv("XDG_STATE_HOME", disk, TRUE);
	MtwItem *item = queue_consented(queue);
	g_autofree char *stored = stored_archive(item);
	assert_true(g_file_get_contents(stored, &content, NULL, NULL));
	assert_string_equal(content, "the archive");
	/* What is done to the archive now is nobody's concern. */
	write_file(queue->archive, "another one");
	assert_true(mtw_item_has_consent(item, queue->target, NULL));
	mtw_item_free(item);
	assert_int_equal(umount(disk), 0);
}

static void expect_refused(const Queue *queue, const char *path, MtwErrorCode code)
{
	const char *const paths[] = { path, NULL };
	MtwItemPlan plan = queue_plan(queue, paths);
	g_autoptr(GError) error = NULL;
	g_autofree char *folder = mtw_queue_folder(queue->caller, NULL);

	assert_null(mtw_item_new(queue->caller, &plan, &error));
	expect_error(&error, code);
	assert_int_equal(count_in_folder(folder), 0);
}

static void test_no_regular_file(void **state)
{
	Queue *queue = *state;
	g_autofree char *link = queue_path(queue, "link.tar.gz");
	g_autofree char *fifo = queue_path(queue, "fifo.tar.gz");
	g_autofree char *none = queue_path(queue, "none.tar.gz");

	assert_int_equal(symlink(queue->archive, link), 0);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	expect_refused(queue, link, MTW_ERROR_FAILED);
	expect_refused(queue, fifo, MTW_ERROR_INVALID);
	expect_refused(queue, queue->folder, MTW_ERROR_INVALID);
	expect_refused(queue, none, MTW_ERROR_NOT_FOUND);
}

static void test_disk_full(void **state)
{
	Queue *queue = *state;
	g_autofree char *disk = queue_path(queue, "disk");
	g_autofree char *queue_folder = g_build_filename(disk, "mmiotrace-wizard", "queue", NULL);
	const char *why;

	if (!small_disk(disk, 64 * 1024, &why)) {
		print_message("%s\n", why);
		skip();
	}
	g_setenv("XDG_STATE_HOME", disk, TRUE);
	assert_int_equal(truncate(queue->archive, 1024 * 1024), 0);
	expect_refused(queue, queue->archive, MTW_ERROR_DISK);
	assert_int_equal(count_in_folder(queue_folder), 0);
	assert_int_equal(umount(disk), 0);
}

/* Other files that do not fit: the item has those that it had. */
static void test_disk_full_for_other_files(void **state)
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
	MtwItem *item = queue_consented(queue);
	g_autofree char *id = g_strdup(mtw_item_id(item));
	mtw_item_free(item);
	assert_int_equal(truncate(queue->archive, 1024 * 1024), 0);
	assert_null(queue_try_item(queue, &error));
	expect_error(&error, MTW_ERROR_DISK);
	item = mtw_item_open(queue->caller, id, FALSE, NULL);
	assert_true(mtw_item_has_consent(item, queue->target, NULL));
	/* lock, files, meta.json, state.json */
	assert_int_equal(count_in_folder(mtw_item_folder(item)), 4);
	mtw_item_free(item);
	assert_int_equal(umount(disk), 0);
}

static void expect_name(const Queue *queue, const char *name, const char *stored)
{
	g_autofree char *path = queue_path(queue, name);
	const char *const paths[] = { path, NULL };
	MtwItemPlan plan = queue_plan(queue, paths);
	g_autoptr(MtwItem) item = NULL;
	JsonArray *files;

	write_file(path, name);
	item = mtw_item_new(queue->caller, &plan, NULL);
	assert_non_null(item);
	files = mtw_json_array(mtw_item_meta(item), "files");
	assert_string_equal(mtw_json_string(mtw_json_object_at(files, 0), "name", ""), stored);
	assert_true(mtw_item_drop(item, NULL));
}

static void test_names(void **state)
{
	Queue *queue = *state;
	g_autofree char *x = g_strnfill(200, 'x');
	g_autofree char *longest = g_strconcat(x, ".tar.gz.001", NULL);
	g_autofree char *cut = g_strdup_printf("%.117s.tar.gz.001", x);

	expect_name(queue, "a b\nc;d.tar.gz", "a-b-c-d.tar.gz");
	expect_name(queue, "-rf..tar.gz", "rf..tar.gz");
	expect_name(queue, ".hidden", "hidden");
	expect_name(queue, "\303\244", "report");
	expect_name(queue, longest, cut);
}

static void test_parts(void **state)
{
	Queue *queue = *state;
	g_autofree char *one = queue_path(queue, "x.001");
	g_autofree char *two = queue_path(queue, "x.002");
	g_autofree char *same = queue_path(queue, ".x.001");
	const char *const paths[] = { one, two, NULL };
	const char *const twice[] = { one, same, NULL };
	const char *const none[] = { NULL };
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "onetwo", -1);
	MtwItemPlan plan = queue_plan(queue, paths);
	g_autoptr(MtwItem) item = NULL;
	g_autoptr(GError) error = NULL;
	JsonObject *consent;

	write_file(one, "one");
	write_file(two, "two");
	write_file(same, "same");
	item = mtw_item_new(queue->caller, &plan, NULL);
	assert_non_null(item);
	assert_true(mtw_item_consent(item, queue->target, NULL));
	consent = mtw_json_object(mtw_item_meta(item), "consent");
	assert_string_equal(mtw_json_string(consent, "sha256", ""), sum);
	plan.paths = twice;
	assert_null(mtw_item_new(queue->caller, &plan, &error));
	expect_error(&error, MTW_ERROR_INVALID);
	plan.paths = none;
	assert_null(mtw_item_new(queue->caller, &plan, &error));
	expect_error(&error, MTW_ERROR_INVALID);
}

/* ---- the same again ---- */

static char *id_and_free(MtwItem *item)
{
	char *id = g_strdup(mtw_item_id(item));

	mtw_item_free(item);
	return id;
}

static char *id_for_issue(const Queue *queue, const MtwLink *issue)
{
	const char *const paths[] = { queue->archive, NULL };
	MtwItemPlan plan = queue_plan(queue, paths);

	plan.issue = issue;
	return id_and_free(mtw_item_new(queue->caller, &plan, NULL));
}

static void test_id_is_what_is_sent_where(void **state)
{
	Queue *queue = *state;
	g_autofree char *first = id_and_free(queue_item(queue));
	g_autofree char *again = id_and_free(queue_item(queue));
	g_autofree char *issue = id_for_issue(queue, &queue->issue);
	g_autofree char *project = NULL;
	g_autofree char *report = NULL;

	assert_string_equal(first, again);
	assert_string_not_equal(first, issue);
	g_free(queue->target->project);
	queue->target->project = g_strdup("other");
	project = id_and_free(queue_item(queue));
	assert_string_not_equal(first, project);
	queue->letter.report_id = (char *)"fedcba98-89ab-8def-8123-456789abcdef";
	report = id_and_free(queue_item(queue));
	assert_string_not_equal(project, report);
}

/* As if a run of the sender had left it so. */
static void set_phase(MtwItem *item, const char *phase, const char *mark, MtwItemState item_state)
{
	JsonObject *object = mtw_item_state_json(item);
	g_autofree char *path = item_path(item, "state.json");
	g_autofree char *text = NULL;

	json_object_set_string_member(mtw_json_object(object, "phases"), phase, mark);
	json_object_set_string_member(mtw_json_object(object, "facts"), "fact", "kept");
	json_object_set_string_member(object, "state", mtw_item_state_name(item_state));
	text = mtw_json_pretty(object);
	write_file(path, text);
}

static void test_second_run_keeps_the_state(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	set_phase(item, "upload", "done", MTW_ITEM_UPLOADED);
	g_clear_pointer(&item, mtw_item_free);
	item = queue_item(queue);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_UPLOADED);
	assert_true(mtw_item_has_consent(item, queue->target, NULL));
}

static void test_other_files_begin_anew(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autoptr(GError) error = NULL;
	g_autofree char *stored = stored_archive(item);
	g_autofree char *content = NULL;

	set_phase(item, "upload", "done", MTW_ITEM_UPLOADED);
	g_clear_pointer(&item, mtw_item_free);
	assert_int_equal(g_unlink(queue->archive), 0);
	write_file(queue->archive, "recompressed");
	item = queue_item(queue);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_PREPARED);
	assert_false(json_object_has_member(mtw_item_meta(item), "consent"));
	assert_int_equal(json_object_get_size(mtw_json_object(mtw_item_state_json(item), "phases")),
			 0);
	assert_int_equal(json_object_get_size(mtw_json_object(mtw_item_state_json(item), "facts")),
			 0);
	assert_false(mtw_item_has_consent(item, queue->target, &error));
	expect_error(&error, MTW_ERROR_DECLINED);
	assert_true(g_file_get_contents(stored, &content, NULL, NULL));
	assert_string_equal(content, "recompressed");
}

/* Bugzilla: the report, then its attachment, which is too large: recompressed, it is not reported twice. */
static void test_other_files_keep_the_issue(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = NULL;
	JsonObject *phases;

	g_free(queue->target->kind);
	queue->target->kind = g_strdup("bugzilla");
	item = queue_consented(queue);
	set_phase(item, "issue", "done", MTW_ITEM_REFUSED);
	set_phase(item, "attach", "started", MTW_ITEM_REFUSED);
	g_clear_pointer(&item, mtw_item_free);
	assert_int_equal(g_unlink(queue->archive), 0);
	write_file(queue->archive, "recompressed");
	item = queue_item(queue);
	phases = mtw_json_object(mtw_item_state_json(item), "phases");
	assert_string_equal(mtw_json_string(phases, "issue", ""), "done");
	assert_false(json_object_has_member(phases, "attach"));
	assert_string_equal(
		mtw_json_string(mtw_json_object(mtw_item_state_json(item), "facts"), "fact", ""),
		"kept");
	assert_int_equal(mtw_item_state(item), MTW_ITEM_PREPARED);
}

static void test_done_stays_done(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	set_phase(item, "upload", "done", MTW_ITEM_DONE);
	g_clear_pointer(&item, mtw_item_free);
	write_file(queue->archive, "packed in another way");
	item = queue_item(queue);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_DONE);
}

static void test_lost_file_is_stored_again(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autofree char *stored = stored_archive(item);

	assert_int_equal(g_unlink(stored), 0);
	g_clear_pointer(&item, mtw_item_free);
	item = queue_item(queue);
	assert_true(mtw_item_has_consent(item, queue->target, NULL));
}

/* ---- consent ---- */

static void expect_declined(MtwItem *item, const MtwTarget *target, const char *part)
{
	g_autoptr(GError) error = NULL;

	assert_false(mtw_item_has_consent(item, target, &error));
	assert_non_null(error);
	expect_text(error->message, part);
	expect_error(&error, MTW_ERROR_DECLINED);
}

static void test_consent(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_item(queue);

	expect_declined(item, queue->target, "nobody agreed");
	assert_true(mtw_item_consent(item, queue->target, NULL));
	assert_int_equal(mtw_item_state(item), MTW_ITEM_CONSENTED);
	assert_true(mtw_item_has_consent(item, queue->target, NULL));
}

static void test_consent_is_for_the_bytes(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autoptr(GError) error = NULL;
	g_auto(MtwFd) fd = open(queue->archive, O_WRONLY | O_CLOEXEC);

	/* In place, so the item's own link has it too. */
	assert_int_equal(pwrite(fd, "THE", 3, 0), 3);
	expect_declined(item, queue->target, "changed since");
	assert_false(mtw_item_consent(item, queue->target, &error));
	expect_error(&error, MTW_ERROR_INVALID);
}

/* Also when the list of the files was changed with them. */
static void test_consent_is_for_the_listed_bytes(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_auto(MtwFd) fd = open(queue->archive, O_WRONLY | O_CLOEXEC);
	JsonArray *files = mtw_json_array(mtw_item_meta(item), "files");
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "THE archive", -1);

	assert_int_equal(pwrite(fd, "THE", 3, 0), 3);
	json_object_set_string_member(mtw_json_object_at(files, 0), "sha256", sum);
	expect_declined(item, queue->target, "changed since you agreed");
}

static void test_consent_is_for_the_place(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autoptr(MtwTarget) other = fixture_target("other");

	expect_declined(item, other, "not for other");
	g_free(queue->target->host);
	queue->target->host = g_strdup("evil.test");
	expect_declined(item, queue->target, "evil.test");
}

static void test_consent_is_for_the_project(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	g_free(queue->target->project);
	queue->target->project = g_strdup("another/project");
	expect_declined(item, queue->target, "changed since you agreed");
}

static void test_consent_is_for_the_letter(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	g_clear_pointer(&item, mtw_item_free);
	queue->letter.title = (char *)"Another title [01234567]";
	item = queue_item(queue);
	expect_declined(item, queue->target, "nobody agreed");
	assert_int_equal(mtw_item_state(item), MTW_ITEM_PREPARED);
	assert_string_equal(mtw_json_string(mtw_item_meta(item), "title", ""), queue->letter.title);
}

static void test_swapped_file(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autofree char *stored = stored_archive(item);

	assert_int_equal(g_unlink(stored), 0);
	expect_declined(item, queue->target, ARCHIVE_NAME);
	assert_int_equal(mkfifo(stored, 0600), 0);
	expect_declined(item, queue->target, "not a regular file");
	assert_int_equal(g_unlink(stored), 0);
	assert_int_equal(symlink(queue->archive, stored), 0);
	assert_false(mtw_item_has_consent(item, queue->target, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUEUE_TEST(test_new),
		QUEUE_TEST(test_file_is_linked),
		QUEUE_TEST(test_file_is_copied),
		QUEUE_TEST(test_no_regular_file),
		QUEUE_TEST(test_disk_full),
		QUEUE_TEST(test_disk_full_for_other_files),
		QUEUE_TEST(test_names),
		QUEUE_TEST(test_parts),
		QUEUE_TEST(test_id_is_what_is_sent_where),
		QUEUE_TEST(test_second_run_keeps_the_state),
		QUEUE_TEST(test_other_files_begin_anew),
		QUEUE_TEST(test_other_files_keep_the_issue),
		QUEUE_TEST(test_done_stays_done),
		QUEUE_TEST(test_lost_file_is_stored_again),
		QUEUE_TEST(test_consent),
		QUEUE_TEST(test_consent_is_for_the_bytes),
		QUEUE_TEST(test_consent_is_for_the_listed_bytes),
		QUEUE_TEST(test_consent_is_for_the_place),
		QUEUE_TEST(test_consent_is_for_the_project),
		QUEUE_TEST(test_consent_is_for_the_letter),
		QUEUE_TEST(test_swapped_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
