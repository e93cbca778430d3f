/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-trace-data.h"

#define HEADER "VERSION 20070824\n"
#define LINE_MAX_BYTES 65536

static void feed(MtwStats *stats, const char *text)
{
	mtw_stats_feed(stats, text, strlen(text));
}

static const MtwCounts *counts_of(MtwStats *stats, const char *text)
{
	feed(stats, text);
	return mtw_stats_counts(stats);
}

/* One line of counts.txt: what another program counted. */
static void check_counts(const char *line)
{
	static const MtwRecordKind columns[] = {
		MTW_RECORD_FOREIGN, MTW_RECORD_VERSION, MTW_RECORD_PCIDEV, MTW_RECORD_MAP,
		MTW_RECORD_UNMAP,   MTW_RECORD_READ,	MTW_RECORD_WRITE,  MTW_RECORD_UNKNOWN,
		MTW_RECORD_MARK,    MTW_RECORD_LOST,	MTW_RECORD_GAP,
	};
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	g_autoptr(MtwStats) stats = test_stats_of(words[0], 0, 0);
	const MtwCounts *counts = mtw_stats_counts(stats);

	assert_int_equal(g_strv_length(words), 2 + G_N_ELEMENTS(columns));
	assert_int_equal(counts->lines, g_ascii_strtoull(words[1], NULL, 10));
	for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
		guint64 wanted = g_ascii_strtoull(words[2 + i], NULL, 10);
		if (counts->kinds[columns[i]] != wanted)
			fail_msg("%s: %" G_GUINT64_FORMAT " of kind %d, not %" G_GUINT64_FORMAT,
				 words[0], counts->kinds[columns[i]], columns[i], wanted);
	}
	assert_int_equal(counts->unclosed_bytes, 0);
	assert_true(counts->version_supported);
	assert_int_equal(counts->headers, counts->kinds[MTW_RECORD_VERSION]);
}

static void test_real_traces(void **state)
{
	g_autofree char *path = test_trace_path("counts.txt");
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	guint checked = 0;

	(void)state;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		if (**line == '#' || **line == '\0')
			continue;
		check_counts(*line);
		checked++;
	}
	assert_true(checked >= 33);
}

static void test_block_cuts_do_not_matter(void **state)
{
	static const gsize sizes[] = { 1, 2, 3, 7, 64, 1000, 4095, 4096, 65536, 65537 };
	g_autoptr(TestText) text = test_trace("14-markers-torture-6.12.txt.xz");
	g_autoptr(MtwStats) whole = mtw_stats_new();

	(void)state;
	mtw_stats_feed(whole, text->str, text->len);
	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autoptr(MtwStats) pieces = mtw_stats_new();

		for (gsize at = 0; at < text->len; at += sizes[i])
			mtw_stats_feed(pieces, text->str + at, MIN(sizes[i], text->len - at));
		assert_memory_equal(mtw_stats_counts(whole), mtw_stats_counts(pieces),
				    sizeof(MtwCounts));
	}
}

static void test_widths(void **state)
{
	g_autoptr(MtwStats) stats = test_stats_of("22-dev-hda-6.1.txt.xz", 0, 0);
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	assert_int_equal(counts->reads_by_width[1], 93);
	assert_int_equal(counts->reads_by_width[2], 268);
	assert_int_equal(counts->reads_by_width[4], 179);
	assert_int_equal(counts->reads_by_width[8], 0);
	assert_int_equal(counts->writes_by_width[1], 102);
	assert_int_equal(counts->writes_by_width[2], 94);
	assert_int_equal(counts->writes_by_width[4], 10);
	assert_int_equal(counts->events, 540 + 206 + 1);
}

static void test_target(void **state)
{
	g_autoptr(MtwStats) stats = test_stats_of("01-e1000-markers-6.1.txt.xz", 0x8086, 0x100e);
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	/* One memory BAR and the ROM; not the I/O BAR. */
	assert_int_equal(counts->n_bars, 2);
	assert_int_equal(counts->bars[1].index, 6);
	assert_int_equal(counts->bars[1].reads, 0);
	assert_int_equal(counts->bars[0].index, 0);
	assert_int_equal(counts->bars[0].start, 0xfeb40000);
	assert_int_equal(counts->bars[0].length, 0x20000);
	assert_int_equal(counts->bars[0].reads, 7409);
	assert_int_equal(counts->bars[0].writes, 6842);
	assert_int_equal(counts->target_maps, 1);
	assert_int_equal(counts->elsewhere, 0);
}

