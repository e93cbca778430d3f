/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the wizard, in a thread of its own; what it says goes over a bridge. */
#pragma once

#include "base/paths.h"
#include "capture/engine.h"
#include "gui/bridge.h"

/* What stays the same for all walks of the program. */
typedef struct {
	const MtwPaths *paths;
	/* In the walk's thread. Returns: (transfer full) (nullable) */
	MtwEngine *(*make_engine)(const MtwPaths *paths, GError **error);
	const char *output; /* folder of the archives */
} MtwWalkSetup;

typedef struct _MtwWalk MtwWalk;

/*
 * mtw_walk_new: starts it. First comes the event sessions {"sessions":[state.json with "state" and "live"]}, of those
 * that a person may want to go on with; then devices {"devices":[device-json.h]} for a new walk.
 * @session: (nullable): go on with this one: to its capture when that runs, else to its report
 * @device: (nullable): trace this one
 * Returns: (transfer full)
 */
MtwWalk *mtw_walk_new(const MtwWalkSetup *setup, MtwBridge *bridge, const char *session,
		      const char *device);

/* mtw_walk_free: waits for its end; close the bridge before. */
void mtw_walk_free(MtwWalk *walk);

/* mtw_walk_interrupt: as Ctrl-C on a terminal. */
void mtw_walk_interrupt(MtwWalk *walk);

/* mtw_walk_is_remote: the capture is made by the service, and goes on without this program. */
gboolean mtw_walk_is_remote(const MtwWalk *walk);

/* mtw_walk_make_engine: the service, or in this process when that has the rights. */
MtwEngine *mtw_walk_make_engine(const MtwPaths *paths, GError **error);
