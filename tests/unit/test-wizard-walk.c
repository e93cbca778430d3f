/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps in their order, the questions, and what becomes of them when something goes wrong. */
#include "test-wizard-script.h"

static void test_batch(void **state)
{
	static const char *const steps[] = { "step welcome;",  "step device;",	"step check;",
					     "step prepare;",  "step capture;", "step verdict;",
					     "step describe;", "step review;",	"step pack;",
					     "step done;" };
	const char *at;

	(void)state;
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	at = script.view.seen->str;
	for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
		at = strstr(at, steps[i]);
		if (at == NULL)
			fail_msg("no %s in its place: %s", steps[i], script.view.seen->str);
	}
	assert_seen("check architecture;");
	assert_seen("plan;");
	assert_seen("verdict;");
	assert_seen("archive;");
	assert_seen("done-summary;");
	assert_string_equal(script.view.asked->str, "");
	assert_calls("start 64000;");
	assert_packed(TRUE);
	assert_string_equal(mtw_json_string(script.engine.facts, "state", ""), "packed");
}

static void test_person(void **state)
{
	(void)state;
	walk_with_person(willing);
	script.options.device = NULL;
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	assert_string_equal(script.view.asked->str,
			    "welcome;device;prepare;nick;story;review;agree;");
	assert_packed(TRUE);
}

/* A warning of the checks is a question of its own. */
static void test_warnings(void **state)
{
	(void)state;
	kernel_put(TRACING "set_event", "sched:sched_switch");
	walk_with_person(willing);
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	assert_string_equal(script.view.asked->str,
			    "welcome;warnings;prepare;nick;story;review;agree;");
}

/* No, or no answer at all: nothing is begun. */
static void assert_declined(const char *const *answers, const char *asked)
{
	walk_with_person(answers);
	g_string_truncate(script.view.asked, 0);
	g_string_truncate(script.view.seen, 0);
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script_run("declined");
	assert_string_equal(script.view.asked->str, asked);
	assert_calls("");
	assert_packed(FALSE);
}

static void test_declined(void **state)
{
	(void)state;
	kernel_put(TRACING "set_event", "sched:sched_switch");
	assert_declined(ANSWERS("welcome=no"), "welcome;");
	assert_declined(ANSWERS("welcome=yes", "warnings=no"), "welcome;warnings;");
	assert_declined(ANSWERS("welcome=yes", "warnings=yes", "prepare=no"),
			"welcome;warnings;prepare;");
	/* the end of input */
	assert_declined(NULL, "welcome;");
	assert_declined(ANSWERS("welcome=yes"), "welcome;warnings;");
	assert_declined(ANSWERS("welcome=yes", "warnings=yes"), "welcome;warnings;prepare;");
	script.options.device = NULL;
	assert_declined(ANSWERS("welcome=yes"), "welcome;device;");
}

static void test_answers_beforehand(void **state)
{
	(void)state;
	mtw_answers_set(script.answers, "prepare", "no");
	script_run("declined");
	assert_calls("");
}

static void test_answer_that_is_none(void **state)
{
	(void)state;
	mtw_answers_set(script.answers, "prepare", "perhaps");
	script_run("usage");
	assert_calls("");
}

static void test_bad_device(void **state)
{
	static const struct {
		const char *device, *error;
	} cases[] = { { "0000:77:00.0", "not-found" }, { "../x", "usage" }, { "", "usage" } };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_clear_pointer(&script.wizard, mtw_wizard_free);
		script.options.device = cases[i].device;
		script_run(cases[i].error);
	}
	assert_calls("");
}

static void test_failed_check(void **state)
{
	(void)state;
	kernel_put(TRACING "current_tracer", "function");
	script_run("busy");
	assert_seen("check current-tracer;");
	assert_not_seen("step prepare;");
	assert_calls("");
}

/* Found before the machine is changed, not when everything is over. */
static void test_output_cannot_be_written(void **state)
{
	(void)state;
	fake_root_put(kernel.root, "out", "a file");
	script_run("failed");
	assert_not_seen("step prepare;");
	assert_calls("");
}

static void test_start_fails(void **state)
{
	(void)state;
	script.engine.start_error = "busy";
	script_run("busy");
	assert_calls("start 64000;");
	assert_packed(FALSE);
}

/* ---- losses --------------------------------------------------------------------------------- */

