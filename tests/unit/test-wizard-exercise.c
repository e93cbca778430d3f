/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is done with the device while it is traced: commands and the steps of a scenario. */
#include "test-wizard-script.h"

#include <signal.h>

#define TRIES(...) ((const char *const *const[]){ __VA_ARGS__, NULL })
#define TRY(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define COMMANDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void run_in_capture(void)
{
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, GOOD));
	script_run(NULL);
}

static void assert_kept(const char *text)
{
	if (strstr(script.engine.kept->str, text) == NULL)
		fail_msg("no \"%s\" in %s", text, script.engine.kept->str);
}

static char *scenario(const char *text)
{
	fake_root_put(kernel.root, "scenario.conf", text);
	return fake_root_path(kernel.root, "scenario.conf");
}

/* One after the other, each with its marker; the last one ends the capture. */
static void test_commands(void **state)
{
	(void)state;
	script.options.exercises = COMMANDS("echo 'a  b' $HOME", "sh -c 'echo err >&2; exit 3'");
	run_in_capture();
	assert_calls("start 64000;mark command: echo 'a  b' $HOME;"
		     "mark command: sh -c 'echo err >&2; exit 3';stop;");
	/* No shell: the words are passed as they are. */
	assert_kept(
		"exercise-1.txt=Command: echo 'a  b' $HOME\nResult: exit status 0\n\na  b $HOME\n");
	assert_kept("exercise-2.txt=Command: sh -c 'echo err >&2; exit 3'\n"
		    "Result: exit status 3\n\nerr\n");
	assert_packed(TRUE);
}

/* That it fails is a result, not an error of the capture. */
static void test_commands_that_fail(void **state)
{
	(void)state;
	script.options.exercises = COMMANDS("/does/not/exist", "sh -c 'kill -9 $$'", "true");
	run_in_capture();
	assert_kept("/does/not/exist");
	assert_kept("Result: killed by signal 9");
	assert_kept("exercise-3.txt=Command: true\nResult: exit status 0");
}

/* All bytes, as they came. */
static void test_binary_output(void **state)
{
	static const char wanted[] = "exit status 0\n\na\0b\377";

	(void)state;
	script.options.exercises = COMMANDS("printf 'a\\0b\\377'");
	run_in_capture();
	assert_non_null(memmem(script.engine.kept->str, script.engine.kept->len, wanted,
			       sizeof wanted - 1));
}

static void test_much_output(void **state)
{
	(void)state;
	script.options.exercises = COMMANDS("head -c 3000000 /dev/zero");
	run_in_capture();
	assert_kept("only the first 1 MiB");
	assert_true(script.engine.kept->len < 1100000);
}

static void test_not_before_the_driver(void **state)
{
	(void)state;
	script.options.exercises = COMMANDS("true");
	script.engine.tries = TRIES(TRY(DONE(VERDICT("good", "0"))));
	script_run(NULL);
	assert_calls("start 64000;");
	assert_string_equal(script.engine.kept->str, "");
}

/* At the moment of the stop: whether the command is gone. */
static void is_command_gone(void)
{
	g_autofree char *text = fake_root_read(kernel.root, "pid");
	pid_t child = (pid_t)g_ascii_strtoll(text, NULL, 10);

	assert_true(child > 0);
	assert_int_equal(kill(child, 0), -1);
	g_string_append(script.engine.calls, "gone;");
}

static void interrupt_when_begun(void)
{
	g_autofree char *path = fake_root_path(kernel.root, "pid");
	g_autofree char *text = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL) && strchr(text, '\n') != NULL)
		mtw_wizard_interrupt(script.wizard);
}

/*
 * The capture is ended and the command still runs: it is ended first. A program that has the device open
 * would keep its driver from being unloaded.
 */
