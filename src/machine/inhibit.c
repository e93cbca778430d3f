/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/inhibit.h"

#include "machine/bus.h"

#include <gio/gunixfdlist.h>

#define CALL_MSEC 2000
#define WHAT "sleep:idle:handle-lid-switch:handle-suspend-key:handle-hibernate-key"

int mtw_inhibit_sleep(const MtwPaths *paths, const char *why)
{
	g_autoptr(GDBusConnection) bus = mtw_bus_system(paths);
	g_autoptr(GUnixFDList) fds = NULL;
	g_autoptr(GVariant) reply = NULL;
	gint32 index;

	if (bus == NULL)
		return -1;
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
