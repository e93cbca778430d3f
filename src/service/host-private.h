/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between host.c and host-events.c. */
#pragma once

#include "service/host.h"

struct _MtwHost {
	const MtwPaths *paths;
	MtwHostHooks hooks;
	GMutex lock; /* of all that follows */
	MtwEngine *engine;
	GThread *pump; /* takes the engine's events until "done" */
	gboolean running;
	gboolean discard;
	gboolean closed;
	char *session, *device;
	char *claim;	   /* (nullable): who was allowed to trace what: claim_of */
	const char *state; /* static or interned */
	gint64 owner_uid, since_sec;
	guint unattended_sec;
	guint markers;
	GPtrArray *events; /* (element-type JsonObject) of this session, all tries */
	GQueue notices;	 /* (element-type MtwHostNotice): what the main context was not told yet */
	guint notice_id; /* source */
	guint dead_man_id; /* source */
	gboolean watched;
};

/* What the main context was not told yet. */
typedef struct {
	char *session;
	guint number;
	gboolean discard;
} MtwHostNotice;

void mtw_host_notice_free(MtwHostNotice *notice);

/* mtw_host_pump: a GThreadFunc: takes the events of the host's engine up to "done". */
gpointer mtw_host_pump(gpointer host);

/* mtw_host_arm: with the lock held: begins or ends the dead man's time. It runs from when the last one went. */
void mtw_host_arm(MtwHost *host);
void mtw_host_disarm(MtwHost *host);