static void test_other_target(void **state)
{
	g_autoptr(MtwStats) stats = test_stats_of("07-edu-widths-unknown-6.1.txt", 0x1af4, 0x1110);
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	assert_int_equal(counts->n_bars, 2);
	assert_int_equal(counts->bars[1].index, 2);
	assert_int_equal(counts->bars[1].start, 0xfd000000);
	assert_int_equal(counts->bars[1].length, 0x1000000);
	assert_int_equal(counts->elsewhere, 24);
	assert_int_equal(counts->target_maps, 0);
}

static void test_bars_of_header(void **state)
{
	/* Old IDE: I/O ranges without the I/O bit. A BAR without address. ROM, enabled. 64-bit. */
	MtwPcidev device = { .bars = { 0x1f0, 0xc001, 0x4, 0xf0000000, 0x380000000c, 0, 0xc0001 },
			     .sizes = { 8, 0x20, 0x1000, 0, 0x10000000, 0, 0x10000 } };
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	mtw_stats_add_bars_of(stats, &device);
	assert_int_equal(counts->n_bars, 2);
	assert_int_equal(counts->bars[0].index, 4);
	assert_true(counts->bars[0].start == G_GUINT64_CONSTANT(0x3800000000));
	assert_int_equal(counts->bars[1].index, 6);
	assert_int_equal(counts->bars[1].start, 0xc0000);
	assert_int_equal(counts->bars[1].length, 0x10000);
}

static void test_bar_limits(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	mtw_stats_add_bar(stats, 0, 0x1000, 0x1000);
	mtw_stats_add_bar(stats, 1, 0x9000, 0);
	mtw_stats_add_bar(stats, 2, G_GUINT64_CONSTANT(0xfffffffffffff000), 0x1000);
	assert_int_equal(counts->n_bars, 2);
	feed(stats, "R 4 1.000000 1 0xfff 0x0 0x0 0\n"
		    "R 4 1.000000 1 0x1000 0x0 0x0 0\n"
		    "W 4 1.000000 1 0x1fff 0x0 0x0 0\n"
		    "UNKNOWN 1.000000 1 0x1800 f3,a5,00 0x0 0\n"
		    "R 4 1.000000 1 0x2000 0x0 0x0 0\n"
		    "R 4 1.000000 1 0xffffffffffffffff 0x0 0x0 0\n"
		    "R 4 1.000000 1 0x0 0x0 0x0 0\n");
	assert_int_equal(counts->bars[0].reads, 1);
	assert_int_equal(counts->bars[0].writes, 1);
	assert_int_equal(counts->bars[0].unknown, 1);
	assert_int_equal(counts->bars[1].reads, 1);
	assert_int_equal(counts->elsewhere, 3);
	for (guint i = 0; i < 2 * MTW_STATS_MAX_BARS; i++)
		mtw_stats_add_bar(stats, i, 0x10000, 0x1000);
	assert_int_equal(counts->n_bars, MTW_STATS_MAX_BARS);
}

static void test_target_maps(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts;

	(void)state;
	mtw_stats_add_bar(stats, 0, 0x10000, 0x1000);
	/* Before, behind, a part, all of it, and more than it. */
	counts = counts_of(stats, "MAP 1.000000 1 0xf000 0x1000 0x1000 0x0 0\n"
				  "MAP 1.000000 2 0x11000 0x1000 0x1000 0x0 0\n"
				  "MAP 1.000000 3 0x10800 0x1000 0x10 0x0 0\n"
				  "MAP 1.000000 4 0x10000 0x1000 0x1000 0x0 0\n"
				  "MAP 1.000000 5 0xf000 0x1000 0x8000 0x0 0\n");
	assert_int_equal(counts->target_maps, 3);
	assert_int_equal(counts->kinds[MTW_RECORD_MAP], 5);
	assert_int_equal(counts->events, 5);
}

static void test_oversize_lines(void **state)
{
	static const struct {
		gsize bytes;
		guint64 pieces;
	} cases[] = {
		{ LINE_MAX_BYTES - 1, 1 }, { LINE_MAX_BYTES, 1 },	  { LINE_MAX_BYTES + 1, 2 },
		{ 2 * LINE_MAX_BYTES, 2 }, { 2 * LINE_MAX_BYTES + 1, 3 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwStats) stats = mtw_stats_new();
		const MtwCounts *counts = mtw_stats_counts(stats);
		g_autofree char *line = g_strnfill(cases[i].bytes, 'x');

		/* The end of such a line is no record, even when it looks like one. */
		memcpy(line + cases[i].bytes - 30, "\rW 4 1.000000 1 0x0 0x0 0x0 0", 29);
		feed(stats, line);
		assert_int_equal(counts->unclosed_bytes, cases[i].bytes);
		feed(stats, "\nR 4 1.000000 1 0x0 0x0 0x0 0\n");
		assert_int_equal(counts->kinds[MTW_RECORD_FOREIGN], cases[i].pieces);
		assert_int_equal(counts->kinds[MTW_RECORD_READ], 1);
		assert_int_equal(counts->lines, cases[i].pieces + 1);
		assert_int_equal(counts->unclosed_bytes, 0);
	}
}

