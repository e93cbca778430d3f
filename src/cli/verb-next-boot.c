/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `next-boot`: the capture that waits for the next start of the computer, and taking it back. */
#include "base/error.h"
#include "capture/next-boot.h"
#include "capture/session.h"
#include "cli/cli.h"
#include "service/client.h"

#include <glib/gi18n.h>

static gboolean cancel(MtwCli *cli, GError **error)
{
	g_autoptr(MtwEngine) engine = mtw_cli_engine(cli, error);
	g_autoptr(GError) why = NULL;
	g_autofree char *session = NULL;

	if (engine == NULL || (!engine->remote && !mtw_cli_may_see_sessions(cli, error)))
		return FALSE;
	session = engine->remote ? mtw_service_waiting(engine, &why)
				 : mtw_next_boot_pending(cli->paths);
	if (why != NULL) {
		g_propagate_error(error, g_steal_pointer(&why));
		return FALSE;
	}
	if (session != NULL)
		return mtw_engine_cancel_next_boot(engine, session, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
		    "no capture waits for the next start of the computer");
	return FALSE;
}

int mtw_verb_next_boot(MtwCli *cli, int argc, char **argv)
{
	gboolean take_back = FALSE;
	const GOptionEntry entries[] = {
		{ "cancel", 0, 0, G_OPTION_ARG_NONE, &take_back, N_("Take it back"), NULL },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GError) error = NULL;

	if (mtw_cli_parse(cli, "next-boot", NULL,
			  N_("Shows the capture that waits for the next start of the computer."),
			  entries, &argc, &argv, &error)) {
		if (argc > 1)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "what is \"%s\"?", argv[1]);
		else if (take_back)
			cancel(cli, &error);
		else if (mtw_cli_show_sessions(cli, MTW_SESSION_WAITING, &error) == 0)
			fputs(_("No capture waits for the next start of the computer.\n"), stderr);
	}
	return mtw_cli_finish(cli, error);
}
