/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which devices and drivers a target is for: a suggestion, no more. */
#include "submit/target-private.h"

#include <string.h>

#define ID_MAX_BYTES 64

#define PCI "pci:"
#define DRIVER "driver:"

/* Vendor, device, class. */
#define N_FIELDS 3
#define ID_DIGITS 4
#define CLASS_DIGITS 6

gboolean mtw_target_id_is_good(const char *id)
{
	gsize length = strlen(id);

	return length > 0 && length <= ID_MAX_BYTES && id[0] != '-' &&
	       strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

static gboolean is_field(const char *field, gsize max_digits)
{
	gsize length = strlen(field);

	return length > 0 && length <= max_digits &&
	       strspn(field, "0123456789abcdefABCDEF*?") == length;
}

static gboolean is_pci(const char *text)
{
	g_auto(GStrv) fields = g_strsplit(text, ":", -1);
	guint n_fields = g_strv_length(fields);

	if (n_fields == 0 || n_fields > N_FIELDS)
		return FALSE;
	for (guint i = 0; i < n_fields; i++)
		if (!is_field(fields[i], i == N_FIELDS - 1 ? CLASS_DIGITS : ID_DIGITS))
			return FALSE;
	return TRUE;
}

static gboolean is_driver(const char *text)
{
	for (const char *at = text; *at != '\0'; at++)
		if (!g_ascii_isalnum(*at) && strchr("_-*?", *at) == NULL)
			return FALSE;
	return text[0] != '\0';
}

const char *mtw_target_match_check(char **patterns)
{
	for (; *patterns != NULL; patterns++) {
		if (g_str_has_prefix(*patterns, PCI) && is_pci(*patterns + strlen(PCI)))
			continue;
		if (g_str_has_prefix(*patterns, DRIVER) && is_driver(*patterns + strlen(DRIVER)))
			continue;
		return *patterns;
	}
	return NULL;
}

static gboolean field_fits(const char *field, const char *value)
{
	g_autofree char *pattern = g_ascii_strdown(field, -1);
	g_autofree char *text = g_ascii_strdown(value, -1);

	return g_pattern_match_simple(pattern, text);
}

/* @values: vendor, device, class. Returns: how many fields are given, when all fit */
static guint pci_fits(const char *pattern, const char *const *values)
{
	g_auto(GStrv) fields = g_strsplit(pattern, ":", N_FIELDS);
	guint given = 0;

	for (guint i = 0; fields[i] != NULL; i++) {
		if (!field_fits(fields[i], values[i]))
			return 0;
		given += g_str_equal(fields[i], "*") ? 0 : 1;
	}
	return given;
}

/* In names of modules "-" and "_" are the same. */
static guint driver_fits(const char *pattern, const char *driver)
{
	g_autofree char *wanted = g_strdelimit(g_strdup(pattern), "-", '_');
	g_autofree char *name = g_strdelimit(g_strdup(driver), "-", '_');

	return g_pattern_match_simple(wanted, name) ? 1 : 0;
}

guint mtw_target_fits(const MtwTarget *target, const char *pci_id, const char *pci_class,
		      const char *driver)
{
	g_auto(GStrv) ids = g_strsplit(pci_id, ":", 2);
	const char *const values[N_FIELDS] = {
		ids[0] != NULL ? ids[0] : "",
		ids[0] != NULL && ids[1] != NULL ? ids[1] : "",
		pci_class,
	};
	guint best = 0;

	for (char **pattern = target->match; *pattern != NULL; pattern++) {
		guint fits = 0;
		if (g_str_has_prefix(*pattern, PCI))
			fits = pci_fits(*pattern + strlen(PCI), values);
		else if (driver != NULL && g_str_has_prefix(*pattern, DRIVER))
			fits = driver_fits(*pattern + strlen(DRIVER), driver);
		best = MAX(best, fits);
	}
	return best;
}