static void test_interrupted_at_a_question(void **state)
{
	(void)state;
	walk_with_person(willing);
	mtw_wizard_interrupt(script_wizard());
	script_run("interrupted");
	assert_calls("");
}

static void interrupt_at_plan(const char *name)
{
	if (strcmp(name, "plan") == 0)
		mtw_wizard_interrupt(script.wizard);
}

static void test_interrupted_before_the_capture(void **state)
{
	(void)state;
	script.view.on_event = interrupt_at_plan;
	script_run("interrupted");
	assert_calls("");
}

static void interrupt_at_driver_up(const char *name)
{
	if (strcmp(name, "driver-up") == 0)
		mtw_wizard_interrupt(script.wizard);
}

/* What was recorded until then is packed; the exit status says that it was cut short. */
static void test_interrupted_in_the_capture(void **state)
{
	(void)state;
	script.view.on_event = interrupt_at_driver_up;
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, GOOD));
	script_run("interrupted");
	assert_calls("start 64000;stop;");
	assert_packed(TRUE);
}

/* With --duration 0 a signal is how it ends. */
static void test_interrupted_as_wished(void **state)
{
	(void)state;
	script.options.duration_sec = 0;
	script.view.on_event = interrupt_at_driver_up;
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, GOOD));
	script_run(NULL);
	assert_calls("start 64000;stop;");
	assert_packed(TRUE);
}

/* For a person Ctrl-C is one, too; the questions go on. */
static void test_person_interrupts_the_capture(void **state)
{
	(void)state;
	walk_with_person(willing);
	script.view.on_event = interrupt_at_driver_up;
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, GOOD));
	script_run(NULL);
	assert_non_null(strstr(script.view.asked->str, "nick;story;"));
	assert_packed(TRUE);
}

/* Interrupted and lost: no further try, whatever was wished. */
static void test_interrupted_and_lost(void **state)
{
	(void)state;
	script.view.on_event = interrupt_at_driver_up;
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, LOST));
	script_run("interrupted");
	assert_calls("start 64000;stop;");
}

static void test_duration(void **state)
{
	(void)state;
	script.options.duration_sec = 1;
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, GOOD));
	script_run(NULL);
	assert_calls("start 64000;stop;");
}

/* ---- during the capture --------------------------------------------------------------------- */

static void test_marks(void **state)
{
	static const char *const marks[] = { "one", "two \xc3\xa4", NULL };

	(void)state;
	script.options.marks = marks;
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	assert_calls("start 64000;mark one;mark two \xc3\xa4;");
}

static void test_typed_lines(void **state)
{
	static const char *const lines[] = {
		"X is up", "  a\tb  ", "n", "s", "", "too late", NULL
	};

	(void)state;
	walk_with_person(willing);
	script.view.lines = lines;
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, GOOD));
	script_run(NULL);
	/* Without a scenario "n" and "s" are texts like others. */
	assert_calls("start 64000;mark X is up;mark a b;mark n;mark s;stop;");
}

static void test_end_of_input(void **state)
{
	static const char *const lines[] = { "one", "<end>", "two", NULL };

	(void)state;
	walk_with_person(willing);
	script.view.lines = lines;
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, GOOD));
	script_run(NULL);
	assert_calls("start 64000;mark one;stop;");
}

/* ---- the report ----------------------------------------------------------------------------- */

static char *packed_file(const char *name)
{
	g_autofree char *path =
		g_build_filename(script.output, "8086-100e-alice-mmiotrace.tar.gz", NULL);
	char *text = mtw_archive_read_member(path, name, 1000000, NULL, NULL);

	assert_non_null(text);
	return text;
}

static void test_archive(void **state)
{
	g_autofree char *trace = NULL;
	g_autofree char *description = NULL;

	(void)state;
	mtw_answers_set(script.answers, "story", "It was green, then it was not.");
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	trace = packed_file("mydump.txt");
	assert_string_equal(trace, TRACE);
	description = packed_file("description.txt");
	assert_non_null(strstr(description, "It was green, then it was not."));
	assert_non_null(strstr(description, "alice"));
}

static void test_story_file(void **state)
{
	g_autofree char *path = fake_root_path(kernel.root, "story.txt");
	g_autofree char *description = NULL;

	(void)state;
	fake_root_put(kernel.root, "story.txt", "From a file.\nTwo lines.\n");
	script.options.story_file = path;
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	description = packed_file("description.txt");
	assert_non_null(strstr(description, "Two lines."));
}

