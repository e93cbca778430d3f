/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/profile.h"

#include "base/error.h"
#include "base/file.h"
#include "wizard/scenario.h"

#include <string.h>

#define SUFFIX ".conf"
#define FALLBACK "generic"

void mtw_profile_free(MtwProfile *profile)
{
	if (profile == NULL)
		return;
	g_free(profile->id);
	g_free(profile->title);
	g_free(profile->contact);
	g_strfreev(profile->vendors);
	g_strfreev(profile->classes);
	g_strfreev(profile->drivers);
	g_clear_pointer(&profile->scenario, g_ptr_array_unref);
	g_free(profile);
}

static char *id_of(const char *path)
{
	char *name = g_path_get_basename(path);

	if (g_str_has_suffix(name, SUFFIX))
		name[strlen(name) - strlen(SUFFIX)] = '\0';
	return name;
}

static gboolean read_profile(MtwProfile *profile, GKeyFile *keyfile, const char *path, GError **error)
{
	profile->title = g_key_file_get_locale_string(keyfile, "Profile", "Title", NULL, NULL);
	profile->contact = g_key_file_get_string(keyfile, "Profile", "Contact", NULL);
	profile->vendors = g_key_file_get_string_list(keyfile, "Match", "Vendor", NULL, NULL);
	profile->classes = g_key_file_get_string_list(keyfile, "Match", "Class", NULL, NULL);
	profile->drivers = g_key_file_get_string_list(keyfile, "Match", "Driver", NULL, NULL);
	profile->scenario = mtw_scenario_from_keyfile(keyfile, path, error);
	if (profile->contact == NULL)
		profile->contact = g_strdup("");
	if (profile->scenario == NULL)
		return FALSE;
	if (profile->title != NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: [Profile]: Title is missing", path);
	return FALSE;
}

MtwProfile *mtw_profile_load(const char *path, GError **error)
{
	g_autoptr(MtwProfile) profile = g_new0(MtwProfile, 1);
	g_autoptr(GKeyFile) keyfile = g_key_file_new();
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, error);
	g_autoptr(GError) why = NULL;

	if (text == NULL)
		return NULL;
	profile->id = id_of(path);
	if (!g_key_file_load_from_data(keyfile, text, (gsize)-1, G_KEY_FILE_NONE, &why)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", path, why->message);
		return NULL;
	}
	return read_profile(profile, keyfile, path, error) ? g_steal_pointer(&profile) : NULL;
}

static void load_folder(GHashTable *by_id, const char *folder)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		MtwProfile *profile;
		if (!g_str_has_suffix(path, SUFFIX))
			continue;
		profile = mtw_profile_load(path, NULL);
		if (profile != NULL)
			g_hash_table_replace(by_id, profile->id, profile);
	}
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
	g_autofree char *shipped = mtw_paths_build(paths, MTW_PATH_DATA, "profiles", NULL);
	g_autofree char *local =
		mtw_paths_build(paths, MTW_PATH_ETC, "mmiotrace-wizard", "profiles", NULL);
	GHashTableIter iter;
	gpointer profile;

	load_folder(by_id, shipped);
	load_folder(by_id, local);
	g_hash_table_iter_init(&iter, by_id);
	while (g_hash_table_iter_next(&iter, NULL, &profile)) {
		g_hash_table_iter_steal(&iter);
		g_ptr_array_add(profiles, profile);
	}
	g_ptr_array_sort(profiles, compare_ids);
	return profiles;
}

static gboolean starts_with_one_of(char **list, const char *text)
{
	for (char **item = list; *item != NULL; item++)
		if (g_ascii_strncasecmp(text, *item, strlen(*item)) == 0)
			return TRUE;
	return FALSE;
}

guint mtw_profile_matches(const MtwProfile *profile, const MtwPciDevice *device)
{
	g_autofree char *vendor = g_strdup_printf("%04x", device->vendor);
	g_autofree char *class = g_strdup_printf("%06x", device->class_code);
	guint fits = 0;

	if (profile->vendors != NULL) {
		if (!starts_with_one_of(profile->vendors, vendor))
			return 0;
		fits++;
	}
	if (profile->classes != NULL) {
		if (!starts_with_one_of(profile->classes, class))
			return 0;
		fits++;
	}
	if (profile->drivers != NULL) {
		if (device->driver == NULL ||
		    !g_strv_contains((const char *const *)profile->drivers, device->driver))
			return 0;
		fits++;
	}
	return fits;
}

MtwProfile *mtw_profile_for(const MtwPaths *paths, const MtwPciDevice *device)
{
	g_autoptr(GPtrArray) profiles = mtw_profile_list(paths);
	guint best = 0, best_index = profiles->len;

	for (guint i = 0; i < profiles->len; i++) {
		const MtwProfile *profile = profiles->pdata[i];
		guint fits = mtw_profile_matches(profile, device);
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
