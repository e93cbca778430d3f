/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"
#include "gui/app.h"

#include <glib/gi18n.h>
#include <locale.h>

int main(int argc, char **argv)
{
	static MtwWalkSetup setup = { .make_engine = mtw_walk_engine_in_thread };

	setlocale(LC_ALL, "");
	bindtextdomain(GETTEXT_PACKAGE, LOCALEDIR);
	bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
	textdomain(GETTEXT_PACKAGE);
	return mtw_app_run(&setup, argc, argv);
}
