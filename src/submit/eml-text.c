/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Headers, the text, what separates the parts. */
#include "submit/eml-private.h"

#include <string.h>

/* RFC 5322 wants lines of at most 998 characters. */
#define LINE_MAX_CHARS 990
/* An encoded word has at most 75 characters: 12 around it, 63 of base64 are 45 bytes and what they become. */
#define WORD_BYTES 45

gboolean mtw_eml_address_is_usable(const char *address)
{
	const char *at = strchr(address, '@');

	if (at == NULL || at == address || at[1] == '\0' || strchr(at + 1, '@') != NULL)
		return FALSE;
	for (const char *c = address; *c != '\0'; c++)
		if (!g_ascii_isgraph(*c) || strchr("<>()[]\\,;:\"", *c) != NULL)
			return FALSE;
	return TRUE;
}

static gboolean is_ascii_text(const char *text)
{
	gsize chars = 0;

	for (; *text != '\0'; text++) {
		if (*text == '\n')
			chars = 0;
		else if (++chars > LINE_MAX_CHARS || !(g_ascii_isprint(*text) || *text == '\t'))
			return FALSE;
	}
	return TRUE;
}

char *mtw_eml_boundary(const MtwEmlPlan *plan)
{
	g_autofree char *boundary = g_strdup_printf("=_mtw_%s", plan->report_id);
	guint number = 0;

	while (strstr(plan->body, boundary) != NULL) {
		g_free(boundary);
		boundary = g_strdup_printf("=_mtw_%s_%u", plan->report_id, ++number);
	}
	return g_steal_pointer(&boundary);
}

/* How much of @text is whole characters and not more than @max bytes. */
static gsize whole_chars(const char *text, gsize max)
{
	gsize bytes = strlen(text);

	if (bytes <= max)
		return bytes;
	while (max > 0 && ((guchar)text[max] & 0xC0) == 0x80)
		max--;
	return max;
}

/* A header's value, which is a line already: as it is, or as encoded words (RFC 2047), one a line. */
static void add_header(GString *head, const MtwEmlPlan *plan, const char *name, const char *value)
{
	if (is_ascii_text(value) && strstr(value, "=?") == NULL) {
		g_string_append_printf(head, "%s: %s%s", name, value, plan->line_end);
		return;
	}
	g_string_append_printf(head, "%s:", name);
	while (*value != '\0') {
		gsize bytes = whole_chars(value, WORD_BYTES);
		g_autofree char *word = g_base64_encode((const guchar *)value, bytes);
		g_string_append_printf(head, " =?UTF-8?B?%s?=%s", word, plan->line_end);
		value += bytes;
	}
}

/* In UTC and English whatever the locale. */
static char *mail_date(gint64 time_sec)
{
	static const char *const days[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(time_sec);

	return g_strdup_printf(
		"%s, %d %s %d %02d:%02d:%02d +0000", days[g_date_time_get_day_of_week(time) - 1],
		g_date_time_get_day_of_month(time), months[g_date_time_get_month(time) - 1],
		g_date_time_get_year(time), g_date_time_get_hour(time),
		g_date_time_get_minute(time), g_date_time_get_second(time));
}

/* The same report is the same mail: programs that see it twice show it once. */
static void add_message_id(GString *head, const MtwEmlPlan *plan)
{
	const char *at = plan->from == NULL ? NULL : strchr(plan->from, '@');

	g_string_append_printf(head, "Message-ID: <%s@%s>%s", plan->report_id,
			       at == NULL ? "mmiotrace-wizard.invalid" : at + 1, plan->line_end);
}

static void add_address_headers(GString *head, const MtwEmlPlan *plan)
{
	g_autofree char *date = mail_date(plan->time_sec);

	if (plan->from != NULL && *plan->from != '\0')
		add_header(head, plan, "From", plan->from);
	if (plan->to != NULL && *plan->to != '\0')
		add_header(head, plan, "To", plan->to);
	if (plan->title == NULL)
		return;
	add_header(head, plan, "Subject", plan->title);
	add_header(head, plan, "Date", date);
	add_message_id(head, plan);
	if (plan->is_unsent)
		add_header(head, plan, "X-Unsent", "1");
}

static void add_lines(GString *text, const MtwEmlPlan *plan, const char *body)
{
	for (; *body != '\0'; body++) {
		if (*body == '\n')
			g_string_append(text, plan->line_end);
		else
			g_string_append_c(text, *body);
	}
}

/* base64 in lines of 76. */
static void add_base64(GString *text, const MtwEmlPlan *plan, const char *body)
{
	gsize bytes = strlen(body);

	for (gsize done = 0; done < bytes; done += 57) {
		g_autofree char *line =
			g_base64_encode((const guchar *)body + done, MIN((gsize)57, bytes - done));
		g_string_append_printf(text, "%s%s", line, plan->line_end);
	}
}

/* Launchpad knows no other encoding than base64, and plain text only without that header. */
static void add_body(GString *text, const MtwEmlPlan *plan)
{
	gboolean is_ascii = is_ascii_text(plan->body);

	g_string_append_printf(text, "Content-Type: text/plain; charset=%s%s",
			       is_ascii ? "us-ascii" : "utf-8", plan->line_end);
	g_string_append_printf(text, "Content-Disposition: inline%s", plan->line_end);
	if (is_ascii) {
		g_string_append(text, plan->line_end);
		add_lines(text, plan, plan->body);
		g_string_append(text, plan->line_end);
		return;
	}
	g_string_append_printf(text, "Content-Transfer-Encoding: base64%s%s", plan->line_end,
			       plan->line_end);
	add_base64(text, plan, plan->body);
}

char *mtw_eml_head(const MtwEmlPlan *plan, const char *boundary)
{
	g_autoptr(GString) head = g_string_new(NULL);

	add_address_headers(head, plan);
	g_string_append_printf(head, "MIME-Version: 1.0%s", plan->line_end);
	g_string_append_printf(head, "Content-Type: multipart/mixed; boundary=\"%s\"%s%s", boundary,
			       plan->line_end, plan->line_end);
	g_string_append_printf(head, "--%s%s", boundary, plan->line_end);
	add_body(head, plan);
	return g_string_free(g_steal_pointer(&head), FALSE);
}

char *mtw_eml_file_head(const MtwEmlPlan *plan, const char *boundary, const char *name)
{
	const char *end = plan->line_end;

	return g_strdup_printf("--%s%s"
			       "Content-Type: application/octet-stream; name=\"%s\"%s"
			       "Content-Disposition: attachment; filename=\"%s\"%s"
			       "Content-Transfer-Encoding: base64%s%s",
			       boundary, end, name, end, name, end, end, end);
}
