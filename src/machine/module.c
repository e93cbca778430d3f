/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /sys/module and /proc/modules tell: the part of module.h that needs no libkmod. */
#include "machine/module.h"

#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"
#include "machine/module-kmod.h"
#include "machine/sysfs.h"

#include <string.h>

#define PROC_MODULES_MAX_BYTES (4 * 1024 * 1024)

void mtw_module_free(MtwModule *module)
{
	if (module == NULL)
		return;
	g_free(module->name);
	g_ptr_array_unref(module->holders);
	g_ptr_array_unref(module->drivers);
	g_free(module);
}

gboolean mtw_module_same_name(const char *a, const char *b)
{
	g_autofree char *first = g_strdelimit(g_strdup(a), "-", '_');
	g_autofree char *second = g_strdelimit(g_strdup(b), "-", '_');

	return strcmp(first, second) == 0;
}

/* /sys/module/NAME, or NULL when the name is none. */
static char *module_folder(const MtwPaths *paths, const char *name)
{
	g_autofree char *normal = g_strdelimit(g_strdup(name), "-", '_');

	if (!mtw_sysfs_is_name(normal))
		return NULL;
	return mtw_paths_build(paths, MTW_PATH_SYSFS, "module", normal, NULL);
}

static gboolean is_live(const char *folder)
{
	g_autofree char *state = mtw_sysfs_attribute(folder, "initstate");

	return g_strcmp0(state, "live") == 0;
}

gboolean mtw_module_is_loaded(const MtwPaths *paths, const char *name)
{
	g_autofree char *folder = module_folder(paths, name);

	return folder != NULL && is_live(folder);
}

/* "nvidia_drm 77824 4 - Live 0x0": the fourth word lists holders and "[permanent]". */
static gboolean is_permanent(const MtwPaths *paths, const char *name)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, "modules", NULL);
	g_autofree char *text = mtw_file_read(path, PROC_MODULES_MAX_BYTES, NULL, NULL);
	g_auto(GStrv) lines = text != NULL ? g_strsplit(text, "\n", -1) : NULL;

	for (char **line = lines; line != NULL && *line != NULL; line++) {
		g_auto(GStrv) words = g_strsplit(*line, " ", 5);
		if (g_strv_length(words) >= 4 && strcmp(words[0], name) == 0)
			return strstr(words[3], "[permanent]") != NULL;
	}
	return FALSE;
}

static int reference_count(const char *folder)
{
	g_autofree char *text = mtw_sysfs_attribute(folder, "refcnt");
	guint count;

	return text != NULL && mtw_parse_uint(text, 0, G_MAXINT, &count) ? (int)count : -1;
}

/* The names in drivers/ that begin with @prefix, without it. */
static GPtrArray *drivers_of(const char *folder, const char *prefix)
{
	GPtrArray *drivers = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *path = g_build_filename(folder, "drivers", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(path);

	for (guint i = 0; i < names->len; i++)
		if (g_str_has_prefix(names->pdata[i], prefix))
			g_ptr_array_add(drivers,
					g_strdup((const char *)names->pdata[i] + strlen(prefix)));
	return drivers;
}

MtwModule *mtw_module_get(const MtwPaths *paths, const char *name)
{
	MtwModule *module = g_new0(MtwModule, 1);
	g_autofree char *folder = module_folder(paths, name);
	g_autofree char *holders =
		folder != NULL ? g_build_filename(folder, "holders", NULL) : NULL;

	module->name = g_strdelimit(g_strdup(name), "-", '_');
	module->reference_count = -1;
	if (folder == NULL) {
		module->holders = g_ptr_array_new_with_free_func(g_free);
		module->drivers = g_ptr_array_new_with_free_func(g_free);
		return module;
	}
	module->loaded = is_live(folder);
	module->builtin = !module->loaded && mtw_kmod_is_builtin(paths, module->name);
	module->permanent = is_permanent(paths, module->name);
	module->reference_count = reference_count(folder);
	module->holders = mtw_folder_list(holders);
	module->drivers = drivers_of(folder, "pci:");
	return module;
}

/* Adds what is bound to the driver at @folder: its links, except the one to its module. */
static void add_driver_devices(const char *folder, GPtrArray *devices)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		char *real;
		if (strcmp(names->pdata[i], "module") == 0 ||
		    !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
			continue;
		real = mtw_sysfs_resolve(path);
		if (real != NULL)
			g_ptr_array_add(devices, real);
	}
}

GPtrArray *mtw_module_devices(const MtwPaths *paths, const char *name)
{
	GPtrArray *devices = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *folder = module_folder(paths, name);
	g_autoptr(GPtrArray) drivers = NULL;

	if (folder == NULL)
		return devices;
	drivers = drivers_of(folder, "");
	for (guint i = 0; i < drivers->len; i++) {
		g_autofree char *driver =
			g_build_filename(folder, "drivers", drivers->pdata[i], NULL);
		add_driver_devices(driver, devices);
	}
	return devices;
}

/* Depth first: what holds @name, then @name. Already listed ones end a circle. */
static void add_chain(const MtwPaths *paths, const char *name, GHashTable *seen, GPtrArray *chain)
{
	g_autoptr(MtwModule) module = mtw_module_get(paths, name);

	if (!g_hash_table_add(seen, g_strdup(module->name)))
		return;
	for (guint i = 0; i < module->holders->len; i++)
		add_chain(paths, module->holders->pdata[i], seen, chain);
	g_ptr_array_add(chain, g_strdup(module->name));
}

static gboolean is_removable(const MtwModule *module, GError **error)
{
	if (module->permanent)
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY,
			    "the module %s is permanent: the kernel cannot unload it",
			    module->name);
	return !module->permanent;
}

static gboolean can_unload(const MtwPaths *paths, const char *name, GError **error)
{
	g_autoptr(MtwModule) module = mtw_module_get(paths, name);
	int others = module->reference_count - (int)module->holders->len;

	if (!is_removable(module, error))
		return FALSE;
	if (module->reference_count < 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY,
			    "the kernel does not tell how often the module %s is in use", name);
		return FALSE;
	}
	if (others > 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY,
			    "the module %s is in use (%d times, not counting other modules)", name,
			    others);
		return FALSE;
	}
	return TRUE;
}

static GPtrArray *collect_chain(const MtwPaths *paths, const char *name)
{
	GPtrArray *chain = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	if (mtw_module_is_loaded(paths, name))
		add_chain(paths, name, seen, chain);
	return chain;
}

GPtrArray *mtw_module_chain_once_free(const MtwPaths *paths, const char *name, GError **error)
{
	g_autoptr(GPtrArray) chain = collect_chain(paths, name);

	for (guint i = 0; i < chain->len; i++) {
		g_autoptr(MtwModule) module = mtw_module_get(paths, chain->pdata[i]);
		if (!is_removable(module, error))
			return NULL;
	}
	return g_steal_pointer(&chain);
}

GPtrArray *mtw_module_chain(const MtwPaths *paths, const char *name, GError **error)
{
	g_autoptr(GPtrArray) chain = collect_chain(paths, name);

	for (guint i = 0; i < chain->len; i++)
		if (!can_unload(paths, chain->pdata[i], error))
			return NULL;
	return g_steal_pointer(&chain);
}

GPtrArray *mtw_module_loaded_names(const MtwPaths *paths)
{
	GPtrArray *loaded = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *folder = mtw_paths_build(paths, MTW_PATH_SYSFS, "module", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++)
		if (mtw_module_is_loaded(paths, names->pdata[i]))
			g_ptr_array_add(loaded, g_strdup(names->pdata[i]));
	return loaded;
}
