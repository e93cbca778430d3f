/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The child that makes the report as the person, on the terminal of its parent. */
#include "base/error.h"
#include "base/json.h"
#include "cli/cli.h"
#include "wizard/hand-over.h"

#include <stdio.h>

int mtw_verb_report_worker(MtwCli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(JsonObject) request = mtw_handed_request(&error);
	g_autoptr(MtwView) view = NULL;
	JsonObject *options;

	if (request == NULL) {
		fprintf(stderr, "%s\n", error->message);
		return mtw_error_exit_status(error);
	}
	options = mtw_json_object(request, "options");
	view = mtw_terminal_new(options != NULL && mtw_json_bool(options, "json", FALSE));
	return mtw_handed_run(cli->paths, view, request, mtw_signals_watch);
}
