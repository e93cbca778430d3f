/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for a driver to take a device: some probe in the background after their module is loaded. */
#pragma once

#include "base/paths.h"

/*
 * mtw_binding_wait: @wanted: (nullable): the driver that should have the device; NULL: any
 * Returns: (transfer full) (nullable): the driver bound in the end
 */
char *mtw_binding_wait(const MtwPaths *paths, const char *address, const char *wanted,
		       guint timeout_msec);
