/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each page of the window with a script of events. Needs a display, but nothing else of a desktop. */
#include "gui/page-done.h"
#include "gui/text.h"
#include "page-fixture.h"

/* What it keeps until the end is not ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libfontconfig\n";
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void test_checks(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_check_get_type());

	(void)state;
	tell(fixture, "check",
	     "{\"id\":\"a\",\"level\":\"ok\",\"sentence\":\"All is well.\",\"detail\":\"e1000\"}");
	tell(fixture, "check",
	     "{\"id\":\"b\",\"level\":\"warning\",\"sentence\":\"It is "
	     "slow.\",\"hint\":\"Wait.\"}");
	tell(fixture, "check",
	     "{\"id\":\"c\",\"level\":\"failure\",\"sentence\":\"The tracer is "
	     "on.\",\"fix\":\"recover\"}");
	assert_shown(fixture, "1 thing has to be put right first. There is 1 warning.");
	assert_mnemonics(fixture, "t");
	assert_shown(fixture, "All is well. (e1000)");
	assert_shown(fixture, "It is slow.\nWait.");
	assert_shown(fixture, "The tracer is on.");
	assert_target(fixture, "Clean Up", "win.fix", "recover");
}

static void test_checks_unknown_fix(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_check_get_type());

	(void)state;
	tell(fixture, "check",
	     "{\"id\":\"c\",\"level\":\"failure\",\"sentence\":\"Broken.\",\"fix\":\"magic\"}");
	assert_shown(fixture, "Broken.");
	assert_null(button(fixture, "Clean Up"));
	assert_shown(fixture, "1 thing has to be put right first.");
	/* Another run begins with nothing. */
	mtw_page_begin(fixture->page);
	assert_not_shown(fixture, "Broken.");
	assert_not_shown(fixture, "has to be put right");
	tell(fixture, "check", "{\"id\":\"a\",\"level\":\"ok\",\"sentence\":\"Well.\"}");
	assert_shown(fixture, "Everything is in order.");
	tell(fixture, "check", "{\"id\":\"b\",\"level\":\"warning\",\"sentence\":\"Hm.\"}");
	assert_not_shown(fixture, "Everything is in order.");
	assert_shown(fixture, "There is 1 warning.");
}

/* ---- capture --------------------------------------------------------------------------------- */

#define STEPS                                                                                \
	"{\"steps\":[{\"index\":1,\"say\":\"Plug it in.\",\"waits_for_user\":true},"         \
	"{\"index\":2,\"say\":\"Play a sound.\",\"waits_for_user\":true,\"optional\":true}," \
	"{\"index\":3,\"say\":\"Wait a second.\",\"waits_for_user\":false}]}"

static void test_checklist(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_capture_get_type());

	(void)state;
	tell(fixture, "driver-up", "{}");
	tell(fixture, "scenario-steps", STEPS);
	assert_shown(fixture, "What to do: 0 of 3 done");
	tell(fixture, "scenario", "{\"index\":1,\"say\":\"Plug it in.\",\"waits_for_user\":true}");
	assert_shown(fixture, "now");
	assert_mnemonics(fixture, "s");
	click(fixture, "It Is Done");
	assert_sent(fixture, "line n;");
	/* Until the wizard has heard of it, nothing can be pressed: twice would be the next step, too. */
	assert_false(gtk_widget_is_sensitive(button(fixture, "It Is Done")));
	tell(fixture, "scenario-end", "{\"index\":1,\"result\":\"done\"}");
	assert_shown(fixture, "What to do: 1 of 3 done");
	tell(fixture, "scenario",
	     "{\"index\":2,\"say\":\"Play a sound.\",\"waits_for_user\":true}");
	click(fixture, "Leave It Out");
	assert_sent(fixture, "line s;");
	tell(fixture, "scenario-end", "{\"index\":2,\"result\":\"left-out\"}");
	assert_shown(fixture, "left out");
	assert_null(button(fixture, "It Is Done"));
}

