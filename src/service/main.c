/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmiotrace-wizardd: started by the bus when somebody calls, gone again when nobody needs it. */
#include "config.h"
#include "service/names.h"
#include "service/server.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define IDLE_CHECK_SEC 20
#define IDLE_LIMIT_CHECKS 6
#define END_POLL_MSEC 200

typedef struct {
	GMainLoop *loop;
	MtwServer *server;
	guint owner; /* of the name */
	guint idle_checks;
	gboolean ending;
	int status;
} Daemon;

/* Not before the machine is put back. */
static gboolean quit_when_ended(gpointer user_data)
{
	Daemon *daemon = user_data;

	if (mtw_server_close(daemon->server))
		return G_SOURCE_CONTINUE;
	g_main_loop_quit(daemon->loop);
	return G_SOURCE_REMOVE;
}

static void end(Daemon *daemon)
{
	if (!daemon->ending)
		g_timeout_add(END_POLL_MSEC, quit_when_ended, daemon);
	daemon->ending = TRUE;
}

static gboolean on_signal(gpointer user_data)
{
	end(user_data);
	return G_SOURCE_CONTINUE;
}

/* Calls that were on their way when the name was given up are still answered; later ones start another process. */
static gboolean quit_when_idle(gpointer user_data)
{
	Daemon *daemon = user_data;

	if (!mtw_server_is_idle(daemon->server))
		return G_SOURCE_CONTINUE;
	end(daemon);
	return G_SOURCE_REMOVE;
}

static void give_up_name(Daemon *daemon)
{
	g_bus_unown_name(daemon->owner);
	daemon->owner = 0;
	g_timeout_add(END_POLL_MSEC, quit_when_idle, daemon);
}

static gboolean on_idle_check(gpointer user_data)
{
	Daemon *daemon = user_data;

	daemon->idle_checks = mtw_server_is_idle(daemon->server) ? daemon->idle_checks + 1 : 0;
	if (daemon->idle_checks == 1)
		mtw_server_rest(daemon->server);
	if (daemon->idle_checks < IDLE_LIMIT_CHECKS)
		return G_SOURCE_CONTINUE;
	give_up_name(daemon);
	return G_SOURCE_REMOVE;
}

static void on_bus(GDBusConnection *bus, const char *name, gpointer user_data)
{
	Daemon *daemon = user_data;
	g_autoptr(GError) error = NULL;

	(void)name;
	/* Without the bus nobody could end a capture any more: on_name_lost does it, in order. */
	g_dbus_connection_set_exit_on_close(bus, FALSE);
	if (mtw_server_export(daemon->server, bus, &error))
		return;
	g_printerr("mmiotrace-wizardd: %s\n", error->message);
	daemon->status = 1;
	g_main_loop_quit(daemon->loop);
}

static void on_name_lost(GDBusConnection *bus, const char *name, gpointer user_data)
{
	Daemon *daemon = user_data;

	g_printerr(bus != NULL ? "mmiotrace-wizardd: the name %s is taken or not allowed\n"
			       : "mmiotrace-wizardd: no system bus for %s\n",
		   name);
	daemon->status = 1;
	end(daemon);
}

static void complain(const char *session, const char *message)
{
	g_printerr("mmiotrace-wizardd: session %s: %s\n", session, message);
}

static int run(const MtwPaths *paths)
{
	Daemon daemon = { .loop = g_main_loop_new(NULL, FALSE),
			  .server = mtw_server_new(paths, complain) };

	mtw_server_recover(daemon.server);
	g_unix_signal_add(SIGTERM, on_signal, &daemon);
	g_unix_signal_add(SIGINT, on_signal, &daemon);
	g_unix_signal_add(SIGHUP, on_signal, &daemon);
	g_timeout_add_seconds(IDLE_CHECK_SEC, on_idle_check, &daemon);
	daemon.owner =
		g_bus_own_name(G_BUS_TYPE_SYSTEM, MTW_SERVICE_NAME, G_BUS_NAME_OWNER_FLAGS_NONE,
			       on_bus, NULL, on_name_lost, &daemon, NULL);
	g_main_loop_run(daemon.loop);
	if (daemon.owner != 0)
		g_bus_unown_name(daemon.owner);
	mtw_server_free(daemon.server);
	g_main_loop_unref(daemon.loop);
	return daemon.status;
}

int main(int argc, char **argv)
{
	MtwPaths *paths;
	int status;

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	bindtextdomain(GETTEXT_PACKAGE, LOCALEDIR);
	bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
	textdomain(GETTEXT_PACKAGE);
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("mmiotrace-wizardd %s\n", MTW_VERSION);
		return 0;
	}
	if (argc > 1) {
		fprintf(stderr, _("mmiotrace-wizardd is started by the system bus and takes no "
				  "arguments.\n"));
		return 2;
	}
	paths = mtw_paths_new_from_environment();
	status = run(paths);
	mtw_paths_free(paths);
	return status;
}
