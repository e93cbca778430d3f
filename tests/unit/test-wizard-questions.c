/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only some walks ask before the capture: who wants the trace, and which of several drivers is meant. */
#include "test-wizard-send.h"

#include "wizard/options-json.h"

#define TRACKER                                                                       \
	"[Target]\nVersion=1\nName=A tracker\nKind=gitlab\nURL=https://git.invalid\n" \
	"Project=drm/x\nVisibility=public\n" ONCE
#define ISSUE "https://git.invalid/drm/x/-/issues/7"

/* Answers to "link", one after the other; the last one is "". */
static const char *const *links;
static GString *told;	   /* details of the messages "link" */
static char *started_with; /* (nullable): the driver that the capture was started with */

static char *ask(MtwView *view, const MtwRequest *request)
{
	char *answer = script_ask(view, request);

	if (strcmp(request->id, "link") != 0 || links == NULL)
		return answer;
	assert_int_equal(request->kind, MTW_REQUEST_TEXT);
	assert_null(answer);
	return g_strdup(*links != NULL ? *links++ : "");
}

static void show(MtwView *view, JsonObject *event)
{
	if (strcmp(mtw_json_string(event, "id", ""), "link") == 0) {
		assert_string_equal(mtw_json_string(event, "event", ""), "message");
		assert_string_equal(mtw_json_string(event, "level", ""), "warning");
		g_string_append_printf(told, "%s;", mtw_json_string(event, "detail", ""));
	}
	script_show(view, event);
}

static const MtwViewOps ops = {
	.show = show, .ask = ask, .capture_line = script_capture_line, .can_edit = script_can_edit
};

static int setup(void **state)
{
	int result = send_setup(state);

	links = NULL;
	told = g_string_new(NULL);
	started_with = NULL;
	script.view.base.ops = &ops;
	script.options.no_network = TRUE;
	put_target("tracker", TRACKER);
	put_target("here", BROWSER);
	return result;
}

static int teardown(void **state)
{
	g_string_free(told, TRUE);
	g_free(started_with);
	return send_teardown(state);
}

#define QUESTION_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static void walk_with_links(const char *const *texts)
{
	static const char *const answers[] = { "welcome=yes", "prepare=yes", "nick=alice",
					       "review=ok",   "agree=yes",   "send=no",
					       NULL };

	walk(answers);
	script.options.ask_link = TRUE;
	links = texts;
}

/* ---- who wants the trace ----------------------------------------------------------------------- */

/* After the welcome and before anything else; then it is the issue. */
static void test_link(void **state)
{
	(void)state;
	walk_with_links(TRY("  " ISSUE "\n"));
	script_run(NULL);
	assert_true(g_str_has_prefix(script.view.asked->str, "welcome;link;prepare;"));
	assert_asked("send;");
	assert_string_equal(script.wizard->issue, ISSUE);
	assert_string_equal(told->str, "");
}

/* Nobody did: the walk goes on as without the question. */
static void test_no_link(void **state)
{
	(void)state;
	walk_with_links(TRY(" "));
	script_run(NULL);
	assert_asked("target;");
	assert_null(script.wizard->issue);
	assert_null(mtw_wizard_capture_options(script.wizard).issue);
}

/* It is asked until there is an address that something can be sent to, or none. */
static void test_link_again(void **state)
{
	(void)state;
	walk_with_links(TRY("what?", "https://nobody.invalid/a/b/-/issues/3", ISSUE));
	script_run(NULL);
	assert_true(g_str_has_prefix(script.view.asked->str, "welcome;link;link;link;prepare;"));
	assert_non_null(strstr(told->str, "what?"));
	assert_non_null(strstr(told->str, "https://nobody.invalid"));
	assert_string_equal(script.wizard->issue, ISSUE);
	assert_asked("send;");
}

static void test_link_given_up(void **state)
{
	(void)state;
	walk_with_links(TRY("what?", ""));
	script_run(NULL);
	assert_null(script.wizard->issue);
	assert_asked("target;");
}

/* One of the named target, or none. */
static void test_link_of_another_target(void **state)
{
	(void)state;
	walk_with_links(TRY(ISSUE));
	script.options.target = "here";
	script_run(NULL);
	assert_true(g_str_has_prefix(script.view.asked->str, "welcome;link;link;prepare;"));
	assert_non_null(strstr(told->str, "here"));
	assert_null(script.wizard->issue);
}

