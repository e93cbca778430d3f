/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/scenario.h"

#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"
#include "base/text.h"

#include <string.h>

#define STEP_PREFIX "Step "
#define WAIT_MAX_SEC 86400

static void step_free(gpointer data)
{
	MtwScenarioStep *step = data;

	g_free(step->id);
	g_free(step->marker);
	g_free(step->marker_begin);
	g_free(step->say);
	g_free(step->command);
	g_free(step);
}

static gboolean set_invalid(const char *name, const char *group, const char *what, GError **error)
{
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: [%s]: %s", name, group, what);
	return FALSE;
}

static char *clean_marker(GKeyFile *keyfile, const char *group, const char *key)
{
	g_autofree char *text = g_key_file_get_string(keyfile, group, key, NULL);

	return text != NULL ? mtw_text_clean_marker(text, -1) : NULL;
}

static gboolean read_wait(MtwScenarioStep *step, const char *wait, const char *name,
			  const char *group, GError **error)
{
	if (wait == NULL) {
		step->wait = step->command != NULL ? MTW_WAIT_COMMAND : MTW_WAIT_USER;
	} else if (g_str_equal(wait, "user")) {
		step->wait = MTW_WAIT_USER;
	} else if (g_str_equal(wait, "command")) {
		step->wait = MTW_WAIT_COMMAND;
	} else if (mtw_parse_uint(wait, 1, WAIT_MAX_SEC, &step->wait_sec)) {
		step->wait = MTW_WAIT_SECONDS;
	} else {
		return set_invalid(name, group, "Wait is user, command or a number of seconds", error);
	}
	if (step->wait == MTW_WAIT_COMMAND && step->command == NULL)
		return set_invalid(name, group, "Wait=command without a Command", error);
	return TRUE;
}

static gboolean read_step(MtwScenarioStep *step, GKeyFile *keyfile, const char *name,
			  const char *group, GError **error)
{
	g_autofree char *wait = g_key_file_get_string(keyfile, group, "Wait", NULL);

	step->id = g_strdup(group + strlen(STEP_PREFIX));
	step->marker = clean_marker(keyfile, group, "Marker");
	step->marker_begin = clean_marker(keyfile, group, "MarkerBegin");
	step->say = g_key_file_get_locale_string(keyfile, group, "Say", NULL, NULL);
	step->command = g_key_file_get_string(keyfile, group, "Command", NULL);
	step->optional = g_key_file_get_boolean(keyfile, group, "Optional", NULL);
	if (step->marker == NULL || step->marker[0] == '\0')
		return set_invalid(name, group, "Marker is missing", error);
	if (step->say == NULL)
		return set_invalid(name, group, "Say is missing", error);
	if (step->command != NULL && !g_shell_parse_argv(step->command, NULL, NULL, NULL))
		return set_invalid(name, group, "Command cannot be split into words", error);
	return read_wait(step, wait, name, group, error);
}

GPtrArray *mtw_scenario_from_keyfile(GKeyFile *keyfile, const char *name, GError **error)
{
	g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func(step_free);
	g_auto(GStrv) groups = g_key_file_get_groups(keyfile, NULL);

	for (char **group = groups; *group != NULL; group++) {
		MtwScenarioStep *step;
		if (!g_str_has_prefix(*group, STEP_PREFIX))
			continue;
		step = g_new0(MtwScenarioStep, 1);
		g_ptr_array_add(steps, step);
		if (!read_step(step, keyfile, name, *group, error))
			return NULL;
	}
	return g_steal_pointer(&steps);
}

GPtrArray *mtw_scenario_load(const char *path, GError **error)
{
	g_autoptr(GKeyFile) keyfile = g_key_file_new();
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, error);
	g_autoptr(GError) why = NULL;
	g_autoptr(GPtrArray) steps = NULL;

	if (text == NULL)
		return NULL;
	if (!g_key_file_load_from_data(keyfile, text, (gsize)-1, G_KEY_FILE_NONE, &why)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", path, why->message);
		return NULL;
	}
	steps = mtw_scenario_from_keyfile(keyfile, path, error);
	if (steps != NULL && steps->len == 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: there is no [Step ...] in it",
			    path);
		return NULL;
	}
	return g_steal_pointer(&steps);
}
