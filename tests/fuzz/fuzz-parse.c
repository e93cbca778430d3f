/* SPDX-License-Identifier: GPL-2.0-or-later */
/* base/parse and base/text: any text from a kernel file, the command line or a person. */
#include "fuzz.h"

#include "base/parse.h"
#include "base/text.h"

#include <string.h>

/* So many texts like "0-65535," would only show that memory ends. */
#define CPU_LIST_MAX_BYTES 256

static void check_numbers(const char *text)
{
	guint64 value;
	guint small;

	if (mtw_parse_u64(text, 10, &value)) {
		g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, value);

		/* What was read is in the text. */
		FUZZ_ASSERT(strstr(text, digits) != NULL);
		FUZZ_ASSERT(mtw_parse_uint(text, 0, G_MAXUINT, &small) == (value <= G_MAXUINT));
	} else {
		FUZZ_ASSERT(!mtw_parse_uint(text, 0, G_MAXUINT, &small));
	}
	if (mtw_parse_u64(text, 16, &value)) {
		g_autofree char *digits = g_strdup_printf("%" G_GINT64_MODIFIER "x", value);
		g_autofree char *lower = g_ascii_strdown(text, -1);

		FUZZ_ASSERT(strstr(lower, digits) != NULL);
		/* One prefix, at the beginning. */
		FUZZ_ASSERT(strrchr(lower, 'x') == NULL || strrchr(lower, 'x') == lower + 1);
	}
	mtw_parse_buffer_size_kb(text, &value);
}

static void check_bdf(const char *text)
{
	char formatted[MTW_BDF_TEXT_BYTES];
	MtwBdf bdf, again;

	if (!mtw_parse_bdf(text, &bdf))
		return;
	FUZZ_ASSERT(bdf.device <= 31 && bdf.function <= 7);
	mtw_bdf_format(&bdf, formatted);
	FUZZ_ASSERT(mtw_parse_bdf(formatted, &again));
	FUZZ_ASSERT(again.domain == bdf.domain && again.bus == bdf.bus &&
		    again.device == bdf.device && again.function == bdf.function);
}

static void check_cpu_list(const char *text)
{
	g_autoptr(GArray) cpus = NULL;

	if (strlen(text) > CPU_LIST_MAX_BYTES)
		return;
	cpus = mtw_parse_cpu_list(text);
	for (guint i = 0; cpus != NULL && i < cpus->len; i++) {
		FUZZ_ASSERT(g_array_index(cpus, guint, i) <= 65535);
		FUZZ_ASSERT(i == 0 ||
			    g_array_index(cpus, guint, i - 1) <= g_array_index(cpus, guint, i));
	}
}

static void check_words(const char *text)
{
	g_autofree char *chosen = mtw_parse_bracketed(text);

	FUZZ_ASSERT(chosen == NULL || strstr(text, chosen) != NULL);
	FUZZ_ASSERT(!mtw_parse_has_word(text, "mmiotrace") || strstr(text, "mmiotrace") != NULL);
}

static void check_marker(const char *text, gsize bytes)
{
	g_autofree char *marker = mtw_text_clean_marker(text, (gssize)bytes);
	g_autofree char *again = mtw_text_clean_marker(marker, -1);

	FUZZ_ASSERT(strlen(marker) <= MTW_MARKER_MAX_BYTES);
	FUZZ_ASSERT(g_utf8_validate(marker, -1, NULL));
	FUZZ_ASSERT(strpbrk(marker, "\n\r\t\033\177") == NULL);
	FUZZ_ASSERT(strcmp(marker, again) == 0);
}

static void check_texts(const char *text)
{
	g_autofree char *name = mtw_text_clean_name(text);
	g_autofree char *line = mtw_text_clean_line(text);

	FUZZ_ASSERT(g_utf8_validate(line, -1, NULL));
	FUZZ_ASSERT(strpbrk(line, "\n\r\t\033\177") == NULL);
	if (name == NULL)
		return;
	FUZZ_ASSERT(*name != '\0' && *name != '.' && *name != '-' && strlen(name) <= 64);
	for (const char *at = name; *at != '\0'; at++)
		FUZZ_ASSERT(g_ascii_isalnum(*at) || strchr("._-", *at) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);

	check_numbers(text);
	check_bdf(text);
	check_cpu_list(text);
	check_words(text);
	check_marker((const char *)data, size);
	check_texts(text);
	return 0;
}
