/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buttons in a line, and in as many lines as it takes. GtkFlowBox would be a table to a screen reader, with cells that have no name. */
#pragma once

#include <gtk/gtk.h>

#define MTW_TYPE_FLOW (mtw_flow_get_type())
G_DECLARE_FINAL_TYPE(MtwFlow, mtw_flow, MTW, FLOW, GtkWidget)

/* mtw_flow_add: @child at the end. In a .ui file it is a child as any. */
void mtw_flow_add(MtwFlow *flow, GtkWidget *child);
