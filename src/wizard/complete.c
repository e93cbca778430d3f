/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/complete.h"

#include "base/json.h"
#include "capture/collect.h"
#include "wizard/profile.h"

#include <glib/gi18n.h>
#include <string.h>

/* An entry of one of the manifest's lists by its member @key. Returns: (transfer none) (nullable) */
static JsonObject *find_entry(JsonObject *manifest, const char *list, const char *key,
			      const char *value)
{
	JsonArray *array = mtw_json_array(manifest, list);

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		JsonNode *node = json_array_get_element(array, i);
		JsonObject *entry =
			JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
		if (entry != NULL && strcmp(mtw_json_string(entry, key, ""), value) == 0)
			return entry;
	}
	return NULL;
}

/* lspci, dmesg and system, which every project asks for, are looked for in any archive. */
static gboolean is_wanted(const MtwCollector *collector, const MtwProfile *profile)
{
	const char *const *names = (const char *const *)profile->collectors;

	if (collector->always)
		return FALSE;
	if (g_strv_contains(names, collector->name) || g_strv_contains(names, collector->file))
		return TRUE;
	return collector->is_default && (names[0] == NULL || g_strv_contains(names, "default"));
}

static void check_one(const MtwCollector *collector, JsonObject *manifest, GPtrArray *messages)
{
	JsonObject *told = find_entry(manifest, "collected", "id", collector->file);
	const char *detail = told != NULL ? mtw_json_string(told, "detail", "") : "";

	if (find_entry(manifest, "files", "name", collector->file) != NULL ||
	    strchr(collector->file, '*') != NULL)
		return;
	/* The collector ran, and there was nothing to collect. */
	if (told != NULL && strcmp(mtw_json_string(told, "level", ""), "ok") == 0)
		return;
	g_ptr_array_add(messages,
			mtw_message_new("incomplete", MTW_LEVEL_WARNING,
					N_("A file that the project asks for is not in it."), "",
					"%s%s%s", collector->file, detail[0] != '\0' ? ": " : "",
					detail));
}

void mtw_complete_check(const MtwPaths *paths, JsonObject *manifest, GPtrArray *messages)
{
	JsonObject *capture = mtw_json_object(manifest, "capture");
	const char *id = capture != NULL ? mtw_json_string(capture, "profile", NULL) : NULL;
	g_autoptr(MtwProfile) profile = id != NULL ? mtw_profile_find(paths, id, NULL) : NULL;
	const MtwCollector *collectors;
	gsize count;

	if (profile == NULL)
		return;
	collectors = mtw_collectors(&count);
	for (gsize i = 0; i < count; i++)
		if (is_wanted(&collectors[i], profile))
			check_one(&collectors[i], manifest, messages);
}
