/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Undoing what a dead run left on the machine, and saving its trace.
 */
#pragma once

#include "capture/undo.h"

#include <json-glib/json-glib.h>

/*
 * mtw_recover_pending: the ids of sessions that nobody works on and that are not finished: the
 * machine not restored, or a trace not yet judged. Returns: (transfer full) (element-type utf8)
 */
GPtrArray *mtw_recover_pending(const MtwPaths *paths);

/*
 * mtw_recover_session: saves what is left of the trace, undoes every change of the session, judges
 * the trace. After a restart of the computer the kernel's state is fresh and only the trace is saved.
 * A session that ended properly is left as it is.
 * @watcher: (nullable): told of each change
 * Errors: MTW_ERROR_BUSY, MTW_ERROR_NOT_RESTORED
 * Returns: TRUE when the machine is as before
 */
gboolean mtw_recover_session(const MtwPaths *paths, const char *id, MtwChangeWatcher watcher,
			     gpointer user_data, GError **error);

/*
 * mtw_recover_needed_without_session: the tracer is mmiotrace but no session knows about it (it was
 * switched on by hand, or the session was deleted).
 */
gboolean mtw_recover_needed_without_session(const MtwPaths *paths);

/*
 * mtw_recover_reset: all of it: the sessions that are pending, the newest first, and a tracer that is on then without a
 * session. One that fails keeps no other back; the tracer stays then, for there is a session that knows about it.
 * Errors: MTW_ERROR_BUSY: a capture is running; the first one of the sessions
 */
gboolean mtw_recover_reset(const MtwPaths *paths, MtwChangeWatcher watcher, gpointer user_data,
			   GError **error);

/*
 * mtw_recover_without_session: tracer nop, recording on, all present CPUs on, default buffer.
 */
gboolean mtw_recover_without_session(const MtwPaths *paths, MtwChangeWatcher watcher,
				     gpointer user_data, GError **error);
