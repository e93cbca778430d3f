/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-trace-data.h"

#include <stdlib.h>

static const char *const samples[] = {
	"VERSION 20070824",
	"PCIDEV 0018 123411e8 b fea00000 0 0 0 0 0 0 100000 0 0 0 0 0 0 ",
	"MAP 6.896901 1 0xfea00000 0xffffd22ac0075000 0x1000 0x0 0",
	"UNMAP 6.910791 1 0x0 0",
	"R 4 6.903411 1 0xfea00000 0x10000ed 0x0 0",
	"W 8 6.909939 1 0xfea00080 0x1122334455667788 0x0 0",
	"UNKNOWN 6.910592 1 0xfea00080 83,08,01 0x0 0",
	"MARK 0.000000 Lost 13524 events.",
	"CPU:0 [LOST 13524 EVENTS]",
	"CPU:12 [LOST EVENTS]",
};

static MtwRecord parse(const char *line, MtwRecordKind wanted)
{
	MtwRecord record;
	gboolean known = mtw_record_parse(line, strlen(line), &record);

	if (record.kind != wanted)
		fail_msg("kind %d, not %d: %s", record.kind, wanted, line);
	assert_int_equal(known, wanted != MTW_RECORD_FOREIGN);
	return record;
}

static void assert_text(const char *text, gsize bytes, const char *wanted)
{
	assert_int_equal(bytes, strlen(wanted));
	assert_memory_equal(text, wanted, bytes);
}

/* @line comes back byte by byte. */
static void assert_round_trip(const char *line, gsize bytes, const MtwRecord *record)
{
	gsize size = MTW_RECORD_TEXT_BYTES + record->text_bytes + record->pcidev.driver_bytes;
	g_autofree char *text = g_malloc(size);
	gsize length = mtw_record_format(record, text, size);

	if (length != bytes + 1 || memcmp(text, line, bytes) != 0 || text[bytes] != '\n')
		fail_msg("%.*s became %.*s", (int)bytes, line, (int)length, text);
}

static void test_access(void **state)
{
	MtwRecord record = parse("R 4 6.903411 17 0xfea00010 0x10000ed 0x0 0", MTW_RECORD_READ);

	(void)state;
	assert_int_equal(record.width, 4);
	assert_int_equal(record.sec, 6);
	assert_int_equal(record.usec, 903411);
	assert_int_equal(record.map_id, 17);
	assert_int_equal(record.address, 0xfea00010);
	assert_int_equal(record.value, 0x10000ed);
	assert_int_equal(record.pc, 0);
	assert_int_equal(record.pid, 0);

	record = parse("W 1 0.000001 1 0x0 0xff 0x0 0", MTW_RECORD_WRITE);
	assert_int_equal(record.width, 1);
	assert_int_equal(record.usec, 1);
	assert_int_equal(record.address, 0);
}

/* The kernel gets some immediate values wrong; they are wider than the access. */
static void test_value_wider_than_width(void **state)
{
	MtwRecord record =
		parse("W 4 6.910519 1 0xfea00080 0x80b955667788 0x0 0", MTW_RECORD_WRITE);

	(void)state;
	assert_int_equal(record.width, 4);
	assert_true(record.value == G_GUINT64_CONSTANT(0x80b955667788));
	record = parse("W 8 1.000000 1 0xffffffffffffffff 0xffffffffffffffff 0x0 0",
		       MTW_RECORD_WRITE);
	assert_true(record.value == G_MAXUINT64 && record.address == G_MAXUINT64);
}

static void test_pc_and_pid(void **state)
{
	MtwRecord record =
		parse("R 4 6.614890 1 0xfea00000 0x1 0xffffffffc0247165 4711", MTW_RECORD_READ);

	(void)state;
	assert_true(record.pc == G_GUINT64_CONSTANT(0xffffffffc0247165));
	assert_int_equal(record.pid, 4711);
}

static void test_unknown(void **state)
{
	MtwRecord record =
		parse("UNKNOWN 6.910592 1 0xfea00080 f3,a5,06 0x0 0", MTW_RECORD_UNKNOWN);

	(void)state;
	assert_int_equal(record.address, 0xfea00080);
	assert_int_equal(record.opcode[0], 0xf3);
	assert_int_equal(record.opcode[1], 0xa5);
	assert_int_equal(record.opcode[2], 0x06);
	parse("UNKNOWN 6.910592 1 0xfea00080 f3,a5 0x0 0", MTW_RECORD_FOREIGN);
	parse("UNKNOWN 6.910592 1 0xfea00080 f3,a5,6 0x0 0", MTW_RECORD_FOREIGN);
	parse("UNKNOWN 4 6.910592 1 0xfea00080 f3,a5,f6 0x0 0", MTW_RECORD_FOREIGN);
}

