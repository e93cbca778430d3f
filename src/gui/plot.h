/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events per second of the last two minutes, with the markers: time goes in the direction of reading. */
#pragma once

#include <gtk/gtk.h>

#define MTW_TYPE_PLOT (mtw_plot_get_type())
G_DECLARE_FINAL_TYPE(MtwPlot, mtw_plot, MTW, PLOT, GtkDrawingArea)

void mtw_plot_clear(MtwPlot *plot);

/* mtw_plot_add: @seconds since the beginning; @events since then. Returns: events per second now */
double mtw_plot_add(MtwPlot *plot, double seconds, gint64 events);

/* mtw_plot_peak: the most events per second so far. */
double mtw_plot_peak(const MtwPlot *plot);

/*
 * mtw_plot_mark: a marker at the newest point; its text is there when there is room, else when the mouse is over it.
 * Returns: FALSE: nothing was added before, so that nobody knows where it belongs
 */
gboolean mtw_plot_mark(MtwPlot *plot, const char *text);
