/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hidden verb of mmiotrace-wizard-boot.service: takes the wish of `--next-boot`, and makes the capture while the
 * computer starts. Its end: the time is over, or `systemctl stop mmiotrace-wizard-boot`.
 */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "capture/next-boot.h"
#include "cli/cli.h"

#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <signal.h>
#include <string.h>

#define EVENT_WAIT_MSEC 200

static int stop_signal;

static void on_stop(int number)
{
	(void)number;
	g_atomic_int_set(&stop_signal, 1);
}

/* Ctrl-C and SIGTERM are blocked in all threads since main; this verb has no wizard that waits for them. */
static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = on_stop };
	sigset_t stops;

	sigemptyset(&stops);
	sigaddset(&stops, SIGTERM);
	sigaddset(&stops, SIGINT);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	pthread_sigmask(SIG_UNBLOCK, &stops, NULL);
}

/* What waits for this unit (the display manager) goes on now: sd_notify(3). */
static void tell_ready(void)
{
	static const char ready[] = "READY=1";
	const char *path = g_getenv("NOTIFY_SOCKET");
	g_autoptr(GSocketAddress) address = NULL;
	g_autoptr(GSocket) socket = NULL;

	if (path == NULL)
		return;
	address = path[0] == '@' ? g_unix_socket_address_new_with_type(
					   path + 1, -1, G_UNIX_SOCKET_ADDRESS_ABSTRACT)
				 : g_unix_socket_address_new(path);
	socket = g_socket_new(G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_DATAGRAM,
			      G_SOCKET_PROTOCOL_DEFAULT, NULL);
	if (socket != NULL)
		(void)g_socket_send_to(socket, address, ready, strlen(ready), NULL, NULL);
}

/* The driver is up: the rest of the start may go on, and the time of the capture begins. */
static gint64 go_on(MtwCli *cli, const MtwNextBoot *wish)
{
	mtw_next_boot_load_others(cli->paths, wish);
	tell_ready();
	return g_get_monotonic_time() + (gint64)wish->duration_sec * G_USEC_PER_SEC;
}

/* Returns: (transfer full): the last event */
static JsonObject *attend(MtwCli *cli, MtwEngine *engine, const MtwNextBoot *wish)
{
	gint64 end_usec = G_MAXINT64;

	for (;;) {
		JsonObject *event = mtw_engine_next_event(engine, EVENT_WAIT_MSEC);
		const char *name = event != NULL ? mtw_json_string(event, "event", "") : "";
		if (event != NULL)
			mtw_cli_print_json(event);
		if (g_str_equal(name, "driver-up"))
			end_usec = go_on(cli, wish);
		if (g_str_equal(name, "done"))
			return event;
		g_clear_pointer(&event, json_object_unref);
		if (g_atomic_int_get(&stop_signal) || g_get_monotonic_time() > end_usec)
			mtw_engine_stop(engine);
	}
}

/* Who reads the trace has to know that the driver's very first start is not in it. */
static void note_early_driver(MtwCli *cli, MtwEngine *engine, const MtwNextBoot *wish)
{
	g_autofree char *driver = mtw_pci_driver(cli->paths, wish->options.device);
	g_autofree char *notes = NULL;

	if (driver == NULL)
		return;
	notes = g_strdup_printf(
		"%s%sThe driver %s was there already when the start of the computer came to the "
		"capture (from the initial RAM disk): it was taken away and started again.\n",
		mtw_json_string(mtw_engine_facts(engine), "notes", ""),
		mtw_json_string(mtw_engine_facts(engine), "notes", NULL) != NULL ? "\n" : "",
		driver);
	mtw_engine_log(engine, notes);
	(void)mtw_engine_keep_fact(engine, "notes", json_node_init_string(json_node_alloc(), notes),
				   NULL);
}

static gboolean judge(JsonObject *done, GError **error)
{
	JsonObject *why = mtw_json_object(done, "error");

	if (why != NULL)
		g_propagate_error(error, mtw_error_from_json(why));
	else if (!mtw_json_bool(done, "trace", FALSE))
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "no trace was made");
	else
		return TRUE;
	return FALSE;
}

/* What goes with the trace belongs to this start: the person may look only after another one. */
static void collect(MtwEngine *engine, JsonObject *done)
{
	g_autoptr(GPtrArray) messages = NULL;

	if (mtw_json_bool(done, "trace", FALSE))
		messages = mtw_engine_collect(engine, NULL);
}

static gboolean capture(MtwCli *cli, const MtwNextBoot *wish, GError **error)
{
	g_autoptr(MtwEngine) engine = mtw_engine_new_local(cli->paths);
	g_autoptr(JsonObject) done = NULL;

	if (!mtw_engine_open_session(engine, wish->session, error))
		return FALSE;
	note_early_driver(cli, engine, wish);
	if (!mtw_engine_start(engine, &wish->options, error))
		return FALSE;
	done = attend(cli, engine, wish);
	mtw_next_boot_bind_others(cli->paths, wish);
	tell_ready();
	collect(engine, done);
	return judge(done, error);
}

int mtw_verb_boot_capture(MtwCli *cli)
{
	g_auto(MtwNextBoot) wish = { 0 };
	g_autoptr(GError) error = NULL;

	cli->json = TRUE;
	catch_signals();
	if (mtw_next_boot_take(cli->paths, &wish, &error))
		capture(cli, &wish, &error);
	/* Whatever happened, the start of the computer goes on. */
	tell_ready();
	return mtw_cli_finish(cli, error);
}
