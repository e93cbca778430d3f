/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/queue-private.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define ID_CHARACTERS 16

gboolean mtw_queue_id_is_valid(const char *id)
{
	return strlen(id) == ID_CHARACTERS && strspn(id, "0123456789abcdef") == ID_CHARACTERS;
}

char *mtw_queue_folder(const MtwCaller *caller, GError **error)
{
	g_autofree char *state = mtw_caller_state_dir(caller);
	g_autofree char *folder = g_build_filename(state, "queue", NULL);

	if (!mtw_caller_is_self(caller)) {
		g_set_error(
			error, MTW_ERROR, MTW_ERROR_PERMISSION,
			"reports are sent with the rights of %s, not with those of this process",
			caller->name);
		return NULL;
	}
	if (!mtw_folder_ensure(state, 0700, error) || !mtw_folder_ensure(folder, 0700, error))
		return NULL;
	return g_steal_pointer(&folder);
}

/* The one id that begins so. Returns: (transfer full) (nullable) */
static char *complete_id(const char *queue, const char *beginning, GError **error)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(queue);
	const char *found = NULL;

	for (guint i = 0; i < names->len && *beginning != '\0'; i++) {
		const char *name = names->pdata[i];
		if (!mtw_queue_id_is_valid(name) || !g_str_has_prefix(name, beginning))
			continue;
		if (found != NULL) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "\"%s\" could be %s and %s",
				    beginning, found, name);
			return NULL;
		}
		found = name;
	}
	if (found == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "no report that waits has the id \"%s\"", beginning);
	return g_strdup(found);
}

/* Nothing is read. Returns: (transfer full) (nullable) */
static MtwItem *find(const MtwCaller *caller, const char *id, gboolean lock, GError **error)
{
	g_autofree char *queue = mtw_queue_folder(caller, error);
	g_autofree char *whole = queue != NULL ? complete_id(queue, id, error) : NULL;
	g_autoptr(MtwItem) item = whole != NULL ? mtw_item_at(queue, whole) : NULL;

	if (item == NULL)
		return NULL;
	if (lock)
		item->lock_fd = mtw_item_lock(item->folder, error);
	if (lock && item->lock_fd < 0)
		return NULL;
	return g_steal_pointer(&item);
}

MtwItem *mtw_item_open(const MtwCaller *caller, const char *id, gboolean lock, GError **error)
{
	g_autoptr(MtwItem) item = find(caller, id, lock, error);

	return item != NULL && mtw_item_load(item, error) ? g_steal_pointer(&item) : NULL;
}

static gint64 created(const MtwItem *item)
{
	return mtw_json_int(item->meta, "created_sec", 0);
}

static int compare_age(gconstpointer a, gconstpointer b)
{
	const MtwItem *first = *(const MtwItem *const *)a;
	const MtwItem *second = *(const MtwItem *const *)b;

	if (created(first) != created(second))
		return created(first) < created(second) ? -1 : 1;
	return strcmp(first->id, second->id);
}

static void add_problem(GPtrArray *problems, const GError *error)
{
	if (problems == NULL)
		return;
	g_ptr_array_add(problems,
			mtw_message_new("queue", MTW_LEVEL_WARNING,
					N_("A report that waits to be sent cannot be read."),
					N_("Its files are still there. If you do not need them, "
					   "remove it with `mmiotrace-wizard queue drop ID`."),
					"%s", error->message));
}

GPtrArray *mtw_queue_list(const MtwCaller *caller, GPtrArray *problems)
{
	g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_item_free);
	g_autoptr(GError) error = NULL;
	g_autofree char *queue = mtw_queue_folder(caller, &error);
	g_autoptr(GPtrArray) names = queue != NULL ? mtw_folder_list(queue) : NULL;

	if (queue == NULL)
		add_problem(problems, error);
	for (guint i = 0; names != NULL && i < names->len; i++) {
		g_autoptr(MtwItem) item = NULL;
		if (!mtw_queue_id_is_valid(names->pdata[i]))
			continue;
		g_clear_error(&error);
		item = mtw_item_at(queue, names->pdata[i]);
		if (mtw_item_load(item, &error))
			g_ptr_array_add(items, g_steal_pointer(&item));
		else if (g_file_test(item->folder, G_FILE_TEST_EXISTS))
			add_problem(problems, error);
	}
	g_ptr_array_sort(items, compare_age);
	return g_steal_pointer(&items);
}

gboolean mtw_item_drop(MtwItem *item, GError **error)
{
	g_autofree char *queue = g_path_get_dirname(item->folder);
	g_autofree char *name = g_strconcat(".drop-", item->id, NULL);
	g_autofree char *gone = g_build_filename(queue, name, NULL);

	if (item->lock_fd < 0)
		item->lock_fd = mtw_item_lock(item->folder, error);
	if (item->lock_fd < 0)
		return FALSE;
	/* At once: no other process shall find half an item. */
	if (!mtw_folder_remove(gone, error))
		return FALSE;
	if (g_rename(item->folder, gone) != 0) {
		mtw_set_error_errno(error, errno, "cannot remove %s", item->folder);
		return FALSE;
	}
	return mtw_folder_remove(gone, error) && mtw_folder_sync(queue, error);
}

gboolean mtw_queue_drop(const MtwCaller *caller, const char *id, GError **error)
{
	g_autoptr(MtwItem) item = find(caller, id, TRUE, error);

	return item != NULL && mtw_item_drop(item, error);
}
