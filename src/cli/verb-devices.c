/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/check.h"
#include "capture/events.h"
#include "capture/way.h"
#include "cli/cli.h"

#include <glib/gi18n.h>

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

/* What a person is told: an obstacle outranks the way that would be taken without it. */
static void print_json(const MtwPciDevice *device, const MtwWay *way, const MtwMessage *reason,
		       const GError *error)
{
	g_autoptr(JsonObject) object = mtw_event_new("device");
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
	if (way != NULL) {
		json_object_set_string_member(object, "way",
					      mtw_way_name(reason->level == MTW_LEVEL_FAILURE
								   ? MTW_WAY_NONE
								   : way->kind));
		json_object_set_object_member(object, "reason", mtw_message_to_json(reason));
	} else {
		json_object_set_string_member(object, "way", "choose");
		json_object_set_object_member(object, "error", mtw_error_to_json(error));
	}
	mtw_cli_print_json(object);
}

static void print_bars(const MtwPciDevice *device)
{
	for (guint i = 0; i < MTW_PCI_BARS; i++) {
		const MtwPciBar *bar = &device->bars[i];
		g_autofree char *size = mtw_text_bytes(bar->length);
		g_autofree char *name = mtw_cli_bar_name(i);
		if (bar->kind != MTW_BAR_NONE)
			printf("    %s: %s, %s\n", name,
			       bar->kind == MTW_BAR_MEMORY ? _("memory") : _("I/O ports"), size);
	}
}

static void print_people(const MtwPciDevice *device, const MtwMessage *reason, const GError *error)
{
	g_autofree char *driver =
		mtw_text_clean_line(device->driver != NULL ? device->driver : _("none"));

	printf("%s  %s %s [%04x:%04x]\n", device->address, device->vendor_name, device->device_name,
	       device->vendor, device->device);
	printf(_("    %s, driver: %s\n"), device->class_name, driver);
	print_bars(device);
	if (reason == NULL)
		printf("    %s\n", error->message);
	else
		printf("    %s%s%s%s\n", _(reason->sentence), reason->detail[0] != '\0' ? " (" : "",
		       reason->detail, reason->detail[0] != '\0' ? ")" : "");
}

static void list(MtwCli *cli)
{
	g_autoptr(GPtrArray) devices = mtw_pci_list(cli->paths);

	for (guint i = 0; i < devices->len; i++) {
		const MtwPciDevice *device = devices->pdata[i];
		g_autoptr(GError) error = NULL;
		g_autoptr(MtwWay) way = mtw_way_choose(cli->paths, device, NULL, &error);
		g_autoptr(MtwMessage) obstacle =
			way != NULL ? mtw_check_obstacle(cli->paths, device->address) : NULL;
		const MtwMessage *reason = obstacle;
		if (reason == NULL && way != NULL)
			reason = way->reason;
		if (cli->json)
			print_json(device, way, reason, error);
		else
			print_people(device, reason, error);
	}
	if (devices->len == 0)
		fputs(_("There is no PCI device on this machine.\n"), stderr);
}

int mtw_verb_devices(MtwCli *cli, int argc, char **argv)
{
	g_autoptr(GError) error = NULL;

	if (mtw_cli_parse(cli, "devices", NULL,
			  N_("Lists the PCI devices, and whether and how each can be traced."),
			  NULL, &argc, &argv, &error)) {
		if (argc > 1)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "what is \"%s\"?", argv[1]);
		else
			list(cli);
	}
	return mtw_cli_finish(cli, error);
}
