/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines that the masking changed, before and after; only those that are seen have widgets. */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

/* mtw_diff_list_init: @view: a new one. */
void mtw_diff_list_init(GtkListView *view);

/* mtw_diff_list_set: @lines: (nullable): of the event diff; NULL: none */
void mtw_diff_list_set(GtkListView *view, JsonArray *lines);
