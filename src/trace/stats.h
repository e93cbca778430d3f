/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts over a trace, while it is recorded and afterwards. Fed line by line or in blocks as they
 * come from the kernel; no allocation per record.
 */
#pragma once

#include "trace/hole.h"
#include "trace/record.h"

#define MTW_STATS_MAX_BARS 7
#define MTW_STATS_MAX_HOLES 16

/* One memory BAR of the target. */
typedef struct {
	guint index; /* 0..5, 6 = ROM */
	guint64 start;
	guint64 length; /* bytes */
	guint64 reads, writes, unknown;
} MtwBarCount;

typedef struct {
	guint64 lines, bytes;
	guint64 kinds[MTW_N_RECORD_KINDS]; /* counts per MtwRecordKind */
	guint64 reads_by_width[9], writes_by_width[9];
	guint64 events;		       /* MAP UNMAP R W UNKNOWN: what the driver did (no markers) */
	guint64 elsewhere;	       /* R W UNKNOWN outside of the target's BARs */
	guint64 lost_marks, lost_gaps; /* sums of LOST and of GAP; an unknown number counts as 1 */
	guint64 gaps_unknown;	       /* GAPs whose number the kernel did not know */
	guint64 lost_marks_after_stop; /* part of lost_marks that came after mtw_stats_stopping */
	guint64 lost_marks_head;    /* part of lost_marks before the first record of the buffer */
	guint64 lost_marks_tail;    /* part of lost_marks after the last record (of each header) */
	guint64 headers;	    /* VERSION lines */
	gboolean version_supported; /* every VERSION was 20070824 */
	guint64 target_maps;	    /* MAPs that overlap a BAR of the target */
	guint64 unmaps_before;	    /* UNMAPs of mappings that were made before the trace */
	guint64 first_usec, last_usec; /* earliest and latest time of a record, trace clock */
	MtwBarCount bars[MTW_STATS_MAX_BARS];
	guint n_bars;
	MtwHole holes[MTW_STATS_MAX_HOLES]; /* each once; on the target only, when there are BARs */
	guint n_holes;
	guint64 unclosed_bytes; /* length of a last line without newline: a cut trace */
} MtwCounts;

typedef struct _MtwStats MtwStats;

MtwStats *mtw_stats_new(void);
void mtw_stats_free(MtwStats *stats);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwStats, mtw_stats_free)

/*
 * mtw_stats_add_bar: a memory BAR of the target. Call before feeding; without any, every access
 * counts as `elsewhere`. At most MTW_STATS_MAX_BARS; more, and empty ones, are ignored.
 */
void mtw_stats_add_bar(MtwStats *stats, guint index, guint64 start, guint64 length_bytes);

/*
 * mtw_stats_add_bars_of: takes the BARs (memory ones) from a PCIDEV line of the trace itself: used
 * when a trace is read without the machine that made it. Flag bits are removed, I/O BARs skipped.
 */
void mtw_stats_add_bars_of(MtwStats *stats, const MtwPcidev *device);

/*
 * mtw_stats_feed: a block of the trace, cut anywhere; a partial last line is kept for the next call
 * (lines over 64 KiB are counted as foreign in pieces). The counts do not depend on the cuts.
 */
void mtw_stats_feed(MtwStats *stats, const char *block, gsize bytes);

/*
 * mtw_stats_stopping: from here on recording is off: LOST lines count in lost_marks_after_stop too.
 */
void mtw_stats_stopping(MtwStats *stats);

/* mtw_stats_counts: the counts so far; they go on with the next feed. Returns: (transfer none) */
const MtwCounts *mtw_stats_counts(const MtwStats *stats);
