/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/session-type.h"

#include "base/file.h"
#include "machine/sysfs.h"
#include "machine/systemd.h"

#include <string.h>
#include <unistd.h>

/* Names as in comm, which the kernel cuts at 15 bytes. */
static const struct {
	const char *name;
	MtwSessionType type;
} programs[] = {
	{ "Xorg", MTW_SESSION_TYPE_X11 },
	{ "X", MTW_SESSION_TYPE_X11 },
	{ "Xorg.bin", MTW_SESSION_TYPE_X11 },
	{ "Xwayland", MTW_SESSION_TYPE_WAYLAND },
	{ "gnome-shell", MTW_SESSION_TYPE_NONE }, /* either */
	{ "kwin_x11", MTW_SESSION_TYPE_X11 },
	{ "kwin_wayland", MTW_SESSION_TYPE_WAYLAND },
	{ "kwin_wayland_wr", MTW_SESSION_TYPE_WAYLAND },
	{ "sway", MTW_SESSION_TYPE_WAYLAND },
	{ "weston", MTW_SESSION_TYPE_WAYLAND },
	{ "Hyprland", MTW_SESSION_TYPE_WAYLAND },
	{ "labwc", MTW_SESSION_TYPE_WAYLAND },
	{ "wayfire", MTW_SESSION_TYPE_WAYLAND },
	{ "cosmic-comp", MTW_SESSION_TYPE_WAYLAND },
	{ "gamescope", MTW_SESSION_TYPE_WAYLAND },
	{ "gamescope-wl", MTW_SESSION_TYPE_WAYLAND },
};

const char *mtw_session_type_name(MtwSessionType type)
{
	static const char *const names[] = {
		[MTW_SESSION_TYPE_NONE] = "none",
		[MTW_SESSION_TYPE_X11] = "X11",
		[MTW_SESSION_TYPE_WAYLAND] = "Wayland",
	};

	return names[type];
}

static const char *known_name(const char *comm)
{
	for (gsize i = 0; i < G_N_ELEMENTS(programs); i++)
		if (strcmp(programs[i].name, comm) == 0)
			return programs[i].name;
	return NULL;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *mtw_session_programs(const MtwPaths *paths)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	const char *folder = mtw_paths_get(paths, MTW_PATH_PROCFS);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		const char *pid = names->pdata[i];
		g_autofree char *process = g_build_filename(folder, pid, NULL);
		g_autofree char *comm = NULL;
		if (!g_ascii_isdigit(*pid))
			continue;
		comm = mtw_sysfs_attribute(process, "comm");
		if (comm != NULL && known_name(comm) != NULL && !mtw_sysfs_list_has(found, comm))
			g_ptr_array_add(found, g_steal_pointer(&comm));
	}
	g_ptr_array_sort(found, compare_names);
	return found;
}

/* The value of KEY=value in the text of a session file. Returns: (transfer full) (nullable) */
static char *value_of(const char *text, const char *key)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	gsize length = strlen(key);

	for (char **line = lines; *line != NULL; line++)
		if (strncmp(*line, key, length) == 0 && (*line)[length] == '=')
			return g_strdup(*line + length + 1);
	return NULL;
}

static MtwSessionType type_in_text(const char *text)
{
	g_autofree char *type = value_of(text, "TYPE");

	if (g_strcmp0(type, "x11") == 0)
		return MTW_SESSION_TYPE_X11;
	if (g_strcmp0(type, "wayland") == 0)
		return MTW_SESSION_TYPE_WAYLAND;
	return MTW_SESSION_TYPE_NONE;
}

/* A session that is at the screen now; that of an SSH login has no seat. */
static MtwSessionType type_of_session(const char *folder, const char *id)
{
	g_autofree char *text = mtw_sysfs_attribute(folder, id);
	g_autofree char *seat = text != NULL ? value_of(text, "SEAT") : NULL;
	g_autofree char *active = text != NULL ? value_of(text, "ACTIVE") : NULL;

	if (seat == NULL || g_strcmp0(active, "1") != 0)
		return MTW_SESSION_TYPE_NONE;
	return type_in_text(text);
}

