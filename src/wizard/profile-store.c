/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where profiles are: the shipped ones, those of the machine, those of the person. */
#include "base/caller.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "wizard/profile.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".conf"
#define FALLBACK "generic"
#define N_FOLDERS 3

/* By MtwProfileOrigin; NULL: not looked into. */
typedef struct {
	char *folders[N_FOLDERS];
} Folders;

static void folders_clear(Folders *folders)
{
	for (int i = 0; i < N_FOLDERS; i++)
		g_free(folders->folders[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Folders, folders_clear)

/*
 * A process with root's rights never follows what a user wrote: a profile has commands and module
 * options. Returns: (transfer full) (nullable)
 */
static char *user_folder(const MtwPaths *paths)
{
	g_autoptr(MtwCaller) caller = NULL;
	g_autofree char *config = NULL;

	if (geteuid() == 0 || getuid() != geteuid())
		return NULL;
	caller = mtw_caller_get(NULL);
	if (caller == NULL || !mtw_caller_is_self(caller))
		return NULL;
	config = mtw_caller_config_dir(caller);
	return mtw_paths_build(paths, MTW_PATH_ROOT, config, "profiles", NULL);
}

static void find_folders(const MtwPaths *paths, Folders *ret_folders)
{
	ret_folders->folders[MTW_PROFILE_SHIPPED] =
		mtw_paths_build(paths, MTW_PATH_DATA, "profiles", NULL);
	ret_folders->folders[MTW_PROFILE_SYSTEM] =
		mtw_paths_build(paths, MTW_PATH_ETC, "mmiotrace-wizard", "profiles", NULL);
	ret_folders->folders[MTW_PROFILE_USER] = user_folder(paths);
}

static MtwMessage *problem(const GError *error)
{
	return mtw_message_new(
		"profile", MTW_LEVEL_WARNING, N_("A profile cannot be used and is passed over."),
		N_("`mmiotrace-wizard profiles check FILE` tells whether it is right "
		   "after a change."),
		"%s", error->message);
}

/* @by_id: (nullable); @problems: (nullable) */
static void load_folder(const char *folder, MtwProfileOrigin origin, GHashTable *by_id,
			GPtrArray *problems)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		g_autoptr(GError) error = NULL;
		g_autoptr(MtwProfile) profile = NULL;
		if (!g_str_has_suffix(path, SUFFIX) || *(const char *)names->pdata[i] == '.')
			continue;
		profile = mtw_profile_load(path, &error);
		if (profile == NULL && problems != NULL)
			g_ptr_array_add(problems, problem(error));
		if (profile == NULL || by_id == NULL)
			continue;
		profile->origin = origin;
		g_hash_table_replace(by_id, profile->id, profile);
		g_steal_pointer(&profile);
	}
}

static void load_all(const MtwPaths *paths, GHashTable *by_id, GPtrArray *problems)
{
	g_auto(Folders) folders = { { NULL } };

	find_folders(paths, &folders);
	for (int i = 0; i < N_FOLDERS; i++)
		if (folders.folders[i] != NULL)
			load_folder(folders.folders[i], (MtwProfileOrigin)i, by_id, problems);
}

static int compare_ids(gconstpointer a, gconstpointer b)
{
	const MtwProfile *const *left = a, *const *right = b;

	return strcmp((*left)->id, (*right)->id);
}

GPtrArray *mtw_profile_list(const MtwPaths *paths)
{
	GPtrArray *profiles = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_profile_free);
	g_autoptr(GHashTable) by_id = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
							    (GDestroyNotify)mtw_profile_free);
	GHashTableIter iter;
	gpointer profile;

	load_all(paths, by_id, NULL);
	g_hash_table_iter_init(&iter, by_id);
	while (g_hash_table_iter_next(&iter, NULL, &profile)) {
		g_hash_table_iter_steal(&iter);
		g_ptr_array_add(profiles, profile);
	}
	g_ptr_array_sort(profiles, compare_ids);
	return profiles;
}

GPtrArray *mtw_profile_problems(const MtwPaths *paths)
{
	GPtrArray *problems = mtw_messages_new();

	load_all(paths, NULL, problems);
	return problems;
}

/* A name as it is in the list, not a path. */
static gboolean is_id(const char *id)
{
	return id[0] != '\0' && id[0] != '.' && strchr(id, '/') == NULL;
}

static void set_not_found(const MtwPaths *paths, const char *id, GError **error)
{
	g_autoptr(GPtrArray) profiles = mtw_profile_list(paths);
	g_autoptr(GString) known = g_string_new(NULL);

	for (guint i = 0; i < profiles->len; i++) {
		const MtwProfile *profile = profiles->pdata[i];
		g_string_append_printf(known, "%s%s", i > 0 ? ", " : "", profile->id);
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
		    "there is no profile \"%s\"; those that there are: %s", id,
		    known->len > 0 ? known->str : "none");
}

MtwProfile *mtw_profile_find(const MtwPaths *paths, const char *id, GError **error)
{
	g_autofree char *name = g_strconcat(id, SUFFIX, NULL);
	g_auto(Folders) folders = { { NULL } };

	find_folders(paths, &folders);
	for (int i = N_FOLDERS - 1; i >= 0 && is_id(id); i--) {
		g_autofree char *path = folders.folders[i] != NULL
						? g_build_filename(folders.folders[i], name, NULL)
						: NULL;
		MtwProfile *profile;
		if (path == NULL || access(path, F_OK) != 0)
			continue;
		profile = mtw_profile_load(path, error);
		if (profile != NULL)
			profile->origin = (MtwProfileOrigin)i;
		return profile;
	}
	set_not_found(paths, id, error);
	return NULL;
}

MtwProfile *mtw_profile_for(const MtwPaths *paths, const MtwPciDevice *device)
{
	g_autoptr(GPtrArray) profiles = mtw_profile_list(paths);
	guint best = 0, best_index = profiles->len;

	for (guint i = 0; i < profiles->len; i++) {
		const MtwProfile *profile = profiles->pdata[i];
		guint fits = mtw_profile_matches(profile, device) * N_FOLDERS;
		if (fits > 0)
			fits += profile->origin;
		if (fits > best ||
		    (best_index == profiles->len && g_str_equal(profile->id, FALLBACK))) {
			best = fits;
			best_index = i;
		}
	}
	if (best_index == profiles->len)
		return NULL;
	return g_ptr_array_steal_index(profiles, best_index);
}
