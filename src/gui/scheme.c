/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/scheme.h"

#include <gtk/gtk.h>

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define SETTINGS "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
#define COLOR_SCHEME "color-scheme"
#define PREFER_DARK 1

/* The portal wraps the number once or twice. */
static void apply(GVariant *value)
{
	g_autoptr(GVariant) inner = g_variant_ref(value);

	while (g_variant_is_of_type(inner, G_VARIANT_TYPE_VARIANT)) {
		GVariant *child = g_variant_get_variant(inner);
		g_variant_unref(inner);
		inner = child;
	}
	if (g_variant_is_of_type(inner, G_VARIANT_TYPE_UINT32))
		g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme",
			     g_variant_get_uint32(inner) == PREFER_DARK, NULL);
}

static void on_changed(GDBusConnection *bus, const char *sender, const char *object,
		       const char *interface, const char *signal, GVariant *arguments,
		       gpointer user_data)
{
	g_autoptr(GVariant) value = NULL;
	const char *group, *key;

	(void)bus, (void)sender, (void)object, (void)interface, (void)signal, (void)user_data;
	if (!g_variant_is_of_type(arguments, G_VARIANT_TYPE("(ssv)")))
		return;
	g_variant_get(arguments, "(&s&sv)", &group, &key, &value);
	if (g_str_equal(group, APPEARANCE) && g_str_equal(key, COLOR_SCHEME))
		apply(value);
}

static void on_read(GObject *source, GAsyncResult *result, gpointer user_data)
{
	g_autoptr(GVariant) reply =
		g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, NULL);
	g_autoptr(GVariant) value = NULL;

	(void)user_data;
	if (reply == NULL)
		return;
	g_variant_get(reply, "(v)", &value);
	apply(value);
}

static void on_bus(GObject *source, GAsyncResult *result, gpointer user_data)
{
	/* Kept for the life of the program: the signal comes over it. */
	GDBusConnection *bus = g_bus_get_finish(result, NULL);

	(void)source;
	(void)user_data;
	if (bus == NULL)
		return;
	g_dbus_connection_signal_subscribe(bus, PORTAL, SETTINGS, "SettingChanged", PORTAL_PATH,
					   APPEARANCE, G_DBUS_SIGNAL_FLAGS_NONE, on_changed, NULL,
					   NULL);
	g_dbus_connection_call(bus, PORTAL, PORTAL_PATH, SETTINGS, "Read",
			       g_variant_new("(ss)", APPEARANCE, COLOR_SCHEME),
			       G_VARIANT_TYPE("(v)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_read,
			       NULL);
}

void mtw_scheme_follow(void)
{
	g_bus_get(G_BUS_TYPE_SESSION, NULL, on_bus, NULL);
}
