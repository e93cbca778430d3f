/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What needs a person who looks elsewhere, as notifications of the desktop. */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

/* mtw_notify: an event of the walk; nothing happens for most of them, nor while a window of the program is active. */
void mtw_notify(GtkWindow *window, const char *name, JsonObject *event);
