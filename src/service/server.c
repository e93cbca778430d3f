/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/server.h"

#include "base/error.h"
#include "base/text.h"
#include "capture/recover.h"
#include "capture/session.h"
#include "config.h"
#include "service/authority.h"
#include "service/interface.h"
#include "service/job.h"
#include "service/names.h"

#include <string.h>

#define MESSAGE_MAX_CHARACTERS 1000

struct _MtwServer {
	const MtwPaths *paths;
	MtwServerComplaint complain;
	MtwHost *host;
	GDBusConnection *bus;
	MtwJobs *jobs;
	MtwVisitors *visitors;
};

/* ---- answers --------------------------------------------------------------------------------- */

/* Parts of it may be a caller's own words. */
static void answer_error(GDBusMethodInvocation *invocation, const GError *error)
{
	g_autofree char *name = mtw_service_error_name(error);
	g_autofree char *clean = mtw_text_clean_line(error->message);
	g_autofree char *text =
		g_utf8_substring(clean, 0, MIN(g_utf8_strlen(clean, -1), MESSAGE_MAX_CHARACTERS));

	g_dbus_method_invocation_return_dbus_error(invocation, name, text);
}

static void answer(MtwJob *job, GVariant *reply, const GError *error)
{
	if (reply != NULL)
		g_dbus_method_invocation_return_value_with_unix_fd_list(job->invocation, reply,
									job->call.fds);
	else
		answer_error(job->invocation, error);
}

static void refuse(MtwJob *job, const GError *error)
{
	answer_error(job->invocation, error);
	mtw_job_free(job);
}

/* ---- in the worker --------------------------------------------------------------------------- */

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

/* Others came first, and the one who asked has gone meanwhile: nothing is begun for nobody. */
static gboolean is_still_there(MtwJob *job, GError **error)
{
	uid_t uid;

	return job->method->action == NULL ||
	       find_uid(job->call.bus, job->call.sender, &uid, error);
}

static void perform(MtwJob *job)
{
	g_autoptr(GError) error = NULL;
	GVariant *reply = is_still_there(job, &error) ? job->method->run(&job->call, &error) : NULL;

	answer(job, reply, error);
}

static void recover_dead_runs(MtwJob *job)
{
	MtwServer *server = job->server;
	g_autoptr(GPtrArray) pending = mtw_recover_pending(server->paths);

	/* The newest run's changes are on top of the older ones. What fails is tried again by `recover`. */
	for (guint i = pending->len; i > 0; i--) {
		g_autoptr(GError) error = NULL;
		if (!mtw_recover_session(server->paths, pending->pdata[i - 1], NULL, NULL, &error))
			server->complain(pending->pdata[i - 1], error->message);
	}
}

static void throw_away(MtwJob *job)
{
	MtwServer *server = job->server;
	g_autoptr(GError) error = NULL;

	mtw_host_release(server->host, job->session);
	if (!mtw_session_delete(server->paths, job->session, &error))
		server->complain(job->session, error->message);
}

static void let_go(MtwJob *job)
{
	mtw_host_release(((MtwServer *)job->server)->host, NULL);
}

static void push_own(MtwServer *server, void (*work)(MtwJob *job), const char *session)
{
	MtwJob *job = mtw_job_new(server->jobs, server, NULL, NULL);

	job->session = g_strdup(session);
	mtw_job_push(job, work);
}

/* ---- a call ---------------------------------------------------------------------------------- */

static void hand_on(MtwJob *job)
{
	const MtwMethod *method = job->method;
	g_autoptr(GError) error = NULL;
	GVariant *reply = method->answer != NULL ? method->answer(&job->call, &error) : NULL;

	if (reply == NULL && error == NULL && method->run != NULL) {
		mtw_job_push(job, perform);
		return;
	}
	answer(job, reply, error);
	mtw_job_free(job);
}

static void on_authority(const GError *error, gpointer user_data)
{
	MtwJob *job = user_data;

	if (error != NULL)
		refuse(job, error);
	else
		hand_on(job);
}

