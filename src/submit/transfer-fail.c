/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Failures in words: whatever a server or libcurl said is made safe here, in one place. */
#include "submit/transfer-private.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

/* Shorter ones would be found everywhere. */
#define SECRET_MIN_BYTES 4

/* "https://user:password@proxy" as libcurl repeats it from the environment. */
static char *without_userinfo(const char *text)
{
	g_autoptr(GRegex) regex = g_regex_new("://[^/@\\s]*@", G_REGEX_OPTIMIZE, 0, NULL);

	return g_regex_replace_literal(regex, text, -1, 0, "://", 0, NULL);
}

/* For people: one clean line that has neither the token nor a password in it. Returns: (transfer full) */
static char *make_safe(const MtwTransfer *transfer, const char *text)
{
	const char *secret = transfer->secret != NULL ? mtw_secret_text(transfer->secret) : "";
	g_autofree char *clean = mtw_text_clean_line(text);
	g_autoptr(GString) safe = g_string_new(NULL);
	g_autofree char *no_user = without_userinfo(clean);

	g_string_append(safe, no_user);
	if (strlen(secret) >= SECRET_MIN_BYTES)
		g_string_replace(safe, secret, "***", 0);
	return g_strstrip(g_strdup(safe->str));
}

gboolean mtw_transfer_fail_as(MtwTransfer *transfer, MtwFailureClass class, int code,
			      gboolean maybe_done, GError **error, const char *format, ...)
{
	g_autofree char *text = NULL;
	g_autofree char *safe = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	safe = make_safe(transfer, text);
	transfer->failure.class = class;
	transfer->failure.maybe_done = maybe_done;
	g_set_error(error, MTW_ERROR, code, "%s: %s", transfer->what, safe);
	return FALSE;
}

gboolean mtw_transfer_fail(MtwTransfer *transfer, MtwFailureClass class, int code, GError **error,
			   const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return mtw_transfer_fail_as(transfer, class, code, FALSE, error, "%s", text);
}

static int code_of_class(MtwFailureClass class)
{
	switch (class) {
	case MTW_FAILURE_TRANSIENT:
		return MTW_ERROR_NETWORK;
	case MTW_FAILURE_AUTH:
		return MTW_ERROR_AUTH;
	case MTW_FAILURE_CANCELLED:
		return MTW_ERROR_INTERRUPTED;
	default:
		return MTW_ERROR_REJECTED;
	}
}

/* A gateway that gave up does not know what the server behind it did; an error may come after the deed. */
static gboolean may_have_acted(long status)
{
	return status >= 500 && status <= 599 && status != 501 && status != 503 && status != 505 &&
	       status != 507;
}

/* What the number means beyond its class. (transfer none) */
static const char *remark(const MtwTransfer *transfer, long status)
{
	gboolean known = transfer->secret != NULL && transfer->target->auth != MTW_AUTH_NONE;

	switch (status) {
	case 401:
		return known ? " (the token or password is not accepted)"
			     : " (it wants a token or password)";
	case 403:
		return known ? " (these credentials may not do this)"
			     : " (not without credentials)";
	case 404:
		return " (there is no such thing, or it is not shown with these credentials)";
	case 407:
		return " (the proxy wants other credentials)";
	case 413:
		return " (larger than the server takes)";
	case 429:
		return " (too many requests)";
	case 507:
		return " (no room left on the server)";
	default:
		return "";
	}
}

gboolean mtw_http_fail(MtwTransfer *transfer, const MtwHttpReply *reply, GError **error)
{
	MtwFailureClass class = mtw_reply_class(reply);
	MtwFailure *failure = &transfer->failure;
	g_autofree char *says = mtw_reply_sentence(reply);

	g_free(failure->server_says);
	failure->server_says = says != NULL ? make_safe(transfer, says) : NULL;
	failure->http_status = reply->status;
	failure->retry_after_sec = mtw_reply_wait_sec(reply, g_get_real_time() / G_USEC_PER_SEC);
	return mtw_transfer_fail_as(
		transfer, class, code_of_class(class),
		transfer->sent && !transfer->safe && may_have_acted(reply->status), error,
		"it answered %ld%s%s%s", reply->status, remark(transfer, reply->status),
		says != NULL ? ": " : "", says != NULL ? says : "");
}
