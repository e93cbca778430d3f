/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the machine's files are. The only place with literal /sys, /proc, /dev, /boot.
 *
 * Every reader of the machine takes an MtwPaths, so that it runs on a fake root (a folder that looks
 * like one) in tests. With a fake root, `live` is FALSE and code that would call the kernel by other
 * means than files (mount, init_module, klogctl) must refuse.
 */
#pragma once

#include <glib.h>

typedef struct _MtwPaths MtwPaths;

typedef enum {
	MTW_PATH_ROOT,	   /* / */
	MTW_PATH_SYSFS,	   /* /sys */
	MTW_PATH_PROCFS,   /* /proc */
	MTW_PATH_DEV,	   /* /dev */
	MTW_PATH_BOOT,	   /* /boot */
	MTW_PATH_MODULES,  /* /lib/modules */
	MTW_PATH_TRACEFS,  /* /sys/kernel/tracing: where tracefs belongs */
	MTW_PATH_DEBUGFS,  /* /sys/kernel/debug */
	MTW_PATH_SECURITY, /* /sys/kernel/security */
	MTW_PATH_ETC,	   /* /etc */
	MTW_PATH_STATE,	   /* /var/lib/mmiotrace-wizard: sessions of root */
	MTW_PATH_RUN,	   /* /run/mmiotrace-wizard: locks */
	MTW_PATH_DATA,	   /* /usr/share/mmiotrace-wizard (meson's datadir) */
	MTW_N_PATHS,
} MtwPathKind;

/*
 * mtw_paths_new: @root: (nullable): a fake root, or NULL for this machine.
 * Returns: (transfer full)
 */
MtwPaths *mtw_paths_new(const char *root);

/*
 * mtw_paths_new_from_environment: honours MTW_ROOT (a fake root), MTW_STATE_DIR and MTW_DATA_DIR, so
 * that tests and an uninstalled build work. Returns: (transfer full)
 */
MtwPaths *mtw_paths_new_from_environment(void);

void mtw_paths_free(MtwPaths *paths);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwPaths, mtw_paths_free)

/* mtw_paths_live: whether this is the real machine (no fake root). */
gboolean mtw_paths_live(const MtwPaths *paths);

/* mtw_paths_set: puts @kind at @path (copied), for tests. */
void mtw_paths_set(MtwPaths *paths, MtwPathKind kind, const char *path);

/* mtw_paths_get: the folder of @kind. Returns: (transfer none) */
const char *mtw_paths_get(const MtwPaths *paths, MtwPathKind kind);

/*
 * mtw_paths_build: @first and the further strings joined below the folder of @kind.
 * The list ends with NULL. Returns: (transfer full)
 */
char *mtw_paths_build(const MtwPaths *paths, MtwPathKind kind, const char *first,
		      ...) G_GNUC_NULL_TERMINATED;

/*
 * mtw_paths_tool: the absolute path of a program in the system's folders (/usr/bin, /bin, /usr/sbin,
 * /sbin, in this order; PATH is never used). Returns: (transfer full) (nullable): NULL if there is none
 */
char *mtw_paths_tool(const MtwPaths *paths, const char *name);
