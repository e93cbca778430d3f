/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/edid.h"

#include "base/error.h"

#include <string.h>

/* Offsets in the base block. */
#define AT_MANUFACTURER 8
#define AT_PRODUCT 10
#define AT_SERIAL_NUMBER 12
#define AT_WEEK 16
#define AT_YEAR 17
#define AT_VERSION 18
#define AT_REVISION 19
#define AT_INPUT 20
#define AT_WIDTH 21
#define AT_HEIGHT 22
#define AT_DESCRIPTORS 54
#define AT_EXTENSIONS 126

#define N_DESCRIPTORS 4
#define DESCRIPTOR_BYTES 18
#define TEXT_BYTES 13

#define TAG_SERIAL 0xff
#define TAG_NAME 0xfc

#define WEEK_IS_MODEL_YEAR 0xff
#define LAST_WEEK 54
#define FIRST_YEAR 1990

static guint little16(const guint8 *at)
{
	return at[0] | (guint)at[1] << 8;
}

static gboolean sum_is_right(const guint8 *block)
{
	guint sum = 0;

	for (gsize i = 0; i < MTW_EDID_BLOCK_BYTES; i++)
		sum += block[i];
	return sum % 256 == 0;
}

/* Three letters of five bits each, "A" is 1; "?" for what is no letter. */
static void read_manufacturer(const guint8 *at, char *ret_letters)
{
	guint packed = (guint)at[0] << 8 | at[1];

	for (int i = 0; i < 3; i++) {
		guint letter = packed >> (10 - 5 * i) & 31;
		ret_letters[i] = letter >= 1 && letter <= 26 ? (char)('A' + letter - 1) : '?';
	}
	ret_letters[3] = '\0';
}

/* Ends with a newline when it is shorter; what is not printable ASCII becomes "?". */
static void read_text(const guint8 *at, char *ret_text)
{
	gsize length = 0;

	for (; length < TEXT_BYTES && at[length] != '\n' && at[length] != '\0'; length++)
		ret_text[length] = g_ascii_isprint(at[length]) ? (char)at[length] : '?';
	ret_text[length] = '\0';
	g_strstrip(ret_text);
}

/* The 18 bytes of a timing. The first descriptor is the preferred one when it is a timing. */
static void read_preferred(const guint8 *at, MtwEdid *edid)
{
	guint64 clock_hz = (guint64)little16(at) * 10000;
	guint width = at[2] | (guint)(at[4] & 0xf0) << 4;
	guint width_all = width + (at[3] | (guint)(at[4] & 0x0f) << 8);
	guint height = at[5] | (guint)(at[7] & 0xf0) << 4;
	guint height_all = height + (at[6] | (guint)(at[7] & 0x0f) << 8);

	if (clock_hz == 0 || width == 0 || height == 0)
		return;
	edid->preferred_interlaced = (at[17] & 0x80) != 0;
	edid->preferred_width = width;
	edid->preferred_height = edid->preferred_interlaced ? height * 2 : height;
	edid->preferred_mhz = (guint)(clock_hz * 1000 / ((guint64)width_all * height_all));
}

static void read_descriptors(const guint8 *data, MtwEdid *edid)
{
	for (int i = 0; i < N_DESCRIPTORS; i++) {
		const guint8 *at = data + AT_DESCRIPTORS + i * DESCRIPTOR_BYTES;

		if (little16(at) != 0) {
			if (i == 0)
				read_preferred(at, edid);
		} else if (at[3] == TAG_NAME) {
			read_text(at + 5, edid->name);
		} else if (at[3] == TAG_SERIAL) {
			read_text(at + 5, edid->serial);
		}
	}
}

static void read_date(const guint8 *data, MtwEdid *edid)
{
	edid->is_model_year = data[AT_WEEK] == WEEK_IS_MODEL_YEAR;
	edid->week = data[AT_WEEK] <= LAST_WEEK ? data[AT_WEEK] : 0;
	edid->year = FIRST_YEAR + data[AT_YEAR];
}

