/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The handle with the rules that hold for all transfers. */
#include "submit/transfer-private.h"

#include "config.h"

#include <string.h>

/* So that a fast line is not held up by many small reads; what no processor's cache holds is slower again (tests/bench). */
#define UPLOAD_BUFFER_BYTES (256L * 1024)
/* How long a server may take to say "go on" before the body is sent to it unasked. */
#define EXPECT_TIMEOUT_MSEC 2000L

/* A file with the keys of each connection is a debugging aid that must not be there. */
static gpointer start_curl(gpointer unused)
{
	(void)unused;
	g_unsetenv("SSLKEYLOGFILE");
	return GINT_TO_POINTER(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
}

MtwTransfer *mtw_transfer_new(const MtwTarget *target, const MtwSecret *secret,
			      const MtwTransferHooks *hooks)
{
	static GOnce once = G_ONCE_INIT;
	MtwTransfer *transfer = g_new0(MtwTransfer, 1);

	transfer->target = target;
	transfer->secret = mtw_secret_copy(secret);
	if (hooks != NULL)
		transfer->hooks = *hooks;
	transfer->bodies = g_ptr_array_new_with_free_func(g_free);
	transfer->what = g_strdup(target->host);
	mtw_failure_clear(&transfer->failure);
	if (g_once(&once, start_curl, NULL) != NULL) {
		transfer->easy = curl_easy_init();
		transfer->multi = curl_multi_init();
	}
	return transfer;
}

void mtw_transfer_free(MtwTransfer *transfer)
{
	if (transfer == NULL)
		return;
	curl_easy_cleanup(transfer->easy);
	curl_multi_cleanup(transfer->multi);
	mtw_request_clear_headers(transfer);
	mtw_http_reply_free(transfer->reply);
	mtw_secret_free(transfer->secret);
	mtw_failure_clear(&transfer->failure);
	g_ptr_array_unref(transfer->bodies);
	g_free(transfer->what);
	g_free(transfer->last_line);
	g_free(transfer);
}

void mtw_transfer_set_secret(MtwTransfer *transfer, const MtwSecret *secret)
{
	MtwSecret *copy = mtw_secret_copy(secret);

	mtw_secret_free(transfer->secret);
	transfer->secret = copy;
}

const MtwSecret *mtw_transfer_secret(const MtwTransfer *transfer)
{
	return transfer->secret;
}

const MtwFailure *mtw_transfer_failure(const MtwTransfer *transfer)
{
	return &transfer->failure;
}

void mtw_transfer_note_option(MtwTransfer *transfer, CURLcode code)
{
	if (transfer->option_code == CURLE_OK)
		transfer->option_code = code;
}

/* What the call before left behind. */
static void begin(MtwTransfer *transfer)
{
	mtw_failure_clear(&transfer->failure);
	mtw_request_clear_headers(transfer);
	g_clear_pointer(&transfer->reply, mtw_http_reply_free);
	g_clear_pointer(&transfer->last_line, g_free);
	g_ptr_array_set_size(transfer->bodies, 0);
	transfer->option_code =
		transfer->easy != NULL && transfer->multi != NULL ? CURLE_OK : CURLE_FAILED_INIT;
	transfer->file_bytes = 0;
	transfer->safe = transfer->sent = FALSE;
	transfer->header_ended = transfer->expects = FALSE;
	transfer->limit = MTW_REPLY_OK;
	transfer->header_bytes = transfer->header_lines = 0;
	transfer->curl_says[0] = '\0';
}

static void set_times(MtwTransfer *transfer)
{
	const MtwTargetNetwork *network = &transfer->target->network;

	mtw_transfer_option(transfer, CURLOPT_CONNECTTIMEOUT, (long)network->connect_timeout_sec);
	mtw_transfer_option(transfer, CURLOPT_LOW_SPEED_LIMIT, (long)network->low_speed_bytes);
	mtw_transfer_option(transfer, CURLOPT_LOW_SPEED_TIME, (long)network->low_speed_sec);
	mtw_transfer_option(transfer, CURLOPT_EXPECT_100_TIMEOUT_MS, EXPECT_TIMEOUT_MSEC);
	mtw_transfer_option(transfer, CURLOPT_TCP_KEEPALIVE, 1L);
	mtw_transfer_option(transfer, CURLOPT_UPLOAD_BUFFERSIZE, UPLOAD_BUFFER_BYTES);
#if LIBCURL_VERSION_NUM >= 0x075700
	/* Who cancels does not wait for a name server that does not answer. */
	mtw_transfer_option(transfer, CURLOPT_QUICK_EXIT, 1L);
#endif
}

/* Nothing of the user's other business: no cookies, no ~/.netrc, no other protocols, no other server. */
static void set_rules(MtwTransfer *transfer, const char *protocols)
{
	mtw_transfer_option(transfer, CURLOPT_PROTOCOLS_STR, protocols);
	mtw_transfer_option(transfer, CURLOPT_REDIR_PROTOCOLS_STR, protocols);
	mtw_transfer_option(transfer, CURLOPT_FOLLOWLOCATION, 0L);
	mtw_transfer_option(transfer, CURLOPT_NOSIGNAL, 1L);
	mtw_transfer_option(transfer, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	mtw_transfer_option(transfer, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
	mtw_transfer_option(transfer, CURLOPT_HTTP_CONTENT_DECODING, 0L);
	mtw_transfer_option(transfer, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
	mtw_transfer_option(transfer, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	mtw_transfer_option(transfer, CURLOPT_USERAGENT, "mmiotrace-wizard/" MTW_VERSION);
	mtw_transfer_option(transfer, CURLOPT_ERRORBUFFER, transfer->curl_says);
	mtw_transfer_option(transfer, CURLOPT_HEADERFUNCTION, mtw_reply_take_header);
	mtw_transfer_option(transfer, CURLOPT_HEADERDATA, transfer);
	mtw_transfer_option(transfer, CURLOPT_WRITEFUNCTION, mtw_reply_take_body);
	mtw_transfer_option(transfer, CURLOPT_WRITEDATA, transfer);
}

CURL *mtw_transfer_easy(MtwTransfer *transfer, const char *protocols)
{
	begin(transfer);
	g_free(transfer->what);
	transfer->what = g_strdup_printf("%.*s to %s", (int)strcspn(protocols, ","), protocols,
					 transfer->target->host);
	if (transfer->easy == NULL)
		return NULL;
	curl_easy_reset(transfer->easy);
	set_rules(transfer, protocols);
	set_times(transfer);
	mtw_transfer_set_tls(transfer);
	return transfer->easy;
}
