/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's log as dmesg prints it, from /dev/kmsg (non-blocking, never consumed), else
 * syslog(2).
 */
#pragma once

#include "base/paths.h"

typedef struct {
	guint64 sequence;
	guint64 time_usec; /* since boot, CLOCK_MONOTONIC-like */
	guint level;	   /* 0..7 */
	char *text;	   /* first line, unescaped */
} MtwKmsgLine;

/*
 * mtw_kmsg_parse: one record of /dev/kmsg ("6,339,5140900,-;text\n KEY=value\n").
 * Returns: FALSE when malformed; @ret_line->text is (transfer full)
 */
gboolean mtw_kmsg_parse(const char *record, gsize bytes, MtwKmsgLine *ret_line);

/*
 * mtw_kmsg_read: the log from the boot (or where it begins), a line each, "[    5.140900] text\n".
 * @since_sequence: only records from this number on; 0: all
 * @ret_next: (out) (nullable): the number after the last one
 * Returns: (transfer full) (nullable)
 */
char *mtw_kmsg_read(const MtwPaths *paths, guint64 since_sequence, guint64 *ret_next,
		    GError **error);
