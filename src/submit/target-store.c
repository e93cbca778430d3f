/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the files of targets are: the shipped ones, those of the machine, those of the person. */
#include "base/caller.h"
#include "base/error.h"
#include "base/file.h"
#include "submit/target-private.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "targets.d"
#define SUFFIX ".conf"

/* Root's own folder counts only when nobody else can put a file there. */
static gboolean is_own_folder(const char *folder)
{
	struct stat status;

	if (geteuid() != 0)
		return TRUE;
	return stat(folder, &status) == 0 && status.st_uid == 0 &&
	       (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/*
 * The folder of who runs the program. Root that works for somebody (sudo) looks into nobody's: what a user wrote is
 * no instruction for root, and what root wrote for itself is not meant for the user.
 * Returns: (transfer full) (nullable)
 */
static char *user_folder(const MtwPaths *paths)
{
	g_autoptr(MtwCaller) caller = NULL;
	g_autofree char *config = NULL;
	g_autofree char *folder = NULL;

	if (getuid() != geteuid())
		return NULL;
	caller = mtw_caller_get(NULL);
	if (caller == NULL || !mtw_caller_is_self(caller))
		return NULL;
	config = mtw_caller_config_dir(caller);
	folder = mtw_paths_build(paths, MTW_PATH_ROOT, config, FOLDER, NULL);
	return is_own_folder(folder) ? g_steal_pointer(&folder) : NULL;
}

/* The weakest first. Returns: (transfer full) (element-type utf8) */
static GPtrArray *find_folders(const MtwPaths *paths)
{
	GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
	char *own = user_folder(paths);

	g_ptr_array_add(folders, mtw_paths_build(paths, MTW_PATH_DATA, FOLDER, NULL));
	g_ptr_array_add(folders,
			mtw_paths_build(paths, MTW_PATH_ETC, "mmiotrace-wizard", FOLDER, NULL));
	if (own != NULL)
		g_ptr_array_add(folders, own);
	return folders;
}

static void add_problem(GPtrArray *problems, const char *text)
{
	if (problems == NULL)
		return;
	g_ptr_array_add(problems,
			mtw_message_new("target", MTW_LEVEL_WARNING,
					N_("A target cannot be used and is passed over."),
					N_("`mmiotrace-wizard targets check FILE` tells whether it "
					   "is right after a change."),
					"%s", text));
}

/* Returns: (transfer full) (nullable): NULL when it is no file of a target */
static char *id_of(const char *name)
{
	if (name[0] == '.' || !g_str_has_suffix(name, SUFFIX))
		return NULL;
	return g_strndup(name, strlen(name) - strlen(SUFFIX));
}

static int compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The ids that there are, sorted. Returns: (transfer full) (element-type utf8) */
static GPtrArray *find_ids(const GPtrArray *folders, GPtrArray *problems)
{
	GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < folders->len; i++) {
		g_autoptr(GPtrArray) names = mtw_folder_list(folders->pdata[i]);
		for (guint k = 0; k < names->len; k++) {
			g_autofree char *id = id_of(names->pdata[k]);
			g_autofree char *bad = NULL;
			if (id == NULL || g_hash_table_contains(seen, id))
				continue;
			if (mtw_target_id_is_good(id)) {
				g_hash_table_add(seen, id);
				g_ptr_array_add(ids, g_steal_pointer(&id));
				continue;
			}
			bad = g_strdup_printf(
				"%s/%s:1: the name of a target has only a-z, 0-9 and -",
				(char *)folders->pdata[i], (char *)names->pdata[k]);
			add_problem(problems, bad);
		}
	}
	g_ptr_array_sort(ids, compare_texts);
	return ids;
}

static gboolean add_layer(GPtrArray *layers, const char *path, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	MtwKeyFile *file = mtw_key_file_read(path, error);

	if (file == NULL)
		return FALSE;
	g_ptr_array_add(layers, mtw_target_layer_new(file, path, folder));
	return TRUE;
}

static gboolean is_same_file(const char *a, const char *b)
{
	struct stat left, right;

	return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
	       left.st_ino == right.st_ino;
}

/* Also a link that leads nowhere: it was meant to be a file. */
static gboolean is_there(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

/* @last: (nullable): a file that is laid over the others */
static MtwTarget *load(const GPtrArray *folders, const char *id, const char *last,
		       GPtrArray *problems, GError **error)
{
	g_autoptr(GPtrArray) layers = g_ptr_array_new_with_free_func(mtw_target_layer_free);
	g_autofree char *name = g_strconcat(id, SUFFIX, NULL);

	for (guint i = 0; i < folders->len; i++) {
		g_autofree char *path = g_build_filename(folders->pdata[i], name, NULL);
		if (!is_there(path) || (last != NULL && is_same_file(path, last)))
			continue;
		if (!add_layer(layers, path, error))
			return NULL;
	}
	if (last != NULL && !add_layer(layers, last, error))
		return NULL;
	return mtw_target_from_layers(id, layers, problems, error);
}

static gboolean has_target(const GPtrArray *targets, const char *id)
{
	for (guint i = 0; i < targets->len; i++)
		if (g_str_equal(((const MtwTarget *)targets->pdata[i])->id, id))
			return TRUE;
	return FALSE;
}

/* What a target says about another one: without its store it is nothing. */
static void check_references(const GPtrArray *targets, GPtrArray *problems)
{
	for (guint i = 0; i < targets->len; i++) {
		MtwTarget *target = targets->pdata[i];
		const char *path = g_ptr_array_index(target->paths, target->paths->len - 1);
		g_autofree char *why = NULL;
		if (target->store[0] != '\0' && !has_target(targets, target->store)) {
			why = g_strdup_printf("%s:1: Store: there is no target \"%s\"", path,
					      target->store);
			target->enabled = FALSE;
			g_free(target->disabled_why);
			target->disabled_why = g_strdup(why);
		} else if (target->fallback[0] != '\0' && !has_target(targets, target->fallback)) {
			why = g_strdup_printf("%s:1: OnTooBig: there is no target \"%s\"", path,
					      target->fallback);
		}
		if (why != NULL)
			add_problem(problems, why);
	}
}

GPtrArray *mtw_target_list(const MtwPaths *paths, GPtrArray *problems)
{
	GPtrArray *targets = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_target_free);
	g_autoptr(GPtrArray) folders = find_folders(paths);
	g_autoptr(GPtrArray) ids = find_ids(folders, problems);

	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(GError) error = NULL;
		MtwTarget *target = load(folders, ids->pdata[i], NULL, problems, &error);
		if (target == NULL) {
			add_problem(problems, error->message);
			continue;
		}
		if (target->disabled_why != NULL)
			add_problem(problems, target->disabled_why);
		g_ptr_array_add(targets, target);
	}
	check_references(targets, problems);
	return targets;
}

