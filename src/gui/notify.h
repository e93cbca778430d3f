/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notifications of the desktop for what needs a person who looks elsewhere. Asynchronous: a desktop that hangs does not matter. */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

/* mtw_notify: an event of the walk; nothing happens for most of them, nor while @window is active. */
void mtw_notify(GtkWindow *window, const char *name, JsonObject *event);
