/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/bus.h"

#include <unistd.h>

GDBusConnection *mtw_bus_system(const MtwPaths *paths)
{
	g_autofree char *socket =
		mtw_paths_build(paths, MTW_PATH_ROOT, "run", "dbus", "system_bus_socket", NULL);
	GDBusConnection *bus;

	if (!mtw_paths_live(paths) || access(socket, R_OK | W_OK) != 0)
		return NULL;
	bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, NULL, NULL);
	if (bus != NULL)
		g_dbus_connection_set_exit_on_close(bus, FALSE);
	return bus;
}