static void ask_authority(MtwJob *job)
{
	GDBusMessage *message = g_dbus_method_invocation_get_message(job->invocation);
	const MtwAuthorityQuestion question = {
		.sender = job->call.sender,
		.uid = job->call.uid,
		.action = job->method->action,
		.details = job->call.details,
		.interactive = (g_dbus_message_get_flags(message) &
				G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION) != 0,
	};

	mtw_authority_ask(&question, on_authority, job);
}

static void decide(MtwJob *job)
{
	const MtwMethod *method = job->method;
	MtwCall *call = &job->call;
	g_autoptr(GError) error = NULL;
	const char *session = "";

	if (method->of_session)
		g_variant_get_child(call->arguments, 0, "&s", &session);
	if ((method->of_session && !mtw_host_may(call->host, session, call->uid, &error)) ||
	    (method->prepare != NULL && !method->prepare(call, &error)))
		refuse(job, error);
	else if (method->action == NULL || call->allowed)
		hand_on(job);
	else
		ask_authority(job);
}

static MtwJob *job_of(MtwServer *server, GDBusMethodInvocation *invocation, uid_t uid,
		      GError **error)
{
	MtwJob *job = mtw_job_new(server->jobs, server, &uid, error);

	if (job == NULL)
		return NULL;
	job->method = mtw_method_find(g_dbus_method_invocation_get_method_name(invocation));
	job->invocation = invocation;
	job->call.paths = server->paths;
	job->call.host = server->host;
	job->call.visitors = server->visitors;
	job->call.bus = server->bus;
	job->call.sender = g_dbus_method_invocation_get_sender(invocation);
	job->call.arguments = g_dbus_method_invocation_get_parameters(invocation);
	return job;
}

static void on_call(GDBusConnection *bus, const char *sender, const char *object,
		    const char *interface, const char *method, GVariant *arguments,
		    GDBusMethodInvocation *invocation, gpointer user_data)
{
	g_autoptr(GError) error = NULL;
	MtwJob *job = NULL;
	uid_t uid;

	(void)object;
	(void)interface;
	(void)method;
	(void)arguments;
	if (find_uid(bus, sender, &uid, &error))
		job = job_of(user_data, invocation, uid, &error);
	if (job != NULL)
		decide(job);
	else
		answer_error(invocation, error);
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

	mtw_visitors_tell(server->visitors, server->host);
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
	push_own(user_data, throw_away, session);
}

static void on_visitor_gone(gpointer user_data)
{
	MtwServer *server = user_data;

	mtw_visitors_tell(server->visitors, server->host);
}

/* ---- life ------------------------------------------------------------------------------------ */

static const GDBusInterfaceVTable vtable = { on_call, on_get_property, NULL, { 0 } };

gboolean mtw_server_export(MtwServer *server, GDBusConnection *bus, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(mtw_service_xml, &why);

	g_set_object(&server->bus, bus);
	if (node != NULL &&
	    g_dbus_connection_register_object(bus, MTW_SERVICE_PATH, node->interfaces[0], &vtable,
					      server, NULL, &why) != 0)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "the service's object: %s", why->message);
	return FALSE;
}

void mtw_server_recover(MtwServer *server)
{
	push_own(server, recover_dead_runs, NULL);
}

void mtw_server_rest(MtwServer *server)
{
	push_own(server, let_go, NULL);
}

gboolean mtw_server_is_idle(const MtwServer *server)
{
	return !mtw_host_is_running(server->host) && mtw_visitors_count(server->visitors) == 0 &&
	       mtw_jobs_waiting(server->jobs) == 0;
}

gboolean mtw_server_close(MtwServer *server)
{
	mtw_host_close(server->host);
	mtw_host_stop(server->host, NULL, FALSE);
	return mtw_host_is_running(server->host);
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
	server->jobs = mtw_jobs_new();
	server->visitors = mtw_visitors_new(on_visitor_gone, server);
	return server;
}

void mtw_server_free(MtwServer *server)
{
	mtw_jobs_free(server->jobs);
	mtw_visitors_free(server->visitors);
	mtw_host_free(server->host);
	g_clear_object(&server->bus);
	g_free(server);
}
