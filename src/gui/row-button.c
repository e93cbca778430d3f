/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/row-button.h"

#include "gui/widgets.h"

#define SPACING 6
/* More would not fit where the window is narrow. */
#define MAX_IN_LINE 2

static guint count(GtkWidget *line)
{
	guint n = 0;

	for (GtkWidget *child = gtk_widget_get_first_child(line); child != NULL;
	     child = gtk_widget_get_next_sibling(child))
		n++;
	return n;
}

/* The last line of buttons, or a new one. */
static GtkWidget *line_of(GtkWidget *row)
{
	GtkWidget *column = gtk_widget_get_last_child(row);
	GtkWidget *last = gtk_widget_get_last_child(column);

	if (gtk_widget_has_css_class(last, "row-buttons") && count(last) < MAX_IN_LINE)
		return last;
	last = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
	gtk_widget_add_css_class(last, "row-buttons");
	gtk_widget_set_margin_top(last, SPACING);
	gtk_box_append(GTK_BOX(column), last);
	return last;
}

GtkWidget *mtw_row_add_button(GtkWidget *row, const char *text, const char *name,
			      const char *action, const char *target)
{
	GtkWidget *button = mtw_button_new_named(text, name);

	if (target != NULL)
		gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", target);
	if (action != NULL)
		gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
	gtk_box_append(GTK_BOX(line_of(row)), button);
	return button;
}
