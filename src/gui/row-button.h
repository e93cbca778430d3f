/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buttons below the text of a row. */
#pragma once

#include <gtk/gtk.h>

/*
 * mtw_row_add_button: @row: of mtw_row_new; @text: with a mnemonic or not
 * @name: what a screen reader says: the same, and what it is about
 * @action: "win.delete-session"; @target: (nullable) its parameter
 * Returns: (transfer none)
 */
GtkWidget *mtw_row_add_button(GtkWidget *row, const char *text, const char *name,
			      const char *action, const char *target);
