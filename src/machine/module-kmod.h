/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libkmod as the files of module.h use it. Only for src/machine/module*.c. */
#pragma once

#include "base/paths.h"

#include <libkmod.h>

/* A libkmod context is not thread-safe, so every call makes its own. */
typedef struct kmod_ctx MtwKmod;

static inline void mtw_kmod_clear(MtwKmod **kmod)
{
	if (*kmod != NULL)
		kmod_unref(*kmod);
}

typedef struct kmod_list MtwKmodModules;

static inline void mtw_kmod_modules_clear(MtwKmodModules **list)
{
	if (*list != NULL)
		kmod_module_unref_list(*list);
}

#define MTW_AUTO_KMOD __attribute__((cleanup(mtw_kmod_clear))) MtwKmod *
#define MTW_AUTO_KMOD_MODULES __attribute__((cleanup(mtw_kmod_modules_clear))) MtwKmodModules *

/*
 * mtw_kmod_new: for the modules and the modprobe.d folders of @paths. (libkmod itself reads the
 * real /sys and /proc; what it finds there is not used on a fake root.)
 * Returns: (transfer full) (nullable)
 */
MtwKmod *mtw_kmod_new(const MtwPaths *paths);

/* mtw_kmod_is_builtin: @name is in modules.builtin. */
gboolean mtw_kmod_is_builtin(const MtwPaths *paths, const char *name);

/*
 * mtw_kmod_lookup: the modules that @alias (or a name) stands for.
 * Returns: (transfer full) (nullable): NULL when there are none
 */
MtwKmodModules *mtw_kmod_lookup(MtwKmod *kmod, const char *alias);
