/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/text.h"
#include "capture/check.h"
#include "capture/device-json.h"
#include "capture/way.h"
#include "cli/cli.h"

#include <glib/gi18n.h>

static void print_json(MtwCli *cli, const MtwPciDevice *device)
{
	g_autoptr(JsonObject) object = mtw_device_to_json(cli->paths, device);

	json_object_set_string_member(object, "event", "device");
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
			       bar->kind == MTW_BAR_MEMORY ? C_("BAR", "memory")
							   : C_("BAR", "I/O ports"),
			       size);
	}
}

static void print_people(const MtwPciDevice *device, const MtwMessage *reason, const GError *error)
{
	g_autofree char *driver =
		mtw_text_clean_line(device->driver != NULL ? device->driver : C_("driver", "none"));

	printf("%s  %s %s [%04x:%04x]\n", device->address, device->vendor_name, device->device_name,
	       device->vendor, device->device);
	printf(_("    %s, driver: %s\n"), device->class_name, driver);
	print_bars(device);
	if (reason == NULL)
		printf("    %s\n", error->message);
	else
		printf("    %s%s%s%s\n", mtw_cli_translate(reason->sentence),
		       reason->detail[0] != '\0' ? " (" : "", reason->detail,
		       reason->detail[0] != '\0' ? ")" : "");
}

static void print_one(MtwCli *cli, const MtwPciDevice *device)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwWay) way = mtw_way_choose(cli->paths, device, NULL, &error);
	g_autoptr(MtwMessage) obstacle =
		way != NULL ? mtw_check_obstacle(cli->paths, device->address) : NULL;
	const MtwMessage *reason = obstacle;

	if (reason == NULL && way != NULL)
		reason = way->reason;
	print_people(device, reason, error);
}

static void list(MtwCli *cli)
{
	g_autoptr(GPtrArray) devices = mtw_pci_list(cli->paths);

	for (guint i = 0; i < devices->len; i++) {
		if (cli->json)
			print_json(cli, devices->pdata[i]);
		else
			print_one(cli, devices->pdata[i]);
	}
	if (devices->len == 0)
		fputs(_("There is no PCI device on this computer.\n"), stderr);
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
