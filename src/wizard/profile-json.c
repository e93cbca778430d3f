/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/json.h"
#include "wizard/profile.h"
#include "wizard/scenario.h"

static JsonArray *items_to_json(const GPtrArray *items, JsonObject *(*to_json)(gconstpointer item))
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < items->len; i++)
		json_array_add_object_element(array, to_json(items->pdata[i]));
	return array;
}

static JsonObject *step_to_json(gconstpointer item)
{
	static const char *const waits[] = {
		[MTW_WAIT_USER] = "user",
		[MTW_WAIT_COMMAND] = "command",
		[MTW_WAIT_SECONDS] = "seconds",
		[MTW_WAIT_DEVICE] = "device",
	};
	const MtwScenarioStep *step = item;
	JsonObject *object = json_object_new();

	json_object_set_string_member(object, "id", step->id);
	json_object_set_string_member(object, "say", step->say_plain);
	json_object_set_string_member(object, "marker", step->marker);
	mtw_json_set_text(object, "marker_begin", step->marker_begin);
	mtw_json_set_text(object, "command", step->command);
	json_object_set_string_member(object, "wait", waits[step->wait]);
	json_object_set_int_member(object, "seconds", step->wait_sec);
	mtw_json_set_text(object, "device", step->wait_device);
	json_object_set_boolean_member(object, "optional", step->optional);
	return object;
}

static JsonObject *question_to_json(gconstpointer item)
{
	const MtwQuestion *question = item;
	JsonObject *object = json_object_new();

	json_object_set_string_member(object, "id", question->id);
	json_object_set_string_member(object, "ask", question->ask_plain);
	json_object_set_string_member(object, "prefill", question->prefill);
	json_object_set_boolean_member(object, "many_lines", question->many_lines);
	json_object_set_boolean_member(object, "required", question->required);
	return object;
}

static JsonObject *hint_to_json(gconstpointer item)
{
	const MtwHint *hint = item;
	JsonObject *object = json_object_new();

	json_object_set_string_member(object, "id", hint->id);
	json_object_set_string_member(object, "say", hint->say_plain);
	mtw_json_set_text(object, "options", hint->options);
	json_object_set_string_member(object, "tell_with", hint->tell_with);
	json_object_set_string_member(object, "tell_without", hint->tell_without);
	return object;
}

static JsonObject *match_to_json(const MtwProfile *profile)
{
	JsonObject *object = json_object_new();

	json_object_set_array_member(object, "vendors",
				     mtw_json_texts((const char *const *)profile->vendors));
	json_object_set_array_member(object, "devices",
				     mtw_json_texts((const char *const *)profile->devices));
	json_object_set_array_member(object, "classes",
				     mtw_json_texts((const char *const *)profile->classes));
	json_object_set_array_member(object, "drivers",
				     mtw_json_texts((const char *const *)profile->drivers));
	return object;
}

JsonObject *mtw_profile_to_json(const MtwProfile *profile)
{
	JsonObject *object = json_object_new();

	mtw_json_set_text(object, "id", profile->id);
	json_object_set_string_member(object, "title", profile->title_plain);
	json_object_set_string_member(object, "origin", mtw_profile_origin_name(profile->origin));
	mtw_json_set_text(object, "path", profile->path);
	json_object_set_string_member(object, "contact", profile->contact);
	json_object_set_string_member(object, "request", profile->request);
	json_object_set_string_member(object, "privacy", profile->privacy_plain);
	mtw_json_set_text(object, "driver_options", profile->driver_options);
	json_object_set_string_member(object, "archive_format", profile->archive_format);
	json_object_set_array_member(object, "collectors",
				     mtw_json_texts((const char *const *)profile->collectors));
	json_object_set_array_member(object, "targets",
				     mtw_json_texts((const char *const *)profile->targets));
	json_object_set_object_member(object, "match", match_to_json(profile));
	json_object_set_array_member(object, "steps",
				     items_to_json(profile->scenario, step_to_json));
	json_object_set_array_member(object, "questions",
				     items_to_json(profile->questions, question_to_json));
	json_object_set_array_member(object, "hints", items_to_json(profile->hints, hint_to_json));
	return object;
}
