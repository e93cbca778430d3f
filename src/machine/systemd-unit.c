/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files tell of systemd's units, without asking it. */
#include "base/file.h"
#include "machine/systemd.h"

#include <string.h>

/* systemd.unit(5) */
static const char *const unit_folders[] = { "etc/systemd/system", "run/systemd/system",
					    "usr/local/lib/systemd/system",
					    "usr/lib/systemd/system", "lib/systemd/system" };

char *mtw_systemd_control_group(const MtwPaths *paths, guint pid)
{
	g_autofree char *number = g_strdup_printf("%u", pid);
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, number, "cgroup", NULL);
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	g_auto(GStrv) lines = text != NULL ? g_strsplit(text, "\n", -1) : NULL;

	for (char **line = lines; line != NULL && *line != NULL; line++) {
		/* "0::PATH", with the old hierarchies "1:name=systemd:PATH" */
		if (g_str_has_prefix(*line, "0::/"))
			return g_strdup(*line + strlen("0::"));
		if (strstr(*line, ":name=systemd:/") != NULL)
			return g_strdup(strstr(*line, ":/") + 1);
	}
	return NULL;
}

gboolean mtw_systemd_is_in_session(const MtwPaths *paths, guint pid)
{
	g_autofree char *group = mtw_systemd_control_group(paths, pid);

	return group != NULL && g_str_has_prefix(group, "/user.slice/");
}

char *mtw_systemd_unit_of(const MtwPaths *paths, guint pid)
{
	g_autofree char *group = mtw_systemd_control_group(paths, pid);
	g_auto(GStrv) parts = NULL;

	if (group == NULL || !g_str_has_prefix(group, "/system.slice/"))
		return NULL;
	/* A service may have groups of its own below its unit's. */
	parts = g_strsplit(group, "/", -1);
	for (char **part = parts; *part != NULL; part++)
		if (g_str_has_suffix(*part, ".service"))
			return g_strdup(*part);
	return NULL;
}

char *mtw_systemd_display_manager(const MtwPaths *paths)
{
	static const char alias[] = "display-manager.service";
	g_autofree char *path =
		mtw_paths_build(paths, MTW_PATH_ETC, "systemd", "system", alias, NULL);
	char *target = mtw_link_name(path);

	/* An administrator's own unit has the name itself; "/dev/null" masks it. */
	if (target == NULL && g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return g_strdup(alias);
	if (target != NULL && !g_str_has_suffix(target, ".service"))
		g_clear_pointer(&target, g_free);
	return target;
}

static gboolean is_masked(const MtwPaths *paths, const char *unit)
{
	g_autofree char *path =
		mtw_paths_build(paths, MTW_PATH_ETC, "systemd", "system", unit, NULL);
	g_autofree char *target = mtw_link_name(path);

	return g_strcmp0(target, "null") == 0;
}

static gboolean is_in(const MtwPaths *paths, const char *folder, const char *first,
		      const char *second)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_ROOT, folder, first, second, NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* A link of the target to a unit that was removed starts nothing. */
gboolean mtw_systemd_starts(const MtwPaths *paths, const char *unit, const char *target)
{
	g_autofree char *wants = g_strconcat(target, ".wants", NULL);
	gboolean installed = FALSE;
	gboolean wanted = FALSE;

	for (gsize i = 0; i < G_N_ELEMENTS(unit_folders); i++) {
		installed |= is_in(paths, unit_folders[i], unit, NULL);
		wanted |= is_in(paths, unit_folders[i], wants, unit);
	}
	/* sd_booted(3) */
	return installed && wanted && !is_masked(paths, unit) &&
	       is_in(paths, "run/systemd/system", NULL, NULL);
}