static void test_ended_before_the_capture(void **state)
{
	g_autofree char *command = NULL;

	(void)state;
	command = g_strdup_printf("sh -c 'echo begun; echo $$ > %s/pid; exec sleep 1000'",
				  kernel.root->folder);
	script.options.exercises = COMMANDS(command);
	script.options.duration_sec = 0;
	script.engine.on_poll = interrupt_when_begun;
	script.engine.on_stop = is_command_gone;
	run_in_capture();
	assert_non_null(strstr(script.engine.calls->str, "stop;gone;"));
	/* What it had to say until then is kept. */
	assert_kept("Result: ended with the capture\n\nbegun\n");
}

/* ---- scenarios ------------------------------------------------------------------------------ */

static const char steps[] = "[Step x-up]\nMarkerBegin=X starts\nMarker=X is up\nSay=Start X.\n"
			    "[Step test]\nMarker=test done\nSay=Test it.\nOptional=true\n"
			    "[Step auto]\nMarkerBegin=auto starts\nMarker=auto done\nSay=Wait.\n"
			    "Command=echo done\nWait=command\n";

/* Nobody is there: what only a person can do is left out. */
static void test_scenario_in_batch(void **state)
{
	g_autofree char *path = scenario(steps);

	(void)state;
	script.options.scenario = path;
	run_in_capture();
	assert_seen("scenario-steps;scenario x-up;scenario-end;scenario test;scenario-end;"
		    "scenario auto;exercise;scenario-end;");
	assert_calls("start 64000;mark auto starts;mark auto done;stop;");
	assert_kept("Result: exit status 0\n\ndone\n");
}

static void interrupt_after_the_command(const char *name)
{
	if (strcmp(name, "exercise") == 0)
		mtw_wizard_interrupt(script.wizard);
}

/* "n" for done, "s" for left out; other lines are markers. */
static void test_scenario_with_a_person(void **state)
{
	static const char *const lines[] = { "hello", "n", "s", NULL };
	static const char *const answers[] = { "welcome=yes", "warnings=yes", "prepare=yes",
					       "nick=alice",  "review=ok",    "agree=yes",
					       NULL };
	g_autofree char *path = scenario(steps);

	(void)state;
	script.options.scenario = path;
	script.options.batch = FALSE;
	script.view.on_event = interrupt_after_the_command;
	script.view.lines = lines;
	script.view.answers = answers;
	run_in_capture();
	assert_calls("start 64000;mark hello;mark X starts;mark X is up;mark auto starts;"
		     "mark auto done;stop;");
}

/* What a view is told of the steps: "steps 1 2 3;begin 1;done 1;...". */
static GString *told;

static void tell_steps(JsonObject *event)
{
	JsonArray *array = mtw_json_array(event, "steps");

	g_string_append(told, "steps");
	for (guint i = 0; i < json_array_get_length(array); i++) {
		JsonObject *step = json_array_get_object_element(array, i);
		g_string_append_printf(told, " %d=%s%s%s", (int)mtw_json_int(step, "index", 0),
				       mtw_json_string(step, "id", "?"),
				       mtw_json_bool(step, "optional", FALSE) ? "?" : "",
				       mtw_json_bool(step, "waits_for_user", FALSE) ? "" : "!");
		assert_non_null(mtw_json_string(step, "say", NULL));
		assert_non_null(mtw_json_string(step, "marker", NULL));
	}
	g_string_append(told, ";");
}

static void note_scenario(MtwView *view, JsonObject *event)
{
	const char *name = mtw_json_string(event, "event", "");
	int index = (int)mtw_json_int(event, "index", 0);

	if (strcmp(name, "scenario-steps") == 0)
		tell_steps(event);
	else if (strcmp(name, "scenario") == 0)
		g_string_append_printf(told, "begin %d;", index);
	else if (strcmp(name, "scenario-end") == 0)
		g_string_append_printf(told, "%s %d;", mtw_json_string(event, "result", "?"),
				       index);
	else if (strcmp(name, "exercise") == 0)
		g_string_append_printf(told, "%s%s%s;", mtw_json_string(event, "result", ""),
				       mtw_json_bool(event, "by_hand", FALSE) ? " by hand: " : "",
				       mtw_json_string(event, "said", "?"));
	script_show(view, event);
}

