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
	assert_seen("scenario x-up;scenario test;scenario auto;");
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
		SCRIPT_TEST(test_scenario_that_waits),
		SCRIPT_TEST(test_bad_scenario),
		SCRIPT_TEST(test_again_after_a_loss),
	};

	return cmocka_run_group_tests_name("wizard-exercise", tests, NULL, NULL);
}
