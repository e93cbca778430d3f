/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answers and those options that the report's steps need, on their way to the child (hand-over.h). */
#pragma once

#include "report/redact.h"
#include "wizard/wizard.h"

#include <json-glib/json-glib.h>

/* Returns: (transfer full) */
JsonObject *mtw_answers_to_json(const MtwAnswers *answers);
MtwAnswers *mtw_answers_from_json(JsonObject *object);

/* Returns: (transfer full) */
JsonObject *mtw_options_to_json(const MtwWizard *wizard);

/* mtw_options_from_json: the strings belong to @object; clear it afterwards. */
void mtw_options_from_json(JsonObject *object, MtwWizardOptions *ret_options);
void mtw_options_clear(MtwWizardOptions *options);

/* [{"kind","value"}]. Returns: (transfer full) */
JsonArray *mtw_redact_facts_to_json(const MtwRedactFacts *facts);

/* mtw_redact_facts_from_json: adds to @facts. @array: (nullable) */
void mtw_redact_facts_from_json(MtwRedactFacts *facts, JsonArray *array);
