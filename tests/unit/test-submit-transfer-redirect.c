/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the answers lead, and that neither token nor file goes where it may not. */
#include "test-submit-transfer-server.h"

/* A server that leads on with @status to @location, until the path is "/end"; and another server. */
typedef struct {
	const char *status;
	char *location; /* text of the header, with its line end */
} Lead;

typedef struct {
	Lead lead;
	Server *server, *sink;
	ServerTarget target;
	MtwTransfer *transfer;
	char *hosts[2];
} Leading;

static void serve_lead(Server *server, int fd, guint number)
{
	const Lead *lead = server->data;

	(void)number;
	for (;;) {
		g_autoptr(GString) body = g_string_new(NULL);
		g_autoptr(GString) head = server_read_head(server, fd);
		if (head == NULL)
			return;
		if (strstr(head->str, " /end") == NULL) {
			server_answer(fd, lead->status, "text/html", "<title>Sign in</title>",
				      lead->location);
			if (strcasestr(head->str, "\r\nexpect:") != NULL)
				return;
		}
		while (body->len < server_body_bytes(head->str) &&
		       server_read(server, fd, body, 65536))
			;
		if (strstr(head->str, " /end") != NULL)
			server_json(fd, "201 Created", "{}");
	}
}

static void serve_sink(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	g_autoptr(GString) head = server_read_request(server, fd, body);

	(void)number;
	server_json(fd, "201 Created", "{}");
}

/* @path: to which it leads; of the other server with @away */
static void open_leading(Leading *fixture, const char *status, const char *path, gboolean away)
{
	fixture->sink = server_start(serve_sink, NULL);
	fixture->lead.status = status;
	fixture->lead.location =
		away ? g_strdup_printf("Location: http://%s%s\r\n", fixture->sink->host, path)
		     : g_strdup_printf("Location: %s\r\n", path);
	fixture->server = server_start(serve_lead, &fixture->lead);
	server_target(&fixture->target, fixture->server, MTW_AUTH_HEADER);
	fixture->hosts[0] = fixture->sink->host;
	fixture->transfer = server_transfer(&fixture->target, NULL);
}

static void leading_clear(Leading *fixture)
{
	mtw_transfer_free(fixture->transfer);
	server_free(fixture->server);
	server_free(fixture->sink);
	server_target_clear(&fixture->target);
	g_free(fixture->lead.location);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Leading, leading_clear)

/* Sends a file of 1 MiB, or nothing with GET and HEAD. */
static MtwHttpReply *send_to(Leading *fixture, const char *method, GError **error)
{
	int fd = server_file(1024 * 1024, NULL);
	gboolean has_body = strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0;
	g_autofree char *url = g_strconcat(fixture->target.url, "/begin", NULL);
	const MtwHttpRequest request = {
		.method = method,
		.url = url,
		.form = has_body ? MTW_BODY_FILE : MTW_BODY_NONE,
		.file = { fd, 0, 1024 * 1024 },
	};
	MtwHttpReply *reply = mtw_http_send(fixture->transfer, &request, error);

	close(fd);
	g_clear_pointer(&fixture->transfer, mtw_transfer_free);
	server_stop(fixture->server);
	server_stop(fixture->sink);
	return reply;
}

