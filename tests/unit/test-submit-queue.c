/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-submit-fixture.h"

#include "base/message.h"

#include <signal.h>
#include <sys/wait.h>
#include <utime.h>

/* An item for another report; let go of. Returns: (transfer full): its id */
static char *add(Queue *queue, const char *report_id)
{
	g_autoptr(MtwItem) item = NULL;

	queue->letter.report_id = (char *)report_id;
	item = queue_item(queue);
	return g_strdup(mtw_item_id(item));
}

static MtwItem *try_open(const Queue *queue, const char *id, MtwErrorCode code)
{
	g_autoptr(GError) error = NULL;
	MtwItem *item = mtw_item_open(queue->caller, id, FALSE, &error);

	if (code == MTW_N_ERRORS)
		assert_null(error);
	else
		expect_error(&error, code);
	return item;
}

static void damage(const Queue *queue, const char *id, const char *name, const char *text)
{
	g_autofree char *path =
		g_build_filename(queue->folder, "mmiotrace-wizard", "queue", id, name, NULL);

	write_file(path, text);
}

static void test_open_by_a_beginning(void **state)
{
	Queue *queue = *state;
	g_autofree char *id = add(queue, "1");
	g_autofree char *begin = g_strndup(id, 3);
	g_autoptr(MtwItem) whole = try_open(queue, id, MTW_N_ERRORS);
	g_autoptr(MtwItem) part = try_open(queue, begin, MTW_N_ERRORS);

	assert_string_equal(mtw_item_id(whole), id);
	assert_string_equal(mtw_item_id(part), id);
	assert_null(try_open(queue, "", MTW_ERROR_NOT_FOUND));
	assert_null(try_open(queue, "x", MTW_ERROR_NOT_FOUND));
	assert_null(try_open(queue, "../queue", MTW_ERROR_NOT_FOUND));
}

static void test_beginning_of_two(void **state)
{
	Queue *queue = *state;
	g_autoptr(GHashTable) firsts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autofree char *first = NULL;

	/* With 17 of them two begin with the same digit. */
	for (int i = 0; i < 17 && first == NULL; i++) {
		g_autofree char *report = g_strdup_printf("%d", i);
		g_autofree char *id = add(queue, report);
		char *digit = g_strndup(id, 1);
		if (g_hash_table_contains(firsts, digit))
			first = g_strdup(digit);
		g_hash_table_add(firsts, digit);
	}
	assert_non_null(first);
	assert_null(try_open(queue, first, MTW_ERROR_USAGE));
}

static void set_created(const Queue *queue, const char *id, gint64 time_sec)
{
	g_autoptr(MtwItem) item = try_open(queue, id, MTW_N_ERRORS);
	g_autofree char *text = NULL;

	json_object_set_int_member(mtw_item_meta(item), "created_sec", time_sec);
	text = mtw_json_pretty(mtw_item_meta(item));
	damage(queue, id, "meta.json", text);
}

static void test_list_oldest_first(void **state)
{
	Queue *queue = *state;
	g_autofree char *one = add(queue, "1");
	g_autofree char *two = add(queue, "2");
	g_autofree char *three = add(queue, "3");
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GPtrArray) items = NULL;

	set_created(queue, one, 300);
	set_created(queue, two, 100);
	set_created(queue, three, 200);
	items = mtw_queue_list(queue->caller, problems);
	assert_int_equal(items->len, 3);
	assert_string_equal(mtw_item_id(items->pdata[0]), two);
	assert_string_equal(mtw_item_id(items->pdata[1]), three);
	assert_string_equal(mtw_item_id(items->pdata[2]), one);
	assert_int_equal(problems->len, 0);
}

