/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a profile fits a device. */
#include "wizard/profile-private.h"

#include <string.h>

#define ID_DIGITS 4
#define CLASS_DIGITS 6

/* One more key of [Match] is worth more than all digits of Class. */
#define KEY_WORTH 16

typedef struct {
	guint n_digits;
	guint32 first, last;
} Range;

static guint hex_digits(const char *text)
{
	guint n_digits = 0;

	while (g_ascii_isxdigit(text[n_digits]))
		n_digits++;
	return n_digits;
}

static guint32 hex_value(const char *text, guint n_digits)
{
	guint32 value = 0;

	for (guint i = 0; i < n_digits; i++)
		value = value << 4 | (guint32)g_ascii_xdigit_value(text[i]);
	return value;
}

/* "1e00" or "1e00-2fff". */
static gboolean parse_range(const char *pattern, Range *ret_range)
{
	guint n_digits = hex_digits(pattern);
	const char *last = pattern[n_digits] == '-' ? pattern + n_digits + 1 : pattern;

	if (n_digits == 0 || n_digits > CLASS_DIGITS || hex_digits(last) != n_digits ||
	    last[n_digits] != '\0')
		return FALSE;
	ret_range->n_digits = n_digits;
	ret_range->first = hex_value(pattern, n_digits);
	ret_range->last = hex_value(last, n_digits);
	return ret_range->first <= ret_range->last;
}

const char *mtw_patterns_check(char **patterns, const char *digits)
{
	Range range;

	for (; *patterns != NULL; patterns++)
		if (!parse_range(*patterns, &range) ||
		    strchr(digits, (char)('0' + range.n_digits)) == NULL)
			return *patterns;
	return NULL;
}

guint mtw_patterns_fit(char **patterns, guint32 value, guint n_digits)
{
	guint best = 0;
	Range range;

	for (; *patterns != NULL; patterns++) {
		guint32 head;
		if (!parse_range(*patterns, &range) || range.n_digits > n_digits)
			continue;
		head = value >> 4 * (n_digits - range.n_digits);
		if (head >= range.first && head <= range.last)
			best = MAX(best, range.n_digits);
	}
	return best;
}

gboolean mtw_patterns_fit_name(char **patterns, const char *name)
{
	g_autofree char *normal = g_strdelimit(g_strdup(name), "-", '_');

	for (; *patterns != NULL; patterns++) {
		g_autofree char *pattern = g_strdelimit(g_strdup(*patterns), "-", '_');
		if (g_pattern_match_simple(pattern, normal))
			return TRUE;
	}
	return FALSE;
}

/* Adds to @fits; FALSE when the patterns are there and none fits. */
static gboolean add_fit(char **patterns, guint32 value, guint n_digits, guint *fits)
{
	guint digits;

	if (patterns == NULL)
		return TRUE;
	digits = mtw_patterns_fit(patterns, value, n_digits);
	/* An id is all digits or none; of a class more digits say more. */
	*fits += KEY_WORTH + (n_digits == CLASS_DIGITS ? digits : 0);
	return digits > 0;
}

guint mtw_profile_matches(const MtwProfile *profile, const MtwPciDevice *device)
{
	guint fits = 0;

	if (!add_fit(profile->vendors, device->vendor, ID_DIGITS, &fits) ||
	    !add_fit(profile->devices, device->device, ID_DIGITS, &fits) ||
	    !add_fit(profile->classes, device->class_code, CLASS_DIGITS, &fits))
		return 0;
	if (profile->drivers != NULL) {
		if (device->driver == NULL ||
		    !mtw_patterns_fit_name(profile->drivers, device->driver))
			return 0;
		fits += KEY_WORTH;
	}
	return fits;
}
