/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an answer means: its sentence, its class, when to come back. */
#include "test-submit-transfer-server.h"

#include "submit/transfer-private.h"

static MtwHttpReply *reply_of(long status, const char *type, const char *body, gssize bytes)
{
	MtwHttpReply *reply = mtw_http_reply_new();
	g_autofree char *line = g_strdup_printf("Content-Type: %s\r\n", type);

	reply->status = status;
	mtw_reply_add_header(reply, line, strlen(line));
	g_string_append_len(reply->body, body, bytes);
	return reply;
}

/* What trackers really answer, and what a hostile one could. NULL: nothing to show */
static const char *const sentences[][3] = {
	{ "application/json", "{\"message\":\"401 Unauthorized\"}", "401 Unauthorized" },
	{ "application/json", "{\"message\":{\"title\":[\"can't be blank\",\"is short\"]}}",
	  "title: can't be blank; title: is short" },
	{ "application/json",
	  "{\"error\":\"insufficient_scope\",\"error_description\":\"Higher.\"}", "Higher." },
	{ "application/json", "{\"errors\":[\"Subject cannot be blank\",\"two\"]}",
	  "Subject cannot be blank; two" },
	{ "application/json", "{\"error\":true,\"code\":600,\"message\":\"Too large\"}",
	  "Too large" },
	{ "application/json", "[\"Comments added\",{\"a\":\"b\"}]", "Comments added; a: b" },
	{ "text/plain", "  No room.\nReally.\n", "No room. Really." },
	{ "text/plain; charset=utf-8", "\033[31mred\033[0m\007", "[31mred [0m" },
	{ "text/plain", "\342\200\256evil", "evil" },
	{ "text/html", "<html><head><TITLE>502 Bad\nGateway</TITLE></head><body>x</body>",
	  "502 Bad Gateway" },
	{ "application/json", "<html><title>Sign in</title><script>alert(1)</script>", "Sign in" },
	{ "application/xml", "<?xml?><Error><Code>A</Code><Message>Request has expired</Message>",
	  "Request has expired" },
	{ "text/html", "<html><body>no title</body></html>", NULL },
	{ "text/html", "<title>never ends", NULL },
	{ "application/octet-stream", "\001\002\003", NULL },
	{ "application/json", "{\"id\":5}", NULL },
	{ "application/json", "{}", NULL },
	{ "application/json", "[]", NULL },
	{ "application/json", "{\"message\":null}", NULL },
	{ "application/json", "not json", NULL },
	{ "text/plain", " \n\t ", NULL },
	{ "text/plain", "", NULL },
};

static void test_sentences(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(sentences); i++) {
		g_autoptr(MtwHttpReply) reply = reply_of(400, sentences[i][0], sentences[i][1], -1);
		g_autofree char *sentence = mtw_reply_sentence(reply);
		if (sentences[i][2] == NULL)
			assert_null(sentence);
		else
			assert_string_equal(sentence, sentences[i][2]);
	}
}

static void test_long_sentence(void **state)
{
	g_autoptr(GString) text = g_string_new("{\"errors\":[");
	g_autoptr(MtwHttpReply) reply = NULL;
	g_autofree char *sentence = NULL;

	(void)state;
	for (int i = 0; i < 50000; i++)
		g_string_append(text, "\"\303\244\303\266\303\274\",");
	g_string_append(text, "\"end\"]}");
	reply = reply_of(422, "application/json", text->str, (gssize)text->len);
	sentence = mtw_reply_sentence(reply);
	assert_int_equal(g_utf8_strlen(sentence, -1), 300);
	assert_true(g_str_has_suffix(sentence, "..."));
	assert_true(g_utf8_validate(sentence, -1, NULL));
}

#define NOW 1700000000

static gint64 wait_of(long status, const char *header, const char *more)
{
	g_autoptr(MtwHttpReply) reply = reply_of(status, "text/plain", "", 0);

	mtw_reply_add_header(reply, header, strlen(header));
	if (more != NULL)
		mtw_reply_add_header(reply, more, strlen(more));
	return mtw_reply_wait_sec(reply, NOW);
}

