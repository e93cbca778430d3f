/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Services of systemd: which one a process belongs to, whether it runs, stopping and starting it. */
#pragma once

#include "base/paths.h"

#define MTW_UNIT_ACTIVE "active"
#define MTW_UNIT_INACTIVE "inactive"

/* mtw_systemd_control_group: "/system.slice/gdm.service" of @pid. Returns: (transfer full) (nullable) */
char *mtw_systemd_control_group(const MtwPaths *paths, guint pid);

/*
 * mtw_systemd_unit_of: the system service whose process @pid is ("gdm.service"), from its control group.
 * Returns: (transfer full) (nullable): NULL when it belongs to a session of a person, or to none
 */
char *mtw_systemd_unit_of(const MtwPaths *paths, guint pid);

/* mtw_systemd_is_in_session: @pid belongs to a login session or to a person's own systemd. */
gboolean mtw_systemd_is_in_session(const MtwPaths *paths, guint pid);

/*
 * mtw_systemd_display_manager: what the alias display-manager.service stands for.
 * Returns: (transfer full) (nullable): NULL when none is set up
 */
char *mtw_systemd_display_manager(const MtwPaths *paths);

/*
 * mtw_systemd_starts: systemd runs this computer, and will start @unit with @target ("sysinit.target") at the next start: it
 * is installed, switched on and not masked.
 */
gboolean mtw_systemd_starts(const MtwPaths *paths, const char *unit, const char *target);

/*
 * mtw_systemd_unit_state: MTW_UNIT_ACTIVE (also while it starts or reloads) or MTW_UNIT_INACTIVE (also when it failed, or
 * is not there). Errors: there is no systemd to ask. Returns: static (nullable)
 */
const char *mtw_systemd_unit_state(const MtwPaths *paths, const char *unit, GError **error);

/*
 * mtw_systemd_stop, mtw_systemd_start: wait until systemd is done with it.
 * Errors: MTW_ERROR_FAILED with the job's result, MTW_ERROR_TIMEOUT
 */
gboolean mtw_systemd_stop(const MtwPaths *paths, const char *unit, GError **error);
gboolean mtw_systemd_start(const MtwPaths *paths, const char *unit, GError **error);
