/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/vtconsole.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "machine/sysfs.h"

#include <fcntl.h>
#include <string.h>

static char *console_folder(const MtwPaths *paths, const char *name)
{
	return mtw_paths_build(paths, MTW_PATH_SYSFS, "class", "vtconsole", name, NULL);
}

GPtrArray *mtw_vtconsole_framebuffers(const MtwPaths *paths)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *folder = console_folder(paths, NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *console = g_build_filename(folder, names->pdata[i], NULL);
		g_autofree char *kind = mtw_sysfs_attribute(console, "name");
		if (kind != NULL && strstr(kind, "frame buffer") != NULL &&
		    g_str_equal(mtw_vtconsole_state(paths, names->pdata[i]), "1"))
			g_ptr_array_add(found, g_strdup(names->pdata[i]));
	}
	return found;
}

const char *mtw_vtconsole_state(const MtwPaths *paths, const char *name)
{
	g_autofree char *folder = console_folder(paths, name);
	g_autofree char *bound = mtw_sysfs_attribute(folder, "bind");

	if (bound == NULL)
		return "";
	return g_str_equal(bound, "1") ? "1" : "0";
}

gboolean mtw_vtconsole_set(const MtwPaths *paths, const char *name, const char *state,
			   GError **error)
{
	g_autofree char *folder = console_folder(paths, name);
	g_autofree char *path = g_build_filename(folder, "bind", NULL);

	if (mtw_sysfs_is_name(name))
		return mtw_file_write_kernel(path, state, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "\"%s\" is no text console", name);
	return FALSE;
}

void mtw_vtconsole_say(const MtwPaths *paths, const char *text)
{
	/* The console that is in the foreground, whichever that is. */
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_DEV, "tty0", NULL);
	g_autofree char *lines = g_strconcat("\r\n", text, "\r\n", NULL);
	g_auto(MtwFd) fd = -1;

	if (mtw_paths_live(paths))
		fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		(void)!write(fd, lines, strlen(lines));
}
