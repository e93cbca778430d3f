/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/kept-row.h"

#include "base/json.h"
#include "base/text.h"
#include "gui/row-button.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

static gboolean waits(JsonObject *session)
{
	return g_str_equal(mtw_json_string(session, "state", ""), "waiting");
}

gboolean mtw_kept_is_offered(JsonObject *session)
{
	return mtw_json_bool(session, "goes_on", FALSE) || waits(session);
}

/* ---- captures -------------------------------------------------------------------------------- */

static char *device_of(JsonObject *session)
{
	const char *vendor = mtw_json_string(session, "vendor_name", "");
	const char *device = mtw_json_string(session, "device_name", "");

	if (device[0] == '\0')
		return g_strdup(mtw_json_string(session, "device", "?"));
	return g_strdup_printf("%s %s", vendor, device);
}

static char *date_of(JsonObject *object, const char *member)
{
	g_autoptr(GDateTime) time =
		g_date_time_new_from_unix_local(mtw_json_int(object, member, 0));

	/* TRANSLATORS: a date and a time: 29 November 2026, 20:15 */
	return time != NULL ? g_strchug(g_date_time_format(time, _("%e %B %Y, %H:%M")))
			    : g_strdup("");
}

static const char *what_it_is(JsonObject *session)
{
	static const struct {
		const char *state, *text;
	} texts[] = {
		{ "captured", N_("There is a trace, which is not packed yet.") },
		{ "recovered",
		  N_("It was cut off; what was recorded until then is there, not packed yet.") },
		{ "packed", N_("It was packed.") },
		{ "sent", N_("It was packed and sent.") },
		{ "waiting", N_("It is made at the next start of this computer.") },
		{ "failed", N_("It ended with an error; there is no trace.") },
		{ "died", N_("It was cut off, and is not put right yet.") },
	};

	if (mtw_json_bool(session, "live", FALSE))
		return _("A capture that is running now.");
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		if (g_str_equal(texts[i].state, mtw_json_string(session, "state", "")))
			return _(texts[i].text);
	return "";
}

static char *text_of(JsonObject *session)
{
	g_autofree char *date = date_of(session, "time_sec");
	g_autoptr(GString) text = g_string_new(date);
	const char *archive = mtw_json_string(session, "archive", "");

	g_string_append_printf(text, "\n%s", what_it_is(session));
	if (archive[0] != '\0')
		g_string_append_printf(text, "\n%s", archive);
	if (!mtw_json_bool(session, "restored", TRUE) && !waits(session) &&
	    !mtw_json_bool(session, "live", FALSE))
		g_string_append_printf(text, "\n%s",
				       _("Something on this computer may be changed since then."));
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void add_buttons(GtkWidget *row, JsonObject *session, const char *about)
{
	const char *id = mtw_json_string(session, "id", "");
	g_autofree char *go_on = g_strdup_printf(_("Go on with %s"), about);
	g_autofree char *delete = g_strdup_printf(_("Delete: %s"), about);
	g_autofree char *take_back = g_strdup_printf(_("Take back: %s"), about);

	if (mtw_json_bool(session, "goes_on", FALSE))
		mtw_row_add_button(row, _("Go On"), go_on, "win.session", id);
	if (waits(session))
		mtw_row_add_button(row, _("Take It Back"), take_back, "win.take-back", id);
	else if (!mtw_json_bool(session, "live", FALSE))
		mtw_row_add_button(row, _("Delete…"), delete, "win.delete-session", id);
}

void mtw_kept_add_session(GtkListBox *list, JsonObject *session)
{
	g_autofree char *device = device_of(session);
	g_autofree char *date = date_of(session, "time_sec");
	g_autofree char *text = text_of(session);
	g_autofree char *about = g_strdup_printf("%s, %s", device, date);
	g_autofree char *name = g_strdup_printf("%s, %s", device, text);
	GtkWidget *row = mtw_row_new(NULL, device, text);

	add_buttons(row, session, about);
	mtw_list_add(list, row, name);
}

/* ---- reports --------------------------------------------------------------------------------- */

static const char *state_of(JsonObject *report)
{
	static const struct {
		const char *state, *text;
	} texts[] = {
		{ "prepared", N_("not agreed to yet") },
		{ "consented", N_("waits") },
		{ "uploading", N_("begun") },
		{ "uploaded", N_("the file is sent, the report is not made yet") },
		{ "refused", N_("refused by the server") },
	};

	if (mtw_json_bool(report, "busy", FALSE))
		return _("is being sent");
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		if (g_str_equal(texts[i].state, mtw_json_string(report, "state", "")))
			return _(texts[i].text);
	return "";
}

static char *bytes_of(JsonObject *report)
{
	JsonArray *files = mtw_json_array(report, "files");
	gint64 bytes = 0;

	for (guint i = 0; files != NULL && i < json_array_get_length(files); i++)
		bytes += mtw_json_int(mtw_json_object_at(files, i), "bytes", 0);
	return mtw_text_bytes((guint64)MAX(bytes, 0));
}

static char *text_of_report(JsonObject *report)
{
	JsonObject *failure = mtw_json_object(report, "failure");
	const char *why = mtw_json_string(failure, "message", "");
	g_autofree char *date = date_of(report, "created_sec");
	g_autofree char *bytes = bytes_of(report);
	g_autofree char *last = why[0] != '\0' ? g_strdup_printf(_("The last try: %s"), why) : NULL;
	/* TRANSLATORS: the name of a server */
	g_autofree char *place = g_strdup_printf(_("To %s"), mtw_json_string(report, "host", ""));
	g_autofree char *line = g_strjoin(" · ", place, date, bytes, state_of(report), NULL);

	return g_strjoin("\n", line, last, NULL);
}

void mtw_kept_add_report(GtkListBox *list, JsonObject *report)
{
	const char *id = mtw_json_string(report, "id", "");
	const char *title = mtw_json_string(report, "title", "");
	g_autofree char *text = text_of_report(report);
	g_autofree char *send = g_strdup_printf(_("Send now: %s"), title);
	g_autofree char *drop = g_strdup_printf(_("Drop: %s"), title);
	g_autofree char *name = g_strdup_printf("%s, %s", title, text);
	GtkWidget *row = mtw_row_new(NULL, title, text);

	if (!mtw_json_bool(report, "busy", FALSE)) {
		mtw_row_add_button(row, _("Send Now"), send, "win.send-report", id);
		mtw_row_add_button(row, _("Drop…"), drop, "win.drop-report", id);
	}
	mtw_list_add(list, row, name);
}
