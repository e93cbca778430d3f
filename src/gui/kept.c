/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/kept.h"

#include "base/json.h"
#include "capture/events.h"
#include "capture/session.h"
#include "machine/pci.h"
#include "service/client.h"
#include "submit/queue.h"

/* ---- captures -------------------------------------------------------------------------------- */

/* Returns: (transfer full) (nullable) */
static JsonArray *all_sessions(const MtwPaths *paths, MtwEngine *engine, GError **error)
{
	return engine->remote ? mtw_service_sessions(engine, error)
			      : mtw_session_all_facts(paths, NULL, NULL, NULL);
}

/* A capture at work, or a trace that was not packed. What a dead run left is asked about by the wizard. */
static gboolean goes_on(JsonObject *facts, gboolean remote)
{
	const char *state = mtw_json_string(facts, "state", "");

	if (mtw_session_is_at_work(facts))
		return remote;
	return g_str_equal(state, MTW_SESSION_CAPTURED) ||
	       g_str_equal(state, MTW_SESSION_RECOVERED);
}

/* One that waits for the next start was not asked for its names yet. */
static void add_names(const MtwPaths *paths, JsonObject *facts)
{
	const char *address = mtw_json_string(facts, "device", NULL);
	g_autoptr(MtwPciDevice) device = NULL;

	if (address == NULL || mtw_json_string(facts, "device_name", NULL) != NULL)
		return;
	device = mtw_pci_get(paths, address, NULL);
	if (device == NULL)
		return;
	mtw_json_set_text(facts, "vendor_name", device->vendor_name);
	mtw_json_set_text(facts, "device_name", device->device_name);
}

static void complete(const MtwPaths *paths, JsonObject *facts, gboolean remote)
{
	g_autofree char *state = g_strdup(mtw_session_state_now(facts));

	json_object_set_boolean_member(facts, "goes_on", goes_on(facts, remote));
	json_object_set_boolean_member(facts, "live", mtw_session_is_at_work(facts));
	json_object_set_string_member(facts, "state", state);
	add_names(paths, facts);
}

static JsonArray *newest_first(const MtwPaths *paths, JsonArray *all, gboolean remote)
{
	JsonArray *sorted = json_array_new();

	for (guint i = json_array_get_length(all); i > 0; i--) {
		JsonObject *facts = mtw_json_object_at(all, i - 1);
		if (facts == NULL)
			continue;
		complete(paths, facts, remote);
		json_array_add_object_element(sorted, json_object_ref(facts));
	}
	return sorted;
}

gboolean mtw_kept_runs(const MtwPaths *paths, MtwEngine *engine, const char *session)
{
	g_autoptr(JsonArray) all = all_sessions(paths, engine, NULL);

	for (guint i = 0; all != NULL && i < json_array_get_length(all); i++) {
		JsonObject *facts = mtw_json_object_at(all, i);
		if (g_str_equal(mtw_json_string(facts, "id", ""), session))
			return engine->remote && mtw_session_is_at_work(facts);
	}
	return FALSE;
}

/* ---- reports --------------------------------------------------------------------------------- */

static JsonArray *reports_of(const MtwCaller *caller, GPtrArray *problems)
{
	g_autoptr(GPtrArray) items = mtw_queue_list(caller, problems);
	JsonArray *reports = json_array_new();

	for (guint i = 0; i < items->len; i++)
		if (mtw_item_state(items->pdata[i]) != MTW_ITEM_DONE)
			json_array_add_object_element(reports, mtw_item_to_json(items->pdata[i]));
	return reports;
}

JsonObject *mtw_kept_read(const MtwPaths *paths, MtwEngine *engine, const MtwCaller *caller,
			  GError **error)
{
	g_autoptr(JsonArray) all = all_sessions(paths, engine, error);
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	JsonObject *kept;

	if (all == NULL)
		return NULL;
	kept = mtw_event_new("kept");
	json_object_set_array_member(kept, "sessions", newest_first(paths, all, engine->remote));
	json_object_set_array_member(kept, "reports", reports_of(caller, problems));
	json_object_set_array_member(kept, "problems", mtw_messages_to_json(problems));
	return kept;
}
