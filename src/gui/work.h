/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What takes time and is no walk: each in a thread of its own, with an engine of its own. */
#pragma once

#include "gui/walk.h"

#include <gio/gio.h>

typedef enum {
	MTW_WORK_LIST,	    /* looks only */
	MTW_WORK_DELETE,    /* a session, and its trace */
	MTW_WORK_TAKE_BACK, /* a capture at the next start; without an id: the one that waits */
	MTW_WORK_CLEAN_UP,  /* what a run that died, or nobody known, left on the machine */
	MTW_WORK_DROP,	    /* a report of the queue */
} MtwWorkKind;

/*
 * mtw_work_start: in the background (background.h). @id: (nullable): of the session or report
 * @ready: in the main loop
 */
void mtw_work_start(gpointer source, const MtwWalkSetup *setup, MtwWorkKind kind, const char *id,
		    GAsyncReadyCallback ready, gpointer user_data);

/* mtw_work_finish: Returns: (transfer full) (nullable): what is kept after it (kept.h), safe to show */
JsonObject *mtw_work_finish(GAsyncResult *result, GError **error);
