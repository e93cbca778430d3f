/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manager's interface: org.freedesktop.systemd1(5). */
#include "machine/systemd.h"

#include "base/error.h"
#include "machine/bus.h"

#include <string.h>

#define NAME "org.freedesktop.systemd1"
#define PATH "/org/freedesktop/systemd1"
#define MANAGER NAME ".Manager"
#define CALL_MSEC 5000
/* systemd's own limit for a service is 90 seconds, then it kills. */
#define JOB_USEC (120 * G_USEC_PER_SEC)

/* A job that systemd works on, and what became of it. */
typedef struct {
	char *path;	     /* (nullable) until the call has answered */
	char *result;	     /* (nullable) "done", "failed", ... */
	GHashTable *removed; /* path to result: the signal can be faster than the answer */
} Job;

static GDBusConnection *need_bus(const MtwPaths *paths, const char *unit, GError **error)
{
	GDBusConnection *bus = mtw_bus_system(paths);

	if (bus == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
			    "%s: there is no system bus to ask systemd through", unit);
	return bus;
}

static GVariant *call(GDBusConnection *bus, const char *path, const char *interface,
		      const char *method, GVariant *arguments, const char *type, GError **error)
{
	g_autoptr(GError) why = NULL;
	GVariant *reply = g_dbus_connection_call_sync(bus, NAME, path, interface, method, arguments,
						      G_VARIANT_TYPE(type), G_DBUS_CALL_FLAGS_NONE,
						      CALL_MSEC, NULL, &why);

	if (reply == NULL) {
		g_dbus_error_strip_remote_error(why);
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "systemd: %s", why->message);
	}
	return reply;
}

static gboolean is_running(const char *state)
{
	static const char *const running[] = { "active", "activating", "reloading", "refreshing",
					       NULL };

	return g_strv_contains(running, state);
}

const char *mtw_systemd_unit_state(const MtwPaths *paths, const char *unit, GError **error)
{
	g_autoptr(GDBusConnection) bus = need_bus(paths, unit, error);
	g_autoptr(GVariant) loaded = NULL;
	g_autoptr(GVariant) reply = NULL;
	g_autoptr(GVariant) state = NULL;
	const char *path;

	if (bus == NULL)
		return NULL;
	loaded = call(bus, PATH, MANAGER, "LoadUnit", g_variant_new("(s)", unit), "(o)", error);
	if (loaded == NULL)
		return NULL;
	g_variant_get(loaded, "(&o)", &path);
	reply = call(bus, path, "org.freedesktop.DBus.Properties", "Get",
		     g_variant_new("(ss)", NAME ".Unit", "ActiveState"), "(v)", error);
	if (reply == NULL)
		return NULL;
	g_variant_get(reply, "(v)", &state);
	if (!g_variant_is_of_type(state, G_VARIANT_TYPE_STRING))
		return MTW_UNIT_INACTIVE;
	return is_running(g_variant_get_string(state, NULL)) ? MTW_UNIT_ACTIVE : MTW_UNIT_INACTIVE;
}

static void on_job_removed(GDBusConnection *bus, const char *sender, const char *object,
			   const char *interface, const char *signal, GVariant *arguments,
			   gpointer user_data)
{
	Job *job = user_data;
	const char *path, *result;

	(void)bus, (void)sender, (void)object, (void)interface, (void)signal;
	if (!g_variant_is_of_type(arguments, G_VARIANT_TYPE("(uoss)")))
		return;
	g_variant_get(arguments, "(u&o&s&s)", NULL, &path, NULL, &result);
	g_hash_table_replace(job->removed, g_strdup(path), g_strdup(result));
}

static gboolean on_tick(gpointer user_data)
{
	(void)user_data;
	return G_SOURCE_CONTINUE;
}

/* Turns @context until the job has ended. */
static gboolean wait_for(Job *job, GMainContext *context)
{
	gint64 deadline_usec = g_get_monotonic_time() + JOB_USEC;
	GSource *tick = g_timeout_source_new(200);

	g_source_set_callback(tick, on_tick, NULL, NULL);
	g_source_attach(tick, context);
	while (job->result == NULL && g_get_monotonic_time() < deadline_usec) {
		g_main_context_iteration(context, TRUE);
		job->result = g_strdup(g_hash_table_lookup(job->removed, job->path));
	}
	g_source_destroy(tick);
	g_source_unref(tick);
	return job->result != NULL;
}

static gboolean start_job(GDBusConnection *bus, Job *job, const char *method, const char *unit,
			  GError **error)
{
	g_autoptr(GVariant) subscribed = call(bus, PATH, MANAGER, "Subscribe", NULL, "()", NULL);
	g_autoptr(GVariant) reply = call(bus, PATH, MANAGER, method,
					 g_variant_new("(ss)", unit, "replace"), "(o)", error);

	if (reply != NULL)
		g_variant_get(reply, "(o)", &job->path);
	return reply != NULL;
}

static gboolean finish_job(Job *job, GMainContext *context, const char *verb, const char *unit,
			   GError **error)
{
	if (!wait_for(job, context)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_TIMEOUT,
			    "systemd did not finish to %s %s within two minutes", verb, unit);
		return FALSE;
	}
	if (g_str_equal(job->result, "done") || g_str_equal(job->result, "skipped"))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
		    "systemd could not %s %s (%s); `systemctl status %s` tells more", verb, unit,
		    job->result, unit);
	return FALSE;
}

/* A context of its own: the signal must not wait for the main loop of somebody else. */
static gboolean run_job(const MtwPaths *paths, const char *method, const char *verb,
			const char *unit, GError **error)
{
	g_autoptr(GDBusConnection) bus = need_bus(paths, unit, error);
	g_autoptr(GMainContext) context = g_main_context_new();
	Job job = { .removed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free) };
	gboolean done = FALSE;
	guint subscription;

	if (bus != NULL) {
		g_main_context_push_thread_default(context);
		subscription = g_dbus_connection_signal_subscribe(
			bus, NAME, MANAGER, "JobRemoved", PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE,
			on_job_removed, &job, NULL);
		done = start_job(bus, &job, method, unit, error) &&
		       finish_job(&job, context, verb, unit, error);
		g_dbus_connection_signal_unsubscribe(bus, subscription);
		/* What is under way already must not find the job gone. */
		while (g_main_context_iteration(context, FALSE))
			;
		g_main_context_pop_thread_default(context);
	}
	g_hash_table_unref(job.removed);
	g_free(job.path);
	g_free(job.result);
	return done;
}

gboolean mtw_systemd_stop(const MtwPaths *paths, const char *unit, GError **error)
{
	return run_job(paths, "StopUnit", "stop", unit, error);
}

gboolean mtw_systemd_start(const MtwPaths *paths, const char *unit, GError **error)
{
	return run_job(paths, "StartUnit", "start", unit, error);
}
