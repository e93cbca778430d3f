/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a try does about a desktop that is on the device. Private to the local engine. */
#pragma once

#include "capture/run.h"
#include "capture/undo.h"

/*
 * mtw_run_announce_desktop: before the first service is stopped: counts down (options.countdown_sec), so that a person
 * can still say stop, and leaves a word on the text console. Does nothing for a plan that stops none.
 * Errors: MTW_ERROR_INTERRUPTED
 */
gboolean mtw_run_announce_desktop(MtwRun *run, const MtwPlan *plan, GError **error);

/*
 * mtw_run_return_desktop: the desktop comes back on the traced driver. Errors: MTW_ERROR_NOT_RESTORED: it is
 * tried again when everything is undone
 */
gboolean mtw_run_return_desktop(MtwRun *run, const MtwPlan *plan, const MtwChangeMaker *maker,
				GError **error);

/*
 * mtw_run_end_desktop_again: a driver that was loaded with options for the trace only has to go, and the desktop uses
 * it by now.
 */
gboolean mtw_run_end_desktop_again(MtwRun *run, const MtwPlan *plan, const MtwChangeMaker *maker,
				   GError **error);
