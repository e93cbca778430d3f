/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libkmod knows of installed modules: the reading half of it. */
#include "machine/module-kmod.h"

#include "base/file.h"
#include "base/text.h"
#include "machine/module-install.h"
#include "machine/module.h"
#include "machine/sysfs.h"
#include "machine/system.h"

#include <string.h>

/* An install line may lead to a module with an install line; real ones do so once or twice. */
#define INSTALL_MAX_DEPTH 8
/* Module parameters can be whole tables; a report needs their beginning. */
#define PARAMETER_MAX_BYTES 4096

/*
 * libkmod prints what it thinks of the files in modprobe.d while its context is made, and only this
 * variable keeps it quiet then. Set before main(), as long as there is only one thread.
 */
__attribute__((constructor)) static void silence_libkmod(void)
{
	g_setenv("KMOD_LOG", "0", FALSE);
}

MtwKmod *mtw_kmod_new(const MtwPaths *paths)
{
	g_autofree char *release = mtw_system_release(paths);
	g_autofree char *modules = mtw_paths_build(paths, MTW_PATH_MODULES, release, NULL);
	g_autofree char *etc = mtw_paths_build(paths, MTW_PATH_ETC, "modprobe.d", NULL);
	g_autofree char *run = mtw_paths_build(paths, MTW_PATH_ROOT, "run/modprobe.d", NULL);
	g_autofree char *local =
		mtw_paths_build(paths, MTW_PATH_ROOT, "usr/local/lib/modprobe.d", NULL);
	g_autofree char *usr = mtw_paths_build(paths, MTW_PATH_ROOT, "usr/lib/modprobe.d", NULL);
	g_autofree char *lib = mtw_paths_build(paths, MTW_PATH_ROOT, "lib/modprobe.d", NULL);
	const char *const configs[] = { etc, run, local, usr, lib, NULL };

	return kmod_new(modules, configs);
}

MtwKmodModules *mtw_kmod_lookup(MtwKmod *kmod, const char *alias)
{
	MtwKmodModules *list = NULL;

	/* libkmod copies the alias to a buffer of PATH_MAX and takes an empty one for a prefix. */
	if (*alias == '\0' || strlen(alias) >= 4096)
		return NULL;
	return kmod_module_new_from_lookup(kmod, alias, &list) == 0 ? list : NULL;
}

gboolean mtw_kmod_is_builtin(const MtwPaths *paths, const char *name)
{
	MTW_AUTO_KMOD kmod = mtw_kmod_new(paths);
	struct kmod_module *module = NULL;
	gboolean builtin;

	if (kmod == NULL || kmod_module_new_from_name(kmod, name, &module) != 0)
		return FALSE;
	/* It looks into modules.builtin before it looks into the real /sys. */
	builtin = kmod_module_get_initstate(module) == KMOD_MODULE_BUILTIN;
	kmod_module_unref(module);
	return builtin;
}

static GPtrArray *names_of(const MtwKmodModules *list)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	const struct kmod_list *item;

	for (item = list; item != NULL; item = kmod_list_next(list, item)) {
		struct kmod_module *module = kmod_module_get_module(item);
		const char *name = kmod_module_get_name(module);
		if (!mtw_sysfs_list_has(names, name))
			g_ptr_array_add(names, g_strdup(name));
		kmod_module_unref(module);
	}
	return names;
}

GPtrArray *mtw_module_matches(const MtwPaths *paths, const char *modalias)
{
	MTW_AUTO_KMOD kmod = mtw_kmod_new(paths);
	MTW_AUTO_KMOD_MODULES list = kmod != NULL ? mtw_kmod_lookup(kmod, modalias) : NULL;

	return names_of(list);
}

GPtrArray *mtw_module_candidates(const MtwPaths *paths, const char *modalias)
{
	MTW_AUTO_KMOD kmod = mtw_kmod_new(paths);
	MTW_AUTO_KMOD_MODULES list = kmod != NULL ? mtw_kmod_lookup(kmod, modalias) : NULL;
	MTW_AUTO_KMOD_MODULES allowed = NULL;

	if (list == NULL ||
	    kmod_module_apply_filter(kmod, KMOD_FILTER_BLACKLIST, list, &allowed) != 0)
		return g_ptr_array_new_with_free_func(g_free);
	return names_of(allowed);
}

gboolean mtw_module_exists(const MtwPaths *paths, const char *name)
{
	MTW_AUTO_KMOD kmod = mtw_kmod_new(paths);
	MTW_AUTO_KMOD_MODULES list = kmod != NULL ? mtw_kmod_lookup(kmod, name) : NULL;

	return list != NULL;
}

static void add_targets(MtwKmod *kmod, const char *name, guint depth, GPtrArray *targets);

