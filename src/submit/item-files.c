/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/queue-private.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "submit/shrink-private.h"

#include <string.h>

/* Numbered parts, at most 99, and the note that tells how to join them. */
#define FILES_MAX 100
#define NAME_MAX_BYTES 128
#define NAME_END_BYTES 32

static void job_file_free(MtwJobFile *file)
{
	mtw_fd_clear(&file->fd);
	g_free(file->name);
	g_free(file->sha256);
	g_free(file->path);
	g_free(file);
}

void mtw_item_files_clear(MtwItemFiles *files)
{
	g_clear_pointer(&files->files, g_ptr_array_unref);
	g_clear_pointer(&files->sha256, g_free);
}

static gboolean is_plain(char c)
{
	return g_ascii_isalnum(c) || strchr("._-", c) != NULL;
}

/* What servers take as a name; the end, which tells the form, is kept. Returns: (transfer full) */
static char *plain_name(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);
	g_autoptr(GString) name = g_string_new(NULL);

	for (const char *at = base; *at != '\0'; at++) {
		if (name->len == 0 && !g_ascii_isalnum(*at))
			continue;
		g_string_append_c(name, is_plain(*at) ? *at : '-');
	}
	if (name->len > NAME_MAX_BYTES)
		g_string_erase(name, NAME_MAX_BYTES - NAME_END_BYTES,
			       (gssize)(name->len - NAME_MAX_BYTES));
	return g_strdup(name->len > 0 ? name->str : "report");
}

static gboolean check_name(const MtwItemFiles *files, const char *name, const char *path,
			   GError **error)
{
	for (guint i = 0; i < files->files->len; i++) {
		const MtwJobFile *other = files->files->pdata[i];
		if (strcmp(other->name, name) == 0) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
				    "%s would be sent as %s, as another file", path, name);
			return FALSE;
		}
	}
	return TRUE;
}

static gboolean add_file(MtwItemFiles *files, const char *path, MtwHash *whole,
			 const MtwShrinkHooks *hooks, GError **error)
{
	g_autoptr(MtwHash) hash = mtw_hash_new();
	MtwJobFile *file = g_new0(MtwJobFile, 1);

	file->name = plain_name(path);
	file->path = g_canonicalize_filename(path, NULL);
	file->fd = -1;
	if (!check_name(files, file->name, path, error)) {
		job_file_free(file);
		return FALSE;
	}
	g_ptr_array_add(files->files, file);
	file->fd = mtw_file_open_read(path, error);
	if (file->fd < 0)
		return FALSE;
	if (!mtw_hash_add_file(hash, whole, file->fd, hooks, &file->bytes, error) ||
	    !mtw_hash_finish(hash, &file->sha256, error)) {
		g_prefix_error(error, "%s: ", path);
		return FALSE;
	}
	return TRUE;
}

gboolean mtw_item_files_open(const char *const *paths, const MtwShrinkHooks *hooks,
			     MtwItemFiles *ret_files, GError **error)
{
	g_auto(MtwItemFiles) files = { 0 };
	guint n_paths = g_strv_length((char **)paths);
	/* The sum of one file is that of all. */
	g_autoptr(MtwHash) whole = n_paths > 1 ? mtw_hash_new() : NULL;

	if (n_paths < 1 || n_paths > FILES_MAX) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "a report has 1 to %d files, not %u", FILES_MAX, n_paths);
		return FALSE;
	}
	files.files = g_ptr_array_new_with_free_func((GDestroyNotify)job_file_free);
	for (guint i = 0; i < n_paths; i++)
		if (!add_file(&files, paths[i], whole, hooks, error))
			return FALSE;
	if (whole == NULL)
		files.sha256 = g_strdup(((MtwJobFile *)files.files->pdata[0])->sha256);
	else if (!mtw_hash_finish(whole, &files.sha256, error))
		return FALSE;
	*ret_files = files;
	files = (MtwItemFiles){ 0 };
	return TRUE;
}

JsonArray *mtw_item_files_to_json(const MtwItemFiles *files)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < files->files->len; i++) {
		const MtwJobFile *file = files->files->pdata[i];
		JsonObject *object = json_object_new();
		json_object_set_string_member(object, "name", file->name);
		json_object_set_int_member(object, "bytes", (gint64)file->bytes);
		json_object_set_string_member(object, "sha256", file->sha256);
		mtw_json_set_text(object, "path", file->path);
		json_array_add_object_element(array, object);
	}
	return array;
}

static gboolean is_same(JsonObject *known, const MtwJobFile *file)
{
	return strcmp(mtw_json_string(known, "name", ""), file->name) == 0 &&
	       strcmp(mtw_json_string(known, "sha256", ""), file->sha256) == 0 &&
	       mtw_json_int(known, "bytes", -1) == (gint64)file->bytes;
}

gboolean mtw_item_files_are(MtwItem *item, const MtwItemFiles *files)
{
	JsonArray *known = mtw_json_array(item->meta, "files");

	if (json_array_get_length(known) != files->files->len)
		return FALSE;
	for (guint i = 0; i < files->files->len; i++)
		if (!is_same(mtw_json_object_at(known, i), files->files->pdata[i]))
			return FALSE;
	return TRUE;
}

/* Names come from meta.json, which lies in the person's own folder: still no path is taken from it. */
static char **stored_paths(const MtwItem *item, GError **error)
{
	JsonArray *known = mtw_json_array(item->meta, "files");
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < json_array_get_length(known); i++) {
		const char *name = mtw_json_string(mtw_json_object_at(known, i), "name", "");
		if (*name == '\0' || *name == '.' || strchr(name, '/') != NULL) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
				    "%s: meta.json has no usable file name", item->folder);
			return NULL;
		}
		g_ptr_array_add(paths, g_build_filename(item->folder, "files", name, NULL));
	}
	g_ptr_array_add(paths, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&paths), FALSE);
}

/* Where the person put it, as long as it is there. */
static void set_persons_paths(MtwItem *item, MtwItemFiles *files)
{
	JsonArray *known = mtw_json_array(item->meta, "files");

	for (guint i = 0; i < files->files->len; i++) {
		MtwJobFile *file = files->files->pdata[i];
		const char *path = mtw_json_string(mtw_json_object_at(known, i), "path", "");
		if (g_path_is_absolute(path) && g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
			g_free(file->path);
			file->path = g_strdup(path);
		}
	}
}

gboolean mtw_item_open_files(MtwItem *item, const MtwShrinkHooks *hooks, MtwItemFiles *ret_files,
			     GError **error)
{
	g_auto(MtwItemFiles) files = { 0 };
	g_auto(GStrv) paths = stored_paths(item, error);

	if (paths == NULL || !mtw_item_files_open((const char *const *)paths, hooks, &files, error))
		return FALSE;
	if (!mtw_item_files_are(item, &files)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "the archive was changed since it was prepared for sending (%s%cfiles)",
			    item->folder, G_DIR_SEPARATOR);
		return FALSE;
	}
	set_persons_paths(item, &files);
	*ret_files = files;
	files = (MtwItemFiles){ 0 };
	return TRUE;
}

void mtw_item_drop_files(MtwItem *item)
{
	g_autofree char *folder = g_build_filename(item->folder, "files", NULL);

	/* What cannot be removed now goes with the item. */
	(void)mtw_folder_remove(folder, NULL);
}
