/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/server.h"

#include "base/error.h"
#include "capture/recover.h"
#include "capture/session.h"
#include "config.h"
#include "service/authority.h"
#include "service/interface.h"
#include "service/methods.h"
#include "service/names.h"

#include <string.h>

struct _MtwServer {
	const MtwPaths *paths;
	MtwServerComplaint complain;
	MtwHost *host;
	GDBusConnection *bus;
	GThreadPool *worker;  /* of one thread: slow calls, one after the other */
	GHashTable *visitors; /* bus name to the id that watches it */
	int waiting;	      /* atomic: calls that were taken and not answered yet */
};

/* One call on its way through polkit and the worker. */
typedef struct {
	MtwServer *server;
	const MtwMethod *method; /* NULL: recovery, or a session to be thrown away */
	MtwCall call;
	GDBusMethodInvocation *invocation;
	char *discard;
} Job;

static void job_free(Job *job)
{
	g_atomic_int_add(&job->server->waiting, -1);
	g_clear_object(&job->call.fds);
	g_free(job->discard);
	g_free(job);
}

static Job *job_new(MtwServer *server)
{
	Job *job = g_new0(Job, 1);

	job->server = server;
	g_atomic_int_inc(&server->waiting);
	return job;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void answer_error(GDBusMethodInvocation *invocation, const GError *error)
{
	g_autofree char *name = mtw_service_error_name(error);
	g_autofree char *text = g_utf8_make_valid(error->message, -1);

	g_dbus_method_invocation_return_dbus_error(invocation, name, text);
}

static void perform(Job *job)
{
	g_autoptr(GError) error = NULL;
	GVariant *reply = job->method->run(&job->call, &error);

	if (reply != NULL)
		g_dbus_method_invocation_return_value_with_unix_fd_list(job->invocation, reply,
									job->call.fds);
	else
		answer_error(job->invocation, error);
}

static void recover_dead_runs(MtwServer *server)
{
	g_autoptr(GPtrArray) pending = mtw_recover_pending(server->paths);

	/* The newest run's changes are on top of the older ones. What fails is tried again by `recover`. */
	for (guint i = pending->len; i > 0; i--) {
		g_autoptr(GError) error = NULL;
		if (!mtw_recover_session(server->paths, pending->pdata[i - 1], NULL, NULL, &error))
			server->complain(pending->pdata[i - 1], error->message);
	}
}

static void throw_away(MtwServer *server, const char *session)
{
	g_autoptr(GError) error = NULL;

	mtw_host_forget(server->host, session);
	if (!mtw_session_delete(server->paths, session, &error))
		server->complain(session, error->message);
}

static void work(gpointer data, gpointer user_data)
{
	Job *job = data;

	(void)user_data;
	if (job->method != NULL)
		perform(job);
	else if (job->discard != NULL)
		throw_away(job->server, job->discard);
	else
		recover_dead_runs(job->server);
	job_free(job);
}

/* ---- who calls ------------------------------------------------------------------------------- */

static void on_visitor_gone(GDBusConnection *bus, const char *name, gpointer user_data)
{
	MtwServer *server = user_data;

	(void)bus;
	g_hash_table_remove(server->visitors, name);
	mtw_host_set_watched(server->host, g_hash_table_size(server->visitors) > 0);
}

static void add_visitor(MtwServer *server, const char *name)
{
	if (!g_hash_table_contains(server->visitors, name))
		g_hash_table_insert(server->visitors, g_strdup(name),
				    GUINT_TO_POINTER(g_bus_watch_name_on_connection(
					    server->bus, name, G_BUS_NAME_WATCHER_FLAGS_NONE, NULL,
					    on_visitor_gone, server, NULL)));
	mtw_host_set_watched(server->host, TRUE);
}

/* The bus knows the user of a connection; what a caller says of itself counts for nothing. */
static gboolean find_uid(GDBusConnection *bus, const char *sender, uid_t *ret_uid, GError **error)
{
	g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
		bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
		"GetConnectionUnixUser", g_variant_new("(s)", sender), G_VARIANT_TYPE("(u)"),
		G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
	guint32 uid;

	if (reply == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_PERMISSION, "the bus does not know you");
		return FALSE;
	}
	g_variant_get(reply, "(u)", &uid);
	*ret_uid = uid;
	return TRUE;
}

