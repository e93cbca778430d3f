/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine/edid: what a monitor, or an adapter between, sends. */
#include "fuzz.h"

#include "machine/edid.h"

#include <string.h>

static void check_text(const char *text)
{
	for (; *text != '\0'; text++)
		FUZZ_ASSERT(*text == '\n' || g_ascii_isprint(*text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = NULL;
	g_autofree char *all = NULL;
	g_autofree char *monitor = NULL;
	MtwEdid edid;

	if (!mtw_edid_parse(data, size, &edid, NULL))
		return 0;
	FUZZ_ASSERT(size >= MTW_EDID_BLOCK_BYTES);
	FUZZ_ASSERT(strlen(edid.manufacturer) == 3);
	FUZZ_ASSERT(!edid.is_complete || size >= MTW_EDID_BLOCK_BYTES * (1 + edid.n_extensions));
	text = mtw_edid_text(&edid, FALSE);
	all = mtw_edid_text(&edid, TRUE);
	monitor = mtw_edid_monitor(&edid);
	check_text(text);
	check_text(all);
	FUZZ_ASSERT(monitor[0] != '\0' && strchr(monitor, '\n') == NULL);
	/* The text without serials has no line for them. */
	FUZZ_ASSERT(strstr(text, "\nSerial") == NULL);
	FUZZ_ASSERT(strlen(all) >= strlen(text));
	return 0;
}
