/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/notify.h"

#include "base/json.h"

#include <glib/gi18n.h>

static gboolean needs_person(const char *name, JsonObject *event)
{
	if (g_str_equal(name, "counters"))
		return mtw_json_int(event, "lost", 0) > 0;
	return TRUE;
}

/* One of a kind: the newer replaces the older. */
static const struct {
	const char *event;
	const char *title;
} titles[] = {
	{ "done", N_("The capture has ended") },
	{ "counters", N_("Events are being lost") },
	{ "sent", N_("The report was sent") },
	{ "queued", N_("The report is not sent yet") },
};

void mtw_notify(GtkWindow *window, const char *name, JsonObject *event)
{
	g_autoptr(GNotification) notification = NULL;
	GtkApplication *application = gtk_window_get_application(window);

	if (application == NULL || gtk_window_is_active(window))
		return;
	for (gsize i = 0; i < G_N_ELEMENTS(titles); i++) {
		if (!g_str_equal(name, titles[i].event) || !needs_person(name, event))
			continue;
		notification = g_notification_new(_(titles[i].title));
		g_notification_set_default_action(notification, "app.present");
		g_application_send_notification(G_APPLICATION(application), name, notification);
	}
}
