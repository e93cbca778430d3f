/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop around libcurl: progress, and an end within moments when the person cancels. */
#include "submit/transfer-private.h"

#include <signal.h>

#define POLL_MSEC 100
#define PROGRESS_USEC (G_USEC_PER_SEC / 5)

gboolean mtw_transfer_is_cancelled(const MtwTransfer *transfer)
{
	return transfer->hooks.cancel != NULL && g_atomic_int_get(transfer->hooks.cancel) != 0;
}

/* 0 also for what is not known. */
static guint64 info(const MtwTransfer *transfer, CURLINFO which)
{
	curl_off_t number = 0;

	if (curl_easy_getinfo(transfer->easy, which, &number) != CURLE_OK || number < 0)
		return 0;
	return (guint64)number;
}

/* The body is more than the file (base64, parts of a form): its share of what is sent. */
static void report_progress(MtwTransfer *transfer)
{
	guint64 sent = info(transfer, CURLINFO_SIZE_UPLOAD_T);
	guint64 total = info(transfer, CURLINFO_CONTENT_LENGTH_UPLOAD_T);
	gint64 now = g_get_monotonic_time();
	guint64 done;

	if (transfer->hooks.progress == NULL || transfer->file_bytes == 0 || total == 0)
		return;
	done = sent >= total
		       ? transfer->file_bytes
		       : (guint64)((double)transfer->file_bytes * (double)sent / (double)total);
	if (done <= transfer->reported_bytes ||
	    (done < transfer->file_bytes && now < transfer->reported_usec + PROGRESS_USEC))
		return;
	transfer->reported_bytes = done;
	transfer->reported_usec = now;
	transfer->hooks.progress(done, transfer->file_bytes, transfer->hooks.user_data);
}

static CURLcode loop(MtwTransfer *transfer)
{
	CURLMsg *message = NULL;
	int running = 1;
	int left;

	while (running > 0) {
		CURLMcode code;
		if (mtw_transfer_is_cancelled(transfer))
			return CURLE_ABORTED_BY_CALLBACK;
		code = curl_multi_perform(transfer->multi, &running);
		report_progress(transfer);
		if (code == CURLM_OK && running > 0)
			code = curl_multi_poll(transfer->multi, NULL, 0, POLL_MSEC, NULL);
		if (code != CURLM_OK)
			return CURLE_FAILED_INIT;
	}
	message = curl_multi_info_read(transfer->multi, &left);
	return message != NULL && message->msg == CURLMSG_DONE ? message->data.result
							       : CURLE_FAILED_INIT;
}

/*
 * With CURLOPT_NOSIGNAL it is our task that a closed connection does not end the program: the signal is held back in
 * this thread, and dropped if it came.
 */
static CURLcode loop_without_sigpipe(MtwTransfer *transfer)
{
	const struct timespec no_time = { 0 };
	sigset_t pipe, before, pending;
	CURLcode code;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	code = loop(transfer);
	if (!sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipe, NULL, &no_time);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return code;
}

/* Whether the server can have all of it: then nobody knows what it did when no answer came. */
static gboolean was_sent(const MtwTransfer *transfer)
{
	guint64 sent = info(transfer, CURLINFO_SIZE_UPLOAD_T);
	guint64 total = info(transfer, CURLINFO_CONTENT_LENGTH_UPLOAD_T);
	gboolean begun = info(transfer, CURLINFO_PRETRANSFER_TIME_T) > 0;
	long request_bytes = 0;

	/* What a proxy was asked before counts as bytes of the request, too. */
	curl_easy_getinfo(transfer->easy, CURLINFO_REQUEST_SIZE, &request_bytes);
	return begun && sent >= total && (sent > 0 || request_bytes > 0);
}

CURLcode mtw_transfer_run(MtwTransfer *transfer)
{
	CURLcode code;

	if (transfer->option_code != CURLE_OK)
		return transfer->option_code;
	if (curl_multi_add_handle(transfer->multi, transfer->easy) != CURLM_OK)
		return CURLE_FAILED_INIT;
	code = loop_without_sigpipe(transfer);
	transfer->sent = was_sent(transfer);
	curl_multi_remove_handle(transfer->multi, transfer->easy);
	return code;
}

gboolean mtw_transfer_perform(MtwTransfer *transfer, GError **error)
{
	CURLcode code;

	transfer->reported_bytes = 0;
	code = mtw_transfer_run(transfer);
	return code == CURLE_OK || mtw_transfer_fail_curl(transfer, code, error);
}
