/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SEND: where it goes, who agrees, and what is said before. */
#include "test-wizard-send.h"

/* ---- where ---------------------------------------------------------------------------------- */

static void test_no_target_is_known(void **state)
{
	(void)state;
	walk(willing);
	script_run(NULL);
	assert_asked("");
	assert_seen("message no-target;");
	assert_seen("message saved;");
	assert_packed(TRUE);
	assert_queued("");
}

static void test_nowhere(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(WITH("target=none"));
	script_run(NULL);
	assert_asked("target;");
	assert_not_seen("preview;");
	assert_seen("message saved;");
	assert_seen("step done;");
	assert_packed(TRUE);
	assert_queued("");
}

/* No answer at all is "nowhere", too. */
static void test_silence(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(willing);
	script_run(NULL);
	assert_asked("target;");
	assert_queued("");
}

static void test_never_ask_again(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(WITH("target=never"));
	script_run(NULL);
	assert_asked("target;");
	assert_true(mtw_settings_never_ask(&script.caller));

	g_clear_pointer(&script.wizard, mtw_wizard_free);
	g_string_truncate(script.view.asked, 0);
	g_string_truncate(script.view.seen, 0);
	script.engine.starts = 0;
	script_run(NULL);
	assert_asked("");
	assert_not_seen("step send;");

	/* What is named is sent all the same. */
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	g_string_truncate(script.view.asked, 0);
	script.engine.starts = 0;
	script.options.target = "here";
	script_run(NULL);
	assert_asked("send;");
}

/* What else stands in the file of settings stays there; one that is not understood is not overwritten. */
static void test_settings(void **state)
{
	g_autofree char *text = NULL;
	const char *path = "home/alice/.config/mmiotrace-wizard/settings.conf";

	(void)state;
	g_unsetenv("XDG_CONFIG_HOME");
	assert_false(mtw_settings_never_ask(&script.caller));
	fake_root_put(kernel.root, path, "[Window]\nWidth=800\n[Send]\nAsk=always\n");
	assert_false(mtw_settings_never_ask(&script.caller));
	assert_true(mtw_settings_set_never_ask(&script.caller, NULL));
	assert_true(mtw_settings_never_ask(&script.caller));
	text = fake_root_read(kernel.root, path);
	assert_non_null(strstr(text, "Width=800"));
	fake_root_put(kernel.root, path, "no group\n");
	assert_false(mtw_settings_never_ask(&script.caller));
	assert_false(mtw_settings_set_never_ask(&script.caller, NULL));
}

static char *offered;

static char *note_choices(MtwView *view, const MtwRequest *request)
{
	if (strcmp(request->id, "target") == 0) {
		g_free(offered);
		offered = g_strjoinv(";", (char **)request->choices);
	}
	return script_ask(view, request);
}

/* Those that are for the device, the better fitting ones first; no others, and none that cannot be used. */
static void test_what_is_offered(void **state)
{
	const MtwViewOps ops = { .show = script_show,
				 .ask = note_choices,
				 .capture_line = script_capture_line,
				 .can_edit = script_can_edit };

	(void)state;
	script.view.base.ops = &ops;
	put_target("any", BROWSER);
	put_target("intel", BROWSER "Match=pci:8086:*:*\n");
	put_target("nic", BROWSER "Match=pci:8086:100e:*\n");
	put_target("nvidia", BROWSER "Match=pci:10de:*:*\n");
	put_target("off", BROWSER "Enabled=false\n");
	put_target("bad", "[Target]\nVersion=1\nName=x\nKind=pigeon\n");
	put_target("zip", BROWSER "FileTypes=.zip\n");
	walk(willing);
	script_run(NULL);
	assert_string_equal(offered, "nic;intel;any;none;never");
	g_clear_pointer(&offered, g_free);
	assert_seen("message target;");
}

static void test_named_one_that_is_not_there(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(willing);
	script.options.target = "elsewhere";
	/* Found before the machine is changed. */
	script_run("not-found");
	assert_calls("");
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	put_target("elsewhere", BROWSER "Enabled=false\n");
	script_run("usage");
	assert_calls("");
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script.options.target = NULL;
	script.options.issue = "https://example.org/about";
	script_run("usage");
	assert_calls("");
}

#define TRACKER                                                                       \
	"[Target]\nVersion=1\nName=A tracker\nKind=gitlab\nURL=https://git.invalid\n" \
	"Project=drm/x\nVisibility=public\n"

/* The address tells the place; a wrong one is asked for again. */
static void test_issue(void **state)
{
	(void)state;
	put_target("tracker", TRACKER ONCE);
	walk(WITH("target=tracker", "issue=https://git.invalid/drm/x/-/issues/7", "send=no"));
	script.options.no_network = TRUE;
	script_run(NULL);
	assert_asked("target;issue;send;");
	assert_queued("");
}

