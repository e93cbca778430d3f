/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/options-json.h"

#include "base/json.h"
#include "wizard/wizard-private.h"

JsonObject *mtw_answers_to_json(const MtwAnswers *answers)
{
	JsonObject *object = json_object_new();
	g_autofree const char **ids = mtw_answers_ids(answers);

	for (const char **id = ids; *id != NULL; id++)
		mtw_json_set_text(object, *id, mtw_answers_get(answers, *id));
	return object;
}

MtwAnswers *mtw_answers_from_json(JsonObject *object)
{
	MtwAnswers *answers = mtw_answers_new();
	JsonObjectIter iter;
	const char *id;
	JsonNode *value;

	json_object_iter_init(&iter, object);
	while (json_object_iter_next(&iter, &id, &value))
		mtw_answers_set(answers, id, mtw_json_string(object, id, NULL));
	return answers;
}

JsonObject *mtw_options_to_json(const MtwWizard *wizard)
{
	JsonObject *object = json_object_new();
	g_autofree char *folder = mtw_wizard_output_folder(wizard);

	json_object_set_boolean_member(object, "batch", wizard->options->batch);
	json_object_set_boolean_member(object, "json", wizard->options->json);
	mtw_json_set_text(object, "output", folder);
	mtw_json_set_text(object, "model", wizard->options->model);
	mtw_json_set_text(object, "module_options", wizard->options->module_options);
	mtw_json_set_text(object, "story_file", wizard->options->story_file);
	return object;
}

void mtw_options_from_json(JsonObject *object, MtwWizardOptions *ret_options)
{
	*ret_options = (MtwWizardOptions){
		.batch = mtw_json_bool(object, "batch", TRUE),
		.json = mtw_json_bool(object, "json", FALSE),
		.output = mtw_json_string(object, "output", NULL),
		.model = mtw_json_string(object, "model", NULL),
		.module_options = mtw_json_string(object, "module_options", NULL),
		.story_file = mtw_json_string(object, "story_file", NULL),
	};
}
