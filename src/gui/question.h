/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The general form for a question of the wizard: every one can be answered here. */
#pragma once

#include "wizard/request.h"

#include <gtk/gtk.h>

#define MTW_TYPE_QUESTION (mtw_question_get_type())
G_DECLARE_FINAL_TYPE(MtwQuestion, mtw_question, MTW, QUESTION, GtkBox)

/* Property "ready": whether there is an answer that the main button can give. */

/* mtw_question_set: @request: (nullable): NULL: none. */
void mtw_question_set(MtwQuestion *question, const MtwRequest *request);

/* mtw_question_set_text: a form for a longer text, for the editor. */
void mtw_question_set_text(MtwQuestion *question, const char *sentence, const char *text);

gboolean mtw_question_is_ready(MtwQuestion *question);

/* mtw_question_answer: by the main button. Returns: (transfer full) */
char *mtw_question_answer(MtwQuestion *question);

/* mtw_question_enter_goes_on: whether Enter may press the main button: not where the harmless answer is another one. */
gboolean mtw_question_enter_goes_on(MtwQuestion *question);

void mtw_question_focus(MtwQuestion *question);