/* A text of one endless line is counted while it comes. */
static void test_endless_line(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts = mtw_stats_counts(stats);
	g_autofree char *block = g_strnfill(100000, 'x');

	(void)state;
	for (int i = 0; i < 10; i++)
		mtw_stats_feed(stats, block, 100000);
	assert_int_equal(counts->lines, 1000000 / LINE_MAX_BYTES);
	assert_int_equal(counts->kinds[MTW_RECORD_FOREIGN], counts->lines);
	assert_int_equal(counts->unclosed_bytes, 1000000);
	assert_int_equal(counts->bytes, 1000000);
}

static void test_cut_trace(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts = counts_of(stats, HEADER "W 4 1.000000 1 0x0 0");

	(void)state;
	assert_int_equal(counts->lines, 1);
	assert_int_equal(counts->unclosed_bytes, 20);
	feed(stats, "x0 0x0 0\n");
	assert_int_equal(counts->lines, 2);
	assert_int_equal(counts->kinds[MTW_RECORD_WRITE], 1);
	assert_int_equal(counts->unclosed_bytes, 0);
	assert_int_equal(counts->bytes, strlen(HEADER) + 29);
}

static void test_versions(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	assert_false(counts->version_supported);
	feed(stats, HEADER HEADER);
	assert_true(counts->version_supported);
	assert_int_equal(counts->headers, 2);
	feed(stats, "VERSION 20260101\n" HEADER);
	assert_false(counts->version_supported);
	assert_int_equal(counts->headers, 4);
}

static void test_times(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts = counts_of(stats, HEADER "MARK 0.000000 Lost 5 events.\n"
							  "MARK 7.000002 start\n"
							  "R 4 9.500000 1 0x0 0x0 0x0 0\n"
							  "R 4 6.000001 1 0x0 0x0 0x0 0\n");

	(void)state;
	assert_int_equal(counts->first_usec, 6000001);
	assert_int_equal(counts->last_usec, 9500000);
}

static void test_lost_lines(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	feed(stats, HEADER "MARK 0.000000 Lost 3 events.\nMARK 1.000000 start\n");
	assert_int_equal(counts->lost_marks_head, 3);
	assert_int_equal(counts->lost_marks_tail, 0);
	feed(stats, "CPU:0 [LOST 40 EVENTS]\nMARK 0.000000 Lost 40 events.\n"
		    "R 4 2.000000 1 0x0 0x0 0x0 0\nCPU:1 [LOST EVENTS]\n");
	assert_int_equal(counts->lost_gaps, 41);
	assert_int_equal(counts->gaps_unknown, 1);
	assert_int_equal(counts->lost_marks_tail, 0);
	mtw_stats_stopping(stats);
	feed(stats, "MARK 0.000000 Lost 500 events.\n");
	assert_int_equal(counts->lost_marks_after_stop, 500);
	assert_int_equal(counts->lost_marks_tail, 500);
	/* Opened anew: the tail of the first stays one. */
	feed(stats, HEADER "MARK 0.000000 Lost 6000 events.\nMARK 3.000000 again\n");
	assert_int_equal(counts->lost_marks_tail, 500);
	assert_int_equal(counts->lost_marks_head, 3);
	assert_int_equal(counts->lost_marks, 6543);
	assert_int_equal(counts->lost_marks_after_stop, 6500);
}

static void test_holes_of_real_trace(void **state)
{
	g_autoptr(MtwStats) stats = test_stats_of("10-edu-all-modes-6.1.txt.xz", 0, 0);
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	assert_int_equal(counts->n_holes, 4);
	assert_int_equal(counts->holes[0].kind, MTW_HOLE_UNALIGNED);
	assert_int_equal(counts->holes[0].address, 0xfea00010);
	assert_int_equal(counts->holes[0].length, 0x40);
	assert_int_equal(counts->holes[1].length, 0x2000);
	assert_int_equal(counts->holes[2].address, 0xfea00800);
	assert_int_equal(counts->holes[3].kind, MTW_HOLE_HUGE_TAIL);
	assert_int_equal(counts->holes[3].address, 0xfd000000);
	assert_int_equal(counts->holes[3].length, 0x204000);
}

