/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/backoff.h"

#define BASE_MSEC 2000
/* 2 s x 2^20 is more than any cap. */
#define SHIFT_MAX 20
#define SLICE_MSEC 20

gint64 mtw_backoff_msec(guint failures, guint cap_sec, double fraction)
{
	gint64 most = (gint64)BASE_MSEC << MIN(failures, SHIFT_MAX);

	most = MIN(most, (gint64)cap_sec * 1000);
	return (gint64)((double)most * CLAMP(fraction, 0.0, 1.0));
}

static gboolean is_cancelled(const int *cancel)
{
	return cancel != NULL && g_atomic_int_get(cancel) != 0;
}

gboolean mtw_backoff_wait(gint64 msec, const int *cancel)
{
	gint64 end = g_get_monotonic_time() + msec * 1000;
	gint64 left = msec * 1000;

	while (left > 0 && !is_cancelled(cancel)) {
		g_usleep((gulong)MIN(left, SLICE_MSEC * 1000));
		left = end - g_get_monotonic_time();
	}
	return !is_cancelled(cancel);
}
