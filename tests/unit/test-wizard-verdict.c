/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the wizard makes of a verdict: losses and tries again, nothing traced, not restored. */
#include "test-wizard-script.h"

static void test_retry_until_clean(void **state)
{
	(void)state;
	script.engine.tries = TRIES(TRY(UP, LOST), TRY(UP, LOST), TRY(UP, GOOD));
	script_run(NULL);
	assert_calls("start 64000;start 128000;start 256000;");
	assert_seen("message retry;");
	assert_packed(TRUE);
}

static void test_retries_end(void **state)
{
	(void)state;
	script.options.max_retries = 2;
	script.engine.tries = TRIES(TRY(UP, LOST), TRY(UP, LOST), TRY(UP, LOST));
	script_run("lost-events");
	assert_calls("start 64000;start 128000;start 256000;");
	assert_packed(TRUE);
}

#define KEPT "{\"grade\":\"lost\",\"lost\":{\"events\":7,\"exact\":true}}"

/* The second try was worse; the session keeps the first one, and that is what is told. */
static void test_worse_second_try(void **state)
{
	(void)state;
	script.options.max_retries = 1;
	script.engine.kept_verdict = KEPT;
	script.engine.tries = TRIES(TRY(UP, LOST), TRY(UP, DONE(VERDICT("lost", "9"))));
	script_run("lost-events");
	assert_non_null(strstr(script.message, "7 events"));
	assert_packed(TRUE);
}

static void test_useless_second_try(void **state)
{
	(void)state;
	script.engine.kept_verdict = KEPT;
	script.engine.tries = TRIES(TRY(UP, LOST), TRY(UP, DONE(VERDICT("untouched", "0"))));
	script_run("lost-events");
	assert_non_null(strstr(script.message, "7 events"));
	assert_packed(TRUE);
}

static void test_no_retries(void **state)
{
	(void)state;
	script.options.max_retries = 0;
	script.engine.tries = TRIES(TRY(UP, LOST));
	script_run("lost-events");
	assert_packed(TRUE);
}

/* Twice as much would be more than half of the memory. */
static void test_no_memory_for_a_retry(void **state)
{
	(void)state;
	kernel_put("proc/meminfo", "MemAvailable:     200000 kB");
	script.engine.tries = TRIES(TRY(UP, LOST));
	script_run("lost-events");
	assert_calls("start 64000;");
	assert_packed(TRUE);
}

static void test_keep_what_was_lost(void **state)
{
	(void)state;
	mtw_answers_set(script.answers, "on-lost", "keep");
	script.engine.tries = TRIES(TRY(UP, LOST));
	script_run("lost-events");
	assert_calls("start 64000;");
	assert_packed(TRUE);
}

static void test_fail_on_loss(void **state)
{
	(void)state;
	mtw_answers_set(script.answers, "on-lost", "fail");
	script.engine.tries = TRIES(TRY(UP, LOST));
	script_run("lost-events");
	assert_packed(FALSE);
	assert_not_seen("step pack;");
	assert_seen("step done;");
}

static void test_fail_on_loss_without_choice(void **state)
{
	(void)state;
	script.options.max_retries = 0;
	mtw_answers_set(script.answers, "on-lost", "fail");
	script.engine.tries = TRIES(TRY(UP, LOST));
	script_run("lost-events");
	assert_packed(FALSE);
}

/* A person decides; who says nothing keeps it. */
static void test_person_on_loss(void **state)
{
	(void)state;
	walk_with_person(willing);
	script.engine.tries = TRIES(TRY(UP, LOST));
	script_run("lost-events");
	assert_non_null(strstr(script.view.asked->str, "prepare;on-lost;nick;"));
	assert_calls("start 64000;");
	assert_packed(TRUE);
}

/* After another error a further try would make it worse. */
static void test_no_retry_after_an_error(void **state)
{
	(void)state;
	script.engine.tries = TRIES(TRY(
		UP,
		DONE(VERDICT("lost", "7") ",\"error\":{\"name\":\"disk\",\"message\":\"full\"}")));
	script_run("disk");
	assert_calls("start 64000;");
	assert_packed(TRUE);
}

/* ---- other ends ----------------------------------------------------------------------------- */

static void test_not_restored(void **state)
{
	(void)state;
	script.engine.tries =
		TRIES(TRY(UP, "{\"event\":\"done\",\"restored\":false" VERDICT(
				      "lost", "7") ",\"error\":{\"name\":\"not-restored\","
						   "\"message\":\"the clock\"}}"));
	script_run("not-restored");
	assert_calls("start 64000;");
	/* The trace is worth something all the same. */
	assert_packed(TRUE);
}

static void test_untouched(void **state)
{
	(void)state;
	script.engine.tries = TRIES(TRY(UP, DONE(VERDICT("untouched", "0"))));
	script_run("nothing-traced");
	assert_packed(TRUE);
}

static void test_broken(void **state)
{
	(void)state;
	script.engine.tries = TRIES(TRY(UP, DONE(VERDICT("broken", "0"))));
	script_run("invalid");
}

static void test_no_trace(void **state)
{
	(void)state;
	script.engine.tries = TRIES(TRY(
		DONE(",\"trace\":false,\"error\":{\"name\":\"cannot-trace\",\"message\":\"no\"}")));
	script_run("cannot-trace");
	assert_packed(FALSE);
	assert_not_seen("step verdict;");
}

static void test_no_trace_and_no_reason(void **state)
{
	(void)state;
	script.engine.tries = TRIES(TRY(DONE(",\"trace\":false")));
	script_run("failed");
	assert_packed(FALSE);
}

/* The second try came to nothing; the first one is there. */
static void test_retry_without_trace(void **state)
{
	(void)state;
	script.engine.tries = TRIES(
		TRY(UP, LOST),
		TRY(DONE(",\"trace\":false,\"error\":{\"name\":\"busy\",\"message\":\"no\"}")));
	script_run("busy");
	assert_packed(TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRIPT_TEST(test_retry_until_clean),
		SCRIPT_TEST(test_retries_end),
		SCRIPT_TEST(test_worse_second_try),
		SCRIPT_TEST(test_useless_second_try),
		SCRIPT_TEST(test_no_retries),
		SCRIPT_TEST(test_no_memory_for_a_retry),
		SCRIPT_TEST(test_keep_what_was_lost),
		SCRIPT_TEST(test_fail_on_loss),
		SCRIPT_TEST(test_fail_on_loss_without_choice),
		SCRIPT_TEST(test_person_on_loss),
		SCRIPT_TEST(test_no_retry_after_an_error),
		SCRIPT_TEST(test_not_restored),
		SCRIPT_TEST(test_untouched),
		SCRIPT_TEST(test_broken),
		SCRIPT_TEST(test_no_trace),
		SCRIPT_TEST(test_no_trace_and_no_reason),
		SCRIPT_TEST(test_retry_without_trace),
	};

	return cmocka_run_group_tests_name("wizard-verdict", tests, NULL, NULL);
}
