/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "submit/backoff.h"

/* Longer than the test may take: a wait that is not cancelled does not end. */
#define VERY_LONG_MSEC ((gint64)24 * 60 * 60 * 1000)

static void test_doubles_up_to_the_cap(void **state)
{
	static const gint64 most[] = { 2000, 4000, 8000, 16000, 32000, 60000, 60000 };

	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(most); i++)
		assert_int_equal(mtw_backoff_msec(i, 60, 1.0), most[i]);
	assert_int_equal(mtw_backoff_msec(G_MAXUINT, 300, 1.0), 300000);
	assert_int_equal(mtw_backoff_msec(G_MAXUINT, G_MAXUINT, 1.0), (gint64)2000 << 20);
}

static void test_jitter_is_full(void **state)
{
	(void)state;
	assert_int_equal(mtw_backoff_msec(3, 60, 0.0), 0);
	assert_int_equal(mtw_backoff_msec(3, 60, 0.25), 4000);
	assert_int_equal(mtw_backoff_msec(3, 60, 0.5), 8000);
}

static void test_no_cap_no_wait(void **state)
{
	(void)state;
	assert_int_equal(mtw_backoff_msec(5, 0, 1.0), 0);
	assert_int_equal(mtw_backoff_msec(0, 1, 1.0), 1000);
}

static void test_wait_ends(void **state)
{
	int cancel = 0;

	(void)state;
	assert_true(mtw_backoff_wait(0, NULL));
	assert_true(mtw_backoff_wait(1, &cancel));
	assert_true(mtw_backoff_wait(-5, &cancel));
}

static gpointer cancel_it(gpointer cancel)
{
	g_usleep(30 * 1000);
	g_atomic_int_set((int *)cancel, 1);
	return NULL;
}

static void test_wait_is_cancelled(void **state)
{
	int cancel = 1;
	GThread *thread;

	(void)state;
	assert_false(mtw_backoff_wait(VERY_LONG_MSEC, &cancel));
	assert_false(mtw_backoff_wait(0, &cancel));
	cancel = 0;
	thread = g_thread_new("cancel", cancel_it, &cancel);
	assert_false(mtw_backoff_wait(VERY_LONG_MSEC, &cancel));
	g_thread_join(thread);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_doubles_up_to_the_cap), cmocka_unit_test(test_jitter_is_full),
		cmocka_unit_test(test_no_cap_no_wait),	      cmocka_unit_test(test_wait_ends),
		cmocka_unit_test(test_wait_is_cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
