/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small helpers for widgets, and for what a screen reader says of them. */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

/* mtw_label_new: text that wraps and can be selected. @class: (nullable) CSS class. Returns: (transfer floating) */
GtkWidget *mtw_label_new(const char *text, const char *class);

/* mtw_set_name: what a screen reader calls it. */
void mtw_set_name(GtkWidget *widget, const char *name);

/* mtw_set_description: what a screen reader says after the name. */
void mtw_set_description(GtkWidget *widget, const char *text);

/*
 * mtw_button_set_text: label with a mnemonic. GTK 4.8 would say the label twice, with its underscore.
 */
void mtw_button_set_text(GtkButton *button, const char *text);

/*
 * mtw_button_new_named: @text with a mnemonic is seen, @name is what a screen reader says: which of several it is.
 * Returns: (transfer floating)
 */
GtkWidget *mtw_button_new_named(const char *text, const char *name);

/* mtw_fix_names: the same for all buttons and check buttons below @widget that have a text. */
void mtw_fix_names(GtkWidget *widget);

/* mtw_clear: removes all children of a box or a grid, or rows of a list. */
void mtw_clear(GtkWidget *widget);

/*
 * mtw_release_focus: takes the focus from what is inside of @widget, before that goes away: GTK 4.8 complains of a
 * field that is removed with the focus.
 */
void mtw_release_focus(GtkWidget *widget);

/* mtw_close_on_escape: for a window beside the main one. */
void mtw_close_on_escape(GtkWidget *window);

/* mtw_icon_new: one that only decorates: a screen reader passes it over. @name: (nullable). Returns: (transfer floating) */
GtkWidget *mtw_icon_new(const char *name);

/* mtw_level_icon: of "ok", "warning", "failure", with its style; a screen reader says it. Returns: (transfer floating) */
GtkWidget *mtw_level_icon(const char *level);

/* mtw_message_row: icon, sentence with detail, hint. Returns: (transfer floating) */
GtkWidget *mtw_message_row(JsonObject *message);

/* mtw_row_new: @icon (nullable), @title, and below it @text (nullable). Returns: (transfer floating) */
GtkWidget *mtw_row_new(GtkWidget *icon, const char *title, const char *text);

/*
 * mtw_grid_set: a row "label: value" of a grid. Nothing for an empty value. Of a row that is there only the value is
 * changed: whoever reads or copies it is not interrupted.
 */
void mtw_grid_set(GtkGrid *grid, int row, const char *label, const char *value);

/* mtw_list_add: @child as a row that cannot be chosen, and that a screen reader calls @name. */
void mtw_list_add(GtkListBox *list, GtkWidget *child, const char *name);
