/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/letter.h"

#include "base/json.h"
#include "submit/letter-private.h"

#include <string.h>

#define TITLE_MAX_BYTES 200

/* What trackers take at least: Bugzilla's comments have at most 65535 characters. */
#define DESCRIPTION_MAX_BYTES 30000
#define MARKERS_MAX_BYTES 10000

#define UUID_BYTES 16
#define MARK_DIGITS 8

typedef struct {
	JsonObject *facts;
	const char *report_id;
	MtwMarkup markup;
} Filling;

typedef char *(*ValueForm)(const char *text, MtwMarkup markup);

void mtw_letter_free(MtwLetter *letter)
{
	if (letter == NULL)
		return;
	g_free(letter->report_id);
	g_free(letter->title);
	g_free(letter->body);
	g_free(letter);
}

static guint8 hex_byte(const char *text)
{
	return (guint8)(g_ascii_xdigit_value(text[0]) << 4 | g_ascii_xdigit_value(text[1]));
}

char *mtw_report_id(const char *sha256)
{
	guint8 bytes[UUID_BYTES] = { 0 };
	GString *text = g_string_new(NULL);

	for (gsize i = 0; i < UUID_BYTES && g_ascii_isxdigit(sha256[2 * i]) &&
			  g_ascii_isxdigit(sha256[2 * i + 1]);
	     i++)
		bytes[i] = hex_byte(sha256 + 2 * i);
	/* Version 8, of one's own making, in the variant of RFC 9562. */
	bytes[6] = (bytes[6] & 0x0f) | 0x80;
	bytes[8] = (bytes[8] & 0x3f) | 0x80;
	for (gsize i = 0; i < UUID_BYTES; i++)
		g_string_append_printf(text, "%s%02x",
				       i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
	return g_string_free(text, FALSE);
}

/* Returns: (transfer none): "" when there is none */
static const char *fact_of(const Filling *filling, const char *place)
{
	g_autofree char *name = g_ascii_strdown(place, -1);

	return mtw_json_string(filling->facts, name, "");
}

static char *value_of(const Filling *filling, const char *place, ValueForm form)
{
	if (g_str_equal(place, MTW_PLACE_REPORT_ID))
		return g_strdup(filling->report_id);
	return form(fact_of(filling, place), filling->markup);
}

/* Returns: (transfer full) (nullable): NULL when it has places and none of them a value */
static char *fill_line(const Filling *filling, const char *line, ValueForm form)
{
	g_autoptr(GString) filled = g_string_new(NULL);
	gboolean has_place = FALSE, has_value = FALSE;
	const char *start, *end;

	for (;; line = end) {
		g_autofree char *place = mtw_place_next(line, &start, &end);
		g_autofree char *value = NULL;
		if (place == NULL)
			break;
		value = value_of(filling, place, form);
		has_place = TRUE;
		has_value |= value[0] != '\0';
		g_string_append_len(filled, line, start - line);
		g_string_append(filled, value);
	}
	g_string_append(filled, line);
	if (has_place && !has_value)
		return NULL;
	return g_string_free(g_steal_pointer(&filled), FALSE);
}

/* Two blanks and empty brackets are where a value is missing. */
static void tidy_title(GString *title)
{
	g_string_replace(title, "()", "", 0);
	g_string_replace(title, "[]", "", 0);
	while (g_string_replace(title, "  ", " ", 0) > 0)
		;
	g_strstrip(title->str);
	title->len = strlen(title->str);
}

static char *make_title(const Filling *filling, const char *template)
{
	g_autofree char *filled = fill_line(filling, template, mtw_value_title);
	g_autoptr(GString) title = g_string_new(filled != NULL ? filled : "mmiotrace");

	tidy_title(title);
	mtw_value_cut(title->str, TITLE_MAX_BYTES - MARK_DIGITS - strlen(" []"));
	g_strchomp(title->str);
	return g_strdup_printf("%s [%.*s]", title->str, MARK_DIGITS, filling->report_id);
}

static char *make_block(const Filling *filling, const char *place)
{
	gsize max_bytes = g_str_equal(place, "MARKERS") ? MARKERS_MAX_BYTES : DESCRIPTION_MAX_BYTES;

	return mtw_value_block(fact_of(filling, place), max_bytes, filling->markup);
}

/* An empty line only after one that is not. */
static void add_line(GString *body, const char *line)
{
	if (line[0] == '\0' && (body->len == 0 || g_str_has_suffix(body->str, "\n\n")))
		return;
	g_string_append_printf(body, "%s\n", line);
}

/* @ret_start: (inout): where in @body the line before began; that of this line */
static void add_template_line(GString *body, const Filling *filling, const char *line,
			      gsize *ret_start)
{
	const char *start, *end;
	g_autofree char *place = mtw_place_next(line, &start, &end);
	g_autofree char *text = NULL;
	gsize line_before = *ret_start;

	*ret_start = body->len;
	if (place != NULL && mtw_place_is_block(place)) {
		text = make_block(filling, place);
		g_string_append(body, text);
		/* What stands right above it is its heading. */
		if (text[0] == '\0' && !g_str_has_suffix(body->str, "\n\n"))
			g_string_truncate(body, line_before);
		return;
	}
	text = fill_line(filling, line, mtw_value_line);
	if (text != NULL)
		add_line(body, text);
}

/* The id is there whatever the template says: by it a report is found again. */
static void ensure_report_id(GString *body, const Filling *filling)
{
	g_autofree char *line = g_strdup_printf("Report-ID: %s", filling->report_id);

	while (g_str_has_suffix(body->str, "\n\n"))
		g_string_truncate(body, body->len - 1);
	if (strstr(body->str, line) != NULL)
		return;
	add_line(body, "");
	add_line(body, line);
}

static char *make_body(const Filling *filling, const char *template)
{
	g_auto(GStrv) lines = g_strsplit(template, "\n", -1);
	g_autoptr(GString) body = g_string_new(NULL);
	gsize start = 0;

	for (char **line = lines; *line != NULL; line++)
		add_template_line(body, filling, *line, &start);
	ensure_report_id(body, filling);
	return g_string_free(g_steal_pointer(&body), FALSE);
}

MtwLetter *mtw_letter_new(const MtwTarget *target, JsonObject *facts, const char *sha256)
{
	MtwLetter *letter = g_new0(MtwLetter, 1);
	Filling filling = { .facts = facts, .markup = mtw_target_markup(target) };

	letter->report_id = mtw_report_id(sha256);
	filling.report_id = letter->report_id;
	letter->title = make_title(&filling, target->title);
	letter->body = make_body(&filling, target->body);
	return letter;
}
