/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-trace-data.h"

#include "trace/verdict.h"

#define HEADER \
	"VERSION 20070824\nPCIDEV 0018 123411e8 b fea00000 0 0 0 0 0 0 100000 0 0 0 0 0 0 edu\n"
#define MAP "MAP 1.000000 1 0xfea00000 0xffffd22ac0075000 0x1000 0x0 0\n"
#define READ "R 4 1.000001 1 0xfea00000 0x1 0x0 0\n"
#define UNKNOWN "UNKNOWN 1.000002 1 0xfea00000 f3,a5,06 0x0 0\n"

static MtwVerdict *verdict_of(const char *text, gboolean target_known, const char *const *doubts)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	MtwLoss loss;

	if (target_known)
		mtw_stats_add_bar(stats, 0, 0xfea00000, 0x100000);
	mtw_stats_feed(stats, text, strlen(text));
	loss = mtw_loss_estimate(mtw_stats_counts(stats));
	return mtw_verdict_new(mtw_stats_counts(stats), &loss, target_known, doubts);
}

/* "id(detail) id(detail)", a "!" behind the serious ones. */
static char *describe(const MtwVerdict *verdict)
{
	GString *text = g_string_new(mtw_grade_name(verdict->grade));

	for (guint i = 0; i < verdict->findings->len; i++) {
		const MtwFinding *finding = g_ptr_array_index(verdict->findings, i);

		g_string_append_printf(text, " %s(%s)%s", finding->id, finding->detail,
				       finding->serious ? "!" : "");
		assert_true(strlen(finding->sentence) > 20);
	}
	return g_string_free(text, FALSE);
}

static void check(const char *text, gboolean target_known, const char *wanted)
{
	g_autoptr(MtwVerdict) verdict = verdict_of(text, target_known, NULL);
	g_autofree char *found = describe(verdict);

	assert_string_equal(found, wanted);
}

static void test_good(void **state)
{
	(void)state;
	check(HEADER MAP READ, FALSE, "good");
	check(HEADER MAP READ, TRUE, "good");
}

static void test_broken(void **state)
{
	(void)state;
	check(MAP READ, TRUE, "broken no-version()!");
	check("VERSION 20260101\n" MAP READ, TRUE, "broken version()!");
	check("# ~/.bashrc\nalias ls=ls\n", FALSE,
	      "broken no-version()! mostly-foreign(2/2)! empty()!");
	check(HEADER MAP "x\nx\nx\n" READ, TRUE, "doubtful foreign-lines(3)");
	check(HEADER MAP "x\nx\nx\nx\nx\n" READ, TRUE, "broken mostly-foreign(5/9)!");
	check("one endless line", FALSE, "broken no-version()! empty()! truncated()");
}

static void test_empty(void **state)
{
	(void)state;
	check("", FALSE, "empty empty()!");
	check(HEADER, FALSE, "empty empty()!");
	check(HEADER "MARK 1.000000 start\n", FALSE, "empty empty()!");
	check(HEADER, TRUE, "empty empty()! untouched()!");
}

static void test_untouched(void **state)
{
	(void)state;
	check(HEADER MAP, TRUE, "untouched untouched()!");
	check(HEADER MAP, FALSE, "good");
	check(HEADER "MAP 1.000000 1 0x1000 0x1000 0x1000 0x0 0\n"
		     "R 4 1.000001 1 0x1000 0x1 0x0 0\n",
	      TRUE, "untouched untouched()!");
}

static void test_mapped_before(void **state)
{
	static const char unmap[] = HEADER "UNMAP 17.653569 -1 0x0 0\n";

	(void)state;
	check(unmap, FALSE, "empty empty()! mapped-before(1)");
	check(unmap, TRUE, "empty empty()! untouched()! mapped-before(1)");
	/* Another device may have been mapped before. */
	check(HEADER "UNMAP 17.653569 -1 0x0 0\n" MAP READ, TRUE, "good");
}

static void test_lost(void **state)
{
	(void)state;
	check(HEADER MAP READ "CPU:0 [LOST 5 EVENTS]\nMARK 0.000000 Lost 5 events.\n" READ, TRUE,
	      "lost lost-events(5)!");
	check(HEADER "MARK 0.000000 Lost 5 events.\n" MAP READ, TRUE,
	      "lost lost-events(5)! unconfirmed-loss(5)");
	check(HEADER MAP READ "MARK 0.000000 Lost 5 events.\n", TRUE,
	      "doubtful unconfirmed-loss(5)");
}