static void assert_nick(const char *answer, const char *wanted)
{
	g_autoptr(GPtrArray) names = NULL;

	script.engine.starts = 0;
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	mtw_answers_free(script.answers);
	script.answers = mtw_answers_new();
	mtw_answers_set(script.answers, "nick", answer);
	fake_root_remove(kernel.root, "out");
	script_run(wanted != NULL ? NULL : "usage");
	names = mtw_folder_list(script.output);
	if (wanted == NULL)
		assert_int_equal(names->len, 0);
	else
		assert_string_equal(names->pdata[0], wanted);
}

static void test_nick(void **state)
{
	(void)state;
	script.engine.tries = ONE_GOOD;
	assert_nick("../../etc/Alice & Bob", "8086-100e-etc-Alice-Bob-mmiotrace.tar.gz");
	assert_nick("\xc3\xbc", NULL);
	assert_nick("", NULL);
	script.options.model = "GTX 1080/Ti";
	assert_nick("alice", "GTX-1080-Ti-alice-mmiotrace.tar.gz");
}

/* Nobody says it: the file gets a name all the same. */
static void test_no_nick(void **state)
{
	g_autoptr(GPtrArray) names = NULL;

	(void)state;
	mtw_answers_free(script.answers);
	script.answers = mtw_answers_new();
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	names = mtw_folder_list(script.output);
	assert_string_equal(names->pdata[0], "8086-100e-anonymous-mmiotrace.tar.gz");
}

/* An older archive is never written over. */
static void test_twice(void **state)
{
	g_autoptr(GPtrArray) names = NULL;

	(void)state;
	script.engine.tries = TRIES(TRY(UP, GOOD), TRY(UP, GOOD));
	script_run(NULL);
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script_run(NULL);
	names = mtw_folder_list(script.output);
	assert_int_equal(names->len, 2);
}

/* ---- errors --------------------------------------------------------------------------------- */

/* What a person must hear first stays, in whatever order it came. */
static void test_ranking(void **state)
{
	static const MtwErrorCode order[] = { MTW_ERROR_NOTHING_TRACED, MTW_ERROR_LOST_EVENTS,
					      MTW_ERROR_BUSY,		MTW_ERROR_INTERRUPTED,
					      MTW_ERROR_DISK,		MTW_ERROR_NOT_RESTORED };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(order); i++) {
		for (gsize j = 0; j < G_N_ELEMENTS(order); j++) {
			MtwWizard *wizard = script_wizard();
			mtw_wizard_remember(wizard, g_error_new(MTW_ERROR, (int)order[i], "first"));
			mtw_wizard_remember(wizard,
					    g_error_new(MTW_ERROR, (int)order[j], "second"));
			assert_int_equal(wizard->worst->code, order[MAX(i, j)]);
			assert_string_equal(wizard->worst->message, j > i ? "second" : "first");
			g_clear_error(&wizard->worst);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRIPT_TEST(test_batch),
		SCRIPT_TEST(test_person),
		SCRIPT_TEST(test_warnings),
		SCRIPT_TEST(test_declined),
		SCRIPT_TEST(test_answers_beforehand),
		SCRIPT_TEST(test_answer_that_is_none),
		SCRIPT_TEST(test_bad_device),
		SCRIPT_TEST(test_failed_check),
		SCRIPT_TEST(test_output_cannot_be_written),
		SCRIPT_TEST(test_start_fails),
		SCRIPT_TEST(test_interrupted_at_a_question),
		SCRIPT_TEST(test_interrupted_before_the_capture),
		SCRIPT_TEST(test_interrupted_in_the_capture),
		SCRIPT_TEST(test_interrupted_as_wished),
		SCRIPT_TEST(test_person_interrupts_the_capture),
		SCRIPT_TEST(test_interrupted_and_lost),
		SCRIPT_TEST(test_duration),
		SCRIPT_TEST(test_marks),
		SCRIPT_TEST(test_typed_lines),
		SCRIPT_TEST(test_end_of_input),
		SCRIPT_TEST(test_archive),
		SCRIPT_TEST(test_story_file),
		SCRIPT_TEST(test_nick),
		SCRIPT_TEST(test_no_nick),
		SCRIPT_TEST(test_twice),
		SCRIPT_TEST(test_ranking),
	};

	return cmocka_run_group_tests_name("wizard-walk", tests, NULL, NULL);
}
