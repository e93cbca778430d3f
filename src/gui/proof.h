/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was changed on the computer and put back: what it was in between, and what it is now. */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

/* mtw_proof_note: an event "change"; a later one of the same thing replaces it. @undone: (element-type JsonObject) */
void mtw_proof_note(GPtrArray *undone, JsonObject *event);

/* mtw_proof_failures: a line for each thing that could not be put back. Returns: (transfer full) */
char *mtw_proof_failures(const GPtrArray *undone);

/* mtw_proof_new: to be opened by the person. Returns: (transfer floating) */
GtkWidget *mtw_proof_new(const GPtrArray *undone);
