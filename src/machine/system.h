/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What machine and system this is. */
#pragma once

#include "base/paths.h"

/* mtw_system_release: uname -r; on a fake root from /proc/sys/kernel. Returns: (transfer full) */
char *mtw_system_release(const MtwPaths *paths);

/*
 * mtw_system_machine: uname -m; on a fake root /proc/sys/kernel/arch, else x86_64.
 * Returns: (transfer full)
 */
char *mtw_system_machine(const MtwPaths *paths);

/* mtw_system_uname: like `uname -a`. Returns: (transfer full) */
char *mtw_system_uname(const MtwPaths *paths);

/* mtw_system_os_name: PRETTY_NAME of os-release, or "unknown". Returns: (transfer full) */
char *mtw_system_os_name(const MtwPaths *paths);

/* mtw_system_cmdline: the kernel command line. Returns: (transfer full): "" if unreadable */
char *mtw_system_cmdline(const MtwPaths *paths);

/*
 * mtw_cmdline_value: the value of a parameter ("mmiotrace.trace_pc" finds "mmiotrace.trace_pc=1";
 * "-" and "_" are the same; quoted values). The last one wins, as in the kernel.
 * Returns: (transfer full) (nullable): "" for a parameter without a value, NULL if absent
 */
char *mtw_cmdline_value(const char *cmdline, const char *parameter);

/* mtw_system_memory_available: MemAvailable in bytes, 0 if unknown. */
guint64 mtw_system_memory_available(const MtwPaths *paths);

/* mtw_system_boot_id: to tell one boot from the next. Returns: (transfer full): "" if unknown */
char *mtw_system_boot_id(const MtwPaths *paths);

/*
 * mtw_space_free: bytes that a new file below @path could take (for the effective user); the
 * nearest existing parent counts. Returns: FALSE with an error when it cannot be told
 */
gboolean mtw_space_free(const char *path, guint64 *ret_bytes, GError **error);

typedef enum {
	MTW_PRIVILEGE_NONE,    /* not root */
	MTW_PRIVILEGE_LIMITED, /* root that may not mount or load modules, as in a container */
	MTW_PRIVILEGE_FULL,
} MtwPrivilege;

/* mtw_system_privilege: of this process, from /proc/self/status; if unreadable, by its user id. */
MtwPrivilege mtw_system_privilege(const MtwPaths *paths);
