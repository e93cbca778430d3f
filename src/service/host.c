/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/json.h"
#include "capture/session.h"
#include "service/host-private.h"

#include <pwd.h>
#include <string.h>

/* Each stays in memory, and in the trace. */
#define MARKERS_MAX 10000
#define PASSWD_BYTES (64 * 1024)

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
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "you have no session \"%.64s\" here",
		    session);
	return FALSE;
}

/* Returns: (transfer full) */
static char *user_name(uid_t uid)
{
	g_autofree char *buffer = g_malloc(PASSWD_BYTES);
	struct passwd entry, *found = NULL;

	if (getpwuid_r(uid, &entry, buffer, PASSWD_BYTES, &found) == 0 && found != NULL)
		return g_strdup(found->pw_name);
	return g_strdup_printf("%u", uid);
}

/* With the lock held. */
static gboolean is_free(MtwHost *host, GError **error)
{
	g_autoptr(GDateTime) since = NULL;
	g_autofree char *time = NULL;
	g_autofree char *user = NULL;

	if (!host->running)
		return TRUE;
	since = g_date_time_new_from_unix_local(host->since_sec);
	time = g_date_time_format(since, "%H:%M");
	user = user_name((uid_t)host->owner_uid);
	g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY, "user %s has been tracing %s since %s", user,
		    host->device, time);
	return FALSE;
}

gboolean mtw_host_is_free(MtwHost *host, GError **error)
{
	gboolean free;

	g_mutex_lock(&host->lock);
	free = is_free(host, error);
	g_mutex_unlock(&host->lock);
	return free;
}

/* A larger buffer or another countdown is no other wish. None of the texts has a line end in it. */
static char *claim_of(const MtwHostStart *start)
{
	const MtwCaptureOptions *options = start->options;

	return g_strdup_printf("%s\n%" G_GINT64_FORMAT "\n%s\n%s\n%s\n%d", start->sender,
			       options->owner_uid, options->device,
			       options->driver != NULL ? options->driver : "",
			       options->module_options != NULL ? options->module_options : "",
			       options->load_driver);
}

gboolean mtw_host_is_same(MtwHost *host, const MtwHostStart *start)
{
	g_autofree char *claim = claim_of(start);
	gboolean same;

	g_mutex_lock(&host->lock);
	same = start->again != NULL && g_strcmp0(host->session, start->again) == 0 &&
	       g_strcmp0(host->claim, claim) == 0;
	g_mutex_unlock(&host->lock);
	return same;
}

/* ---- starting and stopping ------------------------------------------------------------------- */

/* With the lock held, of a capture that has ended: the pump needs the lock for the last event only, and had it. */
static void drop_engine(MtwHost *host)
{
	g_clear_pointer(&host->pump, g_thread_join);
	g_clear_pointer(&host->engine, mtw_engine_free);
}

static void forget(MtwHost *host)
{
	drop_engine(host);
	g_clear_pointer(&host->session, g_free);
	g_clear_pointer(&host->device, g_free);
	g_clear_pointer(&host->claim, g_free);
	g_ptr_array_set_size(host->events, 0);
	host->markers = 0;
}

/* The engine for a first or another try. */
static gboolean ready_engine(MtwHost *host, const MtwHostStart *start, GError **error)
{
	if (start->again == NULL) {
		forget(host);
		host->engine = mtw_engine_new_local(host->paths);
		return TRUE;
	}
	if (host->engine == NULL || g_strcmp0(host->session, start->again) != 0)
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "session %s is not the last one of the service: start a new one",
			    start->again);
	else if (g_strcmp0(host->device, start->options->device) != 0)
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "session %s is about another device: start a new one", start->again);
	else
		return TRUE;
	return FALSE;
}

static void begin(MtwHost *host, const MtwHostStart *start)
{
	const MtwCaptureOptions *options = start->options;

	g_free(host->session);
	host->session = g_strdup(mtw_engine_session_id(host->engine));
	g_free(host->device);
	host->device = g_strdup(options->device);
	g_free(host->claim);
	host->claim = claim_of(start);
	host->owner_uid = options->owner_uid;
	host->since_sec = g_get_real_time() / G_USEC_PER_SEC;
	host->unattended_sec =
		options->unattended_sec != 0 ? options->unattended_sec : MTW_HOST_UNATTENDED_SEC;
	host->running = TRUE;
	host->discard = FALSE;
	host->state = "preparing";
	/* Who is there is found out by the hook. */
	host->watched = FALSE;
	g_clear_pointer(&host->pump, g_thread_join);
	host->pump = g_thread_new("events", mtw_host_pump, host);
	mtw_host_arm(host);
}