static void test_checklist_out_of_order(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_capture_get_type());

	(void)state;
	tell(fixture, "driver-up", "{}");
	tell(fixture, "scenario-steps", STEPS);
	tell(fixture, "scenario", "{\"index\":1,\"say\":\"Plug it in.\",\"waits_for_user\":true}");
	click(fixture, "Do It Now");
	assert_sent(fixture, "line 2;");
	tell(fixture, "scenario",
	     "{\"index\":2,\"say\":\"Play a sound.\",\"waits_for_user\":true}");
	tell(fixture, "scenario-end", "{\"index\":2,\"result\":\"done\"}");
	tell(fixture, "scenario", "{\"index\":1,\"say\":\"Plug it in.\",\"waits_for_user\":true}");
	assert_shown(fixture, "What to do: 1 of 3 done");
	click(fixture, "It Is Done");
	assert_sent(fixture, "line n;");
}

#define COUNTERS                                                                             \
	"{\"seconds\":%d,\"events\":%d,\"target\":%d,\"bytes\":2048,\"lost\":%d,\"bars\":[{" \
	"\"index\":0,\"reads\":7,\"writes\":9}]}"

static void test_counters(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_capture_get_type());
	g_autofree char *first = g_strdup_printf(COUNTERS, 1, 16, 16, 0);
	g_autofree char *second = g_strdup_printf(COUNTERS, 65, 100, 90, 12);

	(void)state;
	tell(fixture, "driver-up", "{}");
	tell(fixture, "counters", first);
	assert_shown(fixture, "0:01");
	assert_shown(fixture, "7 reads, 9 writes");
	assert_not_shown(fixture, "events are lost");
	tell(fixture, "counters", second);
	assert_shown(fixture, "1:05");
	assert_shown(fixture, "12 events are lost");
	g_clear_pointer(&second, g_free);
	second = g_strdup_printf(COUNTERS, 66, 100, 90, 1);
	tell(fixture, "counters", second);
	assert_shown(fixture, "1 event is lost");
	tell(fixture, "marker", "{\"text\":\"video starts\"}");
	assert_shown(fixture, "video starts");
	assert_shown(fixture, "1 marker");
	/* Nothing is taken any more. */
	tell(fixture, "state", "{\"state\":\"stopping\"}");
	assert_false(gtk_widget_is_sensitive(button(fixture, "Set Marker")));
}

/* ---- verdict --------------------------------------------------------------------------------- */

#define VERDICT                                                                                \
	"{\"grade\":\"%s\",\"device\":\"0000:00:03.0\",\"buffer_kb\":1024,\"next_buffer_kb\":" \
	"4096,"                                                                                \
	"\"verdict\":{\"sentence\":\"%s\",\"events\":351,\"reads\":117,\"writes\":233,"        \
	"\"markers\":2,"                                                                       \
	"\"lost\":{\"events\":%d},\"bars\":[{\"index\":0,\"reads\":117,\"writes\":233}],"      \
	"\"findings\":[{\"sentence\":\"No marker was set.\",\"serious\":false}]}}"

static Fixture *open_verdict(const char *grade, const char *sentence, int lost)
{
	Fixture *fixture = open_page(mtw_page_verdict_get_type());
	g_autofree char *event = g_strdup_printf(VERDICT, grade, sentence, lost);

	tell(fixture, "verdict", event);
	assert_shown(fixture, sentence);
	return fixture;
}

static void test_verdict_good(void **state)
{
	g_autoptr(Fixture) fixture = open_verdict("good", "The trace is complete.", 0);

	(void)state;
	assert_shown(fixture, "Next, tell what you did");
	assert_shown(fixture, "117 reads, 233 writes");
	assert_shown(fixture, "No marker was set.");
	assert_null(button(fixture, "Try Again"));
	assert_not_shown(fixture, "Events were lost. What now?");
}

static void test_verdict_lost(void **state)
{
	static const char *const choices[] = { "retry", "keep", "fail", NULL };
	const MtwRequest request = { .id = "on-lost",
				     .kind = MTW_REQUEST_CHOICE,
				     .sentence = "Events were lost. What now?",
				     .detail = "",
				     .choices = choices };
	g_autoptr(Fixture) fixture = open_verdict("lost", "Events are missing.", 42);
	g_autofree char *answer = NULL;
	g_autofree char *other = NULL;

	(void)state;
	assert_not_shown(fixture, "Events were lost. What now?");
	assert_true(mtw_page_ask(fixture->page, &request));
	assert_shown(fixture, "Events were lost. What now?");
	assert_shown(fixture, "4.0 MiB");
	assert_shown(fixture, "42");
	assert_mnemonics(fixture, "lk");
	answer = mtw_page_answer(fixture->page);
	other = MTW_PAGE_GET_CLASS(fixture->page)->other(fixture->page);
	assert_string_equal(answer, "retry");
	assert_string_equal(other, "keep");
	click(fixture, "Give Up, and Pack Nothing");
	assert_sent(fixture, "answer fail;");
	assert_false(mtw_page_ask(fixture->page, NULL));
	assert_not_shown(fixture, "Events were lost. What now?");
}

