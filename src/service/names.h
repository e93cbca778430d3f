/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The service on the system bus; its interface is data/dbus/org.mmiotrace.Wizard1.xml. */
#pragma once

#include <gio/gio.h>

#define MTW_SERVICE_NAME "org.mmiotrace.Wizard1"
#define MTW_SERVICE_PATH "/org/mmiotrace/Wizard1"
#define MTW_SERVICE_INTERFACE "org.mmiotrace.Wizard1.Manager"

/* polkit actions, data/polkit/org.mmiotrace.wizard.policy.in */
#define MTW_ACTION_CHECK "org.mmiotrace.wizard.check"
#define MTW_ACTION_CAPTURE "org.mmiotrace.wizard.capture"
#define MTW_ACTION_RECOVER "org.mmiotrace.wizard.recover"
#define MTW_ACTION_NEXT_BOOT "org.mmiotrace.wizard.next-boot"

/* mtw_service_error_name: an MTW_ERROR as a D-Bus error name: "org.mmiotrace.Wizard1.Error.lost_events". Returns: (transfer full) */
char *mtw_service_error_name(const GError *error);

/* mtw_service_error_from_dbus: the other way; errors of the bus itself become MTW_ERROR codes that fit. Frees @error. */
GError *mtw_service_error_from_dbus(GError *error);
