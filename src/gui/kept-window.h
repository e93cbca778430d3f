/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All captures that are kept on this computer, in a window of its own. */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

/* mtw_kept_window_new: its buttons are actions of @parent. */
GtkWidget *mtw_kept_window_new(GtkWindow *parent);

/* mtw_kept_window_show: @kept: (kept.h). */
void mtw_kept_window_show(GtkWidget *window, JsonObject *kept);

/* mtw_kept_window_tell: what went wrong. */
void mtw_kept_window_tell(GtkWidget *window, const char *sentence, const char *detail);
