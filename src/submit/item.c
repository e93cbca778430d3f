/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/queue-private.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

#include <string.h>

#define ITEM_FORMAT 1
/* A letter may be long, and what a kind found out. */
#define JSON_MAX_BYTES ((gsize)8 * 1024 * 1024)

static const char *const state_names[] = {
	[MTW_ITEM_PREPARED] = "prepared",   [MTW_ITEM_CONSENTED] = "consented",
	[MTW_ITEM_UPLOADING] = "uploading", [MTW_ITEM_UPLOADED] = "uploaded",
	[MTW_ITEM_DONE] = "done",	    [MTW_ITEM_REFUSED] = "refused",
};

const char *mtw_item_state_name(MtwItemState state)
{
	return state_names[state];
}

MtwItem *mtw_item_at(const char *queue, const char *id)
{
	MtwItem *item = g_new0(MtwItem, 1);

	item->id = g_strdup(id);
	item->folder = g_build_filename(queue, id, NULL);
	item->lock_fd = -1;
	return item;
}

void mtw_item_free(MtwItem *item)
{
	if (item == NULL)
		return;
	g_free(item->id);
	g_free(item->folder);
	mtw_fd_clear(&item->lock_fd);
	g_clear_pointer(&item->meta, json_object_unref);
	g_clear_pointer(&item->state, json_object_unref);
	g_free(item);
}

static JsonObject *load_json(const MtwItem *item, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(item->folder, name, NULL);
	g_autofree char *text = mtw_file_read(path, JSON_MAX_BYTES, NULL, error);
	g_autoptr(JsonObject) object = text != NULL ? mtw_json_parse(text, -1, path, error) : NULL;
	gint64 format = mtw_json_int(object, "format", 0);

	if (object == NULL)
		return NULL;
	if (format != ITEM_FORMAT) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "%s: format %" G_GINT64_FORMAT " is not one that this version knows "
			    "(it knows %d)",
			    path, format, ITEM_FORMAT);
		return NULL;
	}
	return g_steal_pointer(&object);
}

static gboolean save_json(const MtwItem *item, const char *name, JsonObject *object, GError **error)
{
	g_autofree char *path = g_build_filename(item->folder, name, NULL);
	g_autofree char *text = NULL;

	json_object_set_int_member(object, "format", ITEM_FORMAT);
	text = mtw_json_pretty(object);
	if (strlen(text) > JSON_MAX_BYTES) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s would have %zu bytes", path,
			    strlen(text));
		return FALSE;
	}
	return mtw_file_write_atomic(path, text, strlen(text), 0600, error);
}

/* Missing, or not what it should be: the name of a state, or -1. */
static int state_of(JsonObject *state)
{
	const char *name = mtw_json_string(state, "state", "");

	for (gsize i = 0; i < G_N_ELEMENTS(state_names); i++)
		if (strcmp(name, state_names[i]) == 0)
			return (int)i;
	return -1;
}

static gboolean check_loaded(const MtwItem *item, GError **error)
{
	if (state_of(item->state) >= 0 && mtw_json_array(item->meta, "files") != NULL &&
	    mtw_json_string(item->meta, "target", NULL) != NULL &&
	    mtw_json_object(item->state, "phases") != NULL &&
	    mtw_json_object(item->state, "facts") != NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "%s: meta.json or state.json lacks something", item->folder);
	return FALSE;
}

gboolean mtw_item_load(MtwItem *item, GError **error)
{
	g_clear_pointer(&item->meta, json_object_unref);
	g_clear_pointer(&item->state, json_object_unref);
	item->meta = load_json(item, "meta.json", error);
	item->state = item->meta != NULL ? load_json(item, "state.json", error) : NULL;
	return item->state != NULL && check_loaded(item, error);
}

gboolean mtw_item_save_meta(MtwItem *item, GError **error)
{
	return save_json(item, "meta.json", item->meta, error);
}

gboolean mtw_item_save_state(MtwItem *item, GError **error)
{
	return save_json(item, "state.json", item->state, error);
}

JsonObject *mtw_item_new_state(void)
{
	JsonObject *state = json_object_new();

	json_object_set_string_member(state, "state", state_names[MTW_ITEM_PREPARED]);
	json_object_set_object_member(state, "phases", json_object_new());
	json_object_set_object_member(state, "facts", json_object_new());
	json_object_set_int_member(state, "tries", 0);
	json_object_set_int_member(state, "next_try_sec", 0);
	return state;
}

void mtw_item_set_state(MtwItem *item, MtwItemState state)
{
	json_object_set_string_member(item->state, "state", state_names[state]);
}

gboolean mtw_item_need_lock(const MtwItem *item, GError **error)
{
	if (item->lock_fd >= 0)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY, "%s was opened for reading only",
		    item->folder);
	return FALSE;
}

char *mtw_item_place(const MtwTarget *target)
{
	const char *const parts[] = { target->kind,    target->url,	  target->project,
				      target->product, target->component, target->queue,
				      target->store,   target->to,	  NULL };
	GString *place = g_string_new(NULL);

	for (const char *const *part = parts; *part != NULL; part++)
		g_string_append_printf(place, "%s%s", part != parts ? "|" : "", *part);
	return g_string_free(place, FALSE);
}

JsonObject *mtw_item_phases(MtwItem *item)
{
	return mtw_json_object(item->state, "phases");
}

JsonObject *mtw_item_facts(MtwItem *item)
{
	return mtw_json_object(item->state, "facts");
}

const char *mtw_item_id(const MtwItem *item)
{
	return item->id;
}

const char *mtw_item_folder(const MtwItem *item)
{
	return item->folder;
}

MtwItemState mtw_item_state(const MtwItem *item)
{
	return (MtwItemState)state_of(item->state);
}

const char *mtw_item_target(const MtwItem *item)
{
	return mtw_json_string(item->meta, "target", "");
}

const char *mtw_item_url(const MtwItem *item)
{
	const char *url = mtw_json_string(mtw_json_object(item->state, "facts"), "url", "");

	return *url != '\0' ? url : NULL;
}

JsonObject *mtw_item_meta(const MtwItem *item)
{
	return item->meta;
}

JsonObject *mtw_item_state_json(const MtwItem *item)
{
	return item->state;
}

static void copy_members(JsonObject *to, JsonObject *from, const char *const *names)
{
	for (; *names != NULL; names++)
		if (json_object_has_member(from, *names))
			json_object_set_member(to, *names, json_object_dup_member(from, *names));
}

JsonObject *mtw_item_to_json(const MtwItem *item)
{
	static const char *const of_meta[] = { "target",    "host",  "issue",	    "title",
					       "report_id", "files", "created_sec", NULL };
	static const char *const of_state[] = { "state",	"phases",  "tries",
						"next_try_sec", "failure", NULL };
	JsonObject *object = json_object_new();

	json_object_set_string_member(object, "id", item->id);
	json_object_set_string_member(object, "folder", item->folder);
	copy_members(object, item->state, of_state);
	copy_members(object, item->meta, of_meta);
	mtw_json_set_text(object, "url", mtw_item_url(item));
	json_object_set_boolean_member(object, "busy", mtw_item_folder_is_busy(item->folder));
	return object;
}
