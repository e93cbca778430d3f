/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many events were really lost.
 *
 * The "Lost N events" lines alone do not tell: after tracing_on = 0 the kernel counts every further
 * access of a still active device as lost, and CPU:n [LOST] lines repeat the same loss. The ring
 * buffer's own statistics are the arbiter; without them (a trace from elsewhere) an estimate is
 * made from the lines.
 */
#pragma once

#include "trace/stats.h"

/* Sums over per_cpu/cpuN/stats. */
typedef struct {
	guint64 overrun;	/* overwrite=1: records overwritten before they were read */
	guint64 dropped_events; /* overwrite=0: records refused */
	guint64 entries;	/* unread records */
} MtwRingStats;

/*
 * mtw_ring_stats_add: adds the numbers of one per_cpu/cpuN/stats file (text) to @stats.
 * Returns: FALSE when the text has none of the fields
 */
gboolean mtw_ring_stats_add(MtwRingStats *stats, const char *text, gsize bytes);

typedef struct {
	guint64 lost;	      /* events missing inside the recorded window */
	guint64 after_stop;   /* "lost" accesses made while recording was off: no loss */
	gboolean exact;	      /* FALSE: estimated from the lines alone */
	gboolean unconfirmed; /* some LOST line has no GAP line: may be accesses after the stop */
} MtwLoss;

/*
 * mtw_loss_judge: with the ring's statistics.
 * @start: right after the tracer was switched on; @stop: after the last drain. Entries that are
 * still unread then will never be in the trace, and count as lost.
 *
 * LOST lines before the first record (the marker that the recorder writes at the start, say) count
 * only as far as the statistics confirm them: the kernel keeps its counter from one session to the
 * next, so they tell of accesses made before this one.
 */
MtwLoss mtw_loss_judge(const MtwCounts *counts, const MtwRingStats *start,
		       const MtwRingStats *stop);

/*
 * mtw_loss_estimate: from the lines of a trace alone.
 *
 * A GAP line is a loss. LOST lines repeat the GAPs; what they have more is of accesses made while
 * recording was off. A trace without any GAP was made with overwrite=0, where a full buffer gives
 * only a LOST line; it comes in front of the records that filled the buffer. With no record behind
 * it the buffer was empty, so recording must have been off.
 */
MtwLoss mtw_loss_estimate(const MtwCounts *counts);
