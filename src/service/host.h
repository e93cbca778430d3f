/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one capture of the service: the engine, whose it is, everything that happened in it, and who is watching.
 * Thread-safe; calls marked "slow" belong into the service's worker thread, of which there is one.
 */
#pragma once

#include "capture/engine.h"

#include <sys/types.h>

typedef struct _MtwHost MtwHost;

typedef struct {
	/* Both in the main context. */
	void (*event_added)(const char *session, guint number, gpointer user_data);
	void (*state_changed)(gpointer user_data);
	/* A capture that was to be discarded has ended: mtw_host_forget and delete it, in the worker. */
	void (*discard)(const char *session, gpointer user_data);
	gpointer user_data;
} MtwHostHooks;

/* How long a capture goes on that nobody watches. */
#define MTW_HOST_UNATTENDED_SEC (30 * 60)

/* What the bus tells everyone. */
typedef struct {
	char *state, *session, *device;
	guint owner_uid;
	gint64 since_sec;
} MtwHostStatus;

MtwHost *mtw_host_new(const MtwPaths *paths, const MtwHostHooks *hooks);
/* A running capture must have ended. */
void mtw_host_free(MtwHost *host);

void mtw_host_status(MtwHost *host, MtwHostStatus *ret_status);
void mtw_host_status_clear(MtwHostStatus *status);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwHostStatus, mtw_host_status_clear)

gboolean mtw_host_is_running(MtwHost *host);

/* mtw_host_may: @uid may work with the session (its own, or root). Errors: MTW_ERROR_NOT_FOUND, for others' sessions too */
gboolean mtw_host_may(MtwHost *host, const char *session, uid_t uid, GError **error);

/*
 * mtw_host_start: slow. @again: (nullable): id of the owner's last session. Errors: MTW_ERROR_BUSY "by user X since T"
 * Returns: (transfer full) (nullable): the session's id
 */
char *mtw_host_start(MtwHost *host, const MtwCaptureOptions *options, const char *again,
		     GError **error);

/* mtw_host_stop: asks the running capture to end; @discard: its session is deleted afterwards. */
void mtw_host_stop(MtwHost *host, gboolean discard);

/* mtw_host_engine: the engine of the running capture when it is @session, for mark and counters. (nullable) */
MtwEngine *mtw_host_running_engine(MtwHost *host, const char *session, GError **error);

/*
 * mtw_host_borrow: slow. The engine of a finished session: the host's own, or another one that was opened for this.
 * Errors: MTW_ERROR_BUSY while its capture runs. Give it back with mtw_host_give_back.
 */
MtwEngine *mtw_host_borrow(MtwHost *host, const char *session, GError **error);
void mtw_host_give_back(MtwHost *host, MtwEngine *engine);

/* mtw_host_forget: slow. Lets go of a finished session, so that it can be deleted or recovered. */
void mtw_host_forget(MtwHost *host, const char *session);

/* mtw_host_events: those after @after, at most a few hundred. Returns: (transfer full) (nullable): NULL: not of this run */
JsonArray *mtw_host_events(MtwHost *host, const char *session, guint after, guint *ret_last);

/* mtw_host_set_watched: whether anybody is there; a capture that nobody watches ends after MTW_HOST_UNATTENDED_SEC. */
void mtw_host_set_watched(MtwHost *host, gboolean watched);
