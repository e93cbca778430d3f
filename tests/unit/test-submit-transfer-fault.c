/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that break and servers that misbehave: what it means for the next try. */
#include "test-submit-transfer-server.h"

/* What the server does, the request, what must come of it. */
typedef struct {
	ServeFunc serve;
	const void *data;
	const char *method;
	gsize file_bytes; /* 0: a short text */
	int code;
	MtwFailureClass class;
	gboolean maybe_done;
} Case;

static void expect_case(const Case *c, guint requests)
{
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(GError) error = NULL;
	int fd = server_file(c->file_bytes, NULL);
	MtwHttpReply *reply;

	open_fixture(&fixture, c->serve, c->data, MTW_AUTH_BEARER);
	if (c->file_bytes > 0)
		reply = server_send_file(fixture.transfer, &fixture.target, c->method, "/", fd,
					 c->file_bytes, &error);
	else
		reply = server_send(fixture.transfer, &fixture.target, c->method, "/",
				    strcmp(c->method, "GET") == 0 ? NULL : "{}", &error);
	close(fd);
	assert_null(reply);
	expect_failure(fixture.transfer, &error, c->code, c->class, c->maybe_done);
	g_clear_pointer(&fixture.transfer, mtw_transfer_free);
	server_stop(fixture.server);
	assert_int_equal(fixture.server->requests, requests);
}

/* ---- the line breaks ---- */

#define MIB (1024 * 1024)

static void read_one_mib(Server *server, int fd)
{
	g_autoptr(GString) head = server_read_head(server, fd);
	g_autoptr(GString) body = g_string_new(NULL);

	server_say(fd, "HTTP/1.1 100 Continue\r\n\r\n");
	while (body->len < MIB && server_read(server, fd, body, MIB - body->len))
		;
}

static void serve_reset(Server *server, int fd, guint number)
{
	(void)number;
	read_one_mib(server, fd);
	server_reset(fd);
}

static void serve_fin(Server *server, int fd, guint number)
{
	(void)number;
	read_one_mib(server, fd);
}

