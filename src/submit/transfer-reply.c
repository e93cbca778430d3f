/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An answer as it comes in: a stranger's, so it is capped in every direction. */
#include "submit/transfer-private.h"

#include "base/text.h"

#include <string.h>

#define HEADERS_MAX_BYTES (256 * 1024)
#define HEADERS_MAX_LINES 500

MtwHttpReply *mtw_http_reply_new(void)
{
	MtwHttpReply *reply = g_new0(MtwHttpReply, 1);

	reply->headers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	reply->body = g_string_new(NULL);
	return reply;
}

void mtw_http_reply_free(MtwHttpReply *reply)
{
	if (reply == NULL)
		return;
	g_hash_table_unref(reply->headers);
	g_string_free(reply->body, TRUE);
	g_free(reply->url);
	g_free(reply);
}

const char *mtw_http_header(const MtwHttpReply *reply, const char *lower_name)
{
	return g_hash_table_lookup(reply->headers, lower_name);
}

/* A copy of @text without what could steer a terminal; NULs are spaces. Returns: (transfer full) */
static char *clean(const char *text, gsize bytes)
{
	g_autofree char *flat = g_malloc(bytes + 1);

	for (gsize i = 0; i < bytes; i++)
		flat[i] = text[i] != '\0' ? text[i] : ' ';
	flat[bytes] = '\0';
	return g_strstrip(mtw_text_clean_line(flat));
}

void mtw_reply_add_header(MtwHttpReply *reply, const char *line, gsize bytes)
{
	const char *colon = memchr(line, ':', bytes);
	gsize name_bytes = colon != NULL ? (gsize)(colon - line) : 0;
	g_autofree char *name = NULL;

	if (name_bytes == 0)
		return;
	for (gsize i = 0; i < name_bytes; i++)
		if (!g_ascii_isgraph(line[i]))
			return;
	name = g_ascii_strdown(line, (gssize)name_bytes);
	g_hash_table_replace(reply->headers, g_steal_pointer(&name),
			     clean(colon + 1, bytes - name_bytes - 1));
}

/* Not HTTP: what the server said last tells why it said no. */
static void keep_line(MtwTransfer *transfer, const char *line, gsize bytes)
{
	/* A mail server's goodbye, behind the reason. */
	if (transfer->last_line != NULL && bytes >= 4 && strncmp(line, "221 ", 4) == 0)
		return;
	g_free(transfer->last_line);
	transfer->last_line = clean(line, MIN(bytes, 1000));
}

/* A new answer begins: what came before was "go on" or the like. */
static gboolean begin_answer(MtwTransfer *transfer, const char *line)
{
	const char *status = strchr(line, ' ');

	g_hash_table_remove_all(transfer->reply->headers);
	transfer->header_ended = FALSE;
	/* libcurl would send the same again by itself, and again with "Expect". */
	return !transfer->expects || status == NULL || !g_str_has_prefix(status, " 417");
}

static gboolean take_line(MtwTransfer *transfer, const char *line, gsize bytes)
{
	static const char status_line[] = "HTTP/";

	if (bytes >= strlen(status_line) && strncmp(line, status_line, strlen(status_line)) == 0) {
		g_autofree char *text = g_strndup(line, bytes);
		return begin_answer(transfer, text);
	}
	if (bytes > 0 && strchr("\r\n", line[0]) != NULL)
		transfer->header_ended = TRUE;
	/* What comes behind the body (trailers) does not change what was said before it. */
	else if (transfer->reply->body->len == 0)
		mtw_reply_add_header(transfer->reply, line, bytes);
	return TRUE;
}

size_t mtw_reply_take_header(char *line, size_t size, size_t count, void *data)
{
	MtwTransfer *transfer = data;
	gsize bytes = size * count;

	transfer->header_bytes += bytes;
	transfer->header_lines++;
	if (transfer->header_bytes > HEADERS_MAX_BYTES ||
	    transfer->header_lines > HEADERS_MAX_LINES) {
		transfer->limit = MTW_REPLY_TOO_MANY_HEADERS;
		return 0;
	}
	if (transfer->reply != NULL)
		return take_line(transfer, line, bytes) ? bytes : 0;
	keep_line(transfer, line, bytes);
	return bytes;
}

size_t mtw_reply_take_body(char *text, size_t size, size_t count, void *data)
{
	MtwTransfer *transfer = data;
	gsize bytes = size * count;

	if (transfer->reply == NULL)
		return bytes;
	if (bytes > MTW_REPLY_MAX_BYTES - transfer->reply->body->len) {
		transfer->limit = MTW_REPLY_TOO_LONG;
		return 0;
	}
	g_string_append_len(transfer->reply->body, text, (gssize)bytes);
	return bytes;
}
