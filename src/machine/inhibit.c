/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/inhibit.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <unistd.h>

#define CALL_MSEC 2000
#define WHAT "sleep:idle:handle-lid-switch:handle-suspend-key:handle-hibernate-key"

static GDBusConnection *connect_to_bus(const MtwPaths *paths)
{
	g_autofree char *socket =
		mtw_paths_build(paths, MTW_PATH_ROOT, "run", "dbus", "system_bus_socket", NULL);

	/* Without a bus (a rescue shell) there is nobody to ask, and nothing that would sleep. */
	if (!mtw_paths_live(paths) || access(socket, R_OK | W_OK) != 0)
		return NULL;
	return g_bus_get_sync(G_BUS_TYPE_SYSTEM, NULL, NULL);
}

int mtw_inhibit_sleep(const MtwPaths *paths, const char *why)
{
	g_autoptr(GDBusConnection) bus = connect_to_bus(paths);
	g_autoptr(GUnixFDList) fds = NULL;
	g_autoptr(GVariant) reply = NULL;
	gint32 index;

	if (bus == NULL)
		return -1;
	g_dbus_connection_set_exit_on_close(bus, FALSE);
	reply = g_dbus_connection_call_with_unix_fd_list_sync(
		bus, "org.freedesktop.login1", "/org/freedesktop/login1",
		"org.freedesktop.login1.Manager", "Inhibit",
		g_variant_new("(ssss)", WHAT, "mmiotrace-wizard", why, "block"),
		G_VARIANT_TYPE("(h)"), G_DBUS_CALL_FLAGS_NONE, CALL_MSEC, NULL, &fds, NULL, NULL);
	if (reply == NULL || fds == NULL)
		return -1;
	g_variant_get(reply, "(h)", &index);
	return g_unix_fd_list_get(fds, index, NULL);
}
