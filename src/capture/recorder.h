/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves the records from a tracer to a file while it counts them. One thread reads, another brings
 * the data to the disk every second (a slow disk must not stop the reading) and watches the free
 * space.
 */
#pragma once

#include "capture/tracer.h"
#include "trace/stats.h"

typedef struct _MtwRecorder MtwRecorder;

/*
 * mtw_recorder_new: nothing runs yet.
 * @tracer: open; not owned, must outlive the recorder
 * @fd: (transfer full) the file, for writing
 * @stats: (transfer full): with the target's BARs
 * @reserve_bytes: recording fails in order (MTW_ERROR_DISK) when less is free on the disk
 * Returns: (transfer full)
 */
MtwRecorder *mtw_recorder_new(MtwTracer *tracer, int fd, MtwStats *stats, guint64 reserve_bytes);

/* mtw_recorder_free: stops the threads, closes the file. */
void mtw_recorder_free(MtwRecorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwRecorder, mtw_recorder_free)

/* mtw_recorder_start: starts the threads. */
void mtw_recorder_start(MtwRecorder *recorder);

/* mtw_recorder_drain: reads until there is nothing more, at most ten seconds; in the caller's thread. */
void mtw_recorder_drain(MtwRecorder *recorder);

/*
 * mtw_recorder_pause: takes what is there and pauses the tracer, with no read in between, so that
 * losses before and after the stop can be told apart (see mtw_stats_stopping).
 */
gboolean mtw_recorder_pause(MtwRecorder *recorder, GError **error);

/* mtw_recorder_finish: stops the threads, drains once more, brings everything to the disk. */
gboolean mtw_recorder_finish(MtwRecorder *recorder, GError **error);

/* mtw_recorder_counts: a copy of the counts so far. Thread-safe. */
void mtw_recorder_counts(MtwRecorder *recorder, MtwCounts *ret_counts);

/* mtw_recorder_failed: whether reading or writing failed; sets a copy of the error. Thread-safe. */
gboolean mtw_recorder_failed(MtwRecorder *recorder, GError **error);
