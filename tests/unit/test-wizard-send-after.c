/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SEND: what is too big, what did not get there, what is there already, and the queue. */
#include "test-wizard-send.h"

/* ---- too big -------------------------------------------------------------------------------- */

#define SMALL SERVER "MaxSize=10\nOnTooBig=save\n" ONCE

static void test_too_big_saved(void **state)
{
	(void)state;
	put_target("here", SMALL);
	walk(WITH("target=here", "too-big=save"));
	script.options.no_network = TRUE;
	script_run(NULL);
	assert_asked("target;too-big;");
	assert_not_seen("preview;");
	assert_seen("message saved;");
	assert_queued("");
}

static void test_too_big_elsewhere(void **state)
{
	(void)state;
	put_target("here", SMALL);
	put_target("there", BROWSER "Match=pci:8086:*:*\n");
	walk(WITH("target=there", "too-big=other", "send=yes"));
	script.options.target = "here";
	script_run(NULL);
	assert_asked("too-big;target;send;");
	assert_queued("there=done;");
}

/* "nowhere" after all */
static void test_too_big_nowhere(void **state)
{
	(void)state;
	put_target("here", SMALL);
	put_target("there", BROWSER);
	walk(WITH("target=none", "too-big=other"));
	script.options.target = "here";
	script_run(NULL);
	assert_asked("too-big;target;");
	assert_queued("");
}

#define PARTS SERVER "MaxSize=2000\nOnTooBig=recompress;split;save\n" ONCE

/* Words that no packer makes small. */
static const char *long_story(void)
{
	static char story[8000];
	guint32 number = 1;

	for (gsize i = 0; i < sizeof story - 1; i++) {
		number = number * 1664525 + 1013904223;
		story[i] = (char)('A' + (number >> 24) % 26);
	}
	return story;
}

static void test_too_big_in_parts(void **state)
{
	g_autoptr(MtwItem) item = NULL;
	JsonArray *files;

	(void)state;
	put_target("here", PARTS);
	walk(WITH("target=here", "too-big=split", "send=yes"));
	mtw_answers_set(script.answers, "story", long_story());
	script.options.no_network = TRUE;
	script_run("network");
	assert_asked("target;too-big;send;");
	assert_queued("here=consented;");
	item = queued_item(FALSE);
	files = mtw_json_array(mtw_item_meta(item), "files");
	assert_true(json_array_get_length(files) > 2);
}

/* Unattended the target's list says what is done; its end is a no of the server. */
static void test_too_big_by_the_list(void **state)
{
	g_autoptr(MtwItem) item = NULL;
	JsonArray *files;
	const char *name;

	(void)state;
	put_target("here", SERVER "MaxSize=10\nOnTooBig=recompress;split;save\n" ONCE);
	script.options.target = "here";
	script.options.consent_upload = TRUE;
	script.options.no_network = TRUE;
	script.engine.tries = ONE_GOOD;
	script_run("rejected");
	assert_queued("");
	assert_packed(TRUE);

	g_clear_pointer(&script.wizard, mtw_wizard_free);
	put_target("here", PARTS);
	mtw_answers_set(script.answers, "story", long_story());
	script.engine.starts = 0;
	script_run("network");
	assert_queued("here=consented;");
	item = queued_item(FALSE);
	files = mtw_json_array(mtw_item_meta(item), "files");
	name = mtw_json_string(mtw_json_object_at(files, 0), "name", "");
	/* Tighter was not enough, so it is in parts, of the tighter one. */
	assert_true(g_str_has_suffix(name, ".tar.xz.001"));
}

/* Consent that was given beforehand is for one host. */
static void test_too_big_fallback(void **state)
{
	(void)state;
	put_target("here", SERVER "MaxSize=10\nOnTooBig=fallback:there\n" ONCE);
	put_target("there", BROWSER);
	script.options.target = "here";
	script.options.consent_upload = TRUE;
	script.options.no_network = TRUE;
	script.engine.tries = ONE_GOOD;
	script_run("rejected");
	assert_queued("");

	g_clear_pointer(&script.wizard, mtw_wizard_free);
	put_target("there", SERVER ONCE);
	script.engine.starts = 0;
	script_run("network");
	assert_queued("there=consented;");
}

