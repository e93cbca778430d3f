/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handing the result over to the person. Under sudo or pkexec the archive is written by a child that
 * became the person for good: root never opens a path that a user chose, and the file is theirs. The
 * members pass as open descriptors.
 */
#pragma once

#include "base/caller.h"
#include "base/paths.h"
#include "report/archive.h"

typedef struct {
	const MtwPaths *paths;
	const MtwCaller *caller;
	const char *folder; /* absolute */
	const char *stem;
	GPtrArray *members; /* measured; (nullable) for a probe */
	gint64 time_sec;
	MtwArchiveProgress progress; /* (nullable) */
	gpointer user_data;
} MtwHandOver;

/* mtw_hand_over: writes the archive as the caller. Returns: (transfer full) (nullable): its path */
char *mtw_hand_over(const MtwHandOver *hand_over, GError **error);

/*
 * mtw_hand_over_probe: whether the caller can make a file in the folder (which is made when it is not
 * there): better found before the machine is changed than after the capture.
 */
gboolean mtw_hand_over_probe(const MtwHandOver *hand_over, GError **error);

/*
 * mtw_hand_over_worker: the child's side: a request on standard input, JSON lines on standard output.
 * Returns: the exit status
 */
int mtw_hand_over_worker(void);

/* The hidden verb that starts the worker. */
#define MTW_HAND_OVER_VERB "hand-over-worker"
