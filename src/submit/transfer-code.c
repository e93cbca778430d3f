/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libcurl's result codes mean for the person and for the next try. */
#include "submit/transfer-private.h"

#include "base/error.h"

#include <string.h>

typedef struct {
	CURLcode code;
	MtwFailureClass class;
	int error;
	gboolean detail; /* libcurl's own words help */
	const char *cause;
} CodeRow;

/* clang-format off */
static const CodeRow rows[] = {
	{ CURLE_UNSUPPORTED_PROTOCOL, MTW_FAILURE_PERMANENT, MTW_ERROR_INVALID, FALSE, "the protocol of the address may not be used here" },
	{ CURLE_URL_MALFORMAT, MTW_FAILURE_PERMANENT, MTW_ERROR_INVALID, FALSE, "the address cannot be used" },
	{ CURLE_COULDNT_RESOLVE_PROXY, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "the name of the proxy is not known" },
	{ CURLE_COULDNT_RESOLVE_HOST, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "the name of the server is not known (is there a network?)" },
	{ CURLE_COULDNT_CONNECT, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "no connection" },
	{ CURLE_WEIRD_SERVER_REPLY, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "its answer is none of this protocol" },
	{ CURLE_REMOTE_ACCESS_DENIED, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, FALSE, "no permission on the server" },
	{ CURLE_PARTIAL_FILE, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "its answer broke off" },
	{ CURLE_QUOTE_ERROR, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, TRUE, "it refused a command" },
	{ CURLE_UPLOAD_FAILED, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, TRUE, "it does not take the file" },
	{ CURLE_OPERATION_TIMEDOUT, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "too slow" },
	{ CURLE_SSL_CONNECT_ERROR, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "no secure connection" },
	{ CURLE_GOT_NOTHING, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "it closed the connection without an answer" },
	{ CURLE_SSL_ENGINE_NOTFOUND, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "no secure connection" },
	{ CURLE_SEND_ERROR, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "the connection broke while sending" },
	{ CURLE_RECV_ERROR, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "the connection broke before the whole answer was there" },
	{ CURLE_SSL_CERTPROBLEM, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "no secure connection" },
	{ CURLE_SSL_CIPHER, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "no secure connection" },
	{ CURLE_PEER_FAILED_VERIFICATION, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "it could not prove who it is" },
	{ CURLE_USE_SSL_FAILED, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, FALSE, "it offers no encryption (STARTTLS), or somebody took the offer away" },
	{ CURLE_LOGIN_DENIED, MTW_FAILURE_AUTH, MTW_ERROR_AUTH, TRUE, "the login is not accepted" },
	{ CURLE_REMOTE_DISK_FULL, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "no room left on the server" },
	{ CURLE_REMOTE_FILE_EXISTS, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, FALSE, "there is a file of that name on the server" },
	{ CURLE_SSL_CACERT_BADFILE, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "the file of certificate authorities cannot be used" },
	{ CURLE_REMOTE_FILE_NOT_FOUND, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, FALSE, "there is no such file or folder on the server" },
	{ CURLE_SSH, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, TRUE, "the SSH connection failed" },
	{ CURLE_SSL_SHUTDOWN_FAILED, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "the connection did not end as it should" },
	{ CURLE_SSL_CRL_BADFILE, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "no secure connection" },
	{ CURLE_SSL_ISSUER_ERROR, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "it could not prove who it is" },
	{ CURLE_SSL_PINNEDPUBKEYNOTMATCH, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, FALSE, "its key is not the one that the target names (PinnedPubkey)" },
	{ CURLE_SSL_INVALIDCERTSTATUS, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "it could not prove who it is" },
	{ CURLE_PROXY, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, FALSE, "the proxy did not connect" },
	{ CURLE_SSL_CLIENTCERT, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, TRUE, "it wants a certificate of the client" },
};
/* clang-format on */

static const CodeRow *row_of(CURLcode code)
{
	static const CodeRow other = { CURLE_OK, MTW_FAILURE_PERMANENT, MTW_ERROR_FAILED, TRUE,
				       "the transfer failed" };

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		if (rows[i].code == code)
			return &rows[i];
	return &other;
}

static gboolean says(const MtwTransfer *transfer, const char *part)
{
	return strstr(transfer->curl_says, part) != NULL;
}

static gboolean is_scheme(const MtwTransfer *transfer, const char *beginning)
{
	const char *scheme = NULL;

	curl_easy_getinfo(transfer->easy, CURLINFO_SCHEME, &scheme);
	return scheme != NULL && g_ascii_strncasecmp(scheme, beginning, strlen(beginning)) == 0;
}

/* A connection that broke during the handshake has the code of a handshake that failed. */
static CURLcode real_code(const MtwTransfer *transfer, CURLcode code)
{
	if (code == CURLE_SSL_CONNECT_ERROR &&
	    (says(transfer, "SSL_ERROR_SYSCALL") || says(transfer, "Connection reset") ||
	     says(transfer, "unexpected eof")))
		return CURLE_GOT_NOTHING;
	/* HTTP/0.9, which is to say: anything. */
	if (code == CURLE_UNSUPPORTED_PROTOCOL && transfer->sent)
		return CURLE_WEIRD_SERVER_REPLY;
	return code;
}

