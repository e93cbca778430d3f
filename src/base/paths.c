/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/paths.h"

#include "config.h"

#include <stdlib.h>
#include <unistd.h>

struct _MtwPaths {
	gboolean live;
	char *folders[MTW_N_PATHS];
};

static const char *const default_folders[MTW_N_PATHS] = {
	[MTW_PATH_ROOT] = "/",
	[MTW_PATH_SYSFS] = "/sys",
	[MTW_PATH_PROCFS] = "/proc",
	[MTW_PATH_DEV] = "/dev",
	[MTW_PATH_BOOT] = "/boot",
	[MTW_PATH_MODULES] = "/lib/modules",
	[MTW_PATH_TRACEFS] = "/sys/kernel/tracing",
	[MTW_PATH_DEBUGFS] = "/sys/kernel/debug",
	[MTW_PATH_SECURITY] = "/sys/kernel/security",
	[MTW_PATH_ETC] = "/etc",
	[MTW_PATH_STATE] = MTW_STATE_DIR,
	[MTW_PATH_RUN] = "/run/mmiotrace-wizard",
	[MTW_PATH_DATA] = MTW_DATA_DIR,
};

MtwPaths *mtw_paths_new(const char *root)
{
	MtwPaths *paths = g_new0(MtwPaths, 1);

	paths->live = root == NULL;
	for (int kind = 0; kind < MTW_N_PATHS; kind++)
		paths->folders[kind] =
			root == NULL ? g_strdup(default_folders[kind])
				     : g_build_filename(root, default_folders[kind], NULL);
	return paths;
}

MtwPaths *mtw_paths_new_from_environment(void)
{
	MtwPaths *paths = mtw_paths_new(secure_getenv("MTW_ROOT"));
	const char *state = secure_getenv("MTW_STATE_DIR");
	const char *data = secure_getenv("MTW_DATA_DIR");

	if (state != NULL)
		mtw_paths_set(paths, MTW_PATH_STATE, state);
	if (data != NULL)
		mtw_paths_set(paths, MTW_PATH_DATA, data);
	return paths;
}

void mtw_paths_free(MtwPaths *paths)
{
	if (paths == NULL)
		return;
	for (int kind = 0; kind < MTW_N_PATHS; kind++)
		g_free(paths->folders[kind]);
	g_free(paths);
}

gboolean mtw_paths_live(const MtwPaths *paths)
{
	return paths->live;
}

void mtw_paths_set(MtwPaths *paths, MtwPathKind kind, const char *path)
{
	g_free(paths->folders[kind]);
	paths->folders[kind] = g_strdup(path);
}

const char *mtw_paths_get(const MtwPaths *paths, MtwPathKind kind)
{
	return paths->folders[kind];
}

char *mtw_paths_build(const MtwPaths *paths, MtwPathKind kind, const char *first, ...)
{
	g_autoptr(GPtrArray) parts = g_ptr_array_new();
	va_list args;

	g_ptr_array_add(parts, paths->folders[kind]);
	va_start(args, first);
	for (const char *part = first; part != NULL; part = va_arg(args, const char *))
		g_ptr_array_add(parts, (char *)part);
	va_end(args);
	g_ptr_array_add(parts, NULL);
	return g_build_filenamev((char **)parts->pdata);
}

char *mtw_paths_tool(const MtwPaths *paths, const char *name)
{
	static const char *const folders[] = { "usr/bin", "bin", "usr/sbin", "sbin" };

	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *path =
			mtw_paths_build(paths, MTW_PATH_ROOT, folders[i], name, NULL);
		if (access(path, X_OK) == 0)
			return g_steal_pointer(&path);
	}
	return NULL;
}
