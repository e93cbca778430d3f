/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit/transfer: the answer of any server. Headers, an empty line, the body. */
#include "fuzz.h"

#include "base/error.h"
#include "submit/link.h"
#include "submit/transfer-private.h"

#include <string.h>

#define SECRET "hunter2hunter2"

/* Can be shown: one line of valid text without control characters. */
static void check_line(const char *text)
{
	FUZZ_ASSERT(g_utf8_validate(text, -1, NULL));
	for (; *text != '\0'; text = g_utf8_next_char(text))
		FUZZ_ASSERT(!g_unichar_iscntrl(g_utf8_get_char(text)));
}

static MtwHttpReply *reply_of(const char *data, gsize size)
{
	MtwHttpReply *reply = mtw_http_reply_new();
	gsize at = 1;

	reply->status = 300 + (guchar)data[0];
	reply->url = g_strdup("https://tracker.example/api/x?y");
	while (at < size) {
		const char *end = memchr(data + at, '\n', size - at);
		gsize bytes = end != NULL ? (gsize)(end + 1 - data) - at : size - at;
		if (bytes <= 1)
			break;
		mtw_reply_add_header(reply, data + at, bytes);
		at += bytes;
	}
	at = MIN(at + 1, size);
	g_string_append_len(reply->body, data + at, (gssize)(size - at));
	return reply;
}

static void check_headers(const MtwHttpReply *reply)
{
	GHashTableIter iter;
	gpointer name, value;

	g_hash_table_iter_init(&iter, reply->headers);
	while (g_hash_table_iter_next(&iter, &name, &value)) {
		check_line(name);
		check_line(value);
	}
}

static void check_failure(MtwTransfer *transfer, const MtwHttpReply *reply)
{
	const MtwFailure *failure = mtw_transfer_failure(transfer);
	g_autoptr(GError) error = NULL;

	FUZZ_ASSERT(!mtw_http_fail(transfer, reply, &error));
	FUZZ_ASSERT(error->domain == MTW_ERROR);
	check_line(error->message);
	FUZZ_ASSERT(strstr(error->message, SECRET) == NULL);
	FUZZ_ASSERT(failure->class != MTW_FAILURE_NONE && failure->class != MTW_FAILURE_CANCELLED);
	FUZZ_ASSERT(failure->retry_after_sec >= -1 &&
		    failure->retry_after_sec <= MTW_FAILURE_WAIT_MAX_SEC);
	if (failure->server_says == NULL)
		return;
	check_line(failure->server_says);
	FUZZ_ASSERT(g_utf8_strlen(failure->server_says, -1) <= 300);
	FUZZ_ASSERT(strstr(failure->server_says, SECRET) == NULL);
}

static void check_redirect(MtwTransfer *transfer, const MtwHttpReply *reply)
{
	static const char *const methods[] = { "GET", "PUT", "POST" };

	for (gsize i = 0; i < G_N_ELEMENTS(methods); i++) {
		const MtwHttpRequest request = { .method = methods[i], .url = reply->url };
		g_autoptr(GError) error = NULL;
		g_autofree char *url = mtw_redirect_target(transfer, &request, reply, &error);
		FUZZ_ASSERT((url == NULL) == (error != NULL));
		if (url != NULL)
			FUZZ_ASSERT(mtw_url_same_origin(url, reply->url));
		else
			check_line(error->message);
	}
}

static void check_json(MtwTransfer *transfer, const MtwHttpReply *reply)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(JsonObject) object = mtw_http_json(transfer, reply, &error);
	g_autoptr(JsonArray) array = NULL;

	FUZZ_ASSERT((object == NULL) == (error != NULL));
	if (error != NULL)
		check_line(error->message);
	g_clear_error(&error);
	array = mtw_http_json_array(transfer, reply, &error);
	FUZZ_ASSERT((array == NULL) == (error != NULL));
	FUZZ_ASSERT(object == NULL || array == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *no_hosts[] = { NULL };
	static const MtwTarget target = {
		.url = (char *)"https://tracker.example",
		.host = (char *)"tracker.example",
		.auth = MTW_AUTH_BEARER,
		.network = { .redirect_hosts = no_hosts },
	};
	static MtwTransfer *transfer;
	g_autoptr(MtwHttpReply) reply = NULL;

	if (size == 0)
		return 0;
	if (transfer == NULL) {
		g_autoptr(MtwSecret) secret = mtw_secret_new(SECRET, strlen(SECRET));
		transfer = mtw_transfer_new(&target, secret, NULL);
	}
	reply = reply_of((const char *)data, size);
	check_headers(reply);
	check_failure(transfer, reply);
	check_redirect(transfer, reply);
	check_json(transfer, reply);
	return 0;
}
