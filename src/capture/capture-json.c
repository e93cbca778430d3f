/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/capture-json.h"

#include "base/error.h"
#include "base/json.h"
#include "base/parse.h"
#include "capture/events.h"

#include <string.h>

#define NAME_MAX_BYTES 64
#define MODULE_OPTIONS_MAX_BYTES 1024
#define ISSUE_MAX_BYTES 2048
#define PROFILE_MAX_BYTES 255
#define COLLECTORS_MAX 64
#define BUFFER_MAX_KB (64ll * 1024 * 1024)
#define FREE_MAX_BYTES G_MAXINT64
#define COUNTDOWN_MAX_SEC 60
#define UNATTENDED_MAX_SEC (24 * 60 * 60)

JsonObject *mtw_capture_options_to_json(const MtwCaptureOptions *options)
{
	JsonObject *object = json_object_new();

	mtw_json_set_text(object, "device", options->device);
	mtw_json_set_text(object, "driver", options->driver);
	mtw_json_set_text(object, "module_options", options->module_options);
	json_object_set_int_member(object, "buffer_kb", (gint64)options->buffer_kb);
	json_object_set_int_member(object, "countdown_sec", options->countdown_sec);
	json_object_set_int_member(object, "unattended_sec", options->unattended_sec);
	json_object_set_boolean_member(object, "load_driver", options->load_driver);
	if (options->issue != NULL)
		mtw_json_set_text(object, "issue", options->issue);
	if (options->profile != NULL)
		mtw_json_set_text(object, "profile", options->profile);
	if (options->notes != NULL)
		mtw_json_set_text(object, "notes", options->notes);
	if (options->collectors != NULL)
		json_object_set_array_member(object, "collectors",
					     mtw_json_texts(options->collectors));
	json_object_set_boolean_member(object, "consent_edid", options->consent_edid);
	json_object_set_boolean_member(object, "consent_vbios", options->consent_vbios);
	return object;
}

JsonObject *mtw_check_options_to_json(const MtwCheckOptions *options)
{
	JsonObject *object = json_object_new();

	mtw_json_set_text(object, "device", options->device);
	mtw_json_set_text(object, "driver", options->driver);
	json_object_set_int_member(object, "buffer_kb", (gint64)options->buffer_kb);
	json_object_set_int_member(object, "min_free_bytes", (gint64)options->min_free_bytes);
	json_object_set_boolean_member(object, "next_boot", options->next_boot);
	return object;
}

static gboolean refuse(const char *name, GError **error)
{
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "the option \"%s\" is not usable", name);
	return FALSE;
}

/* What this version does not know may matter: a caller of another version has to hear of it. */
static gboolean knows_all(JsonObject *object, const char *const *names, GError **error)
{
	JsonObjectIter iter;
	const char *name;
	JsonNode *value;

	json_object_iter_init_ordered(&iter, object);
	while (json_object_iter_next_ordered(&iter, &name, &value)) {
		g_autofree char *shown = g_strndup(name, NAME_MAX_BYTES);
		if (!g_strv_contains(names, name))
			return refuse(shown, error);
	}
	return TRUE;
}

/* A name of a driver, module or collector. */
static gboolean is_name(const char *text)
{
	gsize length = strlen(text);

	return length > 0 && length <= NAME_MAX_BYTES &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
		       length;
}

/* One line of the characters that module parameters are made of; no quotes, which the kernel would read. */
static gboolean is_module_options(const char *text)
{
	for (const char *at = text; *at != '\0'; at++)
		if (!g_ascii_isgraph(*at) && *at != ' ')
			return FALSE;
	return strlen(text) <= MODULE_OPTIONS_MAX_BYTES && strpbrk(text, "\"'`\\$") == NULL;
}

/* Only kept; whoever sends something there looks at it again. */
static gboolean is_issue(const char *text)
{
	for (const char *at = text; *at != '\0'; at++)
		if (g_ascii_iscntrl(*at) || *at == ' ')
			return FALSE;
	return strlen(text) <= ISSUE_MAX_BYTES;
}

/* What a file may be called. */
static gboolean is_profile(const char *text)
{
	return text[0] != '\0' && strchr(text, '/') == NULL && strlen(text) <= PROFILE_MAX_BYTES;
}