static void expect_unreadable(Queue *queue, const char *name, const char *text)
{
	g_autofree char *good = add(queue, "good");
	g_autofree char *bad = add(queue, "bad");
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GPtrArray) items = NULL;
	g_autoptr(GError) error = NULL;
	const MtwMessage *message;

	damage(queue, bad, name, text);
	items = mtw_queue_list(queue->caller, problems);
	assert_int_equal(items->len, 1);
	assert_string_equal(mtw_item_id(items->pdata[0]), good);
	assert_int_equal(problems->len, 1);
	message = problems->pdata[0];
	expect_text(message->detail, bad);
	assert_null(try_open(queue, bad, MTW_ERROR_INVALID));
	/* Also not made anew over what may be somebody's only copy. */
	assert_null(queue_try_item(queue, &error));
	expect_error(&error, MTW_ERROR_INVALID);
	assert_true(mtw_queue_drop(queue->caller, bad, NULL));
	assert_true(mtw_queue_drop(queue->caller, good, NULL));
}

static void test_damaged(void **state)
{
	expect_unreadable(*state, "state.json", "{\"format\":1,\"sta");
	expect_unreadable(*state, "state.json", "");
	expect_unreadable(*state, "meta.json", "[]");
	expect_unreadable(*state, "meta.json", "{\"format\":1}");
	expect_unreadable(*state, "state.json",
			  "{\"format\":1,\"state\":\"unheard-of\",\"phases\":{},\"facts\":{}}");
}

static void test_format_of_a_later_version(void **state)
{
	Queue *queue = *state;
	g_autofree char *id = add(queue, "1");
	g_autoptr(GError) error = NULL;

	damage(queue, id, "state.json", "{\"format\":2}");
	assert_null(mtw_item_open(queue->caller, id, TRUE, &error));
	expect_text(error->message, "format 2");
	expect_error(&error, MTW_ERROR_INVALID);
}

/* A path in meta.json leads nowhere. */
static void test_file_names_are_no_paths(void **state)
{
	static const char *const names[] = { "", "..", "../meta.json", "x/../../meta.json" };
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_item(queue);
	JsonArray *files = mtw_json_array(mtw_item_meta(item), "files");
	g_autoptr(GError) error = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		json_object_set_string_member(mtw_json_object_at(files, 0), "name", names[i]);
		assert_false(mtw_item_has_consent(item, queue->target, &error));
		expect_text(error->message, "no usable file name");
		g_clear_error(&error);
	}
}

static void test_drop(void **state)
{
	Queue *queue = *state;
	g_autofree char *id = add(queue, "1");
	g_autofree char *folder = mtw_queue_folder(queue->caller, NULL);
	g_autofree char *content = NULL;
	g_autoptr(MtwItem) item = mtw_item_open(queue->caller, id, FALSE, NULL);

	assert_true(mtw_item_drop(item, NULL));
	assert_int_equal(count_in_folder(folder), 0);
	assert_true(g_file_get_contents(queue->archive, &content, NULL, NULL));
	assert_string_equal(content, "the archive");
	assert_null(try_open(queue, id, MTW_ERROR_NOT_FOUND));
}

/* ---- two processes ---- */

/* A child that has the item until it is killed. Returns: its pid; it has begun */
static pid_t hold_in_child(const Queue *queue, const char *id)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		MtwItem *item = mtw_item_open(queue->caller, id, TRUE, NULL);
		if (item == NULL || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void test_one_process_at_a_time(void **state)
{
	Queue *queue = *state;
	g_autofree char *id = add(queue, "1");
	pid_t pid = hold_in_child(queue, id);
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwItem) reader = try_open(queue, id, MTW_N_ERRORS);
	g_autoptr(JsonObject) busy = mtw_item_to_json(reader);
	g_autoptr(JsonObject) idle = NULL;
	g_autoptr(MtwItem) next = NULL;

	assert_true(mtw_json_bool(busy, "busy", FALSE));
	assert_null(mtw_item_open(queue->caller, id, TRUE, &error));
	expect_error(&error, MTW_ERROR_BUSY);
	assert_null(queue_try_item(queue, &error));
	expect_error(&error, MTW_ERROR_BUSY);
	assert_false(mtw_item_drop(reader, &error));
	expect_error(&error, MTW_ERROR_BUSY);
	assert_false(mtw_item_consent(reader, queue->target, &error));
	expect_error(&error, MTW_ERROR_BUSY);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	idle = mtw_item_to_json(reader);
	assert_false(mtw_json_bool(idle, "busy", TRUE));
	next = mtw_item_open(queue->caller, id, TRUE, NULL);
	assert_non_null(next);
}

