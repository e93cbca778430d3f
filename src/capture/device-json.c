/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/device-json.h"

#include "base/json.h"
#include "capture/check.h"
#include "capture/events.h"
#include "capture/next-boot.h"

static JsonArray *bars_to_json(const MtwPciDevice *device)
{
	JsonArray *bars = json_array_new();

	for (guint i = 0; i < MTW_PCI_BARS; i++) {
		const MtwPciBar *bar = &device->bars[i];
		g_autofree char *start = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", bar->start);
		JsonObject *object;
		if (bar->kind == MTW_BAR_NONE)
			continue;
		object = json_object_new();
		json_object_set_int_member(object, "index", i);
		json_object_set_string_member(object, "kind",
					      bar->kind == MTW_BAR_MEMORY ? "memory" : "io");
		json_object_set_string_member(object, "start", start);
		json_object_set_int_member(object, "length", (gint64)bar->length);
		json_array_add_object_element(bars, object);
	}
	return bars;
}

static void add_way(JsonObject *object, const MtwPaths *paths, const MtwPciDevice *device)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwWay) way = mtw_way_choose(paths, device, NULL, &error);
	g_autoptr(MtwMessage) obstacle = NULL;
	const MtwMessage *reason;

	if (way == NULL) {
		json_object_set_string_member(object, "way", "choose");
		json_object_set_object_member(object, "error", mtw_error_to_json(error));
		return;
	}
	mtw_next_boot_judge_fix(paths, way, way->reason);
	obstacle = mtw_check_obstacle(paths, device->address);
	reason = obstacle != NULL ? obstacle : way->reason;
	json_object_set_string_member(
		object, "way",
		mtw_way_name(reason->level == MTW_LEVEL_FAILURE ? MTW_WAY_NONE : way->kind));
	json_object_set_object_member(object, "reason", mtw_message_to_json(reason));
}

JsonObject *mtw_device_to_json(const MtwPaths *paths, const MtwPciDevice *device)
{
	JsonObject *object = json_object_new();
	g_autofree char *ids = g_strdup_printf("%04x:%04x", device->vendor, device->device);
	g_autofree char *class = g_strdup_printf("%06x", device->class_code);

	json_object_set_string_member(object, "device", device->address);
	json_object_set_string_member(object, "ids", ids);
	json_object_set_string_member(object, "class", class);
	mtw_json_set_text(object, "vendor_name", device->vendor_name);
	mtw_json_set_text(object, "device_name", device->device_name);
	mtw_json_set_text(object, "class_name", device->class_name);
	mtw_json_set_text(object, "driver", device->driver);
	mtw_json_set_text(object, "module", device->module);
	json_object_set_array_member(object, "bars", bars_to_json(device));
	add_way(object, paths, device);
	return object;
}