static void test_followed(void **state)
{
	static const char *const cases[][2] = {
		{ "GET", "301 Moved" },	      { "GET", "302 Found" },
		{ "GET", "303 See Other" },   { "GET", "307 Temporary" },
		{ "PUT", "301 Moved" },	      { "PUT", "302 Found" },
		{ "PUT", "307 Temporary" },   { "PUT", "308 Permanent" },
		{ "POST", "307 Temporary" },  { "POST", "308 Permanent" },
		{ "PATCH", "307 Temporary" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_auto(Leading) fixture = { 0 };
		g_autoptr(GError) error = NULL;
		g_autoptr(MtwHttpReply) reply = NULL;
		gsize body_bytes = strcmp(cases[i][0], "GET") == 0 ? 0 : 1024 * 1024;
		open_leading(&fixture, cases[i][1], "end?x#fragment", FALSE);
		reply = send_to(&fixture, cases[i][0], &error);
		assert_null(error);
		assert_int_equal(reply->status, 201);
		assert_true(g_str_has_suffix(reply->url, "/end?x"));
		/* The file went over once: the first answer came before it. */
		assert_in_range(fixture.server->received->len, body_bytes, body_bytes + 2000);
	}
}

/* What would be done is not what was asked for, whatever comes of it. */
static void test_refused_status(void **state)
{
	static const char *const cases[][2] = {
		{ "POST", "301 Moved" }, { "POST", "302 Found" },  { "POST", "303 See Other" },
		{ "PUT", "303 See" },	 { "PATCH", "302 Found" }, { "DELETE", "302 Found" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_auto(Leading) fixture = { 0 };
		g_autoptr(GError) error = NULL;
		MtwTransfer *transfer;
		open_leading(&fixture, cases[i][1], "/end?token=secret", FALSE);
		transfer = fixture.transfer;
		fixture.transfer = server_transfer(&fixture.target, NULL);
		assert_null(server_send(transfer, &fixture.target, cases[i][0], "/", "{}", &error));
		assert_non_null(strstr(error->message, "/end (30"));
		assert_null(strstr(error->message, "token=secret"));
		assert_int_not_equal(mtw_transfer_failure(transfer)->http_status, 0);
		expect_failure(transfer, &error, MTW_ERROR_REJECTED, MTW_FAILURE_PERMANENT, FALSE);
		mtw_transfer_free(transfer);
	}
}

static void expect_refused(const char *method, const char *location, gboolean away)
{
	g_auto(Leading) fixture = { 0 };
	g_autoptr(GError) error = NULL;

	open_leading(&fixture, "307 Temporary Redirect", location, away);
	assert_null(send_to(&fixture, method, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_REJECTED));
	assert_null(strchr(error->message, '\033'));
	assert_null(strstr(error->message, "secret"));
	assert_int_equal(fixture.server->requests, 1);
	assert_int_equal(fixture.sink->connections, 0);
	assert_int_equal(fixture.sink->received->len, 0);
	/* The server itself did not get the file either. */
	assert_true(fixture.server->received->len < 2000);
}

static void test_other_server(void **state)
{
	(void)state;
	expect_refused("POST", "/end", TRUE);
	expect_refused("PUT", "/end", TRUE);
	expect_refused("GET", "/end?secret", TRUE);
}

/* What a server may write there. */
static void test_hostile_location(void **state)
{
	static const char *const locations[] = {
		"//127.0.0.1:1/end",
		"https://127.0.0.1:1/end",
		"file:///etc/passwd",
		"telnet://127.0.0.1:1/",
		"http://user:secret@127.0.0.1:1/end",
		"http://[::1/end",
		"http://127.0.0.1:1\\@x/end",
		"",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(locations); i++)
		expect_refused("PUT", locations[i], FALSE);
}

/* It stays on the server, so it may be followed; the message must not steer the terminal. */
static void test_escape_in_location(void **state)
{
	g_auto(Leading) fixture = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	open_leading(&fixture, "302 Found", "/\033]0;x\007y", FALSE);
	assert_null(send_to(&fixture, "POST", &error));
	assert_null(strpbrk(error->message, "\033\007"));
	assert_non_null(strstr(error->message, "login page"));
}

static void test_no_location(void **state)
{
	g_auto(Leading) fixture = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	open_leading(&fixture, "307 Temporary Redirect", "/end", FALSE);
	fixture.lead.location[0] = 'X';
	assert_null(send_to(&fixture, "PUT", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_REJECTED));
}

static void test_loop(void **state)
{
	g_auto(Leading) fixture = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	open_leading(&fixture, "307 Temporary Redirect", "/begin", FALSE);
	assert_null(send_to(&fixture, "GET", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_REJECTED));
	assert_int_equal(fixture.server->requests, 6);
}

/* A server that the target names may get the file, never the token. */
static void test_allowed_server(void **state)
{
	g_auto(Leading) fixture = { 0 };
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwHttpReply) reply = NULL;

	(void)state;
	open_leading(&fixture, "307 Temporary Redirect", "/end", TRUE);
	fixture.target.target.network.redirect_hosts = fixture.hosts;
	reply = send_to(&fixture, "PUT", &error);
	assert_null(error);
	assert_int_equal(reply->status, 201);
	assert_true(bytes_contain(fixture.server->received, "X-Test-Key: " SERVER_TOKEN));
	assert_false(bytes_contain(fixture.sink->received, SERVER_TOKEN));
	assert_null(strcasestr(fixture.sink->received->str, "x-test-key"));
	assert_true(fixture.sink->received->len > 1024 * 1024);
}

/* Where the token is in the body, the body may not go there either. */
static void test_token_in_body(void **state)
{
	g_auto(Leading) fixture = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	open_leading(&fixture, "307 Temporary Redirect", "/end", TRUE);
	fixture.target.target.network.redirect_hosts = fixture.hosts;
	fixture.target.target.auth = MTW_AUTH_JSON;
	assert_null(send_to(&fixture, "POST", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_REJECTED));
	assert_int_equal(fixture.sink->connections, 0);
}

/* An address that came from an answer (tus, Gitea) and is not the target's. */
static void test_first_address(void **state)
{
	g_auto(Leading) fixture = { 0 };
	g_autoptr(GError) error = NULL;
	g_autofree char *url = NULL;
	g_autofree char *user = NULL;

	(void)state;
	open_leading(&fixture, "307", "/", FALSE);
	url = g_strdup_printf("http://%s/x", fixture.sink->host);
	assert_null(mtw_http_send(fixture.transfer,
				  &(MtwHttpRequest){ .method = "PATCH", .url = url }, &error));
	expect_failure(fixture.transfer, &error, MTW_ERROR_REJECTED, MTW_FAILURE_PERMANENT, FALSE);
	user = g_strdup_printf("http://u:p@%s/x", fixture.server->host);
	assert_null(mtw_http_send(fixture.transfer,
				  &(MtwHttpRequest){ .method = "GET", .url = user }, &error));
	expect_failure(fixture.transfer, &error, MTW_ERROR_REJECTED, MTW_FAILURE_PERMANENT, FALSE);
	assert_int_equal(fixture.sink->connections, 0);
	assert_int_equal(fixture.server->connections, 0);
}

/* In the clear to another machine: never with a token, else only when the target says so. */
static void test_plain_http(void **state)
{
	static const struct {
		MtwAuth auth;
		gboolean no_auth, plain_http, sent;
	} cases[] = {
		{ MTW_AUTH_BEARER, FALSE, TRUE, FALSE }, { MTW_AUTH_BASIC, FALSE, TRUE, FALSE },
		{ MTW_AUTH_JSON, FALSE, TRUE, FALSE },	 { MTW_AUTH_NONE, FALSE, FALSE, FALSE },
		{ MTW_AUTH_BEARER, TRUE, FALSE, FALSE }, { MTW_AUTH_NONE, FALSE, TRUE, TRUE },
		{ MTW_AUTH_BEARER, TRUE, TRUE, TRUE },
	};
	g_autoptr(Server) proxy = server_start(serve_sink, NULL);
	g_autofree char *proxy_url = g_strdup_printf("http://user:pass@%s/", proxy->host);
	guint expected = 0;

	(void)state;
	g_setenv("http_proxy", proxy_url, TRUE);
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		ServerTarget target;
		g_autoptr(MtwTransfer) transfer = NULL;
		g_autoptr(GError) error = NULL;
		g_autoptr(MtwHttpReply) reply = NULL;
		server_target(&target, proxy, cases[i].auth);
		g_free(target.url);
		target.url = target.target.url = g_strdup("http://tracker.invalid");
		target.target.network.plain_http = cases[i].plain_http;
		transfer = server_transfer(&target, NULL);
		reply = mtw_http_send(transfer,
				      &(MtwHttpRequest){ .method = "GET",
							 .url = target.url,
							 .no_auth = cases[i].no_auth },
				      &error);
		assert_int_equal(reply != NULL, cases[i].sent);
		if (reply == NULL)
			expect_failure(transfer, &error, MTW_ERROR_TLS, MTW_FAILURE_PERMANENT,
				       FALSE);
		expected += cases[i].sent;
		server_target_clear(&target);
	}
	g_unsetenv("http_proxy");
	server_stop(proxy);
	assert_int_equal(proxy->connections, expected);
	assert_false(bytes_contain(proxy->received, SERVER_TOKEN));
}