static void hand_on(Job *job)
{
	if (!job->method->quick) {
		g_thread_pool_push(job->server->worker, job, NULL);
		return;
	}
	perform(job);
	job_free(job);
}

static void refuse(Job *job, const GError *error)
{
	answer_error(job->invocation, error);
	job_free(job);
}

static void on_authority(const GError *error, gpointer user_data)
{
	Job *job = user_data;

	if (error != NULL)
		refuse(job, error);
	else
		hand_on(job);
}

static void ask_authority(Job *job, const char *sender, GVariant *arguments)
{
	GDBusMessage *message = g_dbus_method_invocation_get_message(job->invocation);
	gboolean interactive = (g_dbus_message_get_flags(message) &
				G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION) != 0;
	g_autofree char *device =
		mtw_method_device(job->method->name, arguments, job->server->paths);

	mtw_authority_ask(sender, job->call.uid, job->method->action, device, interactive,
			  on_authority, job);
}

/* Another try in one's own session was allowed with the first one. */
static gboolean is_another_try(const Job *job, GVariant *arguments)
{
	const char *session;

	if (strcmp(job->method->name, "Start") != 0)
		return FALSE;
	g_variant_get_child(arguments, 1, "&s", &session);
	return *session != '\0' && mtw_host_may(job->server->host, session, job->call.uid, NULL);
}

static void decide(Job *job, const char *sender, GVariant *arguments)
{
	g_autoptr(GError) error = NULL;
	const char *session = "";

	if (job->method->of_session)
		g_variant_get_child(arguments, 0, "&s", &session);
	if (job->method->of_session &&
	    !mtw_host_may(job->server->host, session, job->call.uid, &error))
		refuse(job, error);
	else if (job->method->action == NULL || is_another_try(job, arguments))
		hand_on(job);
	else
		ask_authority(job, sender, arguments);
}

static void attach(MtwServer *server, const char *sender, uid_t uid, GVariant *arguments,
		   GDBusMethodInvocation *invocation)
{
	g_autoptr(GError) error = NULL;
	const char *session;

	g_variant_get_child(arguments, 0, "&s", &session);
	if (!mtw_host_may(server->host, session, uid, &error)) {
		answer_error(invocation, error);
		return;
	}
	add_visitor(server, sender);
	g_dbus_method_invocation_return_value(invocation, g_variant_new("()"));
}

static void on_call(GDBusConnection *bus, const char *sender, const char *object,
		    const char *interface, const char *method, GVariant *arguments,
		    GDBusMethodInvocation *invocation, gpointer user_data)
{
	MtwServer *server = user_data;
	g_autoptr(GError) error = NULL;
	uid_t uid;
	Job *job;

	(void)object;
	(void)interface;
	if (!find_uid(bus, sender, &uid, &error)) {
		answer_error(invocation, error);
		return;
	}
	if (strcmp(method, "Attach") == 0) {
		attach(server, sender, uid, arguments, invocation);
		return;
	}
	job = job_new(server);
	job->method = mtw_method_find(method);
	job->invocation = invocation;
	job->call = (MtwCall){
		.paths = server->paths, .host = server->host, .uid = uid, .arguments = arguments
	};
	decide(job, sender, arguments);
}

/* ---- properties and signals ------------------------------------------------------------------ */

static GVariant *property_of(const MtwHostStatus *status, const char *name)
{
	if (strcmp(name, "State") == 0)
		return g_variant_new_string(status->state);
	if (strcmp(name, "Session") == 0)
		return g_variant_new_string(status->session);
	if (strcmp(name, "Device") == 0)
		return g_variant_new_string(status->device);
	if (strcmp(name, "OwnerUid") == 0)
		return g_variant_new_uint32(status->owner_uid);
	if (strcmp(name, "SinceSec") == 0)
		return g_variant_new_int64(status->since_sec);
	return g_variant_new_string(MTW_VERSION);
}

