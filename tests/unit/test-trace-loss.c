/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-trace-data.h"

#include "trace/loss.h"

static const char cpu0_stats[] = "entries: 129\n"
				 "overrun: 13524\n"
				 "commit overrun: 7\n"
				 "bytes: 5708\n"
				 "oldest event ts:     9.087000\n"
				 "now ts:    10.500000\n"
				 "dropped events: 218\n"
				 "read events: 3\n";

static void test_ring_stats(void **state)
{
	MtwRingStats stats = { 0 };

	(void)state;
	assert_true(mtw_ring_stats_add(&stats, cpu0_stats, strlen(cpu0_stats)));
	assert_int_equal(stats.entries, 129);
	assert_int_equal(stats.overrun, 13524);
	assert_int_equal(stats.dropped_events, 218);
	assert_true(mtw_ring_stats_add(&stats, cpu0_stats, strlen(cpu0_stats)));
	assert_int_equal(stats.overrun, 2 * 13524);
}

static void test_ring_stats_odd_texts(void **state)
{
	static const char *const odd[] = {
		"",
		"\n",
		"overrun",
		"overrun: ",
		"overrun: x",
		"overrun: -1",
		"overrun: 5 ",
		"overrun: 18446744073709551616",
		" overrun: 5",
		"commit overrun: 5",
		"entries:5",
	};
	MtwRingStats stats = { 0 };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(odd); i++)
		assert_false(mtw_ring_stats_add(&stats, odd[i], strlen(odd[i])));
	assert_int_equal(stats.overrun + stats.dropped_events + stats.entries, 0);
	/* Without the last newline, and only as far as it goes. */
	assert_true(mtw_ring_stats_add(&stats, "overrun: 56", strlen("overrun: 5")));
	assert_int_equal(stats.overrun, 5);
}

/* What the README of the traces says was really lost. */
static void test_estimates_of_real_traces(void **state)
{
	static const struct {
		const char *name;
		guint64 lost, after_stop;
		gboolean unconfirmed;
	} cases[] = {
		{ "01-e1000-markers-6.1.txt.xz", 0, 0, FALSE },
		{ "03-e1000-lost-overwrite1-4k-6.1.txt", 13524, 0, FALSE },
		{ "04-edu-lost-overwrite0-4k-6.1.txt", 218, 0, TRUE },
		{ "05-e1000-lost-sigstop-reader-6.1.txt.xz", 184 + 3220 + 184, 0, FALSE },
		{ "06-edu-lost-three-reopens-6.1.txt.xz", 276 + 184 + 276, 0, FALSE },
		{ "15-edu-stop-under-fire-6.1.txt", 0, 0, FALSE },
		{ "16-e1000-lost-overwrite1-4k-6.12.txt", 13524, 0, FALSE },
		{ "17-edu-ref-loss-64k-6.1.txt.xz", 18400, 0, FALSE },
		{ "18-edu-ref-active-at-stop-6.12.txt", 0, 19, TRUE },
		{ "41-qxl-lost-unknown-6.1.txt.xz", 2272492, 2675350 - 2272492, TRUE },
		{ "43-bochs-reader-attached-lost-6.1.txt.xz", 230092 + 517132 + 524676, 0, FALSE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwStats) stats = test_stats_of(cases[i].name, 0, 0);
		MtwLoss loss = mtw_loss_estimate(mtw_stats_counts(stats));

		if (loss.lost != cases[i].lost || loss.after_stop != cases[i].after_stop)
			fail_msg("%s: %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT, cases[i].name,
				 loss.lost, loss.after_stop);
		assert_int_equal(loss.unconfirmed, cases[i].unconfirmed);
		assert_false(loss.exact);
	}
}

static MtwLoss estimate(const char *text)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();

	mtw_stats_feed(stats, text, strlen(text));
	return mtw_loss_estimate(mtw_stats_counts(stats));
}

static void test_estimate_of_unknown_gaps(void **state)
{
	MtwLoss loss = estimate("MARK 1.000000 a\nCPU:0 [LOST EVENTS]\nMARK 2.000000 b\n");

	(void)state;
	assert_int_equal(loss.lost, 1);
	assert_false(loss.unconfirmed);
	loss = estimate("MARK 0.000000 Lost 40 events.\nCPU:0 [LOST EVENTS]\nMARK 2.000000 b\n");
	assert_int_equal(loss.lost, 40);
	assert_false(loss.unconfirmed);
}

static void test_estimate_without_records(void **state)
{
	MtwLoss loss = estimate("VERSION 20070824\nMARK 0.000000 Lost 6 events.\n");

	(void)state;
	assert_int_equal(loss.lost, 0);
	assert_int_equal(loss.after_stop, 6);
	assert_true(loss.unconfirmed);
}

