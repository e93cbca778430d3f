/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/error.h"
#include "capture/journal.h"

#include <string.h>
#include <sys/stat.h>

static MtwChange *change_at(const GPtrArray *changes, guint index)
{
	assert_true(index < changes->len);
	return changes->pdata[index];
}

static void plan(MtwJournal *journal, MtwChange *change)
{
	g_autoptr(GError) error = NULL;

	assert_true(mtw_journal_plan(journal, change, &error));
}

/* A change of each kind with whatever can be in it. */
static void write_all_kinds(FakeRoot *root)
{
	g_autoptr(MtwJournal) journal = mtw_journal_open(root->folder, NULL);

	for (int kind = 0; kind < MTW_N_CHANGES; kind++) {
		g_autofree char *subject = g_strdup_printf("subject \"%d\"\n\033[m", kind);
		MtwChange *change =
			mtw_change_new((MtwChangeKind)kind, subject, "be\\fore", "\xc3\xa4 after");
		change->options = kind % 2 == 0 ? g_strdup("debug=1 name=\"a b\"") : NULL;
		change->keep = kind % 3 == 0;
		plan(journal, change);
		assert_int_equal(change->sequence, kind + 1);
		change->status = (MtwChangeStatus)(kind % 4);
		if (kind == MTW_CHANGE_LOAD) {
			change->brought = g_ptr_array_new_with_free_func(g_free);
			g_ptr_array_add(change->brought, g_strdup("libata"));
			g_ptr_array_add(change->brought, g_strdup("scsi_mod"));
		}
		assert_true(mtw_journal_note(journal, change, NULL));
	}
}

static void test_round_trip(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwJournal) journal = NULL;
	const GPtrArray *changes;

	write_all_kinds(root);
	journal = mtw_journal_open(root->folder, NULL);
	changes = mtw_journal_changes(journal);
	assert_int_equal(changes->len, MTW_N_CHANGES);
	for (int kind = 0; kind < MTW_N_CHANGES; kind++) {
		const MtwChange *change = change_at(changes, (guint)kind);
		g_autofree char *subject = g_strdup_printf("subject \"%d\"\n\033[m", kind);
		assert_int_equal(change->kind, kind);
		assert_string_equal(change->subject, subject);
		assert_string_equal(change->before, "be\\fore");
		assert_string_equal(change->after, "\xc3\xa4 after");
		assert_true((change->options != NULL) == (kind % 2 == 0));
		assert_true(change->keep == (kind % 3 == 0));
		assert_int_equal(change->status, kind % 4);
		assert_int_equal(change->sequence, kind + 1);
	}
	assert_int_equal(change_at(changes, MTW_CHANGE_LOAD)->brought->len, 2);
	assert_string_equal(change_at(changes, MTW_CHANGE_LOAD)->brought->pdata[1], "scsi_mod");
}

/* One line a fact, so that a text tool shows what was done. */
static void test_is_lines(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct stat status;
	g_autofree char *path = fake_root_path(root, "journal");

	write_all_kinds(root);
	text = fake_root_read(root, "journal");
	lines = g_strsplit(text, "\n", -1);
	assert_int_equal(g_strv_length(lines), 2 * MTW_N_CHANGES + 1);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
}

static void test_append_to_an_old_one(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwJournal) journal = NULL;
	g_autoptr(MtwJournal) again = NULL;

	write_all_kinds(root);
	journal = mtw_journal_open(root->folder, NULL);
	plan(journal, mtw_change_new(MTW_CHANGE_CLOCK, "trace_clock", "local", "mono"));
	again = mtw_journal_open(root->folder, NULL);
	assert_int_equal(mtw_journal_changes(again)->len, MTW_N_CHANGES + 1);
	assert_int_equal(change_at(mtw_journal_changes(again), MTW_N_CHANGES)->status,
			 MTW_CHANGE_PLANNED);
}

#define PLANNED                                                                         \
	"{\"n\":1,\"kind\":\"clock\",\"subject\":\"trace_clock\",\"before\":\"local\"," \
	"\"after\":\"mono\",\"keep\":false}\n"
#define APPLIED "{\"n\":1,\"status\":\"applied\"}\n"

static GPtrArray *parse(const char *text)
{
	return mtw_journal_parse(text, strlen(text));
}

/* The power went at any byte of it: what was whole is there, nothing else. */
static void test_torn_anywhere(void **state)
{
	static const char text[] = PLANNED APPLIED;

	(void)state;
	for (gsize bytes = 0; bytes < sizeof text; bytes++) {
		g_autoptr(GPtrArray) changes = mtw_journal_parse(text, bytes);
		if (bytes < strlen(PLANNED)) {
			assert_int_equal(changes->len, 0);
			continue;
		}
		assert_int_equal(changes->len, 1);
		assert_int_equal(change_at(changes, 0)->status,
				 bytes < strlen(text) ? MTW_CHANGE_PLANNED : MTW_CHANGE_APPLIED);
	}
}

