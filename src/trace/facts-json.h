/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of a recording as JSON, as state.json and manifest.json hold them: the target's BARs
 * [{"index","start","length"}] and the ring buffer's statistics {"overrun","dropped_events"}.
 */
#pragma once

#include "trace/loss.h"

#include <json-glib/json-glib.h>

/* mtw_bar_to_json: Returns: (transfer full) */
JsonObject *mtw_bar_to_json(guint index, guint64 start, guint64 length);

/* mtw_stats_add_bars_json: mtw_stats_add_bar for each. @bars: (nullable). Returns: how many */
guint mtw_stats_add_bars_json(MtwStats *stats, JsonArray *bars);

/* Returns: (transfer full) */
JsonObject *mtw_ring_stats_to_json(const MtwRingStats *stats);

/* @object: (nullable). Returns: FALSE when it is NULL */
gboolean mtw_ring_stats_from_json(JsonObject *object, MtwRingStats *ret_stats);