static void test_after_stop_is_no_fault(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	static const char text[] = HEADER MAP READ "MARK 0.000000 Lost 19 events.\n";
	MtwRingStats none = { 0 };
	g_autoptr(MtwVerdict) verdict = NULL;
	g_autofree char *found = NULL;
	MtwLoss loss;

	(void)state;
	mtw_stats_stopping(stats);
	mtw_stats_feed(stats, text, sizeof text - 1);
	loss = mtw_loss_judge(mtw_stats_counts(stats), &none, &none);
	verdict = mtw_verdict_new(mtw_stats_counts(stats), &loss, FALSE, NULL);
	found = describe(verdict);
	assert_string_equal(found, "good after-stop(19)");
}

static void test_unknown_share(void **state)
{
	GString *text = g_string_new(HEADER MAP UNKNOWN);

	(void)state;
	for (int i = 0; i < 18; i++)
		g_string_append(text, READ);
	check(text->str, TRUE, "doubtful unknown-share(1/19)");
	g_string_append(text, READ);
	check(text->str, TRUE, "good"); /* 5 % */
	g_string_free(text, TRUE);
}

static void test_truncated(void **state)
{
	(void)state;
	check(HEADER MAP READ "R 4 1.000003 1 0xfea0", TRUE, "doubtful truncated()");
}

static void test_holes(void **state)
{
	(void)state;
	check(HEADER "MAP 1.000000 1 0xfea00010 0xffffd22ac0075010 0x40 0x0 0\n" READ, TRUE,
	      "doubtful hole-unaligned(0xfea00010+0x40)");
	check(HEADER "MAP 1.000000 1 0x40000000 0x0 0x204000 0x0 0\n"
		     "MAP 1.000000 1 0x40000000 0x0 0x40000000 0x0 0\n" READ,
	      FALSE,
	      "doubtful hole-huge-tail(0x40000000+0x204000) hole-gib-page(0x40000000+0x40000000)");
}

static void test_kernel_messages(void **state)
{
	static const char *const doubts[] = { "mmiotrace: kmmio page already armed.",
					      "kmmio: \033[2Jrecursive probe hit", NULL };
	g_autoptr(MtwVerdict) verdict = verdict_of(HEADER MAP READ, TRUE, doubts);
	g_autofree char *found = describe(verdict);

	(void)state;
	assert_string_equal(found, "doubtful kernel-message(mmiotrace: kmmio page already armed.) "
				   "kernel-message(kmmio:  [2Jrecursive probe hit)");
}

static void test_everything_at_once(void **state)
{
	static const char *const doubts[] = { "mmiotrace: double-arm", NULL };
	g_autoptr(MtwVerdict) verdict =
		verdict_of("VERSION 1\nMAP 1.000000 1 0xfea00010 0x10 0x40 0x0 0\nx\n"
			   "UNKNOWN 1.000002 1 0x1000 f3,a5,06 0x0 0\nCPU:0 [LOST 2 EVENTS]\n"
			   "MARK 0.000000 Lost 5 events.\nR",
			   TRUE, doubts);
	g_autofree char *found = describe(verdict);

	(void)state;
	assert_string_equal(found,
			    "broken version()! untouched()! lost-events(2)! "
			    "hole-unaligned(0xfea00010+0x40) unknown-share(1/1) "
			    "kernel-message(mmiotrace: double-arm) truncated() foreign-lines(1) "
			    "unconfirmed-loss(3)");
}