#define THREE                                                              \
	"[Step one]\nMarkerBegin=b1\nMarker=e1\nSay=One.\n"                \
	"[Step two]\nMarkerBegin=b2\nMarker=e2\nSay=Two.\nOptional=true\n" \
	"[Step three]\nMarkerBegin=b3\nMarker=e3\nSay=Three.\n"

/* Nobody types before there is something to do. */
static const char *typed_after = "";

static gboolean type_in_steps(MtwView *view, char **ret_line)
{
	return told->len > 0 && strstr(told->str, typed_after) != NULL &&
	       script_capture_line(view, ret_line);
}

/* A person with the steps @text who types @lines. */
static void do_steps(const char *text, const char *const *lines)
{
	const MtwViewOps ops = { .show = note_scenario,
				 .ask = script_ask,
				 .capture_line = type_in_steps,
				 .can_edit = script_can_edit };
	g_autofree char *path = scenario(text);

	told = g_string_new(NULL);
	script.view.base.ops = &ops;
	script.options.scenario = path;
	walk_with_person(willing);
	script.view.lines = lines;
	run_in_capture();
}

static void assert_told(const char *wanted)
{
	assert_string_equal(told->str, wanted);
	g_string_free(told, TRUE);
}

static void test_steps_in_their_order(void **state)
{
	(void)state;
	do_steps(THREE, TRY("n", "s", "n", ""));
	assert_told("steps 1=one 2=two? 3=three;begin 1;done 1;begin 2;left-out 2;begin 3;done 3;");
	assert_calls("start 64000;mark b1;mark e1;mark b2;mark b3;mark e3;stop;");
}

/* The step that was left stays open, and its turn comes before the later ones. */
static void test_jump(void **state)
{
	(void)state;
	do_steps(THREE, TRY("3", "n", "n", "n", ""));
	assert_told("steps 1=one 2=two? 3=three;begin 1;begin 3;done 3;begin 1;done 1;begin 2;"
		    "done 2;");
	assert_calls("start 64000;mark b1;mark b3;mark e3;mark b1;mark e1;mark b2;mark "
		     "e2;stop;");
}

/* Back and forth; the end of the capture does not finish what is open. */
static void test_jump_often(void **state)
{
	(void)state;
	do_steps(THREE, TRY("2", "1", "2", "s", "3", ""));
	assert_told("steps 1=one 2=two? 3=three;begin 1;begin 2;begin 1;begin 2;left-out 2;begin 1;"
		    "begin 3;");
	assert_calls("start 64000;mark b1;mark b2;mark b1;mark b2;mark b1;mark b3;stop;");
}

/* What is no open step is a text like others; the number of the step that waits begins nothing. */
static void test_jump_to_nowhere(void **state)
{
	(void)state;
	do_steps(THREE, TRY("n", "1", "4", "0", "2", "+3", "3 now", ""));
	assert_told("steps 1=one 2=two? 3=three;begin 1;done 1;begin 2;");
	assert_calls("start 64000;mark b1;mark e1;mark b2;mark 1;mark 4;mark 0;mark "
		     "+3;mark 3 now;"
		     "stop;");
}

/* A step that a program does is not interrupted, but may be begun out of its turn. */
static void test_jump_to_a_command(void **state)
{
	static const char text[] = "[Step one]\nMarkerBegin=b1\nMarker=e1\nSay=One.\n"
				   "[Step two]\nMarkerBegin=b2\nMarker=e2\nSay=Two.\n"
				   "Command=sleep 1\nWait=command\n"
				   "[Step three]\nMarker=e3\nSay=Three.\n";

	(void)state;
	do_steps(text, TRY("2", "3", ""));
	/* The 3 came while the program ran: a marker. */
	assert_told("steps 1=one 2=two! 3=three;begin 1;begin 2;ended with the capture;");
	assert_calls("start 64000;mark b1;mark b2;mark 3;stop;");
}

