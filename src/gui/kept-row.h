/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows about what is kept (kept.h), with buttons for the window's actions. */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

/* mtw_kept_add_session: to a list. */
void mtw_kept_add_session(GtkListBox *list, JsonObject *session);

/* mtw_kept_add_report: a report that is not sent yet. */
void mtw_kept_add_report(GtkListBox *list, JsonObject *report);

/* mtw_kept_is_offered: it can be gone on with, or taken back: the first page shows it. */
gboolean mtw_kept_is_offered(JsonObject *session);
