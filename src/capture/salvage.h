/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Getting the trace of a dead run into one clean file. */
#pragma once

#include "capture/session.h"
#include "capture/tracer.h"
#include "trace/stats.h"

/*
 * mtw_salvage_newest: the number of the newest trace-N.txt in the session; 0: none
 */
guint mtw_salvage_newest(const MtwSession *session);

/*
 * mtw_salvage_open: opens trace-N.txt for appending and cuts what a crash left behind its last whole
 * line (a torn line, zeros). Returns: a descriptor, or -1
 */
int mtw_salvage_open(const MtwSession *session, guint try_number, GError **error);

/*
 * mtw_salvage_drain: appends what the tracer still has to @fd, without the header that a new reader
 * is given again. @at_start: nothing was read from @tracer yet; set to FALSE when the header is over.
 */
gboolean mtw_salvage_drain(MtwTracer *tracer, int fd, gboolean *at_start, GError **error);

/* mtw_salvage_count: feeds the whole file to @stats. */
gboolean mtw_salvage_count(int fd, MtwStats *stats, GError **error);