static GVariant *on_get_property(GDBusConnection *bus, const char *sender, const char *object,
				 const char *interface, const char *name, GError **error,
				 gpointer user_data)
{
	MtwServer *server = user_data;
	g_auto(MtwHostStatus) status = { 0 };

	(void)bus;
	(void)sender;
	(void)object;
	(void)interface;
	(void)error;
	mtw_host_status(server->host, &status);
	return property_of(&status, name);
}

static void on_event_added(const char *session, guint number, gpointer user_data)
{
	MtwServer *server = user_data;

	if (server->bus != NULL)
		g_dbus_connection_emit_signal(server->bus, NULL, MTW_SERVICE_PATH,
					      MTW_SERVICE_INTERFACE, "EventAdded",
					      g_variant_new("(su)", session, number), NULL);
}

static void on_state_changed(gpointer user_data)
{
	static const char *const names[] = { "State", "Session", "Device", "OwnerUid", "SinceSec" };
	MtwServer *server = user_data;
	g_auto(MtwHostStatus) status = { 0 };
	GVariantBuilder changed;

	if (server->bus == NULL)
		return;
	mtw_host_status(server->host, &status);
	g_variant_builder_init(&changed, G_VARIANT_TYPE_VARDICT);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		g_variant_builder_add(&changed, "{sv}", names[i], property_of(&status, names[i]));
	g_dbus_connection_emit_signal(
		server->bus, NULL, MTW_SERVICE_PATH, "org.freedesktop.DBus.Properties",
		"PropertiesChanged",
		g_variant_new("(sa{sv}as)", MTW_SERVICE_INTERFACE, &changed, NULL), NULL);
}

static void on_discard(const char *session, gpointer user_data)
{
	MtwServer *server = user_data;
	Job *job = job_new(server);

	job->discard = g_strdup(session);
	g_thread_pool_push(server->worker, job, NULL);
}

/* ---- life ------------------------------------------------------------------------------------ */

static const GDBusInterfaceVTable vtable = { on_call, on_get_property, NULL, { 0 } };

gboolean mtw_server_export(MtwServer *server, GDBusConnection *bus, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(mtw_service_xml, &why);

	if (node != NULL &&
	    g_dbus_connection_register_object(bus, MTW_SERVICE_PATH, node->interfaces[0], &vtable,
					      server, NULL, &why) != 0) {
		server->bus = g_object_ref(bus);
		return TRUE;
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "the service's object: %s", why->message);
	return FALSE;
}

void mtw_server_recover(MtwServer *server)
{
	g_thread_pool_push(server->worker, job_new(server), NULL);
}

gboolean mtw_server_is_idle(const MtwServer *server)
{
	return !mtw_host_is_running(server->host) && g_hash_table_size(server->visitors) == 0 &&
	       g_atomic_int_get(&server->waiting) == 0;
}

gboolean mtw_server_stop(MtwServer *server)
{
	mtw_host_stop(server->host, FALSE);
	return mtw_host_is_running(server->host);
}

static void unwatch(gpointer id)
{
	g_bus_unwatch_name(GPOINTER_TO_UINT(id));
}

MtwServer *mtw_server_new(const MtwPaths *paths, MtwServerComplaint complain)
{
	MtwServer *server = g_new0(MtwServer, 1);
	const MtwHostHooks hooks = { .event_added = on_event_added,
				     .state_changed = on_state_changed,
				     .discard = on_discard,
				     .user_data = server };

	server->paths = paths;
	server->complain = complain;
	server->host = mtw_host_new(paths, &hooks);
	server->worker = g_thread_pool_new(work, server, 1, TRUE, NULL);
	server->visitors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, unwatch);
	return server;
}

void mtw_server_free(MtwServer *server)
{
	g_thread_pool_free(server->worker, FALSE, TRUE);
	g_hash_table_unref(server->visitors);
	mtw_host_free(server->host);
	g_clear_object(&server->bus);
	g_free(server);
}
