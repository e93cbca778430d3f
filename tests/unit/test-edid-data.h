/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The EDIDs of tests/data/edid: hexadecimal bytes below comments. */
#pragma once

#include "fake-root.h"
#include "machine/edid.h"

/* Returns: (transfer full) */
static inline GByteArray *read_edid_bytes(const char *name)
{
	g_autofree char *file = g_strconcat(name, ".hex", NULL);
	g_autofree char *path = g_build_filename(g_getenv("MTW_TEST_DATA"), "edid", file, NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	GByteArray *bytes = g_byte_array_new();

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		for (const char *at = *line; *at != '\0' && **line != '#';
		     at += *at == ' ' ? 1 : 2) {
			guint8 byte = 0;
			if (*at == ' ')
				continue;
			byte = (guint8)(g_ascii_xdigit_value(at[0]) << 4 |
					g_ascii_xdigit_value(at[1]));
			g_byte_array_append(bytes, &byte, 1);
		}
	}
	return bytes;
}

static inline MtwEdid read_edid(const char *name)
{
	g_autoptr(GByteArray) bytes = read_edid_bytes(name);
	MtwEdid edid;

	assert_true(mtw_edid_parse(bytes->data, bytes->len, &edid, NULL));
	return edid;
}

/* put_edid: as a file of a fake root. */
static inline void put_edid(FakeRoot *root, const char *path, const char *name)
{
	g_autoptr(GByteArray) bytes = read_edid_bytes(name);

	fake_root_put_bytes(root, path, bytes->data, bytes->len);
}
