/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/row-button.h"

#include "gui/flow.h"
#include "gui/widgets.h"

#define SPACING 6

/* Below the texts of the row. */
static MtwFlow *flow_of(GtkWidget *row)
{
	GtkWidget *column = gtk_widget_get_last_child(row);
	GtkWidget *last = gtk_widget_get_last_child(column);

	if (MTW_IS_FLOW(last))
		return MTW_FLOW(last);
	last = g_object_new(MTW_TYPE_FLOW, NULL);
	gtk_widget_set_margin_top(last, SPACING);
	gtk_widget_set_margin_bottom(last, SPACING / 2);
	gtk_box_append(GTK_BOX(column), last);
	return MTW_FLOW(last);
}

GtkWidget *mtw_row_add_button(GtkWidget *row, const char *text, const char *name,
			      const char *action, const char *target)
{
	GtkWidget *button = mtw_button_new_named(text, name);

	if (target != NULL)
		gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", target);
	if (action != NULL)
		gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
	mtw_flow_add(flow_of(row), button);
	return button;
}
