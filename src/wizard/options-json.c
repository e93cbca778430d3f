/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/options-json.h"

#include "base/json.h"
#include "wizard/wizard-private.h"

#include <string.h>

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

/* The list is new, its strings belong to @array. */
static const char *const *texts_from_json(JsonArray *array)
{
	guint length = array != NULL ? json_array_get_length(array) : 0;
	const char **texts = g_new0(const char *, length + 1);

	for (guint i = 0; i < length; i++)
		texts[i] = json_array_get_string_element(array, i);
	return texts;
}

/* The child works in the same folder, but who knows for how long. */
static void add_sending(JsonObject *object, const MtwWizard *wizard)
{
	const MtwWizardOptions *options = wizard->options;
	const char *file = options->token_file;
	g_autofree char *token_file = file != NULL && strcmp(file, "-") != 0
					      ? g_canonicalize_filename(file, NULL)
					      : g_strdup(file);

	mtw_json_set_text(object, "target", options->target);
	mtw_json_set_text(object, "issue", wizard->issue);
	mtw_json_set_text(object, "token_file", token_file);
	json_object_set_boolean_member(object, "consent_upload", options->consent_upload);
	json_object_set_boolean_member(object, "no_network", options->no_network);
	json_object_set_boolean_member(object, "no_sending", options->no_sending);
	json_object_set_boolean_member(object, "cut_short", wizard->cut_short);
}

JsonObject *mtw_options_to_json(const MtwWizard *wizard)
{
	JsonObject *object = json_object_new();
	g_autofree char *folder = mtw_wizard_output_folder(wizard);

	json_object_set_boolean_member(object, "batch", wizard->options->batch);
	json_object_set_boolean_member(object, "json", wizard->options->json);
	mtw_json_set_text(object, "output", folder);
	mtw_json_set_text(object, "model", wizard->options->model);
	mtw_json_set_text(object, "story_file", wizard->options->story_file);
	json_object_set_int_member(object, "redact", wizard->options->redact);
	json_object_set_boolean_member(object, "captured", wizard->captured);
	json_object_set_boolean_member(object, "review_only", wizard->options->review_only);
	json_object_set_array_member(object, "redact_words",
				     mtw_json_texts(wizard->options->redact_words));
	add_sending(object, wizard);
	return object;
}

void mtw_options_from_json(JsonObject *object, MtwWizardOptions *ret_options)
{
	*ret_options = (MtwWizardOptions){
		.batch = mtw_json_bool(object, "batch", TRUE),
		.json = mtw_json_bool(object, "json", FALSE),
		.output = mtw_json_string(object, "output", NULL),
		.model = mtw_json_string(object, "model", NULL),
		.story_file = mtw_json_string(object, "story_file", NULL),
		.redact = (MtwRedactChoice)mtw_json_int(object, "redact", MTW_REDACT_YES),
		.review_only = mtw_json_bool(object, "review_only", FALSE),
		.redact_words = texts_from_json(mtw_json_array(object, "redact_words")),
		.target = mtw_json_string(object, "target", NULL),
		.issue = mtw_json_string(object, "issue", NULL),
		.token_file = mtw_json_string(object, "token_file", NULL),
		.token_fd = (guint)mtw_json_int(object, "token_fd", 0),
		.consent_upload = mtw_json_bool(object, "consent_upload", FALSE),
		.no_network = mtw_json_bool(object, "no_network", FALSE),
		.no_sending = mtw_json_bool(object, "no_sending", FALSE),
	};
}

void mtw_options_clear(MtwWizardOptions *options)
{
	g_free((gpointer)options->redact_words);
	options->redact_words = NULL;
}

JsonArray *mtw_redact_facts_to_json(const MtwRedactFacts *facts)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < facts->values->len; i++) {
		const MtwRedactFact *fact = facts->values->pdata[i];
		JsonObject *object = json_object_new();
		json_object_set_string_member(object, "kind", mtw_redact_kind_name(fact->kind));
		mtw_json_set_text(object, "value", fact->value);
		json_array_add_object_element(array, object);
	}
	return array;
}

void mtw_redact_facts_from_json(MtwRedactFacts *facts, JsonArray *array)
{
	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		JsonObject *object = json_array_get_object_element(array, i);
		mtw_redact_facts_add_named(facts, mtw_json_string(object, "kind", ""),
					   mtw_json_string(object, "value", NULL));
	}
}