static void serve_407(Server *server, int fd, guint number)
{
	g_autoptr(GString) head = server_read_head(server, fd);

	(void)number;
	server_answer(fd, "407 Proxy Authentication Required", "text/plain", "no", NULL);
}

/* A proxy sees where it goes to, not the token; its own password is in no message. */
static void test_https_proxy(void **state)
{
	g_autoptr(Server) proxy = server_start(serve_407, NULL);
	g_autofree char *proxy_url = g_strdup_printf("http://user:pass-of-proxy@%s/", proxy->host);
	ServerTarget target;
	g_autoptr(MtwTransfer) transfer = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	g_setenv("https_proxy", proxy_url, TRUE);
	server_target(&target, proxy, MTW_AUTH_BEARER);
	g_free(target.url);
	target.url = target.target.url = g_strdup("https://tracker.invalid");
	transfer = server_transfer(&target, NULL);
	assert_null(server_send(transfer, &target, "POST", "/", "{}", &error));
	g_unsetenv("https_proxy");
	server_target_clear(&target);
	assert_non_null(strstr(error->message, "(the proxy answered 407)"));
	assert_null(strstr(error->message, "pass-of-proxy"));
	expect_failure(transfer, &error, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, FALSE);
	server_stop(proxy);
	assert_true(bytes_contain(proxy->received, "CONNECT tracker.invalid:443 "));
	assert_true(bytes_contain(proxy->received, "Proxy-Authorization: Basic "));
	assert_false(bytes_contain(proxy->received, SERVER_TOKEN));
}