static char *start_locked(MtwHost *host, const MtwHostStart *start, GError **error)
{
	if (host->closed) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY, "the service is about to end");
		return NULL;
	}
	if (!is_free(host, error) || !ready_engine(host, start, error) ||
	    !mtw_engine_start(host->engine, start->options, error))
		return NULL;
	begin(host, start);
	return g_strdup(host->session);
}

char *mtw_host_start(MtwHost *host, const MtwHostStart *start, GError **error)
{
	char *session;

	g_mutex_lock(&host->lock);
	session = start_locked(host, start, error);
	g_mutex_unlock(&host->lock);
	return session;
}

/* With the lock held. */
static gboolean is_captured(const MtwHost *host, const char *session)
{
	return host->running && (session == NULL || g_strcmp0(host->session, session) == 0);
}

void mtw_host_stop(MtwHost *host, const char *session, gboolean discard)
{
	g_mutex_lock(&host->lock);
	if (is_captured(host, session)) {
		host->discard |= discard;
		mtw_engine_stop(host->engine);
	}
	g_mutex_unlock(&host->lock);
}

void mtw_host_close(MtwHost *host)
{
	g_mutex_lock(&host->lock);
	host->closed = TRUE;
	g_mutex_unlock(&host->lock);
}

/* ---- the running capture --------------------------------------------------------------------- */

static gboolean mark_locked(MtwHost *host, const char *session, const char *text, GError **error)
{
	if (!is_captured(host, session)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "session %s is not being captured",
			    session);
		return FALSE;
	}
	if (host->markers >= MARKERS_MAX) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "this capture has %u markers, and takes no more", host->markers);
		return FALSE;
	}
	if (!mtw_engine_mark(host->engine, text, error))
		return FALSE;
	host->markers++;
	return TRUE;
}

/* The lock keeps the engine from going away meanwhile; what it does is short. */
gboolean mtw_host_mark(MtwHost *host, const char *session, const char *text, GError **error)
{
	gboolean marked;

	g_mutex_lock(&host->lock);
	marked = mark_locked(host, session, text, error);
	g_mutex_unlock(&host->lock);
	return marked;
}

JsonObject *mtw_host_counters(MtwHost *host, const char *session)
{
	JsonObject *counters = NULL;

	g_mutex_lock(&host->lock);
	if (is_captured(host, session))
		counters = mtw_engine_counters(host->engine);
	g_mutex_unlock(&host->lock);
	return counters;
}

/* ---- engines of sessions --------------------------------------------------------------------- */

/* The worker alone changes `engine`: what is found stays. Returns: (transfer none) (nullable) */
static MtwEngine *own_engine(MtwHost *host, const char *session, gboolean *ret_running)
{
	MtwEngine *engine = NULL;

	g_mutex_lock(&host->lock);
	*ret_running = is_captured(host, session);
	if (g_strcmp0(host->session, session) == 0)
		engine = host->engine;
	g_mutex_unlock(&host->lock);
	return engine;
}

MtwEngine *mtw_host_borrow(MtwHost *host, const char *session, gboolean running, GError **error)
{
	g_autoptr(MtwEngine) engine = NULL;
	gboolean is_running;
	MtwEngine *own = own_engine(host, session, &is_running);

	if (is_running && !running) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY, "session %s is still being captured",
			    session);
		return NULL;
	}
	if (own != NULL)
		return own;
	engine = mtw_engine_new_local(host->paths);
	return mtw_engine_open_session(engine, session, error) ? g_steal_pointer(&engine) : NULL;
}

void mtw_host_give_back(MtwHost *host, MtwEngine *engine)
{
	if (engine != host->engine)
		mtw_engine_free(engine);
}

void mtw_host_release(MtwHost *host, const char *session)
{
	g_mutex_lock(&host->lock);
	if (!host->running && (session == NULL || g_strcmp0(host->session, session) == 0))
		drop_engine(host);
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
	g_queue_init(&host->notices);
	g_mutex_init(&host->lock);
	return host;
}

void mtw_host_free(MtwHost *host)
{
	mtw_host_disarm(host);
	if (host->notice_id != 0)
		g_source_remove(host->notice_id);
	g_queue_clear_full(&host->notices, (GDestroyNotify)mtw_host_notice_free);
	forget(host);
	g_ptr_array_unref(host->events);
	g_mutex_clear(&host->lock);
	g_free(host);
}