static void test_real_traces(void **state)
{
	static const struct {
		const char *name;
		guint vendor, device; /* 0: target not known */
		const char *wanted;
	} cases[] = {
		{ "01-e1000-markers-6.1.txt.xz", 0x8086, 0x100e, "good" },
		{ "02-e1000-markers-6.12.txt.xz", 0, 0, "good" },
		{ "03-e1000-lost-overwrite1-4k-6.1.txt", 0x8086, 0x100e,
		  "lost lost-events(13524)!" },
		{ "04-edu-lost-overwrite0-4k-6.1.txt", 0x1234, 0x11e8,
		  "lost lost-events(218)! unconfirmed-loss(218)" },
		{ "07-edu-widths-unknown-6.1.txt", 0x1234, 0x11e8, "doubtful unknown-share(4/24)" },
		{ "09-edu-two-mappings-6.1.txt", 0x1af4, 0x1110, "untouched untouched()!" },
		{ "10-edu-all-modes-6.1.txt.xz", 0x1af4, 0x1110,
		  "doubtful hole-huge-tail(0xfd000000+0x204000) foreign-lines(11)" },
		{ "15-edu-stop-under-fire-6.1.txt", 0x1234, 0x11e8, "good" },
		{ "18-edu-ref-active-at-stop-6.12.txt", 0x1234, 0x11e8,
		  "doubtful unconfirmed-loss(19)" },
		{ "25-dev-e100-6.1.txt.xz", 0x8086, 0x1209, "good" },
		{ "29-dev-pvpanic-6.1.txt", 0x1b36, 0x0011, "good" },
		{ "41-qxl-lost-unknown-6.1.txt.xz", 0x1b36, 0x0100,
		  "lost lost-events(2272492)! unknown-share(91941/92312) "
		  "unconfirmed-loss(402858)" },
		{ "43-bochs-reader-attached-lost-6.1.txt.xz", 0x1234, 0x1111,
		  "lost lost-events(1271900)! hole-huge-tail(0xfd000000+0x3e8000) "
		  "unknown-share(33159/41803)" },
		{ "44-virtio-gpu-6.1.txt.gz", 0x1af4, 0x1050, "good" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwStats) stats =
			test_stats_of(cases[i].name, cases[i].vendor, cases[i].device);
		MtwLoss loss = mtw_loss_estimate(mtw_stats_counts(stats));
		g_autoptr(MtwVerdict) verdict =
			mtw_verdict_new(mtw_stats_counts(stats), &loss, cases[i].vendor != 0, NULL);
		g_autofree char *found = describe(verdict);

		if (strcmp(found, cases[i].wanted) != 0)
			fail_msg("%s: %s", cases[i].name, found);
	}
}

static void test_grades(void **state)
{
	static const char *const names[MTW_N_GRADES] = { "good",      "doubtful", "lost",
							 "untouched", "empty",	  "broken" };

	(void)state;
	for (int grade = 0; grade < MTW_N_GRADES; grade++) {
		assert_string_equal(mtw_grade_name(grade), names[grade]);
		assert_true(strlen(mtw_grade_sentence(grade)) > 10);
	}
}

static void test_doubts(void **state)
{
	static const char *const doubts[] = {
		"mmiotrace: unexpected secondary hit for address 0xffffc90000c80000 on CPU 0.",
		"kmmio: recursive probe hit on CPU 1, for address 0xffffc90000c80000. Ignoring.",
		"mmiotrace: unexpected fault for address: 0x1, last fault for address: 0x2",
		"mmiotrace: double-arm: addr 0xffffc90000c80000, ref 1, old 1",
		"mmiotrace: no pte for addr 0xffffc90000c80000",
		"[   12.345678] mmiotrace: kmmio page already armed.",
		"mmiotrace: multiple CPUs still online, may miss events.",
		"mmiotrace: multiple CPUs are online, may miss events.",
		"mmiotrace: unexpected page level 0x3.",
		"mmiotrace: arming at 0xffffc90000c80000 failed.",
		"mmiotrace: Unable to set page fault.",
		"mmiotrace: MMIO tracing disabled.",
	};
	static const char *const harmless[] = {
		"",
		"mmiotrace has lost events",
		"mmiotrace: enabled.",
		"mmiotrace: Disabling non-boot CPUs...",
		"mmiotrace: CPU1 is down.",
		"mmiotrace: cannot re-enable CPU1: 1",
		"mmiotrace: purging non-iounmapped trace @0xffffd08b0006d000, size 0x1000.",
		"mmiotrace: ioremap_*(0xfeb40000, 0x20000) = 00000000d2b1a7f0",
		"rtk_cpufreq: multiple CPUs still online, may miss events.",
		"iommu: unexpected fault at 0x0",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(doubts); i++)
		if (!mtw_doubt_matches(doubts[i]))
			fail_msg("not seen: %s", doubts[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(harmless); i++)
		if (mtw_doubt_matches(harmless[i]))
			fail_msg("false alarm: %s", harmless[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_untouched),
		cmocka_unit_test(test_mapped_before),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_after_stop_is_no_fault),
		cmocka_unit_test(test_unknown_share),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_kernel_messages),
		cmocka_unit_test(test_everything_at_once),
		cmocka_unit_test(test_real_traces),
		cmocka_unit_test(test_grades),
		cmocka_unit_test(test_doubts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