/* libcurl repeats what it does not understand, password and all. */
static void test_bad_proxy(void **state)
{
	ServerTarget target = { 0 };
	g_autoptr(Server) server = server_start(serve_sink, NULL);
	g_autoptr(MtwTransfer) transfer = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	g_setenv("https_proxy", "http://user:pass-of-proxy@host name:port/", TRUE);
	server_target(&target, server, MTW_AUTH_BEARER);
	g_free(target.url);
	target.url = target.target.url = g_strdup("https://tracker.invalid");
	transfer = server_transfer(&target, NULL);
	assert_null(server_send(transfer, &target, "GET", "/", NULL, &error));
	g_unsetenv("https_proxy");
	server_target_clear(&target);
	assert_null(strstr(error->message, "pass-of-proxy"));
	expect_failure(transfer, &error, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, FALSE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_followed),
		cmocka_unit_test(test_refused_status),
		cmocka_unit_test(test_other_server),
		cmocka_unit_test(test_hostile_location),
		cmocka_unit_test(test_escape_in_location),
		cmocka_unit_test(test_no_location),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_allowed_server),
		cmocka_unit_test(test_token_in_body),
		cmocka_unit_test(test_first_address),
		cmocka_unit_test(test_plain_http),
		cmocka_unit_test(test_https_proxy),
		cmocka_unit_test(test_bad_proxy),
	};

	return cmocka_run_group_tests_name("submit-transfer-redirect", tests, NULL, NULL);
}