/* The modules that an install line passes on to; none when it is not understood. */
static void add_install_targets(MtwKmod *kmod, const char *command, guint depth, GPtrArray *targets)
{
	/* Options do not matter here, and "$" would be refused. */
	g_auto(GStrv) parts = g_strsplit(command, "$CMDLINE_OPTS", -1);
	g_autofree char *plain = g_strjoinv("", parts);
	g_autoptr(GPtrArray) steps = mtw_module_install_parse(plain);

	for (guint i = 0; steps != NULL && i < steps->len; i++) {
		const MtwInstallStep *step = steps->pdata[i];
		if (step->ignore_own)
			g_ptr_array_add(targets, g_strdelimit(g_strdup(step->name), "-", '_'));
		else
			add_targets(kmod, step->name, depth + 1, targets);
	}
}

/* The modules that loading @name would load, dependencies left out. */
static void add_targets(MtwKmod *kmod, const char *name, guint depth, GPtrArray *targets)
{
	MTW_AUTO_KMOD_MODULES list = depth < INSTALL_MAX_DEPTH ? mtw_kmod_lookup(kmod, name) : NULL;
	const struct kmod_list *item;

	for (item = list; item != NULL; item = kmod_list_next(list, item)) {
		struct kmod_module *module = kmod_module_get_module(item);
		const char *command = kmod_module_get_install_commands(module);
		g_ptr_array_add(targets, g_strdup(kmod_module_get_name(module)));
		if (command != NULL)
			add_install_targets(kmod, command, depth, targets);
		kmod_module_unref(module);
	}
}

gboolean mtw_module_would_bind(const MtwPaths *paths, const char *name, const char *modalias)
{
	MTW_AUTO_KMOD kmod = mtw_kmod_new(paths);
	g_autoptr(GPtrArray) matches = mtw_module_matches(paths, modalias);
	g_autoptr(GPtrArray) targets = g_ptr_array_new_with_free_func(g_free);

	if (kmod == NULL)
		return FALSE;
	add_targets(kmod, name, 0, targets);
	for (guint i = 0; i < targets->len; i++)
		if (mtw_sysfs_list_has(matches, targets->pdata[i]))
			return TRUE;
	return FALSE;
}

/* Calls @visit for each "key: value" of the installed file of @name; FALSE when it has none. */
static gboolean for_each_info(const MtwPaths *paths, const char *name,
			      void (*visit)(const char *key, const char *value, void *data),
			      void *data)
{
	MTW_AUTO_KMOD kmod = mtw_kmod_new(paths);
	MTW_AUTO_KMOD_MODULES list = kmod != NULL ? mtw_kmod_lookup(kmod, name) : NULL;
	struct kmod_module *module = list != NULL ? kmod_module_get_module(list) : NULL;
	struct kmod_list *info = NULL, *item;
	gboolean found;

	if (module == NULL)
		return FALSE;
	if (kmod_module_get_path(module) != NULL)
		visit("filename", kmod_module_get_path(module), data);
	found = kmod_module_get_info(module, &info) >= 0;
	for (item = info; item != NULL; item = kmod_list_next(info, item))
		visit(kmod_module_info_get_key(item), kmod_module_info_get_value(item), data);
	kmod_module_info_free_list(info);
	kmod_module_unref(module);
	return found;
}

static void note_signature(const char *key, const char *value, void *data)
{
	(void)value;
	if (strcmp(key, "sig_id") == 0)
		*(gboolean *)data = TRUE;
}

gboolean mtw_module_is_signed(const MtwPaths *paths, const char *name)
{
	gboolean is_signed = FALSE;

	for_each_info(paths, name, note_signature, &is_signed);
	return is_signed;
}

static void append_fact(const char *key, const char *value, void *data)
{
	static const char *const wanted[] = {
		"filename", "version", "srcversion", "license",	  "vermagic",
		"firmware", "signer",  "sig_id",     "retpoline",
	};
	g_autofree char *clean = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++) {
		if (strcmp(key, wanted[i]) != 0)
			continue;
		clean = mtw_text_clean_line(value);
		g_string_append_printf(data, "%s: %s\n", key, clean);
		return;
	}
}

static void append_parameters(const MtwPaths *paths, const char *name, GString *facts)
{
	g_autofree char *normal = g_strdelimit(g_strdup(name), "-/", '_');
	g_autofree char *folder =
		mtw_paths_build(paths, MTW_PATH_SYSFS, "module", normal, "parameters", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		g_autofree char *value = mtw_file_read(path, PARAMETER_MAX_BYTES, NULL, NULL);
		g_autofree char *clean =
			value != NULL ? mtw_text_clean_line(g_strchomp(value)) : NULL;
		if (clean != NULL)
			g_string_append_printf(facts, "parameter %s: %s\n",
					       (const char *)names->pdata[i], clean);
	}
}

char *mtw_module_facts(const MtwPaths *paths, const char *name)
{
	GString *facts = g_string_new(NULL);

	for_each_info(paths, name, append_fact, facts);
	append_parameters(paths, name, facts);
	return g_string_free(facts, FALSE);
}