static void test_map(void **state)
{
	MtwRecord record = parse("MAP 6.896901 9223372036854775807 0xfea00010 0xffffd22ac0075010 "
				 "0x30 0x0 0",
				 MTW_RECORD_MAP);

	(void)state;
	assert_true(record.map_id == G_MAXINT64);
	assert_int_equal(record.address, 0xfea00010);
	assert_true(record.virtual_address == G_GUINT64_CONSTANT(0xffffd22ac0075010));
	assert_int_equal(record.length, 0x30);
	parse("MAP 6.896901 9223372036854775808 0x1000 0x1000 0x1000 0x0 0", MTW_RECORD_FOREIGN);

	record = parse("UNMAP 17.653569 -1 0x0 0", MTW_RECORD_UNMAP);
	assert_int_equal(record.map_id, -1);
	parse("UNMAP 17.653569 -0 0x0 0", MTW_RECORD_FOREIGN);
	parse("UNMAP 17.653569 --1 0x0 0", MTW_RECORD_FOREIGN);
}

static void test_pcidev(void **state)
{
	MtwRecord record =
		parse("PCIDEV 0110 1af41009 a c001 feb00000 0 0 febfc00c 0 c0002 20 1000 "
		      "0 0 4000 0 20000 virtio-pci",
		      MTW_RECORD_PCIDEV);
	const MtwPcidev *device = &record.pcidev;

	(void)state;
	assert_int_equal(device->bus, 1);
	assert_int_equal(device->devfn, 0x10);
	assert_int_equal(device->vendor, 0x1af4);
	assert_int_equal(device->device, 0x1009);
	assert_int_equal(device->irq, 10);
	assert_int_equal(device->bars[0], 0xc001);
	assert_int_equal(device->bars[4], 0xfebfc00c);
	assert_int_equal(device->bars[6], 0xc0002);
	assert_int_equal(device->sizes[0], 0x20);
	assert_int_equal(device->sizes[6], 0x20000);
	assert_text(device->driver, device->driver_bytes, "virtio-pci");

	record = parse(samples[1], MTW_RECORD_PCIDEV);
	assert_int_equal(record.pcidev.driver_bytes, 0);
	record = parse("PCIDEV 0018 123411e8 b 0 0 0 0 0 0 0 0 0 0 0 0 0 0 my driver",
		       MTW_RECORD_PCIDEV);
	assert_text(record.pcidev.driver, record.pcidev.driver_bytes, "my driver");
	parse("PCIDEV 0018 123411e8 100000000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ", MTW_RECORD_FOREIGN);
}

static void test_version(void **state)
{
	(void)state;
	assert_int_equal(parse("VERSION 20070824", MTW_RECORD_VERSION).value, 20070824);
	assert_int_equal(parse("VERSION 20260101", MTW_RECORD_VERSION).value, 20260101);
	parse("VERSION 20070824 ", MTW_RECORD_FOREIGN);
	parse("VERSION", MTW_RECORD_FOREIGN);
	parse("version 20070824", MTW_RECORD_FOREIGN);
}

static void test_mark(void **state)
{
	MtwRecord record = parse("MARK 9.340472 X is up", MTW_RECORD_MARK);

	(void)state;
	assert_int_equal(record.sec, 9);
	assert_text(record.text, record.text_bytes, "X is up");
	record = parse("MARK 9.351721 ", MTW_RECORD_MARK);
	assert_int_equal(record.text_bytes, 0);
	record = parse("MARK 9.351721  two  spaces ", MTW_RECORD_MARK);
	assert_text(record.text, record.text_bytes, " two  spaces ");
	record = parse("MARK 9.452241 \377\t\033[1m%s%n", MTW_RECORD_MARK);
	assert_text(record.text, record.text_bytes, "\377\t\033[1m%s%n");
	parse("MARK 9.351721", MTW_RECORD_FOREIGN);
}

/* A marker with a NUL has lost its newline; the next record is glued to it. */
static void test_glued_mark(void **state)
{
	static const char line[] = "MARK 9.452241 A\0B W 4 1.000000 1 0x0 0x0 0x0 0";
	MtwRecord record;

	(void)state;
	assert_true(mtw_record_parse(line, sizeof line - 1, &record));
	assert_int_equal(record.kind, MTW_RECORD_MARK);
	assert_int_equal(record.text_bytes, sizeof line - 1 - strlen("MARK 9.452241 "));
	assert_round_trip(line, sizeof line - 1, &record);
	record = parse("MARK 9.452241 AMARK 9.457034 next", MTW_RECORD_MARK);
	assert_text(record.text, record.text_bytes, "AMARK 9.457034 next");
}

