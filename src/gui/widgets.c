/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/widgets.h"

#include "base/json.h"
#include "gui/text.h"

#define SPACING 12

GtkWidget *mtw_label_new(const char *text, const char *class)
{
	GtkWidget *label = gtk_label_new(text);

	gtk_label_set_wrap(GTK_LABEL(label), TRUE);
	gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
	gtk_label_set_xalign(GTK_LABEL(label), 0);
	if (class != NULL)
		gtk_widget_add_css_class(label, class);
	return label;
}

void mtw_set_name(GtkWidget *widget, const char *name)
{
	gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
				       -1);
}

void mtw_set_description(GtkWidget *widget, const char *text)
{
	gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
				       text, -1);
}

/* The label inside the button names it already. */
static void fix_button(GtkButton *button)
{
	if (gtk_button_get_label(button) != NULL)
		gtk_accessible_reset_property(GTK_ACCESSIBLE(button),
					      GTK_ACCESSIBLE_PROPERTY_LABEL);
}

void mtw_button_set_text(GtkButton *button, const char *text)
{
	gtk_button_set_use_underline(button, TRUE);
	gtk_button_set_label(button, text);
	fix_button(button);
}

/* Not as the button's label: GTK 4.8 would say both. */
GtkWidget *mtw_button_new_named(const char *text, const char *name)
{
	GtkWidget *button = gtk_button_new();
	GtkWidget *label = gtk_label_new_with_mnemonic(text);

	gtk_button_set_child(GTK_BUTTON(button), label);
	gtk_widget_add_css_class(button, "text-button");
	mtw_set_name(button, name);
	return button;
}

static void fix_check(GtkCheckButton *check)
{
	const char *label = gtk_check_button_get_label(check);
	g_autofree char *name = label != NULL ? mtw_gui_without_mnemonic(label) : NULL;

	if (name != NULL)
		mtw_set_name(GTK_WIDGET(check), name);
}

void mtw_fix_names(GtkWidget *widget)
{
	GtkWidget *child = gtk_widget_get_first_child(widget);

	if (GTK_IS_BUTTON(widget))
		fix_button(GTK_BUTTON(widget));
	else if (GTK_IS_CHECK_BUTTON(widget))
		fix_check(GTK_CHECK_BUTTON(widget));
	for (; child != NULL; child = gtk_widget_get_next_sibling(child))
		mtw_fix_names(child);
}

void mtw_clear(GtkWidget *widget)
{
	GtkWidget *child;

	while ((child = gtk_widget_get_first_child(widget)) != NULL) {
		if (GTK_IS_LIST_BOX(widget))
			gtk_list_box_remove(GTK_LIST_BOX(widget), child);
		else if (GTK_IS_GRID(widget))
			gtk_grid_remove(GTK_GRID(widget), child);
		else
			gtk_box_remove(GTK_BOX(widget), child);
	}
}

void mtw_release_focus(GtkWidget *widget)
{
	GtkRoot *root = gtk_widget_get_root(widget);
	GtkWidget *focus = root != NULL ? gtk_root_get_focus(root) : NULL;

	if (focus != NULL && gtk_widget_is_ancestor(focus, widget))
		gtk_root_set_focus(root, NULL);
}

void mtw_close_on_escape(GtkWidget *window)
{
	GtkEventController *controller = gtk_shortcut_controller_new();

	gtk_shortcut_controller_add_shortcut(
		GTK_SHORTCUT_CONTROLLER(controller),
		gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
				 gtk_named_action_new("window.close")));
	gtk_widget_add_controller(window, controller);
}

GtkWidget *mtw_icon_new(const char *name)
{
	return g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
			    "icon-name", name, NULL);
}

GtkWidget *mtw_level_icon(const char *level)
{
	static const struct {
		const char *level, *icon, *class;
	} icons[] = {
		{ "ok", "emblem-ok-symbolic", "success" },
		{ "warning", "dialog-warning-symbolic", "warning" },
		{ "failure", "dialog-error-symbolic", "error" },
	};
	gsize i = 0;
	GtkWidget *image;

	while (i + 1 < G_N_ELEMENTS(icons) && !g_str_equal(icons[i].level, level))
		i++;
	image = gtk_image_new_from_icon_name(icons[i].icon);
	gtk_widget_add_css_class(image, icons[i].class);
	mtw_set_name(image, mtw_gui_level(icons[i].level));
	return image;
}

GtkWidget *mtw_row_new(GtkWidget *icon, const char *title, const char *text)
{
	GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
	GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING / 4);

	if (icon != NULL) {
		gtk_widget_set_valign(icon, GTK_ALIGN_START);
		gtk_box_append(GTK_BOX(row), icon);
	}
	gtk_widget_set_hexpand(column, TRUE);
	gtk_box_append(GTK_BOX(column), mtw_label_new(title, NULL));
	if (text != NULL && text[0] != '\0')
		gtk_box_append(GTK_BOX(column), mtw_label_new(text, "dim-label"));
	gtk_box_append(GTK_BOX(row), column);
	gtk_widget_add_css_class(row, "entry-row");
	return row;
}

GtkWidget *mtw_message_row(JsonObject *message)
{
	g_autofree char *sentence = mtw_gui_sentence(message);
	const char *hint = mtw_gui_translate(mtw_json_string(message, "hint", ""));

	return mtw_row_new(mtw_level_icon(mtw_json_string(message, "level", "failure")), sentence,
			   hint);
}

/*
 * GTK 4.8 may have looked at the grid when it was empty, and remembers that its height does not depend on its width. Only
 * a measurement makes it look again.
 */
static void forget_mode(GtkWidget *grid)
{
	int width;

	gtk_widget_measure(grid, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
}

static void grid_add(GtkGrid *grid, int row, const char *label, const char *value)
{
	GtkWidget *left, *right;

	left = gtk_label_new(label);
	gtk_label_set_xalign(GTK_LABEL(left), 1);
	gtk_label_set_yalign(GTK_LABEL(left), 0);
	gtk_widget_add_css_class(left, "dim-label");
	right = mtw_label_new(value, NULL);
	gtk_label_set_selectable(GTK_LABEL(right), TRUE);
	gtk_widget_set_can_focus(right, FALSE);
	gtk_widget_set_hexpand(right, TRUE);
	mtw_set_description(right, label);
	gtk_grid_attach(grid, left, 0, row, 1, 1);
	gtk_grid_attach(grid, right, 1, row, 1, 1);
	forget_mode(GTK_WIDGET(grid));
}

void mtw_grid_set(GtkGrid *grid, int row, const char *label, const char *value)
{
	GtkWidget *there = gtk_grid_get_child_at(grid, 1, row);

	if (value == NULL || value[0] == '\0')
		return;
	if (there == NULL)
		grid_add(grid, row, label, value);
	else if (!g_str_equal(gtk_label_get_text(GTK_LABEL(there)), value))
		gtk_label_set_text(GTK_LABEL(there), value);
}

void mtw_list_add(GtkListBox *list, GtkWidget *child, const char *name)
{
	GtkWidget *row = gtk_list_box_row_new();

	gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), child);
	gtk_list_box_row_set_selectable(GTK_LIST_BOX_ROW(row), FALSE);
	gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
	gtk_widget_set_focusable(row, FALSE);
	mtw_set_name(row, name);
	gtk_list_box_append(list, row);
}