static void test_verdict_untouched(void **state)
{
	g_autoptr(Fixture) fixture = open_verdict("untouched", "The device was not touched.", 0);

	(void)state;
	assert_shown(fixture, "Is it the right device, and the right driver?");
	assert_non_null(button(fixture, "Try Again"));
	assert_mnemonics(fixture, "c");
}

/* ---- review ---------------------------------------------------------------------------------- */

#define REVIEW                                                                          \
	"{\"redact\":true,\"files\":["                                                  \
	"{\"name\":\"mydump.txt\",\"bytes\":2048,\"text\":false,\"replaced\":{}},"      \
	"{\"name\":\"dmesg.txt\",\"bytes\":100,\"text\":true,\"replaced\":{\"mac\":3}," \
	"\"excluded\":%s}]}"

static const MtwRequest review = {
	.id = "review", .kind = MTW_REQUEST_TEXT, .sentence = "Is it ok?", .detail = ""
};

static GtkListBox *find_list(GtkWidget *widget)
{
	GtkListBox *found = GTK_IS_LIST_BOX(widget) ? GTK_LIST_BOX(widget) : NULL;

	for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
	     child = gtk_widget_get_next_sibling(child))
		found = find_list(child);
	return found;
}

static Fixture *open_review(void)
{
	Fixture *fixture = open_page(mtw_page_review_get_type());
	g_autofree char *event = g_strdup_printf(REVIEW, "false");

	tell(fixture, "review", event);
	assert_true(mtw_page_ask(fixture->page, &review));
	assert_shown(fixture, "nothing masked");
	assert_shown(fixture, "masked: 3 × hardware address");
	return fixture;
}

static void choose(Fixture *fixture, int index)
{
	GtkListBox *list = find_list(GTK_WIDGET(fixture->page));

	gtk_list_box_select_row(list, gtk_list_box_get_row_at_index(list, index));
}

static void test_review(void **state)
{
	g_autoptr(Fixture) fixture = open_review();
	g_autofree char *excluded = g_strdup_printf(REVIEW, "true");
	g_autofree char *answer = mtw_page_answer(fixture->page);

	(void)state;
	assert_string_equal(answer, "ok");
	assert_mnemonics(fixture, "c");
	/* A trace is not edited. */
	assert_false(gtk_widget_is_sensitive(button(fixture, "Edit")));
	choose(fixture, 1);
	click(fixture, "Edit");
	click(fixture, "Leave It Out");
	assert_sent(fixture, "answer edit dmesg.txt;answer exclude dmesg.txt;");
	tell(fixture, "review", excluded);
	assert_shown(fixture, "left out");
	click(fixture, "Take It In Again");
	assert_sent(fixture, "answer include dmesg.txt;");
}

static void test_review_diff(void **state)
{
	g_autoptr(Fixture) fixture = open_review();

	(void)state;
	choose(fixture, 1);
	click(fixture, "Show What Was Masked");
	assert_sent(fixture, "answer diff dmesg.txt;");
	tell(fixture, "diff",
	     "{\"file\":\"dmesg.txt\",\"more\":true,\"lines\":[{\"line\":3,\"before\":\"mac "
	     "00:11\",\"after\":\"mac xx\"}]}");
	assert_shown(fixture, "dmesg.txt: 1 line is not as it was collected");
	assert_shown(fixture, "There are more lines like these in the file.");
	assert_not_shown(fixture, "mydump.txt");
	assert_mnemonics(fixture, "c");
	click(fixture, "Back to the Files");
	assert_shown(fixture, "mydump.txt");
	assert_sent(fixture, "");
}

