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
} MtwWalkSetup;

typedef struct _MtwWalk MtwWalk;

/* What it is for; all nullable. Nothing: a new trace, whose device is asked for. */
typedef struct {
	const char *
		session; /* go on with this one: to its capture when that runs, else to its report */
	const char *device;  /* trace this one */
	gboolean next_boot;  /* not now, but at the next start of the computer */
	const char *report;  /* send this one of the queue */
	const char *archive; /* send this file */
} MtwWalkTask;

/*
 * mtw_walk_new: starts it. First comes the event kept (kept.h), then devices {"devices":[device-json.h]} for a new
 * walk; of one that only sends, neither. @task: copied. Returns: (transfer full)
 */
MtwWalk *mtw_walk_new(const MtwWalkSetup *setup, MtwBridge *bridge, const MtwWalkTask *task);

/* mtw_walk_free: after its end, of which the bridge tells. */
void mtw_walk_free(MtwWalk *walk);

/* mtw_walk_interrupt: as Ctrl-C on a terminal. */
void mtw_walk_interrupt(MtwWalk *walk);

/* mtw_walk_is_remote: the capture is made by the service, and goes on without this program. */
gboolean mtw_walk_is_remote(const MtwWalk *walk);

/* mtw_walk_engine_in_thread: the service, or in this process when that has the rights. */
MtwEngine *mtw_walk_engine_in_thread(const MtwPaths *paths, GError **error);
