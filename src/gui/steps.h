/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of the steps, beside the pages: where the person is. It cannot be clicked, nor reached by keys. */
#pragma once

#include <gtk/gtk.h>

#define MTW_TYPE_STEPS (mtw_steps_get_type())
G_DECLARE_FINAL_TYPE(MtwSteps, mtw_steps, MTW, STEPS, GtkBox)

/* mtw_steps_add: in their order. @title: translated */
void mtw_steps_add(MtwSteps *steps, const char *id, const char *title);

/* mtw_steps_begin: another walk, which begins with the step @first: those before it are not shown. */
void mtw_steps_begin(MtwSteps *steps, const char *first);

/* mtw_steps_set: @id: of a step that was added */
void mtw_steps_set(MtwSteps *steps, const char *id);

/* mtw_steps_place: what the list shows of the step @id, where there is no room for it. Returns: (transfer full) */
char *mtw_steps_place(MtwSteps *steps, const char *id);

/* mtw_steps_stop: the walk has ended in the step @at; the last step is the one now, as @title (translated). */
void mtw_steps_stop(MtwSteps *steps, const char *at, const char *title);