/* What to do about it, where that is known. Returns: (transfer full) */
static char *advice(const MtwTransfer *transfer, CURLcode code)
{
	const MtwTargetNetwork *network = &transfer->target->network;
	long system_error = 0, proxy_status = 0;
	double connect_sec = 0;

	curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &system_error);
	curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
	curl_easy_getinfo(transfer->easy, CURLINFO_PRETRANSFER_TIME, &connect_sec);
	if (proxy_status >= 300)
		return g_strdup_printf(" (the proxy answered %ld)", proxy_status);
	if (code == CURLE_COULDNT_CONNECT && system_error != 0)
		return g_strdup_printf(" (%s)", mtw_error_errno_text((int)system_error));
	if (code == CURLE_OPERATION_TIMEDOUT && connect_sec <= 0)
		return g_strdup_printf(" (no connection within %u s)",
				       network->connect_timeout_sec);
	if (code == CURLE_OPERATION_TIMEDOUT)
		return g_strdup_printf(" (less than %u bytes/s for %u s)", network->low_speed_bytes,
				       network->low_speed_sec);
	if (says(transfer, "expired") || says(transfer, "not yet valid"))
		return g_strdup(" (is the clock of this computer right?)");
	if (says(transfer, "self-signed") || says(transfer, "local issuer"))
		return g_strdup(" (if this server is to be trusted, name its authority in the "
				"target: CAFile)");
	if (code == CURLE_PEER_FAILED_VERIFICATION && is_scheme(transfer, "sftp"))
		return g_strdup(" (its host key is not known, or another one than before)");
	if (code == CURLE_LOGIN_DENIED && is_scheme(transfer, "sftp"))
		return g_strdup(" (RSA keys often fail here: libssh2 before 1.11 signs with SHA-1, "
				"which servers refuse; use an ed25519 key)");
	return g_strdup("");
}

static gboolean fail_local(MtwTransfer *transfer, const MtwBody *body, GError **error)
{
	if (body->errnum != 0)
		return mtw_transfer_fail_as(transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_DISK, FALSE,
					    error, "the file to send cannot be read: %s",
					    mtw_error_errno_text(body->errnum));
	return mtw_transfer_fail_as(transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_INVALID, FALSE,
				    error, "the file became shorter while it was sent");
}

static gboolean fail_limit(MtwTransfer *transfer, GError **error)
{
	return mtw_transfer_fail_as(transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
				    transfer->sent && !transfer->safe, error, "%s",
				    transfer->limit == MTW_REPLY_TOO_LONG
					    ? "its answer is longer than 1 MiB"
					    : "its answer has too many headers");
}

/* A mail server says its reason by a number of its own. */
static gboolean fail_smtp(MtwTransfer *transfer, long status, GError **error)
{
	MtwFailureClass class = MTW_FAILURE_PERMANENT;
	int code = MTW_ERROR_REJECTED;

	if (status < 500) {
		class = MTW_FAILURE_TRANSIENT;
		code = MTW_ERROR_NETWORK;
	} else if (status == 530 || status == 534 || status == 535 || status == 538) {
		class = MTW_FAILURE_AUTH;
		code = MTW_ERROR_AUTH;
	} else if (status == 552) {
		class = MTW_FAILURE_TOO_BIG;
	}
	g_free(transfer->failure.server_says);
	transfer->failure.server_says = g_strdup(transfer->last_line);
	return mtw_transfer_fail_as(transfer, class, code, FALSE, error, "it answered: %s",
				    transfer->last_line != NULL ? transfer->last_line : "no");
}

/* The reasons that are ours or the other protocol's own. Returns: TRUE when it was one of them */
static gboolean is_special(MtwTransfer *transfer, CURLcode code, GError **error)
{
	long status = 0;

	for (guint i = 0; i < transfer->bodies->len; i++) {
		const MtwBody *body = transfer->bodies->pdata[i];
		if (body->errnum != 0 || body->ended)
			return !fail_local(transfer, body, error);
	}
	if (code == CURLE_ABORTED_BY_CALLBACK)
		return !mtw_transfer_fail_as(transfer, MTW_FAILURE_CANCELLED, MTW_ERROR_INTERRUPTED,
					     transfer->sent && !transfer->safe, error,
					     "stopped as you wished");
	if (transfer->limit != MTW_REPLY_OK)
		return !fail_limit(transfer, error);
	curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status >= 400 && status < 600 && is_scheme(transfer, "smtp"))
		return !fail_smtp(transfer, status, error);
	return FALSE;
}

gboolean mtw_transfer_fail_curl(MtwTransfer *transfer, CURLcode code, GError **error)
{
	const CodeRow *row = row_of(real_code(transfer, code));
	g_autofree char *what_to_do = NULL;
	const char *detail = "";

	transfer->failure.curl_code = (int)code;
	if (is_special(transfer, code, error))
		return FALSE;
	if (row->detail)
		detail = transfer->curl_says[0] != '\0' ? transfer->curl_says
							: curl_easy_strerror(code);
	what_to_do = advice(transfer, row->code);
	return mtw_transfer_fail_as(
		transfer, row->class, row->error,
		transfer->sent && !transfer->safe && row->class == MTW_FAILURE_TRANSIENT, error,
		"%s%s%s%s", row->cause, detail[0] != '\0' ? ": " : "", detail, what_to_do);
}
