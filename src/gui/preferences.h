/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the person sets once and for all, in a window of its own; saved when that is closed. */
#pragma once

#include <gtk/gtk.h>

#define MTW_TYPE_PREFERENCES (mtw_preferences_get_type())
G_DECLARE_FINAL_TYPE(MtwPreferences, mtw_preferences, MTW, PREFERENCES, GtkWindow)

/* mtw_preferences_show: over @parent; the one that is open already, if there is one. */
void mtw_preferences_show(GtkWindow *parent);