/* While the wizard works, and while it asks something else, no command is taken. */
static void test_review_at_work(void **state)
{
	g_autoptr(Fixture) fixture = open_review();

	(void)state;
	assert_false(mtw_page_ask(fixture->page, NULL));
	assert_false(gtk_widget_is_sensitive(button(fixture, "Show What Was Masked")));
}

/* ---- sending --------------------------------------------------------------------------------- */

static void test_sending(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_send_get_type());

	(void)state;
	tell(fixture, "archive", "{\"path\":\"/home/a/x.tar.gz\",\"bytes\":7168}");
	assert_shown(fixture, "Packed: /home/a/x.tar.gz (7.0 KiB)");
	tell(fixture, "inquiry", "{\"who\":\"alice\",\"limit\":1048576}");
	assert_shown(fixture, "Signed in as alice");
	assert_shown(fixture, "at most 1.0 MiB");
	tell(fixture, "preview",
	     "{\"name\":\"Our "
	     "place\",\"host\":\"example.org\",\"who\":\"alice\",\"visibility\":\"public\","
	     "\"title\":\"A trace\",\"body\":\"The text.\",\"sha256\":\"abc\","
	     "\"files\":[{\"name\":\"x.tar.gz\",\"bytes\":7168}],\"members\":[{\"name\":\"mydump."
	     "txt\",\"bytes\":9}]}");
	assert_shown(fixture, "Exactly this is sent");
	assert_shown(fixture, "Our place (example.org)");
	assert_shown(fixture, "x.tar.gz, 7.0 KiB");
	assert_shown(fixture, "A trace");
	assert_shown(fixture, "The text.");
	tell(fixture, "sending", "{\"host\":\"example.org\"}");
	assert_shown(fixture, "Sending to example.org");
	tell(fixture, "progress", "{\"bytes\":1024,\"total\":7168,\"eta_sec\":61}");
	assert_shown(fixture, "Sending: 1.0 KiB of 7.0 KiB, 1:01 left");
	tell(fixture, "sent", "{\"url\":\"https://example.org/1\"}");
	assert_shown(fixture, "Sent");
}

static void test_sending_again(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_send_get_type());

	(void)state;
	tell(fixture, "retry",
	     "{\"message\":\"connection refused\",\"in_sec\":65,\"try\":1,\"of\":3}");
	assert_shown(fixture, "connection refused");
	assert_shown(fixture, "1:05");
	assert_shown(fixture, "try 1 of 3");
	mtw_page_begin(fixture->page);
	assert_not_shown(fixture, "connection refused");
}

/* ---- done ------------------------------------------------------------------------------------ */

static void test_done_restored(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_done_get_type());

	(void)state;
	note(fixture, "done", "{\"session\":\"s1\",\"restored\":true}");
	note(fixture, "archive", "{\"path\":\"/home/a/x.tar.gz\",\"bytes\":7168}");
	note(fixture, "sent", "{\"url\":\"https://example.org/1\"}");
	mtw_page_done_finish(MTW_PAGE_DONE(fixture->page), NULL, "", "");
	assert_shown(fixture, "This computer is as it was before.");
	assert_shown(fixture, "/home/a/x.tar.gz");
	assert_shown(fixture, "https://example.org/1");
	assert_non_null(button(fixture, "Copy the Link"));
	assert_target(fixture, "Delete the Capture…", "win.delete-session", "s1");
	assert_mnemonics(fixture, "f");
	/* Another walk knows nothing of it. */
	mtw_page_done_forget(MTW_PAGE_DONE(fixture->page), FALSE);
	mtw_page_begin(fixture->page);
	mtw_page_done_finish(MTW_PAGE_DONE(fixture->page), NULL, "", "");
	assert_not_shown(fixture, "example.org");
}

static void test_done_not_restored(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_done_get_type());

	(void)state;
	note(fixture, "done", "{\"session\":\"s1\",\"restored\":false}");
	mtw_page_done_finish(MTW_PAGE_DONE(fixture->page), "It went wrong.", "the cause", "a hint");
	assert_shown(fixture, "It went wrong.");
	assert_shown(fixture, "the cause\na hint");
	assert_not_shown(fixture, "This computer is as it was before.");
	assert_shown(fixture, "It is not known whether this computer is as it was before.");
	assert_target(fixture, "Clean Up", "win.fix", "recover");
	assert_null(button(fixture, "Copy the Link"));
	assert_mnemonics(fixture, "f");
}