static gboolean is_complete(const guint8 *data, gsize bytes)
{
	gsize blocks = 1 + (gsize)data[AT_EXTENSIONS];

	if (bytes < blocks * MTW_EDID_BLOCK_BYTES)
		return FALSE;
	for (gsize i = 0; i < blocks; i++)
		if (!sum_is_right(data + i * MTW_EDID_BLOCK_BYTES))
			return FALSE;
	return TRUE;
}

gboolean mtw_edid_parse(const guint8 *data, gsize bytes, MtwEdid *ret_edid, GError **error)
{
	static const guint8 header[] = { 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00 };

	memset(ret_edid, 0, sizeof *ret_edid);
	if (bytes < MTW_EDID_BLOCK_BYTES) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "an EDID has at least %d bytes, this has %zu", MTW_EDID_BLOCK_BYTES,
			    bytes);
		return FALSE;
	}
	if (memcmp(data, header, sizeof header) != 0 || data[AT_VERSION] != 1) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "it does not begin as an EDID of version 1 does");
		return FALSE;
	}
	ret_edid->version = data[AT_VERSION];
	ret_edid->revision = data[AT_REVISION];
	read_manufacturer(data + AT_MANUFACTURER, ret_edid->manufacturer);
	ret_edid->product = (guint16)little16(data + AT_PRODUCT);
	ret_edid->serial_number = little16(data + AT_SERIAL_NUMBER) |
				  (guint32)little16(data + AT_SERIAL_NUMBER + 2) << 16;
	read_date(data, ret_edid);
	ret_edid->is_digital = (data[AT_INPUT] & 0x80) != 0;
	/* With only one of them it is a ratio. */
	if (data[AT_WIDTH] != 0 && data[AT_HEIGHT] != 0) {
		ret_edid->width_cm = data[AT_WIDTH];
		ret_edid->height_cm = data[AT_HEIGHT];
	}
	read_descriptors(data, ret_edid);
	ret_edid->n_extensions = data[AT_EXTENSIONS];
	ret_edid->is_complete = is_complete(data, bytes);
	return TRUE;
}

char *mtw_edid_monitor(const MtwEdid *edid)
{
	if (edid->name[0] != '\0')
		return g_strdup(edid->name);
	return g_strdup_printf("%s %04x", edid->manufacturer, edid->product);
}

static void append_date(const MtwEdid *edid, GString *text)
{
	if (edid->is_model_year)
		g_string_append_printf(text, "Model year: %u\n", edid->year);
	else if (edid->week != 0)
		g_string_append_printf(text, "Made: week %u of %u\n", edid->week, edid->year);
	else
		g_string_append_printf(text, "Made: %u\n", edid->year);
}

static void append_picture(const MtwEdid *edid, GString *text)
{
	if (edid->width_cm != 0)
		g_string_append_printf(text, "Size: %u x %u cm\n", edid->width_cm, edid->height_cm);
	if (edid->preferred_width != 0)
		g_string_append_printf(text, "Preferred mode: %ux%u%s, %u.%02u Hz\n",
				       edid->preferred_width, edid->preferred_height,
				       edid->preferred_interlaced ? "i" : "",
				       edid->preferred_mhz / 1000, edid->preferred_mhz % 1000 / 10);
}

char *mtw_edid_text(const MtwEdid *edid, gboolean with_serials)
{
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "Manufacturer: %s\nProduct: %04x\n", edid->manufacturer,
			       edid->product);
	if (edid->name[0] != '\0')
		g_string_append_printf(text, "Name: %s\n", edid->name);
	if (with_serials && edid->serial_number != 0)
		g_string_append_printf(text, "Serial number: %u\n", edid->serial_number);
	if (with_serials && edid->serial[0] != '\0')
		g_string_append_printf(text, "Serial: %s\n", edid->serial);
	append_date(edid, text);
	g_string_append_printf(text, "Input: %s\n", edid->is_digital ? "digital" : "analogue");
	append_picture(edid, text);
	g_string_append_printf(text, "EDID: version %u.%u, extensions: %u%s\n", edid->version,
			       edid->revision, edid->n_extensions,
			       edid->is_complete ? "" : ", damaged or not complete");
	return g_string_free(text, FALSE);
}
