/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request over HTTP and its answer. */
#include "submit/link-private.h"
#include "submit/transfer-private.h"

#include "base/error.h"

#include <string.h>

#define REDIRECTS_MAX 5
/* A body larger than this waits for the server's "go on": a refusal then comes before it was sent. */
#define EXPECT_MIN_BYTES (64 * 1024)

char *mtw_url_escape(const char *text)
{
	return g_uri_escape_string(text, NULL, FALSE);
}

static gboolean is_safe(const char *method)
{
	static const char *const safe[] = { "GET", "HEAD", "OPTIONS", "PROPFIND", NULL };

	return g_strv_contains(safe, method);
}

static MtwBody body_of(const MtwHttpRequest *request)
{
	MtwBody body = { 0 };

	switch (request->form) {
	case MTW_BODY_TEXT:
		body.before = request->text;
		break;
	case MTW_BODY_FILE:
		body.file = request->file;
		break;
	case MTW_BODY_BASE64:
		body.before = request->before;
		body.file = request->file;
		body.base64 = TRUE;
		body.after = request->after;
		break;
	default:
		break;
	}
	return body;
}

static guint64 bytes_of(const MtwHttpRequest *request)
{
	MtwBody body = body_of(request);
	guint64 bytes = mtw_body_bytes(&body);

	for (guint i = 0; request->form == MTW_BODY_FORM && i < request->n_parts; i++)
		bytes += request->parts[i].text != NULL ? strlen(request->parts[i].text)
							: request->parts[i].file.bytes;
	return bytes;
}

static void add_part(MtwTransfer *transfer, curl_mime *form, const MtwFormPart *part)
{
	curl_mimepart *added = curl_mime_addpart(form);

	mtw_transfer_note_option(transfer, curl_mime_name(added, part->name));
	if (part->text != NULL)
		mtw_transfer_note_option(transfer,
					 curl_mime_data(added, part->text, CURL_ZERO_TERMINATED));
	else
		mtw_transfer_part_file(transfer, added, &part->file);
	if (part->type != NULL)
		mtw_transfer_note_option(transfer, curl_mime_type(added, part->type));
	if (part->filename != NULL)
		mtw_transfer_note_option(transfer, curl_mime_filename(added, part->filename));
}

/* Returns: (transfer full) (nullable): to be freed after the transfer */
static curl_mime *set_form(MtwTransfer *transfer, const MtwHttpRequest *request)
{
	curl_mime *form = curl_mime_init(transfer->easy);

	for (guint i = 0; i < request->n_parts; i++)
		add_part(transfer, form, &request->parts[i]);
	mtw_transfer_option(transfer, CURLOPT_MIMEPOST, form);
	mtw_transfer_option(transfer, CURLOPT_CUSTOMREQUEST, request->method);
	return form;
}

/* All bodies go the way of an upload, which says its length and can begin anew; only the method's name differs. */
static void set_method(MtwTransfer *transfer, const MtwHttpRequest *request)
{
	const char *method = request->method;
	MtwBody body = body_of(request);
	gboolean has_body = request->form != MTW_BODY_NONE || strcmp(method, "POST") == 0 ||
			    strcmp(method, "PUT") == 0 || strcmp(method, "PATCH") == 0;

	if (strcmp(method, "HEAD") == 0) {
		mtw_transfer_option(transfer, CURLOPT_NOBODY, 1L);
		return;
	}
	if (has_body) {
		MtwBody *own = mtw_transfer_add_body(transfer, &body);
		mtw_transfer_option(transfer, CURLOPT_UPLOAD, 1L);
		mtw_transfer_option(transfer, CURLOPT_READFUNCTION, mtw_body_read);
		mtw_transfer_option(transfer, CURLOPT_READDATA, own);
		mtw_transfer_option(transfer, CURLOPT_SEEKFUNCTION, mtw_body_seek);
		mtw_transfer_option(transfer, CURLOPT_SEEKDATA, own);
		mtw_transfer_option(transfer, CURLOPT_INFILESIZE_LARGE,
				    (curl_off_t)mtw_body_bytes(own));
	}
	mtw_transfer_option(transfer, CURLOPT_CUSTOMREQUEST, method);
}

