/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Templates of letters: text with places like @DEVICE@. An "@" that begins none is an "@". */
#include "base/error.h"
#include "submit/letter-private.h"

#include <string.h>

static const char *const lines[] = {
	"PCIID",
	"DEVICE",
	"NICK",
	"DRIVER",
	"KERNEL",
	"VERDICT",
	"FILE",
	"SHA256",
	"BYTES",
	"VERSION",
	MTW_PLACE_REPORT_ID,
	NULL,
};

static const char *const blocks[] = { "DESCRIPTION", "MARKERS", NULL };

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

char *mtw_place_next(const char *text, const char **ret_start, const char **ret_end)
{
	for (const char *at = strchr(text, '@'); at != NULL; at = strchr(at + 1, '@')) {
		gsize length = strspn(at + 1, LETTERS);
		if (length == 0 || at[1 + length] != '@')
			continue;
		*ret_start = at;
		*ret_end = at + length + 2;
		return g_strndup(at + 1, length);
	}
	return NULL;
}

gboolean mtw_place_is_block(const char *name)
{
	return g_strv_contains(blocks, name);
}

/* What is wrong with a line. Returns: (transfer full) (nullable) */
static char *find_fault(const char *line)
{
	const char *start, *end;

	for (const char *at = line;; at = end) {
		g_autofree char *name = mtw_place_next(at, &start, &end);
		if (name == NULL)
			return NULL;
		if (mtw_place_is_block(name) && (start != line || *end != '\0'))
			return g_strdup_printf(
				"@%s@ has many lines: nothing else may be in its line", name);
		if (!mtw_place_is_block(name) && !g_strv_contains(lines, name))
			return g_strdup_printf("there is no place @%s@", name);
	}
}

gboolean mtw_letter_check_template(const char *template, const char *name, GError **error)
{
	g_auto(GStrv) list = g_strsplit(template, "\n", -1);

	for (guint i = 0; list[i] != NULL; i++) {
		g_autofree char *fault = find_fault(list[i]);
		if (fault == NULL)
			continue;
		if (list[1] == NULL)
			g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", name, fault);
		else
			g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s:%u: %s", name, i + 1,
				    fault);
		return FALSE;
	}
	return TRUE;
}