static void test_persons_marker_is_no_loss(void **state)
{
	MtwLoss loss =
		estimate("MARK 1.000000 Lost 5 events.\nMARK 2.000000 CPU:0 [LOST 5 EVENTS]\n");

	(void)state;
	assert_int_equal(loss.lost, 0);
	assert_false(loss.unconfirmed);
}

static void test_judge_confirms(void **state)
{
	MtwCounts counts = { .lost_marks = 600, .lost_gaps = 600 };
	MtwRingStats start = { .overrun = 100, .dropped_events = 20 };
	MtwRingStats stop = { .overrun = 700, .dropped_events = 20 };
	MtwLoss loss = mtw_loss_judge(&counts, &start, &stop);

	(void)state;
	assert_int_equal(loss.lost, 600);
	assert_int_equal(loss.after_stop, 0);
	assert_true(loss.exact);
	assert_false(loss.unconfirmed);

	/* Refused records, overwrite=0. */
	counts.lost_gaps = 0;
	stop = (MtwRingStats){ .overrun = 100, .dropped_events = 620 };
	assert_int_equal(mtw_loss_judge(&counts, &start, &stop).lost, 600);
}

static void test_judge_after_stop(void **state)
{
	MtwCounts counts = { .lost_marks = 19, .lost_marks_after_stop = 19, .lost_marks_tail = 19 };
	MtwRingStats none = { 0 };
	MtwLoss loss = mtw_loss_judge(&counts, &none, &none);

	(void)state;
	assert_int_equal(loss.lost, 0);
	assert_int_equal(loss.after_stop, 19);

	/* Comes after the stop, but the ring did lose 5 of them. */
	loss = mtw_loss_judge(&counts, &none, &(MtwRingStats){ .overrun = 5 });
	assert_int_equal(loss.lost, 5);
	assert_int_equal(loss.after_stop, 14);
}

/* Somebody else switched recording off for a while: in no statistics, but a loss. */
static void test_judge_paused(void **state)
{
	MtwCounts counts = { .lost_marks = 30 };
	MtwRingStats none = { 0 };

	(void)state;
	assert_int_equal(mtw_loss_judge(&counts, &none, &none).lost, 30);
}

/* The kernel's counter still has what an earlier session left. */
static void test_judge_earlier_session(void **state)
{
	MtwCounts counts = { .lost_marks = 30, .lost_marks_head = 30 };
	MtwRingStats none = { 0 };
	MtwLoss loss = mtw_loss_judge(&counts, &none, &none);

	(void)state;
	assert_int_equal(loss.lost, 0);
	assert_int_equal(loss.after_stop, 30);
	/* The same in the head, but the ring confirms it. */
	assert_int_equal(mtw_loss_judge(&counts, &none, &(MtwRingStats){ .overrun = 30 }).lost, 30);
	/* In the head, and after the stop: taken off twice, it must not wrap. */
	counts.lost_marks_after_stop = 30;
	assert_int_equal(mtw_loss_judge(&counts, &none, &none).lost, 0);
}

static void test_judge_unread_entries(void **state)
{
	MtwCounts counts = { 0 };
	MtwRingStats none = { 0 };
	MtwLoss loss = mtw_loss_judge(&counts, &none, &(MtwRingStats){ .entries = 12 });

	(void)state;
	assert_int_equal(loss.lost, 12);
	assert_int_equal(loss.after_stop, 0);
}

/* The statistics start anew when somebody changes the clock or the tracer. */
static void test_judge_reset_ring(void **state)
{
	MtwCounts counts = { 0 };
	MtwLoss loss = mtw_loss_judge(&counts, &(MtwRingStats){ .overrun = 1000 },
				      &(MtwRingStats){ .overrun = 7 });

	(void)state;
	assert_int_equal(loss.lost, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ring_stats),
		cmocka_unit_test(test_ring_stats_odd_texts),
		cmocka_unit_test(test_estimates_of_real_traces),
		cmocka_unit_test(test_estimate_of_unknown_gaps),
		cmocka_unit_test(test_estimate_without_records),
		cmocka_unit_test(test_persons_marker_is_no_loss),
		cmocka_unit_test(test_judge_confirms),
		cmocka_unit_test(test_judge_after_stop),
		cmocka_unit_test(test_judge_paused),
		cmocka_unit_test(test_judge_earlier_session),
		cmocka_unit_test(test_judge_unread_entries),
		cmocka_unit_test(test_judge_reset_ring),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