static void test_broken_upload(void **state)
{
	static const Case cases[] = {
		{ serve_reset, NULL, "PUT", 8 * MIB, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT,
		  FALSE },
		{ serve_reset, NULL, "POST", 8 * MIB, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT,
		  FALSE },
		{ serve_fin, NULL, "PUT", 8 * MIB, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT,
		  FALSE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		expect_case(&cases[i], 1);
}

static void serve_lost(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	GString *head = server_read_request(server, fd, body);

	(void)number;
	g_string_free(head, TRUE);
	server_reset(fd);
}

static void serve_empty(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	GString *head = server_read_request(server, fd, body);

	(void)number;
	g_string_free(head, TRUE);
}

/* Says @data and closes. */
static void serve_text(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	GString *head = server_read_request(server, fd, body);

	(void)number;
	server_say(fd, server->data);
	g_string_free(head, TRUE);
}

#define CUT_201 "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"id\":"
#define CUT_413 "HTTP/1.1 413 Too Large\r\nContent-Length: 100\r\n\r\n{"
#define CUT_HEADER "HTTP/1.1 201 Created\r\nContent-Len"
#define CUT_CHUNK "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n"
#define NO_HTTP "220 welcome to another service\r\n"

/* Who had all of the request may have done it. */
static void test_lost_answer(void **state)
{
	static const Case cases[] = {
		{ serve_lost, NULL, "POST", 0, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, TRUE },
		{ serve_lost, NULL, "POST", 2 * MIB, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT,
		  TRUE },
		{ serve_lost, NULL, "PUT", 2 * MIB, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT,
		  TRUE },
		{ serve_lost, NULL, "GET", 0, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, FALSE },
		{ serve_empty, NULL, "POST", 0, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, TRUE },
		{ serve_text, CUT_201, "POST", 0, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, TRUE },
		{ serve_text, CUT_HEADER, "POST", 0, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT,
		  TRUE },
		{ serve_text, CUT_CHUNK, "POST", 0, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT,
		  TRUE },
		{ serve_text, CUT_413, "POST", 0, MTW_ERROR_REJECTED, MTW_FAILURE_TOO_BIG, FALSE },
		{ serve_text, NO_HTTP, "POST", 0, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, TRUE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		expect_case(&cases[i], 1);
}

/* Answers GET; a POST on whatever connection gets no answer. */
static void serve_lost_post(Server *server, int fd, guint number)
{
	(void)number;
	for (;;) {
		g_autoptr(GString) body = g_string_new(NULL);
		g_autoptr(GString) head = server_read_request(server, fd, body);
		if (head == NULL)
			return;
		if (g_str_has_prefix(head->str, "POST")) {
			server_reset(fd);
			return;
		}
		server_json(fd, "200 OK", "{}");
	}
}

/* libcurl itself would send a POST again when an old connection breaks: two reports. */
static void test_no_second_post(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwHttpReply) reply = NULL;

	(void)state;
	open_fixture(&fixture, serve_lost_post, NULL, MTW_AUTH_BEARER);
	reply = server_send(fixture.transfer, &fixture.target, "GET", "/", NULL, &error);
	assert_null(error);
	assert_null(server_send(fixture.transfer, &fixture.target, "POST", "/", "{}", &error));
	expect_failure(fixture.transfer, &error, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, TRUE);
	assert_int_equal(fixture.server->requests, 2);
}

/* ---- Expect ---- */

static void serve_early_413(Server *server, int fd, guint number)
{
	g_autoptr(GString) head = server_read_head(server, fd);

	(void)number;
	server_json(fd, "413 Payload Too Large", "{\"message\":\"at most 10 MiB\"}");
	server_hang(server, fd);
}

/* With Expect a refusal costs no byte of the file. */
static void test_early_refusal(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(GError) error = NULL;
	int fd = server_file(4 * MIB, NULL);

	(void)state;
	open_fixture(&fixture, serve_early_413, NULL, MTW_AUTH_BEARER);
	assert_null(server_send_file(fixture.transfer, &fixture.target, "POST", "/", fd, 4 * MIB,
				     &error));
	assert_non_null(strstr(error->message, "POST to 127.0.0.1: it answered 413"));
	assert_non_null(strstr(error->message, "at most 10 MiB"));
	assert_string_equal(mtw_transfer_failure(fixture.transfer)->server_says, "at most 10 MiB");
	assert_int_equal(mtw_transfer_failure(fixture.transfer)->http_status, 413);
	expect_failure(fixture.transfer, &error, MTW_ERROR_REJECTED, MTW_FAILURE_TOO_BIG, FALSE);
	close(fd);
	g_clear_pointer(&fixture.transfer, mtw_transfer_free);
	server_stop(fixture.server);
	assert_true(g_str_has_suffix(fixture.server->received->str, "\r\n\r\n"));
	assert_int_equal(fixture.server->requests, 1);
}

/* Does not know Expect; the second time (or always, with @data) refuses in the middle of the body. */
static void serve_417(Server *server, int fd, guint number)
{
	g_autoptr(GString) head = server_read_head(server, fd);
	g_autoptr(GString) body = g_string_new(NULL);
	gboolean expects = strcasestr(head->str, "\r\nexpect:") != NULL;

	(void)number;
	if (expects) {
		server_json(fd, "417 Expectation Failed", "{}");
		return;
	}
	while (body->len < server_body_bytes(head->str) && server_read(server, fd, body, 65536))
		if (server->data != NULL && body->len > 100000)
			break;
	server_json(fd, server->data != NULL ? server->data : "201 Created", "{\"id\":1}");
	server_hang(server, fd);
}

static void test_without_expect(void **state)
{
	static const Case refused = { serve_417,	  "413 Too Large",     "POST", 8 * MIB,
				      MTW_ERROR_REJECTED, MTW_FAILURE_TOO_BIG, FALSE };
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwHttpReply) reply = NULL;
	int fd = server_file(MIB, NULL);

	(void)state;
	open_fixture(&fixture, serve_417, NULL, MTW_AUTH_BEARER);
	reply = server_send_file(fixture.transfer, &fixture.target, "POST", "/", fd, MIB, &error);
	close(fd);
	assert_null(error);
	assert_int_equal(reply->status, 201);
	assert_int_equal(fixture.server->requests, 2);
	expect_case(&refused, 2);
}

static void serve_always_417(Server *server, int fd, guint number)
{
	g_autoptr(GString) head = server_read_head(server, fd);

	(void)number;
	server_json(fd, "417 Expectation Failed", "{}");
	server_hang(server, fd);
}

static void test_always_417(void **state)
{
	static const Case once = { serve_always_417,	  NULL, "PUT", MIB, MTW_ERROR_REJECTED,
				   MTW_FAILURE_PERMANENT, FALSE };

	(void)state;
	expect_case(&once, 2);
}

/* ---- too much ---- */

static void serve_endless_body(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	g_autoptr(GString) head = server_read_request(server, fd, body);

	(void)number;
	server_say(fd, "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n");
	for (int i = 0; i < 64 * 1024; i++) {
		static const char chunk[16384 + 1] = { [0 ... 16383] = ' ' };
		if (send(fd, "4000\r\n", 6, MSG_NOSIGNAL) < 0)
			return;
		server_write(fd, chunk, 16384);
		server_say(fd, "\r\n");
	}
}

static void serve_endless_headers(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	g_autoptr(GString) head = server_read_request(server, fd, body);

	(void)number;
	server_say(fd, "HTTP/1.1 201 Created\r\n");
	for (int i = 0; i < 1000000; i++)
		if (send(fd, "X-A: bbbbbbbb\r\n", 15, MSG_NOSIGNAL) < 0)
			return;
}

static void serve_endless_continue(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	g_autoptr(GString) head = server_read_request(server, fd, body);

	(void)number;
	for (int i = 0; i < 1000000; i++)
		if (send(fd, "HTTP/1.1 102 Wait\r\n\r\n", 21, MSG_NOSIGNAL) < 0)
			return;
}

#define HUGE "HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n{"

static void test_too_much(void **state)
{
	static const Case cases[] = {
		{ serve_endless_body, NULL, "POST", 0, MTW_ERROR_REJECTED, MTW_FAILURE_PERMANENT,
		  TRUE },
		{ serve_endless_body, NULL, "GET", 0, MTW_ERROR_REJECTED, MTW_FAILURE_PERMANENT,
		  FALSE },
		{ serve_endless_headers, NULL, "POST", 0, MTW_ERROR_REJECTED, MTW_FAILURE_PERMANENT,
		  TRUE },
		{ serve_endless_continue, NULL, "POST", 0, MTW_ERROR_REJECTED,
		  MTW_FAILURE_PERMANENT, TRUE },
		{ serve_text, HUGE, "GET", 0, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, FALSE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		expect_case(&cases[i], 1);
}

static void serve_nul_header(Server *server, int fd, guint number)
{
	static const char answer[] =
		"HTTP/1.1 201 Created\r\nX-A: b\0c\r\nContent-Length: 2\r\n\r\n{}";
	g_autoptr(GString) body = g_string_new(NULL);
	g_autoptr(GString) head = server_read_request(server, fd, body);

	(void)number;
	server_write(fd, answer, sizeof answer - 1);
}

static void test_nul_in_header(void **state)
{
	static const Case c = { serve_nul_header,      NULL, "POST", 0, MTW_ERROR_NETWORK,
				MTW_FAILURE_TRANSIENT, TRUE };

	(void)state;
	expect_case(&c, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_broken_upload),  cmocka_unit_test(test_lost_answer),
		cmocka_unit_test(test_no_second_post), cmocka_unit_test(test_early_refusal),
		cmocka_unit_test(test_without_expect), cmocka_unit_test(test_always_417),
		cmocka_unit_test(test_too_much),       cmocka_unit_test(test_nul_in_header),
	};

	return cmocka_run_group_tests_name("submit-transfer-fault", tests, NULL, NULL);
}