static gboolean is_notes(const char *text)
{
	return strlen(text) <= MTW_NOTES_MAX_BYTES;
}

static gboolean is_device(const char *text)
{
	MtwBdf bdf;

	return mtw_parse_bdf(text, &bdf);
}

/* Members of another type count as wrong, not as missing; null counts as missing. */
static gboolean is_missing(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return node == NULL || JSON_NODE_HOLDS_NULL(node);
}

static gboolean read_text(JsonObject *object, const char *name, gboolean (*is_good)(const char *),
			  const char **ret_text, GError **error)
{
	*ret_text = mtw_json_string(object, name, NULL);
	return is_missing(object, name) || (*ret_text != NULL && is_good(*ret_text)) ||
	       refuse(name, error);
}

/* @ret_value: stays as it is when the member is missing. */
static gboolean read_bool(JsonObject *object, const char *name, gboolean *ret_value, GError **error)
{
	gboolean is_true = mtw_json_bool(object, name, FALSE);

	if (is_missing(object, name))
		return TRUE;
	if (!is_true && mtw_json_bool(object, name, TRUE))
		return refuse(name, error);
	*ret_value = is_true;
	return TRUE;
}

static gboolean read_number(JsonObject *object, const char *name, gint64 max, guint64 *ret_value,
			    GError **error)
{
	gint64 value = is_missing(object, name) ? 0 : mtw_json_int(object, name, -1);

	*ret_value = value >= 0 ? (guint64)value : 0;
	return (value >= 0 && value <= max) || refuse(name, error);
}

static gboolean read_seconds(JsonObject *object, const char *name, gint64 max, guint *ret_value,
			     GError **error)
{
	guint64 value;

	if (!read_number(object, name, max, &value, error))
		return FALSE;
	*ret_value = (guint)value;
	return TRUE;
}

static const char *name_at(JsonArray *array, guint index)
{
	JsonNode *node = json_array_get_element(array, index);

	if (!JSON_NODE_HOLDS_VALUE(node) || json_node_get_value_type(node) != G_TYPE_STRING ||
	    !is_name(json_node_get_string(node)))
		return NULL;
	return json_node_get_string(node);
}

static gboolean read_collectors(JsonObject *object, MtwCaptureOptions *options, GError **error)
{
	JsonArray *array = mtw_json_array(object, "collectors");
	guint length = array != NULL ? json_array_get_length(array) : 0;
	const char **names;

	if (is_missing(object, "collectors"))
		return TRUE;
	if (array == NULL || length > COLLECTORS_MAX)
		return refuse("collectors", error);
	names = g_new0(const char *, length + 1);
	options->collectors = names;
	for (guint i = 0; i < length; i++) {
		names[i] = name_at(array, i);
		if (names[i] == NULL)
			return refuse("collectors", error);
	}
	return TRUE;
}

/* What is traced. */
static gboolean read_target(JsonObject *object, MtwCaptureOptions *options, GError **error)
{
	if (!read_text(object, "device", is_device, &options->device, error) ||
	    !read_text(object, "driver", is_name, &options->driver, error) ||
	    !read_text(object, "module_options", is_module_options, &options->module_options,
		       error) ||
	    !read_bool(object, "load_driver", &options->load_driver, error))
		return FALSE;
	return options->device != NULL || refuse("device", error);
}

gboolean mtw_capture_options_from_json(JsonObject *object, MtwCaptureOptions *ret_options,
				       GError **error)
{
	static const char *const names[] = {
		"device",	  "driver",	  "module_options", "buffer_kb", "countdown_sec",
		"unattended_sec", "load_driver",  "issue",	    "profile",	 "notes",
		"collectors",	  "consent_edid", "consent_vbios",  NULL
	};

	*ret_options = (MtwCaptureOptions){ .load_driver = TRUE };
	return knows_all(object, names, error) && read_target(object, ret_options, error) &&
	       read_number(object, "buffer_kb", BUFFER_MAX_KB, &ret_options->buffer_kb, error) &&
	       read_seconds(object, "countdown_sec", COUNTDOWN_MAX_SEC, &ret_options->countdown_sec,
			    error) &&
	       read_seconds(object, "unattended_sec", UNATTENDED_MAX_SEC,
			    &ret_options->unattended_sec, error) &&
	       read_text(object, "issue", is_issue, &ret_options->issue, error) &&
	       read_text(object, "profile", is_profile, &ret_options->profile, error) &&
	       read_text(object, "notes", is_notes, &ret_options->notes, error) &&
	       read_bool(object, "consent_edid", &ret_options->consent_edid, error) &&
	       read_bool(object, "consent_vbios", &ret_options->consent_vbios, error) &&
	       read_collectors(object, ret_options, error);
}

