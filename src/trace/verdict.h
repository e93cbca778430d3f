/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace is worth: one grade, and the findings that led to it.
 * Findings have a stable id for --json and a sentence (msgid with no arguments) plus a detail text
 * that is data (numbers, addresses), so that only views translate.
 */
#pragma once

#include "trace/loss.h"
#include "trace/stats.h"

typedef enum {
	MTW_GRADE_GOOD,
	MTW_GRADE_DOUBTFUL,  /* usable, read the findings */
	MTW_GRADE_LOST,	     /* events are missing */
	MTW_GRADE_UNTOUCHED, /* no access to the target */
	MTW_GRADE_EMPTY,     /* header only, or nothing at all */
	MTW_GRADE_BROKEN,    /* not an mmiotrace log, unknown version */
	MTW_N_GRADES,
} MtwGrade; /* the worse, the larger: the worst finding gives the grade */

/*
 * The ids: no-version, version, mostly-foreign, empty, untouched, lost-events, mapped-before,
 * hole-unaligned, hole-huge-tail, hole-gib-page, unknown-share, kernel-message, truncated,
 * foreign-lines, unconfirmed-loss, after-stop.
 */
typedef struct {
	const char *id;	      /* (static) */
	gboolean serious;     /* a warning, or just worth knowing, if FALSE */
	const char *sentence; /* msgid (static) */
	char *detail;	      /* (owned) "" if none */
} MtwFinding;

typedef struct {
	MtwGrade grade;
	MtwLoss loss;
	GPtrArray *findings; /* (element-type MtwFinding) serious ones first; all that hold */
} MtwVerdict;

/*
 * mtw_verdict_new: @counts; @loss; @target_known: whether the counts have the target's BARs;
 * @doubts: (nullable) (array zero-terminated=1): kernel messages that make the trace doubtful
 * (each becomes a finding "kernel-message").
 * Returns: (transfer full)
 */
MtwVerdict *mtw_verdict_new(const MtwCounts *counts, const MtwLoss *loss, gboolean target_known,
			    const char *const *doubts);
void mtw_verdict_free(MtwVerdict *verdict);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwVerdict, mtw_verdict_free)

/* mtw_grade_name: stable name: "good", "doubtful", "lost", "untouched", "empty", "broken". */
const char *mtw_grade_name(MtwGrade grade);

/* mtw_grade_sentence: one sentence for people (msgid). */
const char *mtw_grade_sentence(MtwGrade grade);

/*
 * mtw_doubt_matches: whether a kernel message is one that makes a trace doubtful (mmiotrace's and
 * kmmio's complaints, which name one of them; not the "has lost events" line, which the loss says
 * better).
 */
gboolean mtw_doubt_matches(const char *message);
