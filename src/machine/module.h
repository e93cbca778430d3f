/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel modules. State from /sys/module; aliases, dependencies, loading and unloading by libkmod.
 * Names are with underscores, as in /sys/module.
 */
#pragma once

#include "base/paths.h"

typedef struct {
	char *name;
	gboolean loaded;     /* in /sys/module with an initstate of live */
	gboolean builtin;    /* in modules.builtin */
	gboolean permanent;  /* no exit function: "[permanent]" in /proc/modules */
	int reference_count; /* -1: unknown; counts holders and other users */
	GPtrArray *holders;  /* (element-type utf8) modules that use it */
	GPtrArray *drivers;  /* (element-type utf8) PCI drivers it registered */
} MtwModule;

void mtw_module_free(MtwModule *module);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwModule, mtw_module_free)

/*
 * mtw_module_get: never fails: a module nobody knows is not loaded and not built in.
 * Returns: (transfer full)
 */
MtwModule *mtw_module_get(const MtwPaths *paths, const char *name);

/* mtw_module_is_loaded: live now. */
gboolean mtw_module_is_loaded(const MtwPaths *paths, const char *name);

/* mtw_module_same_name: "snd-hda-intel" and "snd_hda_intel" are the same module. */
gboolean mtw_module_same_name(const char *a, const char *b);

/*
 * mtw_module_devices: where the devices are (resolved paths) that are bound to a driver of this
 * loaded module, on whatever bus. Returns: (transfer full) (element-type utf8)
 */
GPtrArray *mtw_module_devices(const MtwPaths *paths, const char *name);

/*
 * mtw_module_candidates: the modules whose alias fits @modalias, without those that modprobe.d
 * blacklists; a built-in one when no other is there. Returns: (transfer full) (element-type utf8):
 * may be empty
 */
GPtrArray *mtw_module_candidates(const MtwPaths *paths, const char *modalias);

/* mtw_module_matches: as mtw_module_candidates, with the blacklisted ones. */
GPtrArray *mtw_module_matches(const MtwPaths *paths, const char *modalias);

/* mtw_module_exists: an installed module of this name (or alias). */
gboolean mtw_module_exists(const MtwPaths *paths, const char *name);

/* mtw_module_is_signed: the installed file carries a signature, which lockdown wants to see. */
gboolean mtw_module_is_signed(const MtwPaths *paths, const char *name);

/*
 * mtw_module_would_bind: whether one of the aliases of module @name fits @modalias. An `install`
 * line of modprobe.d that only passes @name on to another module is followed.
 */
gboolean mtw_module_would_bind(const MtwPaths *paths, const char *name, const char *modalias);

/*
 * mtw_module_chain: the order to unload @name: everything that depends on it first, itself last.
 * Errors: MTW_ERROR_BUSY when one of them is permanent or has users other than modules of the chain
 * (the message names it). Returns: (transfer full) (nullable) (element-type utf8)
 */
GPtrArray *mtw_module_chain(const MtwPaths *paths, const char *name, GError **error);

/*
 * mtw_module_chain_once_free: the same when its users are going to be ended first.
 * Errors: MTW_ERROR_BUSY when one of them is permanent
 */
GPtrArray *mtw_module_chain_once_free(const MtwPaths *paths, const char *name, GError **error);

/*
 * mtw_module_loaded_names: the names of all loaded modules, sorted: compared before and after a
 * load to know what it brought. Returns: (transfer full) (element-type utf8)
 */
GPtrArray *mtw_module_loaded_names(const MtwPaths *paths);

/*
 * mtw_module_load: loads @name and what it needs with the options of modprobe.d and, after them,
 * @options (nullable). Blocks until the driver's probe is done. A module that is loaded already is
 * fine. No shell is run: `install` lines of modprobe.d are followed when they only call modprobe
 * (machine/module-install.h), otherwise they are an error that shows the line.
 * Errors say what errno means for a person (signature, lockdown, unknown symbol, no device).
 */
gboolean mtw_module_load(const MtwPaths *paths, const char *name, const char *options,
			 GError **error);

/* mtw_module_unload: never by force; MTW_ERROR_BUSY when in use. Not loaded is fine. */
gboolean mtw_module_unload(const MtwPaths *paths, const char *name, GError **error);

/*
 * mtw_module_facts: "key: value" lines for a report: version, srcversion, licence, filename,
 * firmware names, parameters of /sys/module (values that cannot be read are left out).
 * Returns: (transfer full)
 */
char *mtw_module_facts(const MtwPaths *paths, const char *name);