/* What comes after a torn line is read. */
static void test_append_to_a_torn_one(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwJournal) journal = NULL;
	g_autoptr(MtwJournal) again = NULL;
	MtwChange *change;

	fake_root_put(root, "journal", PLANNED "{\"n\":1,\"sta");
	journal = mtw_journal_open(root->folder, NULL);
	change = change_at(mtw_journal_changes(journal), 0);
	assert_int_equal(change->status, MTW_CHANGE_PLANNED);
	change->status = MTW_CHANGE_UNDONE;
	assert_true(mtw_journal_note(journal, change, NULL));
	again = mtw_journal_open(root->folder, NULL);
	assert_int_equal(mtw_journal_changes(again)->len, 1);
	assert_int_equal(change_at(mtw_journal_changes(again), 0)->status, MTW_CHANGE_UNDONE);
}

static void test_garbage_lines(void **state)
{
	g_autoptr(GPtrArray) changes =
		parse("\n\n[]\n7\nnull\n{}\n{\"n\":7}\n{\"n\":1,\"status\":\"applied\"}\n"
		      "{\"n\":2,\"kind\":\"format-disk\",\"subject\":\"x\"}\n"
		      "{\"n\":3,\"kind\":\"clock\"}\n\xff\xfe\n{\"kind\":5,\"subject\":[]}\n"
		      "{\"n\":4,\"kind\":\"clock\",\"subject\":null}\n" PLANNED
		      "{\"n\":1,\"status\":\"sold\"}\n{\"n\":1,\"status\":9}\n{\"n\":1}\n");
	g_autoptr(GPtrArray) zeros = mtw_journal_parse("\0\0\0\n\0\0", 6);

	(void)state;
	assert_int_equal(zeros->len, 0);
	assert_int_equal(changes->len, 1);
	assert_string_equal(change_at(changes, 0)->subject, "trace_clock");
	assert_int_equal(change_at(changes, 0)->status, MTW_CHANGE_PLANNED);
}

static void test_hostile_values(void **state)
{
	g_autoptr(GPtrArray) changes =
		parse("{\"n\":-1,\"kind\":\"load\",\"subject\":\"a\"}\n"
		      "{\"n\":99999999999999999999,\"kind\":\"load\",\"subject\":\"b\"}\n"
		      "{\"n\":4294967295,\"kind\":\"load\",\"subject\":\"c\",\"keep\":\"yes\"}\n"
		      "{\"n\":5,\"kind\":\"load\",\"subject\":\"d\",\"before\":null,\"after\":7}\n"
		      "{\"n\":5,\"status\":\"applied\",\"brought\":[1,null,{},[\"x\"],\"good\"]}\n"
		      "{\"n\":5,\"brought\":\"text\"}\n");
	const MtwChange *last = change_at(changes, changes->len - 1);

	(void)state;
	assert_string_equal(last->subject, "d");
	assert_string_equal(last->before, "");
	assert_string_equal(last->after, "");
	assert_int_equal(last->status, MTW_CHANGE_APPLIED);
	assert_int_equal(last->brought->len, 1);
	assert_string_equal(last->brought->pdata[0], "good");
	for (guint i = 0; i < changes->len; i++)
		assert_false(change_at(changes, i)->keep);
}

static void test_long_lines(void **state)
{
	g_autofree char *long_text = g_strnfill(1000000, 'x');
	g_autofree char *text = g_strdup_printf("%s\n" PLANNED "{\"n\":1,\"status\":\"applied\","
						"\"more\":\"%s\"}\n",
						long_text, long_text);
	g_autoptr(GPtrArray) changes = parse(text);

	(void)state;
	assert_int_equal(changes->len, 1);
	assert_int_equal(change_at(changes, 0)->status, MTW_CHANGE_APPLIED);
}

static void test_cannot_open(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *absent = fake_root_path(root, "absent");
	g_autofree char *huge = g_strnfill(5 * 1024 * 1024, '\n');
	g_autoptr(GError) error = NULL;

	assert_null(mtw_journal_open(absent, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	g_clear_error(&error);
	fake_root_link(root, "journal", "precious");
	assert_null(mtw_journal_open(root->folder, &error));
	assert_non_null(strstr(error->message, "journal"));
	g_clear_error(&error);
	fake_root_put(root, "journal", huge);
	assert_null(mtw_journal_open(root->folder, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_ROOT_TEST(test_round_trip),	   FAKE_ROOT_TEST(test_is_lines),
		FAKE_ROOT_TEST(test_append_to_an_old_one), cmocka_unit_test(test_torn_anywhere),
		FAKE_ROOT_TEST(test_append_to_a_torn_one), cmocka_unit_test(test_garbage_lines),
		cmocka_unit_test(test_hostile_values),	   cmocka_unit_test(test_long_lines),
		FAKE_ROOT_TEST(test_cannot_open),
	};

	return cmocka_run_group_tests_name("capture-journal", tests, NULL, NULL);
}
