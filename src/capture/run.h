/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One try of a capture, from the first change to the last undo (KERNEL: the order matters). Private to
 * the local engine; runs in a thread of its own.
 */
#pragma once

#include "capture/engine.h"
#include "capture/recorder.h"
#include "capture/session.h"

typedef struct {
	const MtwPaths *paths;
	MtwSession *session;	   /* not owned */
	MtwTracer *tracer;	   /* (owned) */
	MtwCaptureOptions options; /* strings owned */
	GAsyncQueue *events;	   /* (element-type JsonObject) not owned */
	guint try_number;	   /* from 1 */
	int stop;		   /* atomic: the capture shall end */

	GMutex lock;	       /* of what follows, for mark and counters from other threads */
	MtwRecorder *recorder; /* NULL before and after recording */
	gboolean marking;      /* markers can be set */
	gint64 start_usec;     /* monotonic */
	MtwRingStats ring_start;
} MtwRun;

MtwRun *mtw_run_new(const MtwPaths *paths, MtwSession *session, const MtwCaptureOptions *options,
		    guint try_number, GAsyncQueue *events);
void mtw_run_free(MtwRun *run);

/* mtw_run_execute: the whole try; ends with the event "done". A GThreadFunc. */
gpointer mtw_run_execute(gpointer run);

/* From other threads: */
gboolean mtw_run_mark(MtwRun *run, const char *text, GError **error);
gboolean mtw_run_counters(MtwRun *run, MtwCounters *ret_counters);
