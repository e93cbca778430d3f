/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/names.h"

#include "base/error.h"

#include <string.h>

#define PREFIX MTW_SERVICE_NAME ".Error."

/* D-Bus has no hyphens in names. */
char *mtw_service_error_name(const GError *error)
{
	g_autofree char *name = g_strdelimit(g_strdup(mtw_error_name(error)), "-", '_');

	return g_strconcat(PREFIX, name, NULL);
}

static MtwErrorCode code_of_bus(const GError *error)
{
	if (g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED) ||
	    g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_AUTH_FAILED))
		return MTW_ERROR_PERMISSION;
	if (g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_TIMEOUT) ||
	    g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY) ||
	    g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
		return MTW_ERROR_TIMEOUT;
	return MTW_ERROR_FAILED;
}

GError *mtw_service_error_from_dbus(GError *error)
{
	g_autoptr(GError) owned = error;
	g_autofree char *remote = g_dbus_error_get_remote_error(error);

	g_dbus_error_strip_remote_error(owned);
	if (remote != NULL && g_str_has_prefix(remote, PREFIX)) {
		g_autofree char *name = g_strdelimit(g_strdup(remote + strlen(PREFIX)), "_", '-');
		return mtw_error_from_name(name, owned->message);
	}
	return g_error_new(MTW_ERROR, (int)code_of_bus(owned), "the service: %s", owned->message);
}
