/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/facts-json.h"

#include "base/json.h"

JsonObject *mtw_bar_to_json(guint index, guint64 start, guint64 length)
{
	JsonObject *bar = json_object_new();

	json_object_set_int_member(bar, "index", index);
	json_object_set_int_member(bar, "start", (gint64)start);
	json_object_set_int_member(bar, "length", (gint64)length);
	return bar;
}

guint mtw_stats_add_bars_json(MtwStats *stats, JsonArray *bars)
{
	guint added = 0;

	for (guint i = 0; bars != NULL && i < json_array_get_length(bars); i++) {
		JsonNode *node = json_array_get_element(bars, i);
		JsonObject *bar = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
		if (bar == NULL)
			continue;
		mtw_stats_add_bar(stats, (guint)mtw_json_int(bar, "index", 0),
				  (guint64)mtw_json_int(bar, "start", 0),
				  (guint64)mtw_json_int(bar, "length", 0));
		added++;
	}
	return added;
}

JsonObject *mtw_ring_stats_to_json(const MtwRingStats *stats)
{
	JsonObject *object = json_object_new();

	json_object_set_int_member(object, "overrun", (gint64)stats->overrun);
	json_object_set_int_member(object, "dropped_events", (gint64)stats->dropped_events);
	return object;
}

gboolean mtw_ring_stats_from_json(JsonObject *object, MtwRingStats *ret_stats)
{
	if (object == NULL)
		return FALSE;
	*ret_stats = (MtwRingStats){
		.overrun = (guint64)mtw_json_int(object, "overrun", 0),
		.dropped_events = (guint64)mtw_json_int(object, "dropped_events", 0),
	};
	return TRUE;
}
