/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of earlier walks: captures, as the engine knows them, and reports of the queue. */
#pragma once

#include "base/caller.h"
#include "capture/engine.h"

/*
 * mtw_kept_read: {"event":"kept",
 *   "sessions":[state.json with "live", "goes_on" (it runs, or has a trace that was not packed), "state" "died" for one
 *   that was cut off, and the device's names], newest first
 *   "reports":[mtw_item_to_json of those that are not done],
 *   "problems":[messages about reports that cannot be read]}
 * Returns: (transfer full) (nullable)
 */
JsonObject *mtw_kept_read(const MtwPaths *paths, MtwEngine *engine, const MtwCaller *caller,
			  GError **error);

/* mtw_kept_runs: whether the capture of @session is the one that the service makes now. */
gboolean mtw_kept_runs(const MtwPaths *paths, MtwEngine *engine, const char *session);
