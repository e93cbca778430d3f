/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/kind-json.h"

#include "base/error.h"
#include "base/json.h"

#include <string.h>

char *mtw_kind_url(MtwJob *job, const char *format, ...)
{
	g_autofree char *path = NULL;
	va_list args;

	va_start(args, format);
	path = g_strdup_vprintf(format, args);
	va_end(args);
	return g_strconcat(job->target->url, path, NULL);
}

static gboolean is_page(const MtwHttpReply *reply)
{
	const char *type = mtw_http_header(reply, "content-type");

	return type != NULL && g_ascii_strncasecmp(type, "text/html", 9) == 0;
}

MtwHttpReply *mtw_kind_ask(MtwJob *job, MtwHttpRequest *request, GError **error)
{
	static const char *const headers[] = { "Accept: application/json", NULL };
	g_autoptr(MtwHttpReply) reply = NULL;

	request->headers = headers;
	request->any_status = TRUE;
	reply = mtw_http_send(job->transfer, request, error);
	if (reply == NULL)
		return NULL;
	if (reply->status / 100 != 2 || !is_page(reply))
		return g_steal_pointer(&reply);
	mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
			  "it answered with a web page: is %s the address of the tracker?",
			  job->target->url);
	return NULL;
}

MtwHttpReply *mtw_kind_call(MtwJob *job, MtwHttpRequest *request, MtwKindFail fail, GError **error)
{
	g_autoptr(MtwHttpReply) reply = mtw_kind_ask(job, request, error);

	if (reply == NULL || reply->status / 100 == 2)
		return g_steal_pointer(&reply);
	fail(job, reply, error);
	return NULL;
}

JsonObject *mtw_kind_call_object(MtwJob *job, MtwHttpRequest *request, MtwKindFail fail,
				 GError **error)
{
	g_autoptr(MtwHttpReply) reply = mtw_kind_call(job, request, fail, error);

	return reply != NULL ? mtw_http_json(job->transfer, reply, error) : NULL;
}

JsonArray *mtw_kind_call_array(MtwJob *job, MtwHttpRequest *request, MtwKindFail fail,
			       GError **error)
{
	g_autoptr(MtwHttpReply) reply = mtw_kind_call(job, request, fail, error);

	return reply != NULL ? mtw_http_json_array(job->transfer, reply, error) : NULL;
}

static char *url_of(MtwJob *job, const char *format, va_list args)
{
	g_autofree char *path = g_strdup_vprintf(format, args);

	return g_strconcat(job->target->url, path, NULL);
}

JsonObject *mtw_kind_get(MtwJob *job, MtwKindFail fail, GError **error, const char *format, ...)
{
	g_autofree char *url = NULL;
	MtwHttpRequest request = { .method = "GET" };
	va_list args;

	va_start(args, format);
	request.url = url = url_of(job, format, args);
	va_end(args);
	return mtw_kind_call_object(job, &request, fail, error);
}

JsonArray *mtw_kind_get_array(MtwJob *job, MtwKindFail fail, GError **error, const char *format,
			      ...)
{
	g_autofree char *url = NULL;
	MtwHttpRequest request = { .method = "GET" };
	va_list args;

	va_start(args, format);
	request.url = url = url_of(job, format, args);
	va_end(args);
	return mtw_kind_call_array(job, &request, fail, error);
}

MtwHttpReply *mtw_kind_send(MtwJob *job, const char *method, const char *url, JsonObject *body,
			    MtwKindFail fail, GError **error)
{
	g_autofree char *line = mtw_json_line(body);
	char *text = mtw_kind_secret_text(job, "{", line + 1);
	MtwHttpRequest request = {
		.method = method,
		.url = url,
		.form = MTW_BODY_TEXT,
		.type = "application/json",
		.text = text,
	};
	MtwHttpReply *reply = mtw_kind_call(job, &request, fail, error);

	mtw_kind_text_free(text);
	return reply;
}

JsonObject *mtw_kind_post(MtwJob *job, const char *url, JsonObject *body, MtwKindFail fail,
			  GError **error)
{
	g_autoptr(MtwHttpReply) reply = mtw_kind_send(job, "POST", url, body, fail, error);

	return reply != NULL ? mtw_http_json(job->transfer, reply, error) : NULL;
}

JsonObject *mtw_kind_post_file(MtwJob *job, const char *url, const char *part,
			       const MtwJobFile *file, MtwKindFail fail, GError **error)
{
	const MtwFormPart form = {
		.name = part,
		.type = mtw_kind_mime_type(file->name),
		.filename = file->name,
		.file = { .fd = file->fd, .bytes = file->bytes },
	};
	MtwHttpRequest request = {
		.method = "POST",
		.url = url,
		.form = MTW_BODY_FORM,
		.parts = &form,
		.n_parts = 1,
	};

	return mtw_kind_call_object(job, &request, fail, error);
}

/* @text behind @at as the inside of a JSON string; secrets have no control characters. Returns: the end */
static char *put_escaped(char *at, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			*at++ = '\\';
		*at++ = *text;
	}
	return at;
}

char *mtw_kind_secret_text(MtwJob *job, const char *before, const char *after)
{
	const MtwSecret *secret = mtw_transfer_secret(job->transfer);
	const char *name = job->target->auth_name;
	const char *value;
	char *text, *at;

	if (job->target->auth != MTW_AUTH_JSON || secret == NULL)
		return g_strconcat(before, after, NULL);
	/* In one piece of memory, which is wiped: a growing one would leave copies behind. */
	value = mtw_secret_text(secret);
	text = g_malloc(strlen(before) + 2 * strlen(name) + 2 * strlen(value) + strlen(after) + 7);
	at = g_stpcpy(text, before);
	*at++ = '"';
	at = g_stpcpy(put_escaped(at, name), "\":\"");
	at = g_stpcpy(put_escaped(at, value), "\",");
	g_stpcpy(at, after);
	return text;
}

void mtw_kind_text_free(char *text)
{
	if (text != NULL)
		mtw_secret_wipe(text, strlen(text));
	g_free(text);
}
