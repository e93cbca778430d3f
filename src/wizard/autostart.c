/* SPDX-License-Identifier: GPL-2.0-or-later */
/* https://specifications.freedesktop.org/autostart-spec/ */
#include "wizard/autostart.h"

#include "base/error.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW "mmiotrace-wizard-gtk"
#define TERMINAL "mmiotrace-wizard"
#define FILE_NAME "mmiotrace-wizard-attach.desktop"

/* $XDG_CONFIG_HOME/autostart: the specification's folder, not one of ours. */
static char *autostart_folder(const MtwCaller *caller)
{
	const char *config = secure_getenv("XDG_CONFIG_HOME");

	if (config != NULL && g_path_is_absolute(config))
		return g_build_filename(config, "autostart", NULL);
	return g_build_filename(caller->home, ".config", "autostart", NULL);
}

static char *entry(const MtwPaths *paths, const char *session)
{
	g_autofree char *window = mtw_paths_tool(paths, WINDOW);
	g_autofree char *command = window != NULL ? g_strdup_printf(WINDOW " --session %s", session)
						  : g_strdup(TERMINAL " attach");

	return g_strdup_printf("[Desktop Entry]\n"
			       "Type=Application\n"
			       "Name=mmiotrace-wizard\n"
			       "Icon=org.mmiotrace.Wizard\n"
			       "Exec=%s\n"
			       "Terminal=%s\n",
			       command, window != NULL ? "false" : "true");
}

gboolean mtw_autostart_set(const MtwPaths *paths, const MtwCaller *caller, const char *session,
			   GError **error)
{
	g_autofree char *folder = autostart_folder(caller);
	g_autofree char *path = g_build_filename(folder, FILE_NAME, NULL);
	g_autofree char *text = entry(paths, session);

	return mtw_folder_ensure(folder, 0700, error) &&
	       mtw_file_write_atomic(path, text, strlen(text), 0600, error);
}

void mtw_autostart_clear(const MtwCaller *caller)
{
	g_autofree char *folder = autostart_folder(caller);
	g_autofree char *path = g_build_filename(folder, FILE_NAME, NULL);

	/* Root has no business in a folder of a person. */
	if (mtw_caller_is_self(caller))
		(void)unlink(path);
}
