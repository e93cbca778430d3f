/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/cpu.h"

#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"

#include <unistd.h>

static char *cpu_path(const MtwPaths *paths, const char *file)
{
	return mtw_paths_build(paths, MTW_PATH_SYSFS, "devices", "system", "cpu", file, NULL);
}

static char *online_path(const MtwPaths *paths, guint cpu)
{
	g_autofree char *file = g_strdup_printf("cpu%u/online", cpu);

	return cpu_path(paths, file);
}

char *mtw_cpu_online_text(const MtwPaths *paths, GError **error)
{
	g_autofree char *path = cpu_path(paths, "online");

	return mtw_file_read_line(path, error);
}

GArray *mtw_cpu_list(const MtwPaths *paths, const char *which, GError **error)
{
	g_autofree char *path = cpu_path(paths, which);
	g_autofree char *text = mtw_file_read_line(path, error);
	GArray *cpus = text != NULL ? mtw_parse_cpu_list(text) : NULL;

	if (text != NULL && cpus == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: not a list of processors",
			    path);
	return cpus;
}

gboolean mtw_cpu_can_go_offline(const MtwPaths *paths, guint cpu)
{
	g_autofree char *path = online_path(paths, cpu);

	return access(path, F_OK) == 0;
}

gboolean mtw_cpu_set_online(const MtwPaths *paths, guint cpu, gboolean online, GError **error)
{
	g_autofree char *path = online_path(paths, cpu);

	return mtw_file_write_kernel(path, online ? "1" : "0", error);
}