static void set_not_found(const GPtrArray *ids, const char *id, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (guint i = 0; i < ids->len; i++)
		g_string_append_printf(known, "%s%s", i > 0 ? ", " : "", (char *)ids->pdata[i]);
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
		    "there is no target \"%s\"; those that there are: %s", id,
		    known->len > 0 ? known->str : "none");
}

MtwTarget *mtw_target_find(const MtwPaths *paths, const char *id, GError **error)
{
	g_autoptr(GPtrArray) folders = find_folders(paths);
	g_autoptr(GPtrArray) ids = find_ids(folders, NULL);

	for (guint i = 0; i < ids->len; i++)
		if (g_str_equal(ids->pdata[i], id))
			return load(folders, id, NULL, NULL, error);
	set_not_found(ids, id, error);
	return NULL;
}

MtwTarget *mtw_target_load(const MtwPaths *paths, const char *path, GPtrArray *problems,
			   GError **error)
{
	g_autoptr(GPtrArray) folders = find_folders(paths);
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *id = id_of(name);

	if (access(path, F_OK) != 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "%s: there is no such file",
			    path);
		return NULL;
	}
	if (id == NULL || !mtw_target_id_is_good(id)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "%s:1: a target's file is NAME.conf, with only a-z, 0-9 and - in NAME",
			    path);
		return NULL;
	}
	return load(folders, id, path, problems, error);
}