static void set_connection(MtwTransfer *transfer, const MtwHttpRequest *request, const char *url)
{
	gboolean plain = g_ascii_strncasecmp(url, "http:", 5) == 0;

	mtw_transfer_option(transfer, CURLOPT_URL, url);
	mtw_transfer_option(transfer, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	/*
	 * When an old connection turns out to be closed, libcurl sends the request again over a new one, although the
	 * server may have had it: there would be two reports.
	 */
	if (strcmp(request->method, "POST") == 0 || strcmp(request->method, "MOVE") == 0)
		mtw_transfer_option(transfer, CURLOPT_FRESH_CONNECT, 1L);
	/* Credentials that may go unprotected within this computer must not get to a proxy in front of it. */
	if (plain && mtw_request_has_secret(transfer, request))
		mtw_transfer_option(transfer, CURLOPT_NOPROXY, "*");
}

static void set_what(MtwTransfer *transfer, const char *method, const char *url)
{
	g_auto(MtwUrl) parts = { 0 };
	gboolean split = mtw_url_split(url, &parts);

	g_free(transfer->what);
	transfer->what =
		g_strdup_printf("%s to %s", method, split ? parts.host : transfer->target->host);
}

/* An answer with a refusal in it counts, also when the connection broke behind its header. */
static gboolean is_answer(const MtwTransfer *transfer, CURLcode code, long status)
{
	return code == CURLE_OK || (code != CURLE_ABORTED_BY_CALLBACK && status >= 400 &&
				    transfer->limit == MTW_REPLY_OK);
}

static MtwHttpReply *run(MtwTransfer *transfer, const char *url, GError **error)
{
	CURLcode code = mtw_transfer_run(transfer);
	long status = 0;

	/* libcurl is content with a connection that ends in the middle of a header. */
	if (code == CURLE_OK && !transfer->header_ended)
		code = CURLE_PARTIAL_FILE;
	curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	if (!is_answer(transfer, code, status)) {
		transfer->failure.http_status = status >= 200 ? status : 0;
		mtw_transfer_fail_curl(transfer, code, error);
		return NULL;
	}
	transfer->failure.http_status = status;
	transfer->reply->status = status;
	transfer->reply->url = g_strdup(url);
	return g_steal_pointer(&transfer->reply);
}

/* One request to one address. Returns: (transfer full) (nullable): the answer, whatever it says */
static MtwHttpReply *ask(MtwTransfer *transfer, const MtwHttpRequest *request, const char *url,
			 gboolean expect, GError **error)
{
	curl_mime *form = NULL;
	MtwHttpReply *reply = NULL;

	mtw_transfer_easy(transfer, "http,https");
	set_what(transfer, request->method, url);
	if (!mtw_request_check(transfer, request, error) ||
	    !mtw_transfer_may_send(transfer, request, url, NULL, error))
		return NULL;
	transfer->safe = is_safe(request->method);
	transfer->expects = expect;
	transfer->reply = mtw_http_reply_new();
	set_connection(transfer, request, url);
	if (request->form == MTW_BODY_FORM)
		form = set_form(transfer, request);
	else
		set_method(transfer, request);
	if (mtw_request_set_headers(transfer, request, url, expect, error))
		reply = run(transfer, url, error);
	mtw_request_clear_headers(transfer);
	curl_mime_free(form);
	return reply;
}

/* Goes where the answers lead, and asks again without Expect if that is what is wrong. */
static MtwHttpReply *ask_until_answered(MtwTransfer *transfer, const MtwHttpRequest *request,
					GError **error)
{
	g_autofree char *url = g_strdup(request->url);
	gboolean expect = bytes_of(request) > EXPECT_MIN_BYTES;

	for (int redirects = 0;;) {
		g_autoptr(MtwHttpReply) reply = ask(transfer, request, url, expect, error);
		char *next;
		if (reply == NULL)
			return NULL;
		if (reply->status == 417 && expect) {
			expect = FALSE;
			continue;
		}
		if (!mtw_status_is_redirect(reply->status))
			return g_steal_pointer(&reply);
		if (++redirects > REDIRECTS_MAX) {
			mtw_transfer_fail_as(transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					     FALSE, error, "it leads from one address to another");
			return NULL;
		}
		next = mtw_redirect_target(transfer, request, reply, error);
		if (next == NULL)
			return NULL;
		g_free(url);
		url = next;
	}
}

MtwHttpReply *mtw_http_send(MtwTransfer *transfer, const MtwHttpRequest *request, GError **error)
{
	g_autoptr(MtwHttpReply) reply = NULL;

	transfer->reported_bytes = 0;
	reply = ask_until_answered(transfer, request, error);
	if (reply == NULL)
		return NULL;
	if (request->any_status || (reply->status >= 200 && reply->status < 300))
		return g_steal_pointer(&reply);
	mtw_http_fail(transfer, reply, error);
	return NULL;
}
