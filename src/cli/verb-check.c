/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/parse.h"
#include "capture/check.h"
#include "capture/events.h"
#include "cli/cli.h"

#include <glib/gi18n.h>

static void show(MtwCli *cli, const MtwMessage *message)
{
	g_autoptr(JsonObject) event = mtw_event_message(message);

	json_object_set_string_member(event, "event", "check");
	if (cli->json)
		mtw_cli_print_json(event);
	else
		mtw_cli_print_event(stdout, event);
}

static gboolean check(MtwCli *cli, const char *device, const char *driver, GError **error)
{
	char address[MTW_BDF_TEXT_BYTES];
	MtwBdf bdf;
	MtwCheckOptions options = { .driver = driver };
	g_autoptr(MtwEngine) engine = mtw_cli_engine(cli, error);
	g_autoptr(GPtrArray) checks = NULL;

	if (engine == NULL)
		return FALSE;
	if (device != NULL) {
		if (!mtw_parse_bdf(device, &bdf)) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
				    "--device takes a PCI address like 0000:01:00.0, not \"%s\"",
				    device);
			return FALSE;
		}
		options.device = mtw_bdf_format(&bdf, address);
	}
	checks = mtw_engine_check(engine, &options, error);
	if (checks == NULL)
		return FALSE;
	for (guint i = 0; i < checks->len; i++)
		show(cli, checks->pdata[i]);
	return mtw_check_to_error(checks, error);
}

int mtw_verb_check(MtwCli *cli, int argc, char **argv)
{
	g_autofree char *device = NULL;
	g_autofree char *driver = NULL;
	const GOptionEntry entries[] = {
		{ "device", 'd', 0, G_OPTION_ARG_FILENAME, &device, N_("This device too"), "BDF" },
		{ "driver", 0, 0, G_OPTION_ARG_FILENAME, &driver, N_("With this driver"), "NAME" },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GError) error = NULL;

	if (mtw_cli_parse(cli, "check", NULL,
			  N_("Looks whether this computer can be traced; changes nothing."),
			  entries, &argc, &argv, &error)) {
		if (argc > 1)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "what is \"%s\"?", argv[1]);
		else
			check(cli, device, driver, &error);
	}
	return mtw_cli_finish(cli, error);
}