static void test_lost_is_exact(void **state)
{
	static const char *const marks[] = {
		"MARK 9.340472 Lost 5 events.",
		"MARK 0.000001 Lost 5 events.",
		"MARK 0.000000 lost 5 events.",
		"MARK 0.000000 Lost events.",
		"MARK 0.000000 Lost -5 events.",
		"MARK 0.000000 Lost 5 events",
		"MARK 0.000000 Lost 5 events. ",
		"MARK 0.000000  Lost 5 events.",
		"MARK 0.000000 I Lost 5 events.",
		"MARK 0.000000 Lost 5 events.x",
		"MARK 0.000000 Lost 0x5 events.",
		"MARK 0.000000 Lost 5  events.",
		"MARK 0.000000 Lost 007 events.",
		"MARK 1.000000 Lost my keys",
		"MARK 0.000000 Lost 18446744073709551616 events.",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(marks); i++)
		assert_int_equal(parse(marks[i], MTW_RECORD_MARK).value, 0);
	assert_int_equal(parse("MARK 0.000000 Lost 1 events.", MTW_RECORD_LOST).value, 1);
	assert_true(
		parse("MARK 0.000000 Lost 18446744073709551615 events.", MTW_RECORD_LOST).value ==
		G_MAXUINT64);
	parse("MARK 00.000000 Lost 5 events.", MTW_RECORD_FOREIGN);
}

static void test_gap(void **state)
{
	MtwRecord record = parse("CPU:3 [LOST 184 EVENTS]", MTW_RECORD_GAP);

	(void)state;
	assert_int_equal(record.cpu, 3);
	assert_int_equal(record.value, 184);
	record = parse("CPU:12 [LOST EVENTS]", MTW_RECORD_GAP);
	assert_int_equal(record.cpu, 12);
	assert_int_equal(record.value, 0);
	parse("CPU:0 [LOST 0 EVENTS]", MTW_RECORD_FOREIGN);
	parse("CPU:0 [LOST 5EVENTS]", MTW_RECORD_FOREIGN);
	parse("CPU:0 [LOST  EVENTS]", MTW_RECORD_FOREIGN);
	parse("CPU: [LOST 5 EVENTS]", MTW_RECORD_FOREIGN);
	parse("CPU:4294967296 [LOST 5 EVENTS]", MTW_RECORD_FOREIGN);
}

static void test_samples_round_trip(void **state)
{
	MtwRecord record;

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(samples); i++) {
		assert_true(mtw_record_parse(samples[i], strlen(samples[i]), &record));
		assert_round_trip(samples[i], strlen(samples[i]), &record);
	}
}

static void test_cut_lines(void **state)
{
	MtwRecord record;

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(samples); i++) {
		/* A cut marker is a marker, a cut version another version. */
		if (g_str_has_prefix(samples[i], "MARK") || g_str_has_prefix(samples[i], "VERSION"))
			continue;
		for (gsize cut = 0; cut < strlen(samples[i]); cut++) {
			assert_false(mtw_record_parse(samples[i], cut, &record));
			assert_int_equal(record.kind, MTW_RECORD_FOREIGN);
			assert_ptr_equal(record.text, samples[i]);
			assert_int_equal(record.text_bytes, cut);
		}
	}
}

static void test_extended_lines(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(samples); i++) {
		g_autofree char *longer = g_strconcat(samples[i], " 0", NULL);

		/* These end in free text. */
		if (!g_str_has_prefix(samples[i], "PCIDEV") &&
		    !g_str_has_prefix(samples[i], "MARK"))
			parse(longer, MTW_RECORD_FOREIGN);
	}
}

static void test_numbers_are_canonical(void **state)
{
	static const char *const odd[] = {
		"R 4 6.903411 1 0xFEA00000 0x1 0x0 0",
		"R 4 6.903411 1 0x0fea00000 0x1 0x0 0",
		"R 4 6.903411 1 fea00000 0x1 0x0 0",
		"R 4 6.903411 1 0x 0x1 0x0 0",
		"R 4 6.903411 1 0X1 0x1 0x0 0",
		"R 4 6.903411 1 0x10000000000000000 0x1 0x0 0",
		"R 4 06.903411 1 0x1 0x1 0x0 0",
		"R 4 6.90341 1 0x1 0x1 0x0 0",
		"R 4 6.9034111 1 0x1 0x1 0x0 0",
		"R 4 .903411 1 0x1 0x1 0x0 0",
		"R 4 18446744073709551615.000000 1 0x1 0x1 0x0 0",
		"R 4 6.903411 01 0x1 0x1 0x0 0",
		"R 4 6.903411 +1 0x1 0x1 0x0 0",
		"R 4 6.903411 1 0x1 0x1 0x0 -1",
		"R 3 6.903411 1 0x1 0x1 0x0 0",
		"R 0 6.903411 1 0x1 0x1 0x0 0",
		"R 16 6.903411 1 0x1 0x1 0x0 0",
		"R  4 6.903411 1 0x1 0x1 0x0 0",
		"R\t4 6.903411 1 0x1 0x1 0x0 0",
		" R 4 6.903411 1 0x1 0x1 0x0 0",
		"r 4 6.903411 1 0x1 0x1 0x0 0",
		"RW 4 6.903411 1 0x1 0x1 0x0 0",
		"rw what?",
		"map what?",
		"U",
		"M",
		"UN",
		"",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(odd); i++)
		parse(odd[i], MTW_RECORD_FOREIGN);
}

