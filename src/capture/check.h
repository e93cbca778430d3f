/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether this machine, and a device of it, can be traced now. Reads only; changes nothing.
 */
#pragma once

#include "base/message.h"
#include "base/paths.h"

typedef struct {
	const char *device;	/* (nullable): PCI address: the checks of a device too */
	const char *driver;	/* (nullable): a driver other than the obvious one */
	guint64 buffer_kb;	/* 0: the default size */
	guint64 min_free_bytes; /* what the session's disk should have; 0: a default */
	gboolean
		next_boot; /* at the next start of the computer: what only matters now does not count */
} MtwCheckOptions;

/* mtw_check_run: all checks in a fixed order. Returns: (transfer full) (element-type MtwMessage) */
GPtrArray *mtw_check_run(const MtwPaths *paths, const MtwCheckOptions *options);

/*
 * mtw_check_to_error: the decisive failure as an error with the code that fits it.
 * Returns: TRUE when nothing in the list is a failure
 */
gboolean mtw_check_to_error(const GPtrArray *checks, GError **error);

/*
 * mtw_check_obstacle_of, mtw_check_obstacle: what keeps @device itself from being traced, with its obvious driver: in use, a
 * bridge, only I/O ports. (The machine may have obstacles of its own: mtw_check_run.)
 * Returns: (transfer full) (nullable): NULL when there is none
 */
MtwMessage *mtw_check_obstacle(const MtwPaths *paths, const char *device);
MtwMessage *mtw_check_obstacle_of(const MtwPaths *paths, const MtwCheckOptions *options);