static void test_holes_of_target_only(void **state)
{
	g_autoptr(MtwStats) stats = test_stats_of("10-edu-all-modes-6.1.txt.xz", 0x1af4, 0x1110);
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	assert_int_equal(counts->n_holes, 1);
	assert_int_equal(counts->holes[0].kind, MTW_HOLE_HUGE_TAIL);
}

/* The rule is what the kernel does: 1024 accesses of 4 bytes in the tail, all in its first 4 KiB.
 */
static void test_hole_in_practice(void **state)
{
	g_autoptr(TestText) text = test_trace("43-bochs-reader-attached-lost-6.1.txt.xz");
	guint64 in_first_page = 0, behind = 0;
	const char *line;
	gsize at = 0, bytes;
	MtwRecord record;

	(void)state;
	while (test_next_line(text, &at, &line, &bytes)) {
		mtw_record_parse(line, bytes, &record);
		if (record.kind != MTW_RECORD_UNKNOWN && record.kind != MTW_RECORD_WRITE)
			continue;
		in_first_page += record.address >= 0xfd200000 && record.address < 0xfd201000;
		behind += record.address >= 0xfd201000 && record.address < 0xfd3e8000;
	}
	assert_int_equal(in_first_page, 1024);
	assert_int_equal(behind, 0);
}

static void check_hole(guint64 address, guint64 length, int wanted_kind)
{
	MtwRecord map = { .kind = MTW_RECORD_MAP, .address = address, .length = length };
	MtwHole hole = { 0 };
	gboolean found = mtw_hole_of_map(&map, &hole);

	assert_int_equal(found, wanted_kind >= 0);
	if (found)
		assert_int_equal(hole.kind, wanted_kind);
}

static void test_hole_rules(void **state)
{
	const guint64 mib = 0x100000, gib = 0x40000000;

	(void)state;
	check_hole(0xfea00000, 0x1000, -1);
	check_hole(0xfea00000, 0x30, -1);
	check_hole(0xfea00800, 0x800, MTW_HOLE_UNALIGNED);
	check_hole(0xfd000000, 2 * mib, -1);
	check_hole(0xfd000000, 4 * mib, -1);
	check_hole(0xfd000000, 2 * mib + 0x1000, -1); /* the 4 KiB that are recorded */
	check_hole(0xfd000000, 2 * mib + 0x1001, MTW_HOLE_HUGE_TAIL);
	check_hole(0xfd001000, 2 * mib + 0x4000, -1); /* no 2 MiB pages */
	check_hole(0xfd000000, mib + 0x4000, -1);
	check_hole(4 * gib, gib - 0x200000, -1);
	check_hole(4 * gib, gib, MTW_HOLE_GIB_PAGE);
	check_hole(4 * gib + 2 * mib, gib, -1);
	check_hole(4 * gib, 2 * gib + 0x3000, MTW_HOLE_GIB_PAGE);
}

static void test_holes_are_listed_once(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts = mtw_stats_counts(stats);

	(void)state;
	for (int i = 0; i < 3; i++)
		feed(stats, "MAP 1.000000 1 0x1010 0x1010 0x40 0x0 0\n");
	assert_int_equal(counts->n_holes, 1);
	for (int i = 0; i < 2 * MTW_STATS_MAX_HOLES; i++) {
		g_autofree char *map =
			g_strdup_printf("MAP 1.000000 1 0x%x010 0x1010 0x40 0x0 0\n", i + 1);
		feed(stats, map);
	}
	assert_int_equal(counts->n_holes, MTW_STATS_MAX_HOLES);
	assert_int_equal(counts->kinds[MTW_RECORD_MAP], 3 + 2 * MTW_STATS_MAX_HOLES);
}

static void test_mapped_before(void **state)
{
	g_autoptr(MtwStats) stats = mtw_stats_new();
	const MtwCounts *counts =
		counts_of(stats, "UNMAP 17.653569 -1 0x0 0\nUNMAP 17.653570 5 0x0 0\n");

	(void)state;
	assert_int_equal(counts->unmaps_before, 1);
	assert_int_equal(counts->events, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real_traces),
		cmocka_unit_test(test_block_cuts_do_not_matter),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_other_target),
		cmocka_unit_test(test_bars_of_header),
		cmocka_unit_test(test_bar_limits),
		cmocka_unit_test(test_target_maps),
		cmocka_unit_test(test_oversize_lines),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_cut_trace),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_lost_lines),
		cmocka_unit_test(test_holes_of_real_trace),
		cmocka_unit_test(test_holes_of_target_only),
		cmocka_unit_test(test_hole_in_practice),
		cmocka_unit_test(test_hole_rules),
		cmocka_unit_test(test_holes_are_listed_once),
		cmocka_unit_test(test_mapped_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
