/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a try was worth, and which of the tries a session keeps. Shared by a capture and by recovery. */
#pragma once

#include "capture/session.h"
#include "machine/pci.h"
#include "trace/verdict.h"

/* The memory BARs of a device as [{"index","start","length"}], for state.json. Returns: (transfer full) */
JsonArray *mtw_judge_bars_to_json(const MtwPciDevice *device);

/*
 * mtw_judge_doubts: kernel messages since @kmsg_start that make a trace doubtful.
 * Returns: (transfer full) (array zero-terminated=1)
 */
char **mtw_judge_doubts(const MtwPaths *paths, guint64 kmsg_start);

/*
 * mtw_judge_keep: trace-N.txt becomes trace.txt, with verdict.json, when it is better than what the
 * session has; otherwise it is removed. Adds to "tries" in state.json.
 * Returns: (transfer full): the verdict of try N
 */
JsonObject *mtw_judge_keep(MtwSession *session, guint try_number, const MtwVerdict *verdict,
			   const MtwCounts *counts);

/* mtw_judge_driver_restored: whether the device has the driver that it had before. */
gboolean mtw_judge_driver_restored(const MtwPaths *paths, JsonObject *state, GError **error);