static char *sessions_folder(const MtwPaths *paths)
{
	return mtw_paths_build(paths, MTW_PATH_ROOT, "run", "systemd", "sessions", NULL);
}

static MtwSessionType type_of_logind(const MtwPaths *paths)
{
	g_autofree char *folder = sessions_folder(paths);
	g_autoptr(GPtrArray) ids = mtw_folder_list(folder);
	MtwSessionType found = MTW_SESSION_TYPE_NONE;

	/* "5.ref" beside "5" is a pipe, not a session file. */
	for (guint i = 0; i < ids->len && found == MTW_SESSION_TYPE_NONE; i++)
		if (strchr(ids->pdata[i], '.') == NULL)
			found = type_of_session(folder, ids->pdata[i]);
	return found;
}

static MtwSessionType type_of_program(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(programs); i++)
		if (strcmp(programs[i].name, name) == 0)
			return programs[i].type;
	return MTW_SESSION_TYPE_NONE;
}

/* Wayland wins: an Xorg beside a compositor is that of another session, as often the greeter's. */
static MtwSessionType type_of_programs(const MtwPaths *paths)
{
	g_autoptr(GPtrArray) names = mtw_session_programs(paths);
	MtwSessionType found = MTW_SESSION_TYPE_NONE;

	for (guint i = 0; i < names->len; i++)
		found = MAX(found, type_of_program(names->pdata[i]));
	/* What can be either draws by itself when there is no X server. */
	if (found == MTW_SESSION_TYPE_NONE && names->len > 0)
		return MTW_SESSION_TYPE_WAYLAND;
	return found;
}

MtwSessionType mtw_session_type(const MtwPaths *paths)
{
	MtwSessionType type = type_of_logind(paths);

	return type != MTW_SESSION_TYPE_NONE ? type : type_of_programs(paths);
}

/* Programs of a desktop run below the person's own systemd: the desktop is one of the person's sessions. */
static MtwSessionType type_of_person(const char *folder, const char *uid)
{
	g_autoptr(GPtrArray) ids = mtw_folder_list(folder);
	MtwSessionType found = MTW_SESSION_TYPE_NONE;

	for (guint i = 0; i < ids->len; i++) {
		g_autofree char *text = strchr(ids->pdata[i], '.') == NULL
						? mtw_sysfs_attribute(folder, ids->pdata[i])
						: NULL;
		g_autofree char *owner = text != NULL ? value_of(text, "UID") : NULL;
		if (g_strcmp0(owner, uid) == 0)
			found = MAX(found, type_in_text(text));
	}
	return found;
}

/* What stands between @before and @after in @text. Returns: (transfer full) (nullable) */
static char *between(const char *text, const char *before, const char *after)
{
	const char *start = strstr(text, before);
	const char *end = start != NULL ? strstr(start + strlen(before), after) : NULL;

	if (end == NULL)
		return NULL;
	start += strlen(before);
	return g_strndup(start, (gsize)(end - start));
}

MtwSessionType mtw_session_type_of_self(const MtwPaths *paths)
{
	g_autofree char *group = mtw_systemd_control_group(paths, (guint)getpid());
	g_autofree char *folder = sessions_folder(paths);
	g_autofree char *session = group != NULL ? between(group, "/session-", ".scope") : NULL;
	g_autofree char *uid = group != NULL ? between(group, "/user@", ".service") : NULL;
	g_autofree char *text = NULL;

	if (session != NULL && mtw_sysfs_is_name(session)) {
		text = mtw_sysfs_attribute(folder, session);
		return text != NULL ? type_in_text(text) : MTW_SESSION_TYPE_NONE;
	}
	return uid != NULL ? type_of_person(folder, uid) : MTW_SESSION_TYPE_NONE;
}