static void test_issue_of_the_options(void **state)
{
	(void)state;
	put_target("tracker", TRACKER ONCE);
	put_target("here", BROWSER);
	walk(WITH("send=no"));
	script.options.no_network = TRUE;
	script.options.issue = "https://git.invalid/drm/x/-/issues/7";
	script_run(NULL);
	assert_asked("send;");
	/* Both are named, and they do not belong together. */
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script.engine.starts = 0;
	script.options.target = "here";
	script_run("usage");
}

/* ---- consent -------------------------------------------------------------------------------- */

static void test_declined(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(WITH("target=here", "send=no"));
	script_run(NULL);
	assert_asked("target;send;");
	assert_seen("preview;");
	assert_seen("message saved;");
	assert_packed(TRUE);
	assert_queued("");
}

static void test_agreed(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(WITH("target=here", "send=yes"));
	script_run(NULL);
	assert_asked("target;send;");
	assert_seen("sent ");
	assert_queued("here=done;");
	assert_non_null(mtw_json_object(script.engine.facts, "sent"));
	/* Where nobody knows whether the person finished it, it may be done again. */
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script.engine.starts = 0;
	script_run(NULL);
}

/* A file of answers cannot agree. */
static void test_no_consent_from_a_file(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(WITH("target=here"));
	mtw_answers_set(script.answers, "send", "yes");
	script_run(NULL);
	assert_asked("target;send;");
	assert_queued("");
}

/* With nobody there only the option is consent. */
static void test_batch_without_consent(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	mtw_answers_set(script.answers, "send", "yes");
	script.options.target = "here";
	script.options.assume_yes = TRUE;
	script.engine.tries = ONE_GOOD;
	script_run("declined");
	assert_seen("preview;");
	assert_packed(TRUE);
	assert_queued("");
}

static void test_batch(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	script.options.target = "here";
	script.options.consent_upload = TRUE;
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	assert_string_equal(script.view.asked->str, "");
	assert_seen("preview;");
	assert_queued("here=done;");
}

static void test_batch_sends_nothing_by_itself(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	assert_not_seen("step send;");
	assert_queued("");
}

static void interrupt_at_driver_up(const char *name)
{
	if (strcmp(name, "driver-up") == 0)
		mtw_wizard_interrupt(script.wizard);
}

/* What a signal cut short is not sent by itself; where a signal is the regular end, it is. */
static void test_batch_interrupted(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	script.options.target = "here";
	script.options.consent_upload = TRUE;
	script.view.on_event = interrupt_at_driver_up;
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, GOOD));
	script_run("interrupted");
	assert_packed(TRUE);
	assert_queued("");

	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script.engine.starts = 0;
	script.options.duration_sec = 0;
	script_run(NULL);
	assert_queued("here=done;");
}

/* ---- what is said before -------------------------------------------------------------------- */

static void test_warnings_of_the_review(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(ANSWERS("welcome=yes", "device=" NIC, "warnings=yes", "prepare=yes", "nick=alice",
		     "story=It worked.", "review=ok", "agree=no", "target=here", "send=yes"));
	script.options.redact = MTW_REDACT_NO;
	script_run(NULL);
	assert_seen("message not-masked;");
	assert_seen("message not-agreed;");
	assert_queued("here=done;");
}

static void test_agreed_and_masked(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	walk(WITH("target=here", "send=no"));
	script_run(NULL);
	assert_not_seen("message not-masked;");
	assert_not_seen("message not-agreed;");
	assert_not_seen("message leak;");
	assert_seen("explain;");
}

/* The look through the finished archive found something. */
static void leak_at_archive(const char *name)
{
	if (strcmp(name, "step") == 0 && script.wizard->archive != NULL)
		script.wizard->leaks = 2;
}

static void test_leaks(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	script.view.on_event = leak_at_archive;
	script.options.target = "here";
	script.options.consent_upload = TRUE;
	script.engine.tries = ONE_GOOD;
	/* Consent that was given before it was known did not mean that. */
	script_run("declined");
	assert_seen("message leak;");
	assert_queued("");
	/* A person hears it and decides. */
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script.options.consent_upload = FALSE;
	walk(WITH("send=yes"));
	script.engine.starts = 0;
	script_run(NULL);
	assert_queued("here=done;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SEND_TEST(test_no_target_is_known),
		SEND_TEST(test_nowhere),
		SEND_TEST(test_silence),
		SEND_TEST(test_never_ask_again),
		SEND_TEST(test_settings),
		SEND_TEST(test_what_is_offered),
		SEND_TEST(test_named_one_that_is_not_there),
		SEND_TEST(test_issue),
		SEND_TEST(test_issue_of_the_options),
		SEND_TEST(test_declined),
		SEND_TEST(test_agreed),
		SEND_TEST(test_no_consent_from_a_file),
		SEND_TEST(test_batch_without_consent),
		SEND_TEST(test_batch),
		SEND_TEST(test_batch_sends_nothing_by_itself),
		SEND_TEST(test_batch_interrupted),
		SEND_TEST(test_warnings_of_the_review),
		SEND_TEST(test_agreed_and_masked),
		SEND_TEST(test_leaks),
	};

	return cmocka_run_group_tests_name("wizard-send", tests, NULL, NULL);
}