gboolean mtw_check_options_from_json(JsonObject *object, MtwCheckOptions *ret_options,
				     GError **error)
{
	static const char *const names[] = { "device",	       "driver",    "buffer_kb",
					     "min_free_bytes", "next_boot", NULL };

	*ret_options = (MtwCheckOptions){ 0 };
	return knows_all(object, names, error) &&
	       read_text(object, "device", is_device, &ret_options->device, error) &&
	       read_text(object, "driver", is_name, &ret_options->driver, error) &&
	       read_number(object, "buffer_kb", BUFFER_MAX_KB, &ret_options->buffer_kb, error) &&
	       read_number(object, "min_free_bytes", FREE_MAX_BYTES, &ret_options->min_free_bytes,
			   error) &&
	       read_bool(object, "next_boot", &ret_options->next_boot, error);
}

void mtw_capture_options_clear(MtwCaptureOptions *options)
{
	g_clear_pointer((gpointer *)&options->collectors, g_free);
}

void mtw_capture_options_keep(const MtwCaptureOptions *options, JsonObject *state)
{
	json_object_set_int_member(state, "owner_uid", options->owner_uid);
	mtw_json_set_text(state, "device", options->device);
	if (options->issue != NULL)
		mtw_json_set_text(state, "issue", options->issue);
	if (options->profile != NULL)
		mtw_json_set_text(state, "profile", options->profile);
	if (options->notes != NULL)
		mtw_json_set_text(state, "notes", options->notes);
}

JsonObject *mtw_plan_to_json(const MtwPlan *plan)
{
	JsonObject *object = json_object_new();
	JsonArray *changes = json_array_new();
	const MtwWay *way = plan->way;

	for (guint i = 0; i < plan->changes->len; i++) {
		const MtwChange *change = plan->changes->pdata[i];
		if (mtw_change_needed(change))
			json_array_add_object_element(changes, mtw_change_to_json(change));
	}
	json_object_set_string_member(object, "device", plan->device->address);
	json_object_set_string_member(object, "way", mtw_way_name(way->kind));
	mtw_json_set_text(object, "driver", way->module != NULL ? way->module : way->driver);
	json_object_set_int_member(object, "buffer_kb", (gint64)plan->buffer_kb);
	json_object_set_boolean_member(object, "ends_desktop",
				       way->desktop != NULL && way->desktop->units->len > 0);
	json_object_set_array_member(object, "changes", changes);
	return object;
}

static JsonArray *bars_to_json(const MtwCounts *counts, guint64 *ret_target)
{
	JsonArray *bars = json_array_new();

	*ret_target = 0;
	for (guint i = 0; i < counts->n_bars; i++) {
		const MtwBarCount *bar = &counts->bars[i];
		JsonObject *object = json_object_new();
		json_object_set_int_member(object, "index", bar->index);
		json_object_set_int_member(object, "reads", (gint64)bar->reads);
		json_object_set_int_member(object, "writes", (gint64)bar->writes);
		json_object_set_int_member(object, "unknown", (gint64)bar->unknown);
		json_array_add_object_element(bars, object);
		*ret_target += bar->reads + bar->writes + bar->unknown;
	}
	return bars;
}

JsonObject *mtw_counters_to_json(const MtwCounters *counters)
{
	JsonObject *object = json_object_new();
	guint64 target;

	json_object_set_array_member(object, "bars", bars_to_json(&counters->counts, &target));
	json_object_set_double_member(object, "seconds", counters->seconds);
	json_object_set_int_member(object, "events", (gint64)counters->counts.events);
	json_object_set_int_member(object, "target", (gint64)target);
	json_object_set_int_member(object, "bytes", (gint64)counters->counts.bytes);
	json_object_set_int_member(object, "lost", (gint64)counters->lost);
	return object;
}
