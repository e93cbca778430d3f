/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/host.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "capture/session.h"

#include <pwd.h>
#include <string.h>

#define EVENT_WAIT_MSEC 500
#define EVENTS_AT_ONCE 256

struct _MtwHost {
	const MtwPaths *paths;
	MtwHostHooks hooks;
	GMutex lock; /* of all that follows */
	MtwEngine *engine;
	GThread *pump; /* takes the engine's events until "done" */
	gboolean running;
	gboolean discard;
	char *session, *device;
	const char *state; /* static or interned */
	gint64 owner_uid, since_sec;
	GPtrArray *events; /* (element-type JsonObject) of this session, all tries */
	guint dead_man;	   /* source id */
	gboolean watched;
};

/* ---- what the main context is told ----------------------------------------------------------- */

typedef struct {
	MtwHost *host;
	char *session;
	guint number;
	gboolean discard;
} Notice;

static gboolean deliver(gpointer user_data)
{
	Notice *notice = user_data;
	MtwHost *host = notice->host;

	host->hooks.event_added(notice->session, notice->number, host->hooks.user_data);
	host->hooks.state_changed(host->hooks.user_data);
	if (notice->discard)
		host->hooks.discard(notice->session, host->hooks.user_data);
	g_free(notice->session);
	g_free(notice);
	return G_SOURCE_REMOVE;
}

/* With the lock held. */
static void notify(MtwHost *host, guint number, gboolean discard)
{
	Notice *notice = g_new0(Notice, 1);

	notice->host = host;
	notice->session = g_strdup(host->session);
	notice->number = number;
	notice->discard = discard;
	g_idle_add(deliver, notice);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* @event: (transfer full). Returns: whether it was the last one */
static gboolean take_event(MtwHost *host, JsonObject *event)
{
	const char *name = mtw_json_string(event, "event", "");
	gboolean done = g_str_equal(name, "done");

	g_mutex_lock(&host->lock);
	if (g_str_equal(name, "state"))
		host->state = g_intern_string(mtw_json_string(event, "state", ""));
	if (done) {
		host->running = FALSE;
		host->state = "idle";
	}
	g_ptr_array_add(host->events, event);
	notify(host, host->events->len, done && host->discard);
	g_mutex_unlock(&host->lock);
	return done;
}

static gpointer pump_events(gpointer user_data)
{
	MtwHost *host = user_data;
	gboolean done = FALSE;

	while (!done) {
		JsonObject *event = mtw_engine_next_event(host->engine, EVENT_WAIT_MSEC);
		if (event != NULL)
			done = take_event(host, event);
	}
	return NULL;
}

JsonArray *mtw_host_events(MtwHost *host, const char *session, guint after, guint *ret_last)
{
	JsonArray *array = NULL;

	g_mutex_lock(&host->lock);
	if (g_strcmp0(host->session, session) == 0) {
		array = json_array_new();
		*ret_last = MIN(after, host->events->len);
		while (*ret_last < host->events->len && *ret_last - after < EVENTS_AT_ONCE)
			json_array_add_object_element(
				array, json_object_ref(host->events->pdata[(*ret_last)++]));
	}
	g_mutex_unlock(&host->lock);
	return array;
}

/* ---- whose it is ----------------------------------------------------------------------------- */

static gint64 owner_of(MtwHost *host, const char *session)
{
	g_autoptr(MtwSession) stored = NULL;
	gint64 owner = -1;

	g_mutex_lock(&host->lock);
	if (g_strcmp0(host->session, session) == 0)
		owner = host->owner_uid;
	g_mutex_unlock(&host->lock);
	if (owner >= 0)
		return owner;
	stored = mtw_session_open(host->paths, session, FALSE, NULL);
	return stored != NULL ? mtw_json_int(stored->state, "owner_uid", 0) : -1;
}

gboolean mtw_host_may(MtwHost *host, const char *session, uid_t uid, GError **error)
{
	gint64 owner = owner_of(host, session);

	if (owner >= 0 && (uid == 0 || owner == (gint64)uid))
		return TRUE;
	/* Somebody else's looks like none at all. */
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "you have no session \"%s\" here",
		    session);
	return FALSE;
}

static void refuse_busy(MtwHost *host, GError **error)
{
	g_autoptr(GDateTime) since = g_date_time_new_from_unix_local(host->since_sec);
	g_autofree char *time = g_date_time_format(since, "%H:%M");
	const struct passwd *user = getpwuid((uid_t)host->owner_uid);

	g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY, "user %s has been tracing %s since %s",
		    user != NULL ? user->pw_name : "?", host->device, time);
}

/* ---- starting and stopping ------------------------------------------------------------------- */

/* The pump of an ended capture; it needs the lock to come to its end. */
static void join_pump(MtwHost *host)
{
	GThread *pump = NULL;

	g_mutex_lock(&host->lock);
	if (!host->running)
		pump = g_steal_pointer(&host->pump);
	g_mutex_unlock(&host->lock);
	if (pump != NULL)
		g_thread_join(pump);
}

static void let_go(MtwHost *host)
{
	g_clear_pointer(&host->engine, mtw_engine_free);
	g_clear_pointer(&host->session, g_free);
	g_clear_pointer(&host->device, g_free);
	g_ptr_array_set_size(host->events, 0);
}

/* The engine for a first or another try. */
static gboolean ready_engine(MtwHost *host, const char *again, GError **error)
{
	if (again == NULL) {
		let_go(host);
		host->engine = mtw_engine_new_local(host->paths);
		return TRUE;
	}
	if (host->engine != NULL && g_strcmp0(host->session, again) == 0)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
		    "session %s is not the last one of the service: start a new one", again);
	return FALSE;
}