static void test_link_of_the_target(void **state)
{
	(void)state;
	walk_with_links(TRY(ISSUE));
	script.options.target = "tracker";
	script_run(NULL);
	assert_string_equal(told->str, "");
	assert_asked("send;");
	assert_string_equal(script.wizard->issue, ISSUE);
}

static void assert_not_asked(void)
{
	script_run(NULL);
	assert_null(strstr(script.view.asked->str, "link;"));
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script.engine.starts = 0;
	g_string_truncate(script.view.asked, 0);
}

static void test_link_is_not_asked(void **state)
{
	(void)state;
	walk_with_links(TRY(ISSUE));
	script.options.no_sending = TRUE;
	assert_not_asked();
	script.options.no_sending = FALSE;
	script.options.issue = ISSUE;
	assert_not_asked();
	script.options.issue = NULL;
	script.options.ask_link = FALSE;
	assert_not_asked();
}

/* Nobody could correct it. */
static void test_link_in_a_file(void **state)
{
	(void)state;
	walk_with_links(NULL);
	mtw_answers_set(script.answers, "link", "what?");
	script_run("usage");
	assert_calls("");
	assert_string_equal(script.view.asked->str, "welcome;");
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script.options.batch = TRUE;
	script_run("usage");
	assert_calls("");
}

/* What the child that sends it is told; the person's own file says nothing about it. */
static void test_link_is_handed_over(void **state)
{
	g_autoptr(JsonObject) object = NULL;
	MtwWizardOptions options;

	(void)state;
	walk_with_links(TRY(ISSUE));
	script_run(NULL);
	object = mtw_options_to_json(script.wizard);
	mtw_options_from_json(object, &options);
	assert_string_equal(options.issue, ISSUE);
	mtw_options_clear(&options);
}

/* The session knows for whom it is; the archive does not tell. */
static void test_link_is_kept(void **state)
{
	g_autoptr(JsonObject) facts = NULL;

	(void)state;
	walk_with_links(TRY(ISSUE));
	script_run(NULL);
	assert_string_equal(mtw_wizard_capture_options(script.wizard).issue, ISSUE);
	json_object_set_string_member(script.engine.facts, "issue", ISSUE);
	facts = mtw_wizard_capture_facts(script.wizard);
	assert_false(json_object_has_member(facts, "issue"));
}

static gboolean open_session(MtwEngine *engine, const char *id, GError **error)
{
	(void)error;
	assert_string_equal(id, SESSION);
	((ScriptEngine *)engine)->arranged = TRUE;
	return TRUE;
}

static void test_link_of_a_packed_session(void **state)
{
	MtwEngineOps engine_ops = script_engine_ops;

	(void)state;
	engine_ops.open_session = open_session;
	script.engine.base.ops = &engine_ops;
	json_object_set_string_member(script.engine.facts, "issue", ISSUE);
	walk(WITH("send=no"));
	assert_true(mtw_wizard_pack(script_wizard(), SESSION, NULL));
	assert_asked("send;");
	/* Unattended, nothing is sent that was not asked for now. */
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script.options.batch = TRUE;
	mtw_answers_set(script.answers, "nick", "bob");
	assert_true(mtw_wizard_pack(script_wizard(), SESSION, NULL));
	assert_null(script.wizard->issue);
}

/* The process that goes on when the desktop is back was told nothing else. */
static void test_link_after_the_desktop(void **state)
{
	const MtwCaptureOptions running = { .device = NIC };

	(void)state;
	walk(WITH("send=no"));
	script.options.running = &running;
	script.engine.events = *script.engine.tries;
	script.engine.starts = 1;
	json_object_set_string_member(script.engine.facts, "issue", ISSUE);
	assert_true(mtw_wizard_attach(script_wizard(), NULL));
	assert_asked("send;");
}

/* ---- which driver ------------------------------------------------------------------------------ */

#define DEVICE PCI "devices/" NIC "/"

static gboolean note_driver(MtwEngine *engine, const MtwCaptureOptions *options, GError **error)
{
	started_with = g_strdup(options->driver);
	return script_start(engine, options, error);
}