/* ---- it did not get there, or is there already ---------------------------------------------- */

static void test_no_connection(void **state)
{
	(void)state;
	put_target("here", SERVER ONCE);
	walk(WITH("target=here", "send=yes"));
	script_run("network");
	assert_seen("queued ");
	assert_seen("step done;");
	assert_packed(TRUE);
	assert_queued("here=consented;");
	assert_null(mtw_json_object(script.engine.facts, "sent"));
}

static void test_no_network(void **state)
{
	(void)state;
	put_target("here", SERVER ONCE);
	walk(WITH("target=here", "send=yes"));
	script.options.no_network = TRUE;
	script_run("network");
	assert_queued("here=consented;");
}

static char *archive_path(void)
{
	return g_build_filename(script.output, "8086-100e-alice-mmiotrace.tar.gz", NULL);
}

/* As `upload` does it: an archive, and no capture. */
static void send_archive(const char *error)
{
	g_autofree char *archive = archive_path();
	g_autoptr(GError) why = NULL;

	g_clear_pointer(&script.wizard, mtw_wizard_free);
	g_string_truncate(script.view.asked, 0);
	g_string_truncate(script.view.seen, 0);
	mtw_wizard_send(script_wizard(), archive, &why);
	if (g_strcmp0(why != NULL ? mtw_error_name(why) : NULL, error) != 0)
		fail_msg("%s", why != NULL ? why->message : "no error");
}

/* Pretends that the server took it: only its own state says so. */
static void mark_done(void)
{
	g_autoptr(GPtrArray) items = mtw_queue_list(&script.caller, NULL);
	const MtwItem *item = items->pdata[0];
	JsonObject *state = mtw_item_state_json(item);
	g_autofree char *path = g_build_filename(mtw_item_folder(item), "state.json", NULL);
	g_autofree char *text = NULL;

	json_object_set_string_member(state, "state", "done");
	json_object_set_string_member(mtw_json_object(state, "facts"), "url",
				      "http://127.0.0.1:1/in/x");
	text = mtw_json_pretty(state);
	assert_true(mtw_file_write_atomic(path, text, strlen(text), 0600, NULL));
}

static void test_sent_before(void **state)
{
	(void)state;
	put_target("here", SERVER ONCE);
	walk(WITH("target=here", "send=yes"));
	script.options.no_network = TRUE;
	script_run("network");
	mark_done();
	send_archive(NULL);
	assert_string_equal(script.view.asked->str, "target;duplicate;");
	assert_seen("duplicate;");
	assert_queued("here=done;");
	/* Once more, because the person says so. */
	script.view.answers = ANSWERS("target=here", "duplicate=yes", "send=yes");
	send_archive("network");
	assert_string_equal(script.view.asked->str, "target;duplicate;send;");
	assert_queued("here=consented;");
}

static void test_upload_declined(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(WITH("target=none"));
	script_run(NULL);
	send_archive("declined");
	script.view.answers = ANSWERS("target=here", "send=no");
	send_archive("declined");
	assert_packed(TRUE);
	assert_queued("");
}

/* ---- the queue ------------------------------------------------------------------------------ */

static void queue_one(void)
{
	put_target("here", SERVER ONCE);
	walk(WITH("target=here", "send=yes"));
	script.options.no_network = TRUE;
	script_run("network");
	script.options.no_network = FALSE;
	script.view.answers = NULL;
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	g_string_truncate(script.view.asked, 0);
}

