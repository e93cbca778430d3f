/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/parse.h"

#include <errno.h>
#include <string.h>

gboolean mtw_parse_u64(const char *text, guint base, guint64 *ret_value)
{
	char *end = NULL;
	guint64 value;

	if (base == 16 && g_ascii_strncasecmp(text, "0x", 2) == 0)
		text += 2;
	/* strtoull would take signs, spaces and a second prefix. */
	if (!(base == 16 ? g_ascii_isxdigit(*text) : g_ascii_isdigit(*text)) ||
	    g_ascii_tolower(text[1]) == 'x')
		return FALSE;
	errno = 0;
	value = g_ascii_strtoull(text, &end, base);
	if (errno != 0 || (*end != '\0' && strcmp(end, "\n") != 0))
		return FALSE;
	*ret_value = value;
	return TRUE;
}

gboolean mtw_parse_uint(const char *text, guint min, guint max, guint *ret_value)
{
	guint64 value;

	if (!mtw_parse_u64(text, 10, &value) || value < min || value > max)
		return FALSE;
	*ret_value = (guint)value;
	return TRUE;
}

/* Reads exactly @digits hexadecimal digits; the next character must be @terminator. */
static gboolean take_hex(const char **text, int digits, char terminator, guint *ret_value)
{
	guint value = 0;

	for (int i = 0; i < digits; i++) {
		int digit = g_ascii_xdigit_value((*text)[i]);
		if (digit < 0)
			return FALSE;
		value = value * 16 + (guint)digit;
	}
	if ((*text)[digits] != terminator)
		return FALSE;
	*text += terminator != '\0' ? digits + 1 : digits;
	*ret_value = value;
	return TRUE;
}

gboolean mtw_parse_bdf(const char *text, MtwBdf *ret_bdf)
{
	guint domain = 0, bus, device, function;

	if (strlen(text) > strlen("01:00.0")) {
		int digits = (int)strcspn(text, ":");
		if (digits < 4 || digits > 6 || !take_hex(&text, digits, ':', &domain))
			return FALSE;
	}
	if (!take_hex(&text, 2, ':', &bus) || !take_hex(&text, 2, '.', &device) ||
	    !take_hex(&text, 1, '\0', &function) || device > 31 || function > 7)
		return FALSE;
	*ret_bdf = (MtwBdf){ .domain = domain,
			     .bus = (guint8)bus,
			     .device = (guint8)device,
			     .function = (guint8)function };
	return TRUE;
}

char *mtw_bdf_format(const MtwBdf *bdf, char *text)
{
	g_snprintf(text, MTW_BDF_TEXT_BYTES, "%04x:%02x:%02x.%x", bdf->domain, bdf->bus,
		   bdf->device, bdf->function);
	return text;
}

#define CPU_MAX 65535

static gboolean append_cpu_range(GArray *cpus, const char *range)
{
	g_auto(GStrv) ends = g_strsplit(range, "-", 2);
	guint first, last;

	if (ends[0] == NULL || !mtw_parse_uint(ends[0], 0, CPU_MAX, &first))
		return FALSE;
	last = first;
	if (ends[1] != NULL && !mtw_parse_uint(ends[1], first, CPU_MAX, &last))
		return FALSE;
	for (guint cpu = first; cpu <= last; cpu++)
		g_array_append_val(cpus, cpu);
	return cpus->len <= CPU_MAX + 1;
}

static int compare_cpus(gconstpointer a, gconstpointer b)
{
	guint left = *(const guint *)a, right = *(const guint *)b;

	return left < right ? -1 : left > right;
}

GArray *mtw_parse_cpu_list(const char *text)
{
	g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autofree char *stripped = g_strchomp(g_strdup(text));
	g_auto(GStrv) ranges = g_strsplit(stripped, ",", -1);

	for (char **range = ranges; *range != NULL; range++)
		if (!append_cpu_range(cpus, *range))
			return NULL;
	g_array_sort(cpus, compare_cpus);
	return g_steal_pointer(&cpus);
}

gboolean mtw_parse_buffer_size_kb(const char *text, guint64 *ret_size_kb)
{
	g_autofree char *first = g_strndup(text, strcspn(text, " \n"));

	return mtw_parse_u64(first, 10, ret_size_kb);
}

char *mtw_parse_bracketed(const char *text)
{
	const char *open = strchr(text, '[');
	const char *close = open != NULL ? strchr(open, ']') : NULL;

	return close != NULL ? g_strndup(open + 1, (gsize)(close - open - 1)) : NULL;
}

gboolean mtw_parse_has_word(const char *text, const char *word)
{
	gsize length = strlen(word);

	for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
		gboolean starts = at == text || g_ascii_isspace(at[-1]);
		gboolean ends = at[length] == '\0' || g_ascii_isspace(at[length]);
		if (starts && ends)
			return TRUE;
	}
	return FALSE;
}
