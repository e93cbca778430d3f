/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One collector, in a thread that is left alone when it does not come back in time. */
#pragma once

#include "capture/collect-private.h"

/* Copies of what the options point to; they live as long as any of the threads. */
typedef struct _MtwCollectShared MtwCollectShared;

/* mtw_collect_shared_new: Returns: (transfer full): to be given to mtw_collect_shared_unref */
MtwCollectShared *mtw_collect_shared_new(const MtwCollectOptions *options);
void mtw_collect_shared_unref(MtwCollectShared *shared);

typedef struct {
	gint64 limit_usec; /* for its reading */
	gint64 grace_usec; /* what it may take after that to come back */
	guint read_msec;   /* the most for one file */
} MtwCollectTimes;

/* mtw_collect_one: runs it, writes its files into @folder and adds its messages to @messages. */
void mtw_collect_one(MtwCollectShared *shared, const MtwCollector *collector,
		     const MtwCollectTimes *times, const char *folder, GPtrArray *messages);
