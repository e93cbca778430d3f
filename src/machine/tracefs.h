/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's tracefs: where it is, and its top-level files. Nothing here decides anything.
 */
#pragma once

#include "base/paths.h"

typedef struct _MtwTracefs MtwTracefs;

/*
 * mtw_tracefs_find: the mounted tracefs: /sys/kernel/tracing, else the one below debugfs, else
 * wherever mountinfo says. The empty folder /sys/kernel/tracing is not a mounted tracefs (statfs
 * tells on the real machine; on a fake root a folder with `current_tracer` counts).
 * Returns: (transfer full) (nullable): NULL with MTW_ERROR_NOT_FOUND when it is not mounted, and
 * with MTW_ERROR_PERMISSION when it cannot be looked into
 */
MtwTracefs *mtw_tracefs_find(const MtwPaths *paths, GError **error);
void mtw_tracefs_free(MtwTracefs *tracefs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwTracefs, mtw_tracefs_free)

/* mtw_tracefs_folder: where it is mounted. Returns: (transfer none) */
const char *mtw_tracefs_folder(const MtwTracefs *tracefs);

/* mtw_tracefs_mountable: the kernel knows the file system and has a folder for it. */
gboolean mtw_tracefs_mountable(const MtwPaths *paths);

/* mtw_tracefs_mount / _unmount: at MTW_PATH_TRACEFS; only on the real machine. */
gboolean mtw_tracefs_mount(const MtwPaths *paths, GError **error);
gboolean mtw_tracefs_unmount(const MtwPaths *paths, GError **error);

/* mtw_tracefs_path: a file below it. Returns: (transfer full) */
char *mtw_tracefs_path(const MtwTracefs *tracefs, const char *file);

/* mtw_tracefs_read: content without the final newline. Returns: (transfer full) (nullable) */
char *mtw_tracefs_read(const MtwTracefs *tracefs, const char *file, GError **error);

/* mtw_tracefs_write: one write(2). */
gboolean mtw_tracefs_write(const MtwTracefs *tracefs, const char *file, const char *text,
			   GError **error);

/* mtw_tracefs_has_tracer: @name is a word of available_tracers. */
gboolean mtw_tracefs_has_tracer(const MtwTracefs *tracefs, const char *name);

/* mtw_tracefs_clock: the chosen trace_clock. Returns: (transfer full) (nullable) */
char *mtw_tracefs_clock(const MtwTracefs *tracefs, GError **error);

/* mtw_tracefs_buffer_kb: per_cpu/cpuN/buffer_size_kb, its first number. */
gboolean mtw_tracefs_buffer_kb(const MtwTracefs *tracefs, guint cpu, guint64 *ret_kb,
			       GError **error);

/*
 * mtw_tracefs_cpus: the N of the per_cpu/cpuN folders, sorted.
 * Returns: (transfer full) (element-type guint)
 */
GArray *mtw_tracefs_cpus(const MtwTracefs *tracefs);

/*
 * mtw_tracefs_pipe_busy: whether somebody reads the trace: opens and closes trace_pipe.
 * Returns: TRUE when the open said EBUSY; FALSE when free or on a fake root without the file
 */
gboolean mtw_tracefs_pipe_busy(const MtwTracefs *tracefs);