static void test_line_ends(void **state)
{
	MtwRecord record = parse("MARK 9.340472 X is up\r\n", MTW_RECORD_MARK);

	(void)state;
	assert_text(record.text, record.text_bytes, "X is up");
	parse("R 4 6.903411 1 0x1 0x1 0x0 0\n", MTW_RECORD_READ);
	parse("R 4 6.903411 1 0x1 0x1 0x0 0\r\n", MTW_RECORD_READ);
	parse("MARK 0.000000 Lost 5 events.\r\n", MTW_RECORD_LOST);
	parse("R 4 6.903411 1 0x1 0x1 0x0 0\n\n", MTW_RECORD_FOREIGN);
	record = parse("something else\r\n", MTW_RECORD_FOREIGN);
	assert_text(record.text, record.text_bytes, "something else");
	parse("\n", MTW_RECORD_FOREIGN);
}

static void test_format_needs_room(void **state)
{
	MtwRecord record;

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(samples); i++) {
		gsize bytes = strlen(samples[i]);

		mtw_record_parse(samples[i], bytes, &record);
		for (gsize size = 0; size <= bytes + 1; size++) {
			/*
			 * Of exactly this size, so that the sanitizer sees a byte too many; by
			 * malloc, because g_malloc(0) is NULL.
			 */
			g_autofree char *text = malloc(size);
			assert_int_equal(mtw_record_format(&record, text, size),
					 size == bytes + 1 ? size : 0);
		}
	}
}

static void test_format_extremes(void **state)
{
	char text[MTW_RECORD_TEXT_BYTES];
	MtwRecord record = { .kind = MTW_RECORD_MAP,
			     .sec = G_MAXUINT64,
			     .usec = 999999,
			     .map_id = G_MININT64,
			     .address = G_MAXUINT64,
			     .virtual_address = G_MAXUINT64,
			     .length = G_MAXUINT64,
			     .pc = G_MAXUINT64,
			     .pid = G_MAXUINT64 };
	gsize bytes = mtw_record_format(&record, text, sizeof text);

	(void)state;
	assert_text(text, bytes,
		    "MAP 18446744073709551615.999999 -9223372036854775808 0xffffffffffffffff "
		    "0xffffffffffffffff 0xffffffffffffffff 0xffffffffffffffff "
		    "18446744073709551615\n");

	record = (MtwRecord){ .kind = MTW_RECORD_PCIDEV };
	memset(&record.pcidev, 0xff, sizeof record.pcidev);
	record.pcidev.driver_bytes = 0;
	assert_true(mtw_record_format(&record, text, sizeof text) > 0);
}

/* Every line of every real trace comes back byte by byte, and the foreign ones are those known. */
static void test_round_trip_of_real_traces(void **state)
{
	g_autofree char *folder = test_trace_path(NULL);
	g_autoptr(GDir) names = g_dir_open(folder, 0, NULL);
	guint64 lines = 0, foreign = 0;
	const char *name;

	(void)state;
	assert_non_null(names);
	while ((name = g_dir_read_name(names)) != NULL) {
		g_autoptr(TestText) text = g_ascii_isdigit(*name) ? test_trace(name) : NULL;
		const char *line;
		gsize at = 0, bytes;

		while (text != NULL && test_next_line(text, &at, &line, &bytes)) {
			MtwRecord record;

			foreign += !mtw_record_parse(line, bytes, &record);
			lines++;
			assert_round_trip(line, bytes, &record);
		}
	}
	assert_true(lines > 190000);
	/* "# mode=" in 10 and 11 */
	assert_int_equal(foreign, 22);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_access),
		cmocka_unit_test(test_value_wider_than_width),
		cmocka_unit_test(test_pc_and_pid),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_pcidev),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_mark),
		cmocka_unit_test(test_glued_mark),
		cmocka_unit_test(test_lost_is_exact),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_samples_round_trip),
		cmocka_unit_test(test_cut_lines),
		cmocka_unit_test(test_extended_lines),
		cmocka_unit_test(test_numbers_are_canonical),
		cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_format_needs_room),
		cmocka_unit_test(test_format_extremes),
		cmocka_unit_test(test_round_trip_of_real_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
