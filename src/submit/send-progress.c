/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/send-private.h"

#define EVENT_USEC (G_USEC_PER_SEC / 5)
/* Before that an estimate jumps too much. */
#define ESTIMATE_USEC G_USEC_PER_SEC
#define UNKNOWN_SEC (-1)

static void tell(MtwSendProgress *progress, guint64 bytes, gboolean confirmed, gint64 eta_sec)
{
	JsonObject *event = json_object_new();

	json_object_set_string_member(event, "event", "progress");
	json_object_set_int_member(event, "bytes", (gint64)bytes);
	json_object_set_int_member(event, "total", (gint64)progress->total_bytes);
	json_object_set_boolean_member(event, "confirmed", confirmed);
	json_object_set_int_member(event, "eta_sec", eta_sec);
	mtw_send_event(progress->options, event);
}

void mtw_send_progress_begin(MtwSendProgress *progress, const MtwSendOptions *options,
			     guint64 total_bytes)
{
	*progress = (MtwSendProgress){
		.options = options,
		.active = TRUE,
		.total_bytes = total_bytes,
	};
}

static gint64 estimate(const MtwSendProgress *progress, guint64 bytes, gint64 now)
{
	gint64 passed = now - progress->first_usec;
	guint64 sent = bytes - progress->first_bytes;

	if (passed < ESTIMATE_USEC || sent == 0)
		return UNKNOWN_SEC;
	return (gint64)((double)(progress->total_bytes - bytes) / (double)sent * (double)passed /
			G_USEC_PER_SEC) +
	       1;
}

void mtw_send_progress_tell(MtwSendProgress *progress, guint64 there_bytes, guint64 done,
			    guint64 total)
{
	gint64 now = g_get_monotonic_time();
	guint64 bytes;

	if (!progress->active || progress->total_bytes == 0)
		return;
	if (done < progress->piece_done || total != progress->piece_bytes)
		progress->before_bytes += progress->piece_done;
	progress->piece_done = done;
	progress->piece_bytes = total;
	bytes = (there_bytes > 0 ? there_bytes : progress->before_bytes) + done;
	bytes = MAX(MIN(bytes, progress->total_bytes - 1), progress->shown_bytes);
	if (progress->first_usec == 0) {
		progress->first_usec = now;
		progress->first_bytes = bytes;
	}
	if (now < progress->shown_usec + EVENT_USEC)
		return;
	progress->shown_bytes = bytes;
	progress->shown_usec = now;
	tell(progress, bytes, FALSE, estimate(progress, bytes, now));
}

void mtw_send_progress_end(MtwSendProgress *progress, gboolean confirmed)
{
	if (progress->active && confirmed)
		tell(progress, progress->total_bytes, TRUE, 0);
	progress->active = FALSE;
}