static void test_wait(void **state)
{
	static const struct {
		long status;
		const char *header, *more;
		gint64 wait_sec;
	} cases[] = {
		{ 429, "Retry-After: 2\r\n", NULL, 2 },
		{ 503, "retry-after:120\r\n", NULL, 120 },
		{ 429, "Retry-After: 0\r\n", NULL, 0 },
		{ 429, "Retry-After: 7200\r\n", NULL, 7200 },
		{ 429, "Retry-After: Tue, 14 Nov 2023 22:13:23 GMT\r\n", NULL, 3 },
		{ 429, "Retry-After: Tue, 14 Nov 2023 22:13:17 GMT\r\n", NULL, -1 },
		{ 429, "Retry-After: Thu, 14 Nov 2030 22:13:23 GMT\r\n", NULL, -1 },
		{ 429, "Retry-After: -5\r\n", NULL, -1 },
		{ 429, "Retry-After: 1e9\r\n", NULL, -1 },
		{ 429, "Retry-After: 999999999\r\n", NULL, -1 },
		{ 429, "Retry-After: 1000000000\r\n", NULL, -1 },
		{ 429, "Retry-After: 99999999999999999999999\r\n", NULL, -1 },
		{ 429, "Retry-After: 18446744073709551615\r\n", NULL, -1 },
		{ 429, "Retry-After: soon\r\n", NULL, -1 },
		{ 429, "Retry-After:\r\n", NULL, -1 },
		{ 429, "RateLimit-Reset: 1700000060\r\n", NULL, 60 },
		{ 429, "RateLimit-Reset: 1699999999\r\n", NULL, -1 },
		{ 429, "RateLimit-Reset: 45\r\n", NULL, 45 },
		{ 403, "X-RateLimit-Reset: 1700003600\r\n", NULL, 3600 },
		{ 429, "Retry-After: 2\r\n", "RateLimit-Reset: 1700000060\r\n", 60 },
		{ 429, "Retry-After: 90\r\n", "RateLimit-Reset: 1700000060\r\n", 90 },
		{ 503, "RateLimit-Reset: 1700000060\r\n", NULL, -1 },
		{ 429, "X: y\r\n", NULL, -1 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		if (wait_of(cases[i].status, cases[i].header, cases[i].more) != cases[i].wait_sec)
			fail_msg("%s %s: %ld", cases[i].header, cases[i].more,
				 (long)wait_of(cases[i].status, cases[i].header, cases[i].more));
}

static void serve_status(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	g_autoptr(GString) head = server_read_request(server, fd, body);

	(void)number;
	server_json(fd, server->data, "{\"message\":\"bad token " SERVER_TOKEN "\"}");
}

/* The real thing: status to failure and error; the token that a server repeats is not shown. */
static void expect_status(const char *status, int code, MtwFailureClass class, gboolean maybe_done)
{
	g_autoptr(Server) server = server_start(serve_status, status);
	g_auto(ServerTarget) target = { 0 };
	g_autoptr(MtwTransfer) transfer = NULL;
	g_autoptr(GError) error = NULL;

	server_target(&target, server, MTW_AUTH_BEARER);
	transfer = server_transfer(&target, NULL);
	assert_null(server_send(transfer, &target, "POST", "/", "{}", &error));
	assert_int_equal(mtw_transfer_failure(transfer)->http_status,
			 g_ascii_strtoull(status, NULL, 10));
	assert_string_equal(mtw_transfer_failure(transfer)->server_says, "bad token ***");
	expect_failure(transfer, &error, code, class, maybe_done);
}

static void test_statuses(void **state)
{
	static const int auth[] = { 401, 403 };
	static const int permanent[] = { 300, 304, 400, 404, 405, 409, 412,
					 415, 417, 422, 423, 501, 505 };
	static const int transient[] = { 407, 408, 425, 429, 503, 507 };
	static const int unknown[] = { 500, 502, 504, 520 };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(auth); i++) {
		g_autofree char *status = g_strdup_printf("%d X", auth[i]);
		expect_status(status, MTW_ERROR_AUTH, MTW_FAILURE_AUTH, FALSE);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(permanent); i++) {
		g_autofree char *status = g_strdup_printf("%d X", permanent[i]);
		if (permanent[i] != 304) /* has no body, so nothing to say */
			expect_status(status, MTW_ERROR_REJECTED, MTW_FAILURE_PERMANENT, FALSE);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(transient); i++) {
		g_autofree char *status = g_strdup_printf("%d X", transient[i]);
		expect_status(status, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, FALSE);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(unknown); i++) {
		g_autofree char *status = g_strdup_printf("%d X", unknown[i]);
		expect_status(status, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, TRUE);
	}
	expect_status("413 X", MTW_ERROR_REJECTED, MTW_FAILURE_TOO_BIG, FALSE);
}

static void test_rate_limit(void **state)
{
	g_autoptr(MtwHttpReply) reply = reply_of(403, "text/plain", "", 0);

	(void)state;
	assert_int_equal(mtw_reply_class(reply), MTW_FAILURE_AUTH);
	mtw_reply_add_header(reply, "X-RateLimit-Remaining: 7", 24);
	assert_int_equal(mtw_reply_class(reply), MTW_FAILURE_AUTH);
	mtw_reply_add_header(reply, "X-RateLimit-Remaining: 0", 24);
	assert_int_equal(mtw_reply_class(reply), MTW_FAILURE_TRANSIENT);
}

/* With any_status the caller looks itself, and can say what it found. */
static void test_any_status(void **state)
{
	g_autoptr(Server) server = server_start(serve_status, "409 Conflict");
	g_auto(ServerTarget) target = { 0 };
	g_autoptr(MtwTransfer) transfer = NULL;
	g_autoptr(MtwHttpReply) reply = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	server_target(&target, server, MTW_AUTH_BEARER);
	transfer = server_transfer(&target, NULL);
	reply = mtw_http_send(
		transfer,
		&(MtwHttpRequest){ .method = "POST", .url = target.url, .any_status = TRUE },
		&error);
	assert_null(error);
	assert_int_equal(reply->status, 409);
	assert_false(mtw_http_fail(transfer, reply, &error));
	expect_failure(transfer, &error, MTW_ERROR_REJECTED, MTW_FAILURE_PERMANENT, FALSE);
	assert_false(mtw_transfer_fail(transfer, MTW_FAILURE_PERSON, MTW_ERROR_REJECTED, &error,
				       "%s needs \033[1myou, %s, http://me:pass@proxy/", "captcha",
				       SERVER_TOKEN));
	assert_string_equal(error->message,
			    "POST to 127.0.0.1: captcha needs  [1myou, ***, http://proxy/");
	expect_failure(transfer, &error, MTW_ERROR_REJECTED, MTW_FAILURE_PERSON, FALSE);
	assert_int_equal(mtw_transfer_failure(transfer)->http_status, 409);
}

static void serve_body(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	g_autoptr(GString) head = server_read_request(server, fd, body);
	const GString *answer = server->data;
	g_autofree char *header =
		g_strdup_printf("HTTP/1.1 201 Created\r\nContent-Length: %zu\r\n\r\n", answer->len);

	(void)number;
	server_say(fd, header);
	server_write(fd, answer->str, answer->len);
}

/* A yes that makes no sense: the report may be there. */
static void expect_rubbish(const char *text, gsize bytes, const char *method)
{
	g_autoptr(GString) answer = g_string_new_len(text, (gssize)bytes);
	g_autoptr(Server) server = server_start(serve_body, answer);
	g_auto(ServerTarget) target = { 0 };
	g_autoptr(MtwTransfer) transfer = NULL;
	g_autoptr(MtwHttpReply) reply = NULL;
	g_autoptr(GError) error = NULL;

	server_target(&target, server, MTW_AUTH_BEARER);
	transfer = server_transfer(&target, NULL);
	reply = server_send(transfer, &target, method, "/", NULL, &error);
	assert_null(error);
	assert_null(mtw_http_json(transfer, reply, &error));
	expect_failure(transfer, &error, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT,
		       strcmp(method, "POST") == 0);
	if (text[0] == '[' && text[1] != '[')
		return;
	assert_null(mtw_http_json_array(transfer, reply, &error));
	g_clear_error(&error);
}

static void test_rubbish(void **state)
{
	static const char nul[] = "{\"id\":1}\0{\"id\":2}";
	g_autofree char *deep = g_strnfill(100000, '[');

	(void)state;
	expect_rubbish("<html>not json", 14, "POST");
	expect_rubbish("<html>not json", 14, "GET");
	expect_rubbish("", 0, "POST");
	expect_rubbish(nul, sizeof nul - 1, "POST");
	expect_rubbish("{\"a\":\"\xff\"}", 9, "POST");
	expect_rubbish("[1]", 3, "POST");
	expect_rubbish("[1],\"x\":[2]", 11, "POST");
	expect_rubbish("{\"id\":", 6, "POST");
	expect_rubbish(deep, 100000, "POST");
}

/* What stands before a NUL is not the answer. */
static void test_array_with_nul(void **state)
{
	g_autoptr(MtwHttpReply) reply = reply_of(200, "application/json", "[1]\0[2]", 7);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mtw_reply_array(reply, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
}

static void test_array(void **state)
{
	g_autoptr(GString) answer = g_string_new("[{\"id\":1},{\"id\":2}]");
	g_autoptr(Server) server = server_start(serve_body, answer);
	g_auto(ServerTarget) target = { 0 };
	g_autoptr(MtwTransfer) transfer = NULL;
	g_autoptr(MtwHttpReply) reply = NULL;
	g_autoptr(JsonArray) array = NULL;

	(void)state;
	server_target(&target, server, MTW_AUTH_BEARER);
	transfer = server_transfer(&target, NULL);
	reply = server_send(transfer, &target, "GET", "/", NULL, NULL);
	array = mtw_http_json_array(transfer, reply, NULL);
	assert_non_null(array);
	assert_int_equal(json_array_get_length(array), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sentences),      cmocka_unit_test(test_long_sentence),
		cmocka_unit_test(test_wait),	       cmocka_unit_test(test_statuses),
		cmocka_unit_test(test_rate_limit),     cmocka_unit_test(test_any_status),
		cmocka_unit_test(test_rubbish),	       cmocka_unit_test(test_array),
		cmocka_unit_test(test_array_with_nul),
	};

	return cmocka_run_group_tests_name("submit-transfer-says", tests, NULL, NULL);
}
