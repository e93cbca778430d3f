/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The desktop ends in the middle of a capture and comes back: an entry in the person's autostart folder opens the
 * capture there again, so that they can set markers and stop. It is removed as soon as it has done its work.
 */
#pragma once

#include "base/caller.h"
#include "base/paths.h"

/* mtw_autostart_set: the window where it is installed, else a terminal. @session: id. */
gboolean mtw_autostart_set(const MtwPaths *paths, const MtwCaller *caller, const char *session,
			   GError **error);

/* mtw_autostart_clear: nothing to remove is fine. */
void mtw_autostart_clear(const MtwCaller *caller);
