/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long to wait before another try: so that many clients do not come back at the same moment. */
#pragma once

#include <glib.h>

/* The longest time that is waited for because a server asked for it; for a longer one the report is queued. */
#define MTW_BACKOFF_LONGEST_SEC 3600

/*
 * mtw_backoff_msec: "full jitter": anything from 0 to 2 s x 2^@failures, at most @cap_sec.
 * @failures: so far in a row, less one; @fraction: random, 0 <= fraction < 1
 */
gint64 mtw_backoff_msec(guint failures, guint cap_sec, double fraction);

/* mtw_backoff_wait: FALSE as soon as it is cancelled. @cancel: (nullable) atomic */
gboolean mtw_backoff_wait(gint64 msec, const int *cancel);
