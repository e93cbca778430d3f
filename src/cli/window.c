/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Started without a terminal on a desktop, from a menu or a file manager: the window instead of a walk that nobody would see. */
#include "cli/cli.h"
#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <unistd.h>

#define PROGRAM "mmiotrace-wizard-gtk"

static gboolean is_set(const char *variable)
{
	const char *value = secure_getenv(variable);

	return value != NULL && value[0] != '\0';
}

static gboolean has_terminal(void)
{
	return isatty(STDIN_FILENO) || isatty(STDOUT_FILENO) || isatty(STDERR_FILENO);
}

gboolean mtw_cli_wants_window(int argc)
{
	return argc == 1 && geteuid() != 0 && !has_terminal() &&
	       (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"));
}

static void become(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, PROGRAM, NULL);

	execl(path, PROGRAM, NULL);
}

void mtw_cli_become_window(void)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new(NULL);
	g_autofree char *link = mtw_paths_build(paths, MTW_PATH_PROCFS, "self", "exe", NULL);
	g_autofree char *self = g_file_read_link(link, NULL);
	g_autofree char *folder = self != NULL ? g_path_get_dirname(self) : NULL;

	if (folder != NULL)
		become(folder);
	become(MTW_BIN_DIR);
}

void mtw_cli_tell_no_window(void)
{
	fputs(_("mmiotrace-wizard: there is also a window, which is not installed: "
		"mmiotrace-wizard-gtk\n"),
	      stderr);
}
