/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answers and those options that the report's steps need, on their way to the child (hand-over.h). */
#pragma once

#include "wizard/wizard.h"

#include <json-glib/json-glib.h>

/* Returns: (transfer full) */
JsonObject *mtw_answers_to_json(const MtwAnswers *answers);
MtwAnswers *mtw_answers_from_json(JsonObject *object);

/* Returns: (transfer full) */
JsonObject *mtw_options_to_json(const MtwWizard *wizard);

/* mtw_options_from_json: the strings belong to @object. */
void mtw_options_from_json(JsonObject *object, MtwWizardOptions *ret_options);
