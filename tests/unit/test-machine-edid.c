/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EDID: what it tells, what stays private, and bytes that are none. */
#include "test-edid-data.h"

#include "base/error.h"

#include <string.h>

static void test_desktop(void **state)
{
	MtwEdid edid = read_edid("desktop");
	g_autofree char *monitor = mtw_edid_monitor(&edid);

	(void)state;
	assert_string_equal(edid.manufacturer, "DEL");
	assert_int_equal(edid.product, 0xa0b1);
	assert_string_equal(edid.name, "DELL U2415");
	assert_string_equal(monitor, "DELL U2415");
	assert_string_equal(edid.serial, "XKV0P4B5S0HL");
	assert_int_equal(edid.serial_number, 0x30484c53);
	assert_int_equal(edid.week, 35);
	assert_int_equal(edid.year, 2014);
	assert_false(edid.is_model_year);
	assert_true(edid.is_digital);
	assert_int_equal(edid.width_cm, 52);
	assert_int_equal(edid.height_cm, 32);
	assert_int_equal(edid.preferred_width, 1920);
	assert_int_equal(edid.preferred_height, 1200);
	assert_int_equal(edid.preferred_mhz, 59950);
	assert_false(edid.preferred_interlaced);
	assert_int_equal(edid.n_extensions, 1);
	assert_true(edid.is_complete);
}

static void test_laptop(void **state)
{
	MtwEdid edid = read_edid("laptop");
	g_autofree char *monitor = mtw_edid_monitor(&edid);

	(void)state;
	assert_string_equal(edid.name, "");
	assert_string_equal(edid.serial, "");
	assert_int_equal(edid.serial_number, 0);
	assert_string_equal(monitor, "LGD 04b3");
	assert_true(edid.is_model_year);
	assert_int_equal(edid.week, 0);
	assert_int_equal(edid.year, 2016);
	assert_int_equal(edid.preferred_width, 1920);
	assert_int_equal(edid.preferred_height, 1080);
}

static void test_analogue(void **state)
{
	MtwEdid edid = read_edid("analogue");
	g_autofree char *text = mtw_edid_text(&edid, TRUE);

	(void)state;
	assert_false(edid.is_digital);
	assert_int_equal(edid.preferred_width, 0);
	assert_string_equal(text, "Manufacturer: SAM\nProduct: 0123\nName: SyncMaster\n"
				  "Serial number: 16909060\nMade: 2001\nInput: analogue\n"
				  "Size: 36 x 27 cm\nEDID: version 1.1, extensions: 0\n");
}

static void test_television(void **state)
{
	MtwEdid edid = read_edid("television");

	(void)state;
	/* Control characters and other bytes cannot reach a terminal. */
	assert_string_equal(edid.name, "T?[31mV??");
	assert_string_equal(edid.serial, "");
	/* One of the two sizes alone is a ratio. */
	assert_int_equal(edid.width_cm, 0);
	assert_true(edid.preferred_interlaced);
	assert_int_equal(edid.preferred_width, 1920);
	assert_int_equal(edid.preferred_height, 1080);
	assert_int_equal(edid.n_extensions, 1);
	assert_false(edid.is_complete);
}

static void test_text_is_private(void **state)
{
	MtwEdid edid = read_edid("desktop");
	g_autofree char *text = mtw_edid_text(&edid, FALSE);
	g_autofree char *all = mtw_edid_text(&edid, TRUE);

	(void)state;
	assert_string_equal(text, "Manufacturer: DEL\nProduct: a0b1\nName: DELL U2415\n"
				  "Made: week 35 of 2014\nInput: digital\nSize: 52 x 32 cm\n"
				  "Preferred mode: 1920x1200, 59.95 Hz\n"
				  "EDID: version 1.3, extensions: 1\n");
	assert_non_null(strstr(all, "Serial: XKV0P4B5S0HL\n"));
	assert_non_null(strstr(all, "Serial number: 810044499\n"));
}

static void test_damaged(void **state)
{
	g_autoptr(GByteArray) data = read_edid_bytes("desktop");
	g_autofree char *text = NULL;
	MtwEdid edid;

	(void)state;
	data->data[127] ^= 1;
	assert_true(mtw_edid_parse(data->data, data->len, &edid, NULL));
	assert_false(edid.is_complete);
	assert_string_equal(edid.name, "DELL U2415");
	text = mtw_edid_text(&edid, FALSE);
	assert_non_null(strstr(text, "extensions: 1, damaged or not complete\n"));
}

static void assert_refused(const guint8 *data, gsize bytes)
{
	g_autoptr(GError) error = NULL;
	MtwEdid edid;

	assert_false(mtw_edid_parse(data, bytes, &edid, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_string_equal(edid.name, "");
}

static void test_refused(void **state)
{
	g_autoptr(GByteArray) data = read_edid_bytes("laptop");

	(void)state;
	assert_refused(data->data, 0);
	assert_refused(data->data, 127);
	data->data[18] = 2;
	assert_refused(data->data, data->len);
	data->data[18] = 1;
	data->data[7] = 1;
	assert_refused(data->data, data->len);
}

/* Each byte at its extremes: nothing is read outside, every text is printable. */
static void test_every_byte(void **state)
{
	static const guint8 values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	g_autoptr(GByteArray) data = read_edid_bytes("desktop");
	MtwEdid edid;

	(void)state;
	for (gsize i = 0; i < data->len * G_N_ELEMENTS(values); i++) {
		guint8 *at = &data->data[i / G_N_ELEMENTS(values)], before = *at;
		g_autofree char *text = NULL;
		*at = values[i % G_N_ELEMENTS(values)];
		if (mtw_edid_parse(data->data, data->len, &edid, NULL)) {
			text = mtw_edid_text(&edid, TRUE);
			for (const char *c = text; *c != '\0'; c++)
				assert_true(*c == '\n' || g_ascii_isprint(*c));
		}
		*at = before;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_desktop),		cmocka_unit_test(test_laptop),
		cmocka_unit_test(test_analogue),	cmocka_unit_test(test_television),
		cmocka_unit_test(test_text_is_private), cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_refused),		cmocka_unit_test(test_every_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
