/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one capture of the service: the engine, whose it is, and everything that happened in it. Thread-safe; calls marked
 * "slow" belong into the service's worker thread, of which there is one: only there engines come and go.
 */
#pragma once

#include "capture/engine.h"

#include <sys/types.h>

typedef struct _MtwHost MtwHost;

typedef struct {
	/* Both in the main context. */
	void (*event_added)(const char *session, guint number, gpointer user_data);
	void (*state_changed)(gpointer user_data);
	/* A capture that was to be discarded has ended: delete its session, in the worker. */
	void (*discard)(const char *session, gpointer user_data);
	gpointer user_data;
} MtwHostHooks;

/* How long a capture goes on that nobody watches, unless its options say otherwise. */
#define MTW_HOST_UNATTENDED_SEC (30 * 60)

/* What the bus tells everyone. */
typedef struct {
	char *state, *session, *device;
	guint owner_uid;
	gint64 since_sec;
} MtwHostStatus;

/* Who wants to start what. */
typedef struct {
	const MtwCaptureOptions *options;
	const char *again;  /* (nullable): another try in this session, the last one of the host */
	const char *sender; /* bus name */
} MtwHostStart;

MtwHost *mtw_host_new(const MtwPaths *paths, const MtwHostHooks *hooks);
/* A running capture must have ended; nothing of the worker may run any more. */
void mtw_host_free(MtwHost *host);

void mtw_host_status(MtwHost *host, MtwHostStatus *ret_status);
void mtw_host_status_clear(MtwHostStatus *status);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwHostStatus, mtw_host_status_clear)

gboolean mtw_host_is_running(MtwHost *host);

/* mtw_host_is_free: Errors: MTW_ERROR_BUSY "user X has been tracing DEVICE since T" */
gboolean mtw_host_is_free(MtwHost *host, GError **error);

/* mtw_host_may: @uid may work with the session (its own, or root). Errors: MTW_ERROR_NOT_FOUND, for others' sessions too */
gboolean mtw_host_may(MtwHost *host, const char *session, uid_t uid, GError **error);

/* mtw_host_is_same: another try of exactly what this caller was allowed before: that needs not be asked again. */
gboolean mtw_host_is_same(MtwHost *host, const MtwHostStart *start);

/* mtw_host_start: slow. Errors: as mtw_host_is_free. Returns: (transfer full) (nullable): the session's id */
char *mtw_host_start(MtwHost *host, const MtwHostStart *start, GError **error);

/* mtw_host_stop: asks the capture to end, when it is @session (NULL: whichever); @discard: it is deleted afterwards. */
void mtw_host_stop(MtwHost *host, const char *session, gboolean discard);

/* mtw_host_close: nothing is started any more. */
void mtw_host_close(MtwHost *host);

/* Of the running capture. Errors: MTW_ERROR_FAILED when it is not @session */
gboolean mtw_host_mark(MtwHost *host, const char *session, const char *text, GError **error);
/* Returns: (transfer full) (nullable) */
JsonObject *mtw_host_counters(MtwHost *host, const char *session);

/*
 * mtw_host_borrow: slow. The engine of a session: the host's own, or another one that was opened for this. Give it back
 * with mtw_host_give_back. Errors: MTW_ERROR_BUSY while its capture runs, unless @running
 */
MtwEngine *mtw_host_borrow(MtwHost *host, const char *session, gboolean running, GError **error);
void mtw_host_give_back(MtwHost *host, MtwEngine *engine);

/*
 * mtw_host_release: slow. Lets go of a finished session, so that others can work on it; what happened in it can still be
 * asked for. @session: (nullable): any
 */
void mtw_host_release(MtwHost *host, const char *session);

/* mtw_host_events: those after @after, at most a few hundred. Returns: (transfer full) (nullable): NULL: not of this run */
JsonArray *mtw_host_events(MtwHost *host, const char *session, guint after, guint *ret_last);

/* mtw_host_set_watched: in the main thread. Whether anybody is there for the running capture. */
void mtw_host_set_watched(MtwHost *host, gboolean watched);