static gboolean on_dead_man(gpointer user_data)
{
	MtwHost *host = user_data;

	host->dead_man = 0;
	mtw_host_stop(host, FALSE);
	return G_SOURCE_REMOVE;
}

/* With the lock held. */
static void arm(MtwHost *host)
{
	if (host->running && !host->watched && host->dead_man == 0)
		host->dead_man = g_timeout_add_seconds(MTW_HOST_UNATTENDED_SEC, on_dead_man, host);
	if ((!host->running || host->watched) && host->dead_man != 0) {
		g_source_remove(host->dead_man);
		host->dead_man = 0;
	}
}

static char *start_locked(MtwHost *host, const MtwCaptureOptions *options, const char *again,
			  GError **error)
{
	if (host->running) {
		refuse_busy(host, error);
		return NULL;
	}
	if (!ready_engine(host, again, error) || !mtw_engine_start(host->engine, options, error))
		return NULL;
	g_free(host->session);
	host->session = g_strdup(mtw_engine_session_id(host->engine));
	g_free(host->device);
	host->device = g_strdup(options->device);
	host->owner_uid = options->owner_uid;
	host->since_sec = g_get_real_time() / G_USEC_PER_SEC;
	host->running = TRUE;
	host->discard = FALSE;
	host->state = "preparing";
	host->pump = g_thread_new("events", pump_events, host);
	arm(host);
	return g_strdup(host->session);
}

char *mtw_host_start(MtwHost *host, const MtwCaptureOptions *options, const char *again,
		     GError **error)
{
	char *session;

	join_pump(host);
	g_mutex_lock(&host->lock);
	session = start_locked(host, options, again, error);
	g_mutex_unlock(&host->lock);
	return session;
}

void mtw_host_stop(MtwHost *host, gboolean discard)
{
	g_mutex_lock(&host->lock);
	if (host->running) {
		host->discard |= discard;
		mtw_engine_stop(host->engine);
	}
	g_mutex_unlock(&host->lock);
}

void mtw_host_set_watched(MtwHost *host, gboolean watched)
{
	g_mutex_lock(&host->lock);
	host->watched = watched;
	arm(host);
	g_mutex_unlock(&host->lock);
}

/* ---- engines of sessions --------------------------------------------------------------------- */

MtwEngine *mtw_host_running_engine(MtwHost *host, const char *session, GError **error)
{
	MtwEngine *engine = NULL;

	g_mutex_lock(&host->lock);
	if (host->running && g_strcmp0(host->session, session) == 0)
		engine = host->engine;
	g_mutex_unlock(&host->lock);
	if (engine == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "session %s is not being captured",
			    session);
	return engine;
}

MtwEngine *mtw_host_borrow(MtwHost *host, const char *session, GError **error)
{
	g_autoptr(MtwEngine) engine = NULL;
	MtwEngine *own = NULL;
	gboolean running;

	g_mutex_lock(&host->lock);
	running = host->running && g_strcmp0(host->session, session) == 0;
	if (!running && host->engine != NULL && g_strcmp0(host->session, session) == 0)
		own = host->engine;
	g_mutex_unlock(&host->lock);
	if (own != NULL)
		return own;
	if (running) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY, "session %s is still being captured",
			    session);
		return NULL;
	}
	engine = mtw_engine_new_local(host->paths);
	if (!mtw_engine_open_session(engine, session, error))
		return NULL;
	return g_steal_pointer(&engine);
}

void mtw_host_give_back(MtwHost *host, MtwEngine *engine)
{
	if (engine != host->engine)
		mtw_engine_free(engine);
}

void mtw_host_forget(MtwHost *host, const char *session)
{
	join_pump(host);
	g_mutex_lock(&host->lock);
	if (!host->running && g_strcmp0(host->session, session) == 0)
		let_go(host);
	g_mutex_unlock(&host->lock);
}

/* ---- the rest -------------------------------------------------------------------------------- */

void mtw_host_status(MtwHost *host, MtwHostStatus *ret_status)
{
	g_mutex_lock(&host->lock);
	ret_status->state = g_strdup(host->state);
	ret_status->session = g_strdup(host->running ? host->session : "");
	ret_status->device = g_strdup(host->running ? host->device : "");
	ret_status->owner_uid = host->running ? (guint)host->owner_uid : 0;
	ret_status->since_sec = host->running ? host->since_sec : 0;
	g_mutex_unlock(&host->lock);
}

void mtw_host_status_clear(MtwHostStatus *status)
{
	g_free(status->state);
	g_free(status->session);
	g_free(status->device);
}

gboolean mtw_host_is_running(MtwHost *host)
{
	gboolean running;

	g_mutex_lock(&host->lock);
	running = host->running;
	g_mutex_unlock(&host->lock);
	return running;
}

MtwHost *mtw_host_new(const MtwPaths *paths, const MtwHostHooks *hooks)
{
	MtwHost *host = g_new0(MtwHost, 1);

	host->paths = paths;
	host->hooks = *hooks;
	host->state = "idle";
	host->owner_uid = -1;
	host->events = g_ptr_array_new_with_free_func((GDestroyNotify)json_object_unref);
	g_mutex_init(&host->lock);
	return host;
}

void mtw_host_free(MtwHost *host)
{
	if (host->dead_man != 0)
		g_source_remove(host->dead_man);
	join_pump(host);
	let_go(host);
	g_ptr_array_unref(host->events);
	g_mutex_clear(&host->lock);
	g_free(host);
}