/* Without root many a command does not work: the person does that step by hand, and it is not tried again. */
static void test_command_that_fails(void **state)
{
	static const char text[] = "[Step one]\nMarkerBegin=b1\nMarker=e1\nSay=One.\n"
				   "Command=sh -c 'echo One line; echo Not permitted >&2; exit 1'\n"
				   "Wait=command\n"
				   "[Step two]\nMarker=e2\nSay=Two.\n";

	(void)state;
	typed_after = "by hand: Not permitted;begin 1;";
	do_steps(text, TRY("2", "n", "n", ""));
	typed_after = "";
	assert_told("steps 1=one! 2=two;begin 1;exit status 1 by hand: Not permitted;begin 1;"
		    "begin 2;done 2;begin 1;done 1;");
	assert_calls("start 64000;mark b1;mark e2;mark b1;mark e1;stop;");
	assert_kept("Result: exit status 1\n\nOne line\nNot permitted\n");
}

/* Commands come first, and have no numbers. */
static void test_jump_after_commands(void **state)
{
	(void)state;
	script.options.exercises = COMMANDS("true", "false");
	typed_after = "begin 1;";
	do_steps(THREE, TRY("3", "n", ""));
	typed_after = "";
	assert_told("exit status 0;exit status 1;steps 1=one 2=two? 3=three;begin 1;begin 3;done 3;"
		    "begin 1;");
	assert_calls("start 64000;mark command: true;mark command: false;mark b1;mark b3;mark e3;"
		     "mark b1;stop;");
}

static void test_scenario_that_waits(void **state)
{
	g_autofree char *path =
		scenario("[Step wait]\nMarkerBegin=b\nMarker=e\nSay=Wait a little.\nWait=1\n");

	(void)state;
	script.options.scenario = path;
	run_in_capture();
	assert_calls("start 64000;mark b;mark e;stop;");
}

static void test_bad_scenario(void **state)
{
	g_autofree char *path = scenario("[Step one]\nSay=Do it.\n");

	(void)state;
	script.options.scenario = path;
	script_run("invalid");
	assert_calls("");
}

/* Again from the start, with all of it. */
static void test_again_after_a_loss(void **state)
{
	(void)state;
	script.options.exercises = COMMANDS("echo hello");
	script.engine.tries = TRIES(TRY(UP, UNTIL_STOP, LOST), TRY(UP, UNTIL_STOP, GOOD));
	script_run(NULL);
	assert_calls("start 64000;mark command: echo hello;stop;"
		     "start 128000;mark command: echo hello;stop;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRIPT_TEST(test_commands),
		SCRIPT_TEST(test_commands_that_fail),
		SCRIPT_TEST(test_binary_output),
		SCRIPT_TEST(test_much_output),
		SCRIPT_TEST(test_not_before_the_driver),
		SCRIPT_TEST(test_ended_before_the_capture),
		SCRIPT_TEST(test_scenario_in_batch),
		SCRIPT_TEST(test_scenario_with_a_person),
		SCRIPT_TEST(test_steps_in_their_order),
		SCRIPT_TEST(test_jump),
		SCRIPT_TEST(test_jump_often),
		SCRIPT_TEST(test_jump_to_nowhere),
		SCRIPT_TEST(test_jump_to_a_command),
		SCRIPT_TEST(test_command_that_fails),
		SCRIPT_TEST(test_jump_after_commands),
		SCRIPT_TEST(test_scenario_that_waits),
		SCRIPT_TEST(test_bad_scenario),
		SCRIPT_TEST(test_again_after_a_loss),
	};

	return cmocka_run_group_tests_name("wizard-exercise", tests, NULL, NULL);
}