/* That is said once, with the reason, and not any more when it is put right; the trace can be packed. */
static void test_done_cleaned_up(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_done_get_type());
	g_autoptr(JsonObject) kept = json_object_new();

	(void)state;
	note(fixture, "done", "{\"session\":\"s1\",\"restored\":false,\"trace\":true}");
	mtw_page_done_not_restored(MTW_PAGE_DONE(fixture->page), "It is not as before.",
				   "the cause", "a hint");
	assert_not_shown(fixture, "It is not as before.");
	assert_shown(fixture, "Something on this computer is not as it was before.");
	assert_shown(fixture, "the cause\n“Clean Up” puts it right");
	assert_target(fixture, "Clean Up", "win.fix", "recover");
	assert_target(fixture, "Go On", "win.session", "s1");
	assert_mnemonics(fixture, "f");
	mtw_page_done_worked(MTW_PAGE_DONE(fixture->page), MTW_WORK_CLEAN_UP, kept);
	assert_shown(fixture, "This computer is as it was before.");
	assert_not_shown(fixture, "the cause");
	assert_null(button(fixture, "Clean Up"));
}

static void test_done_next_boot(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_done_get_type());

	(void)state;
	note(fixture, "next-boot", "{\"session\":\"s1\"}");
	mtw_page_done_finish(MTW_PAGE_DONE(fixture->page), NULL, "", "");
	assert_target(fixture, "Take It Back", "win.take-back", "s1");
	assert_mnemonics(fixture, "f");
}

/* A report that waits tells where it goes on; an archive that was not even begun to be sent can be sent. */
static void test_done_stopped(void **state)
{
	g_autoptr(Fixture) fixture = open_page(mtw_page_done_get_type());

	(void)state;
	note(fixture, "archive", "{\"path\":\"/home/a/x.tar.gz\",\"bytes\":7168}");
	mtw_page_done_stop(MTW_PAGE_DONE(fixture->page));
	assert_shown(fixture, "You have stopped the sending.");
	assert_shown(fixture, "“Send It…” sends it when you like.");
	assert_target(fixture, "Send It…", "win.send-archive", "/home/a/x.tar.gz");
	assert_mnemonics(fixture, "f");
	mtw_page_done_forget(MTW_PAGE_DONE(fixture->page), TRUE);
	note(fixture, "queued", "{\"id\":\"q1\"}");
	mtw_page_done_stop(MTW_PAGE_DONE(fixture->page));
	assert_shown(fixture, "Nothing is lost, and what has arrived is not sent again.");
	assert_target(fixture, "Send Now", "win.send-report", "q1");
	assert_mnemonics(fixture, "f");
}

/* As languages write it whose letters are not on the keys, too. */
static void test_without_mnemonic(void **state)
{
	static const char *const texts[][2] = {
		{ "_Next", "Next" },
		{ "Save a Cop_y…", "Save a Copy…" },
		{ "다음(_N)", "다음" },
		{ "보내기(_E)…", "보내기…" },
		{ "a__b (_x y)", "a_b (x y)" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *plain = mtw_gui_without_mnemonic(texts[i][0]);
		assert_string_equal(plain, texts[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checks),
		cmocka_unit_test(test_checks_unknown_fix),
		cmocka_unit_test(test_checklist),
		cmocka_unit_test(test_checklist_out_of_order),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_verdict_good),
		cmocka_unit_test(test_verdict_lost),
		cmocka_unit_test(test_verdict_untouched),
		cmocka_unit_test(test_review),
		cmocka_unit_test(test_review_diff),
		cmocka_unit_test(test_review_at_work),
		cmocka_unit_test(test_sending),
		cmocka_unit_test(test_sending_again),
		cmocka_unit_test(test_done_restored),
		cmocka_unit_test(test_done_not_restored),
		cmocka_unit_test(test_done_cleaned_up),
		cmocka_unit_test(test_done_next_boot),
		cmocka_unit_test(test_done_stopped),
		cmocka_unit_test(test_without_mnemonic),
	};

	gtk_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
