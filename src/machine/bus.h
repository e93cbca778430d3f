/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system's message bus, where there is one. */
#pragma once

#include "base/paths.h"

#include <gio/gio.h>

/*
 * mtw_bus_system: a rescue shell has no bus, a fake root none of its own; that is no error. A bus that goes away
 * does not end this process. Returns: (transfer full) (nullable)
 */
GDBusConnection *mtw_bus_system(const MtwPaths *paths);