/* A card that two installed drivers know, and neither has. */
static void put_card(void)
{
	g_autofree char *modules = g_build_filename(g_getenv("MTW_TEST_DESKTOP"), "lib", NULL);

	fake_root_remove(kernel.root, DEVICE "driver");
	fake_root_link(kernel.root, "lib", modules);
	kernel_put("proc/sys/kernel/osrelease", "6.1.0-57-amd64");
	kernel_put(DEVICE "modalias", "pci:v00001002d000067DFsv00001043sd000085AAbc03sc00i00");
}

static void walk_with_card(const char *const *answers)
{
	static MtwEngineOps engine_ops;

	put_card();
	engine_ops = script_engine_ops;
	engine_ops.start = note_driver;
	script.engine.base.ops = &engine_ops;
	script.options.no_sending = TRUE;
	walk(answers);
}

static char *choices;

static char *ask_driver(MtwView *view, const MtwRequest *request)
{
	if (strcmp(request->id, "driver") == 0) {
		assert_int_equal(request->kind, MTW_REQUEST_CHOICE);
		choices = g_strjoinv(";", (char **)request->choices);
		assert_int_equal(g_strv_length((char **)request->labels),
				 g_strv_length((char **)request->choices));
	}
	return script_ask(view, request);
}

static void test_driver(void **state)
{
	MtwViewOps asking = ops;

	(void)state;
	asking.ask = ask_driver;
	script.view.base.ops = &asking;
	walk_with_card(WITH("driver=radeon"));
	script_run(NULL);
	assert_true(g_str_has_prefix(script.view.asked->str, "welcome;driver;"));
	assert_true(strcmp(choices, "amdgpu;radeon") == 0 || strcmp(choices, "radeon;amdgpu") == 0);
	assert_string_equal(started_with, "radeon");
	g_free(choices);
}

/* What was said beforehand is not asked. */
static void test_driver_is_given(void **state)
{
	(void)state;
	walk_with_card(WITH("driver=radeon"));
	script.options.driver = "amdgpu";
	script_run(NULL);
	assert_null(strstr(script.view.asked->str, "driver;"));
	assert_string_equal(started_with, "amdgpu");
}

/* Nobody says which: nothing is begun. */
static void test_no_driver(void **state)
{
	(void)state;
	walk_with_card(WITH("send=no"));
	script_run("declined");
	assert_calls("");
}

static void test_wrong_driver(void **state)
{
	(void)state;
	walk_with_card(WITH("driver=nouveau"));
	script_run("usage");
	assert_calls("");
}

/* With nobody there it is the obstacle that it always was, and says what to do. */
static void test_driver_in_batch(void **state)
{
	(void)state;
	walk_with_card(WITH("driver=radeon"));
	script.options.batch = TRUE;
	mtw_answers_set(script.answers, "nick", "alice");
	mtw_answers_set(script.answers, "driver", "radeon");
	script_run("usage");
	assert_seen("check driver-choice;");
	assert_calls("");
	assert_non_null(strstr(script.message, "radeon"));
}

/* One driver has it, or only one fits: there is nothing to ask. */
static void test_driver_is_not_asked(void **state)
{
	(void)state;
	walk(WITH("driver=radeon"));
	script.options.no_sending = TRUE;
	script_run(NULL);
	assert_null(strstr(script.view.asked->str, "driver;"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUESTION_TEST(test_link),
		QUESTION_TEST(test_no_link),
		QUESTION_TEST(test_link_again),
		QUESTION_TEST(test_link_given_up),
		QUESTION_TEST(test_link_of_another_target),
		QUESTION_TEST(test_link_of_the_target),
		QUESTION_TEST(test_link_is_not_asked),
		QUESTION_TEST(test_link_in_a_file),
		QUESTION_TEST(test_link_is_handed_over),
		QUESTION_TEST(test_link_is_kept),
		QUESTION_TEST(test_link_of_a_packed_session),
		QUESTION_TEST(test_link_after_the_desktop),
		QUESTION_TEST(test_driver),
		QUESTION_TEST(test_driver_is_given),
		QUESTION_TEST(test_no_driver),
		QUESTION_TEST(test_wrong_driver),
		QUESTION_TEST(test_driver_in_batch),
		QUESTION_TEST(test_driver_is_not_asked),
	};

	return cmocka_run_group_tests_name("wizard-questions", tests, NULL, NULL);
}
