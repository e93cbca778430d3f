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

static gboolean is_of(const GError *error, GQuark domain, const int *codes, gsize count)
{
	for (gsize i = 0; i < count; i++)
		if (g_error_matches(error, domain, codes[i]))
			return TRUE;
	return FALSE;
}

/* What went wrong on the way, not in the service. */
static GError *from_bus(const GError *error)
{
	static const int refused[] = { G_DBUS_ERROR_ACCESS_DENIED, G_DBUS_ERROR_AUTH_FAILED };
	static const int late[] = { G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT };
	MtwErrorCode code = MTW_ERROR_FAILED;

	if (is_of(error, G_DBUS_ERROR, late, G_N_ELEMENTS(late)) ||
	    g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
		return g_error_new(MTW_ERROR, MTW_ERROR_TIMEOUT,
				   "the service %s does not answer (%s)", MTW_SERVICE_NAME,
				   error->message);
	if (g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY))
		return g_error_new(MTW_ERROR, MTW_ERROR_FAILED,
				   "the service %s ended before it answered", MTW_SERVICE_NAME);
	if (is_of(error, G_DBUS_ERROR, refused, G_N_ELEMENTS(refused)))
		code = MTW_ERROR_PERMISSION;
	return g_error_new(MTW_ERROR, (int)code, "the service %s: %s", MTW_SERVICE_NAME,
			   error->message);
}

GError *mtw_service_error_from_dbus(GError *error)
{
	g_autoptr(GError) owned = error;
	g_autofree char *remote = g_dbus_error_get_remote_error(error);
	g_autofree char *name = NULL;

	g_dbus_error_strip_remote_error(owned);
	if (remote == NULL || !g_str_has_prefix(remote, PREFIX))
		return from_bus(owned);
	name = g_strdelimit(g_strdup(remote + strlen(PREFIX)), "_", '-');
	return mtw_error_from_name(name, owned->message);
}
