/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/run-facts.h"

#include "base/file.h"
#include "base/json.h"
#include "capture/collect.h"
#include "capture/events.h"
#include "capture/facts.h"
#include "capture/judge.h"
#include "machine/system.h"

#include <unistd.h>

/* What is to be collected, also by a later process. */
static void write_wishes(JsonObject *state, const MtwCaptureOptions *options)
{
	json_object_set_array_member(state, "wanted", mtw_json_texts(options->collectors));
	json_object_set_boolean_member(state, "consent_edid", options->consent_edid);
	json_object_set_boolean_member(state, "consent_vbios", options->consent_vbios);
}

/* Facts that a later process needs for recovery and for the report. */
gboolean mtw_run_write_facts(MtwRun *run, const MtwPlan *plan, GError **error)
{
	JsonObject *state = run->session->state;
	const MtwPciDevice *device = plan->device;
	const MtwWay *way = plan->way;
	g_autofree char *boot_id = mtw_system_boot_id(run->paths);
	g_autofree char *release = mtw_system_release(run->paths);

	mtw_json_set_text(state, "device", device->address);
	json_object_set_int_member(state, "vendor_id", device->vendor);
	json_object_set_int_member(state, "device_id", device->device);
	json_object_set_int_member(state, "revision", device->revision);
	mtw_json_set_text(state, "vendor_name", device->vendor_name);
	mtw_json_set_text(state, "device_name", device->device_name);
	mtw_json_set_text(state, "driver_before", device->driver);
	mtw_json_set_text(state, "driver", way->driver);
	mtw_json_set_text(state, "module", way->module);
	json_object_set_string_member(state, "way", mtw_way_name(way->kind));
	json_object_set_int_member(state, "buffer_kb", (gint64)plan->buffer_kb);
	json_object_set_string_member(state, "tracer", run->tracer->ops->name);
	mtw_json_set_text(state, "boot_id", boot_id);
	json_object_set_int_member(state, "owner_uid", run->options.owner_uid);
	json_object_set_int_member(state, "pid", getpid());
	json_object_set_int_member(state, "realtime_usec", g_get_real_time());
	json_object_set_int_member(state, "monotonic_usec", g_get_monotonic_time());
	json_object_set_int_member(state, "try", run->try_number);
	mtw_json_set_text(state, "kernel", release);
	if (run->options.module_options != NULL)
		mtw_json_set_text(state, "module_options", run->options.module_options);
	json_object_set_array_member(state, "bars", mtw_judge_bars_to_json(device));
	write_wishes(state, &run->options);
	json_object_set_boolean_member(state, "restored", FALSE);
	return mtw_session_save(run->session, error);
}

/* What is there only as long as the driver is loaded. It touches no register of the device. */
void mtw_run_collect_live(MtwRun *run, const MtwPlan *plan)
{
	JsonObject *state = run->session->state;
	g_autofree char *folder = mtw_session_path(run->session, "collected");
	g_autoptr(GPtrArray) messages = NULL;
	const MtwCollectOptions options = { .paths = run->paths,
					    .device = plan->device,
					    .module = mtw_json_string(state, "module", NULL),
					    .driver = mtw_json_string(state, "driver", NULL),
					    .folder = folder,
					    .wanted = run->options.collectors,
					    .consent_edid = run->options.consent_edid };

	json_object_set_int_member(state, "end_monotonic_usec", g_get_monotonic_time());
	json_object_set_object_member(
		state, "facts",
		mtw_facts_gather(run->paths, plan->device, mtw_json_string(state, "module", NULL)));
	if (!mtw_folder_ensure(folder, 0700, NULL))
		return;
	messages = mtw_collect_live(&options);
	json_object_set_array_member(state, "collected_live", mtw_messages_to_json(messages));
}