static void forget_consent(void)
{
	g_autoptr(MtwItem) item = queued_item(FALSE);
	g_autofree char *path = g_build_filename(mtw_item_folder(item), "meta.json", NULL);
	JsonObject *meta = mtw_item_meta(item);
	g_autofree char *text = NULL;

	json_object_remove_member(meta, "consent");
	text = mtw_json_pretty(meta);
	assert_true(mtw_file_write_atomic(path, text, strlen(text), 0600, NULL));
}

/* Agreed to once is enough, as long as it goes to the same place. */
static void test_queue_send(void **state)
{
	g_autoptr(MtwItem) item = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	queue_one();
	item = queued_item(TRUE);
	assert_false(mtw_wizard_send_item(script_wizard(), item, TRUE, &error));
	assert_string_equal(mtw_error_name(error), "network");
	assert_string_equal(script.view.asked->str, "");
}

static void test_queue_send_to_another_host(void **state)
{
	g_autoptr(MtwItem) item = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	queue_one();
	put_target("here", "[Target]\nVersion=1\nName=A server\nKind=put\nAuth=none\n"
			   "URL=http://127.0.0.2:1/in\n" ONCE);
	item = queued_item(TRUE);
	assert_false(mtw_wizard_send_item(script_wizard(), item, TRUE, &error));
	assert_string_equal(mtw_error_name(error), "declined");
	/* That is another report: no question makes it this one. */
	assert_string_equal(script.view.asked->str, "");
}

/* A process died between making it and the yes. */
static void test_queue_send_without_consent(void **state)
{
	g_autoptr(MtwItem) item = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	queue_one();
	forget_consent();
	item = queued_item(TRUE);
	script.view.answers = ANSWERS("send=no");
	assert_false(mtw_wizard_send_item(script_wizard(), item, TRUE, &error));
	assert_string_equal(mtw_error_name(error), "declined");
	assert_string_equal(script.view.asked->str, "send;");
	assert_seen("preview;");
	script.view.answers = ANSWERS("send=yes");
	g_clear_error(&error);
	assert_false(mtw_wizard_send_item(script_wizard(), item, TRUE, &error));
	assert_string_equal(mtw_error_name(error), "network");
	/* With nobody there it is not even asked for. */
	g_clear_error(&error);
	g_clear_pointer(&item, mtw_item_free);
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	forget_consent();
	item = queued_item(TRUE);
	g_string_truncate(script.view.asked, 0);
	script.options.batch = TRUE;
	assert_false(mtw_wizard_send_item(script_wizard(), item, TRUE, &error));
	assert_string_equal(mtw_error_name(error), "declined");
	assert_string_equal(script.view.asked->str, "");
}

static void test_queue_drop(void **state)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwItem) item = NULL;

	(void)state;
	queue_one();
	item = queued_item(FALSE);
	assert_false(mtw_wizard_drop_item(script_wizard(), mtw_item_id(item), &error));
	assert_string_equal(mtw_error_name(error), "declined");
	assert_string_equal(script.view.asked->str, "drop;");
	assert_queued("here=consented;");
	script.view.answers = ANSWERS("drop=yes");
	assert_true(mtw_wizard_drop_item(script_wizard(), mtw_item_id(item), NULL));
	assert_queued("");
	assert_packed(TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SEND_TEST(test_too_big_saved),
		SEND_TEST(test_too_big_elsewhere),
		SEND_TEST(test_too_big_nowhere),
		SEND_TEST(test_too_big_in_parts),
		SEND_TEST(test_too_big_by_the_list),
		SEND_TEST(test_too_big_fallback),
		SEND_TEST(test_no_connection),
		SEND_TEST(test_no_network),
		SEND_TEST(test_sent_before),
		SEND_TEST(test_upload_declined),
		SEND_TEST(test_queue_send),
		SEND_TEST(test_queue_send_to_another_host),
		SEND_TEST(test_queue_send_without_consent),
		SEND_TEST(test_queue_drop),
	};

	return cmocka_run_group_tests_name("wizard-send-after", tests, NULL, NULL);
}
