/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/person.h"

#include "base/process.h"

#include <sys/stat.h>

static const char *const kept[] = {
	"TERM",	      "LANG",	     "LANGUAGE",  "LC_ALL",	"LC_MESSAGES",	   "LC_CTYPE",
	"EDITOR",     "VISUAL",	     "NO_COLOR",  "COLUMNS",	"MTW_DATA_DIR",	   "MTW_ROOT",
	"http_proxy", "https_proxy", "all_proxy", "no_proxy",	"HTTP_PROXY",	   "HTTPS_PROXY",
	"ALL_PROXY",  "NO_PROXY",    "DISPLAY",	  "XAUTHORITY", "WAYLAND_DISPLAY", "SSH_AUTH_SOCK",
};

static char **copy_tokens(char **environment)
{
	g_auto(GStrv) all = g_get_environ();

	for (char **entry = all; *entry != NULL; entry++) {
		g_auto(GStrv) parts = g_strsplit(*entry, "=", 2);
		if (g_str_has_prefix(*entry, MTW_TOKEN_VARIABLE) && parts[0] != NULL &&
		    parts[1] != NULL)
			environment = g_environ_setenv(environment, parts[0], parts[1], TRUE);
	}
	return environment;
}

static gboolean is_theirs(const char *path, const MtwCaller *caller, mode_t type)
{
	struct stat status;

	return lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == type &&
	       status.st_uid == caller->uid;
}

/* The keyring and the person's own services; root's address of them would be another one. */
static char **add_session(char **environment, const MtwPaths *paths, const MtwCaller *caller)
{
	g_autofree char *uid = g_strdup_printf("%u", (guint)caller->uid);
	g_autofree char *folder = mtw_paths_build(paths, MTW_PATH_ROOT, "run", "user", uid, NULL);
	g_autofree char *bus = g_build_filename(folder, "bus", NULL);
	g_autofree char *address = g_strconcat("unix:path=", bus, NULL);

	if (!is_theirs(folder, caller, S_IFDIR))
		return environment;
	environment = g_environ_setenv(environment, "XDG_RUNTIME_DIR", folder, TRUE);
	if (is_theirs(bus, caller, S_IFSOCK))
		environment =
			g_environ_setenv(environment, "DBUS_SESSION_BUS_ADDRESS", address, TRUE);
	return environment;
}

char **mtw_person_environment(const MtwPaths *paths, const MtwCaller *caller)
{
	char **environment = g_environ_setenv(NULL, "PATH", "/usr/local/bin:/usr/bin:/bin", TRUE);

	environment = g_environ_setenv(environment, "HOME", caller->home, TRUE);
	environment = g_environ_setenv(environment, "USER", caller->name, TRUE);
	environment = g_environ_setenv(environment, "LOGNAME", caller->name, TRUE);
	for (gsize i = 0; i < G_N_ELEMENTS(kept); i++)
		if (g_getenv(kept[i]) != NULL)
			environment =
				g_environ_setenv(environment, kept[i], g_getenv(kept[i]), TRUE);
	return add_session(copy_tokens(environment), paths, caller);
}
