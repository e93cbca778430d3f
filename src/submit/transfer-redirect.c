/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where anything may be sent. libcurl's own following of redirects would give custom headers (tokens) and the file to
 * whatever server an answer names, so it is off.
 */
#include "submit/link-private.h"
#include "submit/transfer-private.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

#define SHOWN_MAX_BYTES 200

char *mtw_url_for_message(const char *url)
{
	g_auto(MtwUrl) parts = { 0 };
	g_autofree char *origin = NULL;
	g_autofree char *text = NULL;

	if (!mtw_url_split(url, &parts))
		return g_strdup("an address that cannot be used");
	origin = mtw_url_origin(&parts);
	text = g_strconcat(origin, parts.path, NULL);
	if (strlen(text) <= SHOWN_MAX_BYTES)
		return g_steal_pointer(&text);
	return g_strdup_printf("%.*s...", SHOWN_MAX_BYTES, text);
}

/* Trackers whose interface for programs is another server of the same owner. */
static const char *const interfaces[][2] = {
	{ "https://github.com", "https://api.github.com" },
	{ "https://bugs.launchpad.net", "https://launchpad.net" },
};

gboolean mtw_transfer_knows_server(const MtwTransfer *transfer, const char *url)
{
	const char *own = transfer->target->url;

	if (mtw_url_same_origin(own, url))
		return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(interfaces); i++)
		if (mtw_url_same_origin(own, interfaces[i][0]) &&
		    mtw_url_same_origin(url, interfaces[i][1]))
			return TRUE;
	return FALSE;
}

gboolean mtw_request_has_secret(const MtwTransfer *transfer, const MtwHttpRequest *request)
{
	return transfer->secret != NULL && !request->no_auth &&
	       transfer->target->auth != MTW_AUTH_NONE;
}

/* "host" means the usual port, "host:81" that one. */
static gboolean is_allowed_host(const MtwTarget *target, const MtwUrl *url)
{
	g_autofree char *origin = mtw_url_origin(url);
	const char *host_and_port = strstr(origin, "://") + 3;

	for (char **host = target->network.redirect_hosts; *host != NULL; host++)
		if (g_ascii_strcasecmp(*host, host_and_port) == 0)
			return TRUE;
	return FALSE;
}

static gboolean refuse(MtwTransfer *transfer, int code, GError **error, const char *format,
		       const char *url)
{
	g_autofree char *shown = mtw_url_for_message(url);

	return mtw_transfer_fail_as(transfer, MTW_FAILURE_PERMANENT, code, FALSE, error, format,
				    shown);
}

/* What goes over a line that anyone can read must be allowed to. */
static gboolean may_send_plain(MtwTransfer *transfer, gboolean secret, const char *url,
			       GError **error)
{
	if (mtw_url_is_loopback(url))
		return TRUE;
	if (secret)
		return refuse(transfer, MTW_ERROR_TLS, error,
			      "the token or password would go unprotected to %s: use https", url);
	if (!transfer->target->network.plain_http)
		return refuse(transfer, MTW_ERROR_TLS, error,
			      "the report would go unprotected to %s: use https", url);
	return TRUE;
}

gboolean mtw_transfer_may_send(MtwTransfer *transfer, const MtwHttpRequest *request,
			       const char *url, const char *from, GError **error)
{
	gboolean secret = mtw_request_has_secret(transfer, request);
	gboolean known = mtw_transfer_knows_server(transfer, url);
	g_auto(MtwUrl) parts = { 0 };

	if (!mtw_url_split(url, &parts) || parts.has_user ||
	    (strcmp(parts.scheme, "http") != 0 && strcmp(parts.scheme, "https") != 0))
		return refuse(transfer, MTW_ERROR_REJECTED, error, "it leads to %s", url);
	if (from != NULL && strcmp(parts.scheme, "http") == 0 &&
	    g_ascii_strncasecmp(from, "https:", 6) == 0)
		return refuse(transfer, MTW_ERROR_REJECTED, error,
			      "it leads away from https, to %s", url);
	if (!known && !is_allowed_host(transfer->target, &parts))
		return refuse(transfer, MTW_ERROR_REJECTED, error,
			      "it leads to another server, where nothing may be sent: %s", url);
	/* There the credentials are in the body, which would go along. */
	if (!known && secret && transfer->target->auth == MTW_AUTH_JSON)
		return refuse(transfer, MTW_ERROR_REJECTED, error,
			      "the token would go to another server: %s", url);
	return strcmp(parts.scheme, "https") == 0 ||
	       may_send_plain(transfer, secret && known, url, error);
}

gboolean mtw_status_is_redirect(long status)
{
	return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* With 303, and for others than these also with 301 and 302, the body would not go along: nothing would be done. */
static gboolean keeps_request(const char *method, long status)
{
	if (status == 307 || status == 308)
		return TRUE;
	if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
		return TRUE;
	return strcmp(method, "PUT") == 0 && status != 303;
}

/* @location as seen from @url. Returns: (transfer full) (nullable) */
static char *resolve(const char *url, const char *location)
{
	CURLU *handle = curl_url();
	char *text = NULL;
	char *result = NULL;

	if (handle != NULL && curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK &&
	    curl_url_set(handle, CURLUPART_URL, location, 0) == CURLUE_OK &&
	    curl_url_set(handle, CURLUPART_FRAGMENT, NULL, 0) == CURLUE_OK &&
	    curl_url_get(handle, CURLUPART_URL, &text, 0) == CURLUE_OK)
		result = g_strdup(text);
	curl_free(text);
	curl_url_cleanup(handle);
	return result;
}

static void refuse_redirect(MtwTransfer *transfer, const MtwHttpReply *reply, const char *url,
			    GError **error)
{
	g_autofree char *shown = mtw_url_for_message(url);

	transfer->failure.http_status = reply->status;
	mtw_transfer_fail_as(transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, FALSE, error,
			     "instead of taking it, it leads to %s (%ld), as to a login page",
			     shown, reply->status);
}

char *mtw_redirect_target(MtwTransfer *transfer, const MtwHttpRequest *request,
			  const MtwHttpReply *reply, GError **error)
{
	const char *location = mtw_http_header(reply, "location");
	g_autofree char *url =
		location != NULL && location[0] != '\0' ? resolve(reply->url, location) : NULL;

	if (!keeps_request(request->method, reply->status)) {
		refuse_redirect(transfer, reply, url != NULL ? url : "", error);
		return NULL;
	}
	transfer->failure.http_status = reply->status;
	if (!mtw_transfer_may_send(transfer, request, url != NULL ? url : "", reply->url, error))
		return NULL;
	return g_steal_pointer(&url);
}
