/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/profile-template.h"

#include "base/json.h"
#include "base/text.h"

#include <string.h>

typedef enum {
	PART_END,
	PART_TEXT,
	PART_PLACE,
	PART_OPEN, /* a bracket without its other half */
} PartKind;

/* Takes the next part off @at. @ret_text: (transfer none): not terminated */
static PartKind next_part(const char **at, const char **ret_text, gsize *ret_bytes)
{
	const char *text = *at;
	gsize length = strcspn(text, "{}");

	*ret_text = text;
	*ret_bytes = length;
	if (*text == '\0')
		return PART_END;
	if (length > 0) {
		*at = text + length;
		return PART_TEXT;
	}
	*ret_bytes = 1;
	if (text[0] == text[1]) {
		*at = text + 2;
		return PART_TEXT;
	}
	*at = text + 1;
	length = strcspn(text + 1, "{}");
	if (text[0] != '{' || text[1 + length] != '}')
		return PART_OPEN;
	*ret_text = text + 1;
	*ret_bytes = length;
	*at = text + length + 2;
	return PART_PLACE;
}

gboolean mtw_template_check(const char *text, gboolean (*is_name)(const char *name), char **ret_why)
{
	const char *part;
	gsize bytes;

	for (;;) {
		PartKind kind = next_part(&text, &part, &bytes);
		g_autofree char *name = g_strndup(part, bytes);
		if (kind == PART_END)
			return TRUE;
		if (kind == PART_PLACE && !is_name(name)) {
			*ret_why = g_strdup_printf("there is no fact {%s}", name);
			return FALSE;
		}
		if (kind == PART_OPEN) {
			*ret_why = g_strdup_printf("a single %s: write it twice, or {fact}", name);
			return FALSE;
		}
	}
}

char *mtw_template_fill(const char *text, JsonObject *facts)
{
	GString *filled = g_string_new(NULL);
	const char *part;
	gsize bytes;
	PartKind kind;

	while ((kind = next_part(&text, &part, &bytes)) != PART_END) {
		g_autofree char *name = g_strndup(part, bytes);
		g_autofree char *value = NULL;
		if (kind == PART_PLACE)
			value = mtw_text_clean_line(mtw_json_string(facts, name, ""));
		g_string_append(filled, value != NULL ? value : name);
	}
	return g_string_free(filled, FALSE);
}