static void test_item_of_the_person_only(void **state)
{
	Queue *queue = *state;
	g_autoptr(GError) error = NULL;

	queue->caller->uid++;
	assert_null(mtw_queue_folder(queue->caller, &error));
	expect_error(&error, MTW_ERROR_PERMISSION);
	assert_null(queue_try_item(queue, &error));
	expect_error(&error, MTW_ERROR_PERMISSION);
	queue->caller->uid--;
}

/* ---- what killed processes leave ---- */

static char *leave(const Queue *queue, const char *name, gboolean old)
{
	char *folder = g_build_filename(queue->folder, "mmiotrace-wizard", "queue", name, NULL);
	g_autofree char *file = g_build_filename(folder, "meta.json", NULL);
	struct utimbuf hour_ago = { time(NULL) - 3600, time(NULL) - 3600 };

	assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
	write_file(file, "half");
	if (old)
		assert_int_equal(utime(folder, &hour_ago), 0);
	return folder;
}

static void test_remains_are_swept(void **state)
{
	Queue *queue = *state;
	g_autofree char *made = leave(queue, ".new-0123456789abcdef", TRUE);
	g_autofree char *dropped = leave(queue, ".drop-0123456789abcdef", TRUE);
	g_autofree char *young = leave(queue, ".new-1123456789abcdef", FALSE);
	g_autofree char *foreign = leave(queue, "something", TRUE);
	g_autofree char *id = NULL;
	g_autoptr(GPtrArray) items = NULL;

	id = add(queue, "1");
	assert_false(g_file_test(made, G_FILE_TEST_EXISTS));
	assert_false(g_file_test(dropped, G_FILE_TEST_EXISTS));
	assert_true(g_file_test(young, G_FILE_TEST_EXISTS));
	assert_true(g_file_test(foreign, G_FILE_TEST_EXISTS));
	items = mtw_queue_list(queue->caller, NULL);
	assert_int_equal(items->len, 1);
}

static void test_half_dropped_item_is_dropped(void **state)
{
	Queue *queue = *state;
	g_autofree char *id = add(queue, "1");
	g_autofree char *name = g_strconcat(".drop-", id, NULL);
	g_autofree char *left = leave(queue, name, FALSE);
	g_autofree char *folder = mtw_queue_folder(queue->caller, NULL);

	assert_true(mtw_queue_drop(queue->caller, id, NULL));
	assert_int_equal(count_in_folder(folder), 0);
}

static void test_half_made_item_is_made(void **state)
{
	Queue *queue = *state;
	g_autofree char *id = add(queue, "1");
	g_autofree char *name = g_strconcat(".new-", id, NULL);
	g_autofree char *left = leave(queue, name, FALSE);
	g_autofree char *old = g_build_filename(left, "files.new", "x", NULL);
	g_autoptr(MtwItem) item = NULL;

	assert_int_equal(g_mkdir_with_parents(old, 0700), 0);
	assert_true(mtw_queue_drop(queue->caller, id, NULL));
	item = queue_consented(queue);
	assert_string_equal(mtw_item_id(item), id);
	assert_false(g_file_test(left, G_FILE_TEST_EXISTS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUEUE_TEST(test_open_by_a_beginning),
		QUEUE_TEST(test_beginning_of_two),
		QUEUE_TEST(test_list_oldest_first),
		QUEUE_TEST(test_damaged),
		QUEUE_TEST(test_format_of_a_later_version),
		QUEUE_TEST(test_file_names_are_no_paths),
		QUEUE_TEST(test_drop),
		QUEUE_TEST(test_one_process_at_a_time),
		QUEUE_TEST(test_item_of_the_person_only),
		QUEUE_TEST(test_remains_are_swept),
		QUEUE_TEST(test_half_dropped_item_is_dropped),
		QUEUE_TEST(test_half_made_item_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
