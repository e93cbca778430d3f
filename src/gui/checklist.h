/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of a scenario: what is done, what is to be done now, and a button for each one that is open. */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

#define MTW_TYPE_CHECKLIST (mtw_checklist_get_type())
G_DECLARE_FINAL_TYPE(MtwChecklist, mtw_checklist, MTW, CHECKLIST, GtkBox)

/* Signal "line" (string): what the person says to the wizard by a button. */

/* mtw_checklist_fill: @steps: (nullable): of the event scenario-steps; NULL: none */
void mtw_checklist_fill(MtwChecklist *checklist, JsonArray *steps);

/* mtw_checklist_begin: @event: scenario: that step is to be done now. Returns: whether it waits for the person */
gboolean mtw_checklist_begin(MtwChecklist *checklist, JsonObject *event);

/* mtw_checklist_tell: what became of the command of the step that is done now. */
void mtw_checklist_tell(MtwChecklist *checklist, const char *text);

/* mtw_checklist_end: @event: scenario-end */
void mtw_checklist_end(MtwChecklist *checklist, JsonObject *event);
