/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window: one walk at a time, a page for each step. */
#pragma once

#include "gui/walk.h"

#include <gtk/gtk.h>

#define MTW_TYPE_WINDOW (mtw_window_get_type())
G_DECLARE_FINAL_TYPE(MtwWindow, mtw_window, MTW, WINDOW, GtkApplicationWindow)

/* mtw_window_new: @setup: must outlive it. */
MtwWindow *mtw_window_new(GtkApplication *application, const MtwWalkSetup *setup);

/* mtw_window_set_working: something of it goes on in the background; nothing else can be begun. */
void mtw_window_set_working(MtwWindow *window, gboolean working);

/* mtw_window_start: begins a walk (walk.h), unless one is going on that must not be ended by this. */
void mtw_window_start(MtwWindow *window, const char *session, const char *device);
