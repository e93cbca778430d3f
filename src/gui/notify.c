/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/notify.h"

#include "base/json.h"
#include "gui/notifier.h"
#include "gui/text.h"

#include <glib/gi18n.h>

/* Of the counters before: each loss is told once. */
static gint64 lost_before;

/* ---- what the person presses ----------------------------------------------------------------- */

static void on_pressed(const char *link, const char *token)
{
	GApplication *application = g_application_get_default();
	GtkWindow *window =
		application != NULL
			? gtk_application_get_active_window(GTK_APPLICATION(application))
			: NULL;

	if (window == NULL)
		return;
	if (link != NULL) {
		gtk_show_uri(window, link, GDK_CURRENT_TIME);
		return;
	}
	if (token != NULL)
		gtk_window_set_startup_id(window, token);
	gtk_window_present(window);
}

static gboolean is_looked_at(GtkWindow *window)
{
	GtkApplication *application = gtk_window_get_application(window);
	GList *at = application != NULL ? gtk_application_get_windows(application) : NULL;
	gboolean active = gtk_window_is_active(window);

	for (; at != NULL; at = at->next)
		active |= gtk_window_is_active(at->data);
	return active;
}

/* @text: (transfer full) */
static void tell(GtkWindow *window, const char *kind, const char *title, char *text,
		 const char *link)
{
	MtwNotice *notice;

	if (is_looked_at(window)) {
		g_free(text);
		return;
	}
	notice = g_new0(MtwNotice, 1);
	notice->kind = g_strdup(kind);
	notice->title = g_strdup(title);
	notice->text = text;
	notice->link = g_strdup(link);
	mtw_notifier_show(notice, on_pressed);
}

/* ---- the events ------------------------------------------------------------------------------ */

static void tell_stopped(GtkWindow *window, JsonObject *event)
{
	JsonObject *verdict = mtw_json_object(event, "verdict");
	JsonObject *error = mtw_json_object(event, "error");
	char *text;

	if (verdict != NULL)
		text = g_strdup(mtw_gui_translate(mtw_json_string(verdict, "sentence", "")));
	else if (error != NULL)
		text = mtw_gui_detail(mtw_json_string(error, "message", ""));
	else
		text = g_strdup(_("There is no trace."));
	tell(window, "capture", _("The capture has ended"), text, NULL);
}

static void tell_lost(GtkWindow *window, JsonObject *event)
{
	gint64 lost = mtw_json_int(event, "lost", 0);
	g_autofree char *number = mtw_gui_number(lost);

	if (lost > 0 && lost_before == 0)
		tell(window, "capture", _("Events are being lost"),
		     g_strdup_printf(_("%s so far. The trace has gaps; another try with a larger "
				       "buffer for events usually helps."),
				     number),
		     NULL);
	lost_before = lost;
}

/* Only what a browser opens. */
static gboolean is_web_page(const char *url)
{
	const char *scheme = g_uri_peek_scheme(url);

	return g_strcmp0(scheme, "https") == 0 || g_strcmp0(scheme, "http") == 0;
}

static void tell_sent(GtkWindow *window, JsonObject *event)
{
	const char *url = mtw_json_string(event, "url", "");

	tell(window, "report", _("The report was sent"), g_strdup(url),
	     is_web_page(url) ? url : NULL);
}

/* It waits for another try, or for a person. */
static void tell_not_sent(GtkWindow *window, JsonObject *event)
{
	const char *host = mtw_json_string(event, "host", "");

	if (mtw_json_int(event, "next_try_sec", 0) > 0)
		tell(window, "report", _("The report is not sent yet"),
		     g_strdup_printf(_("%s: it waits, and is tried again."), host), NULL);
	else
		tell(window, "report", _("The report could not be sent"),
		     g_strdup_printf(_("%s: the window tells why, and what you can do."), host),
		     NULL);
}

void mtw_notify(GtkWindow *window, const char *name, JsonObject *event)
{
	static const struct {
		const char *event;
		void (*tell)(GtkWindow *window, JsonObject *event);
	} events[] = {
		{ "counters", tell_lost },
		{ "done", tell_stopped },
		{ "sent", tell_sent },
		{ "queued", tell_not_sent },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(events); i++)
		if (g_str_equal(name, events[i].event))
			events[i].tell(window, event);
}
