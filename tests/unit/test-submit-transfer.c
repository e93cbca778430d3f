/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-submit-transfer-server.h"

#include "base/json.h"

/* Any number of requests: answers 201 with the method and how long the body was. */
static void serve_echo(Server *server, int fd, guint number)
{
	(void)number;
	for (;;) {
		g_autoptr(GString) body = g_string_new(NULL);
		g_autoptr(GString) answer = g_string_new(NULL);
		GString *head = server_read_request(server, fd, body);
		if (head == NULL)
			return;
		g_string_printf(answer, "{\"method\":\"%.*s\",\"bytes\":%zu}",
				(int)strcspn(head->str, " "), head->str, body->len);
		if (g_str_has_prefix(head->str, "HEAD "))
			server_say(fd,
				   "HTTP/1.1 200 OK\r\nContent-Length: 77\r\nX-Odd:  a b \r\n\r\n");
		else
			server_json(fd, "201 Created", answer->str);
		g_string_free(head, TRUE);
	}
}

static void expect_echo(Fixture *fixture, const char *method, const char *text, int bytes)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwHttpReply) reply =
		server_send(fixture->transfer, &fixture->target, method, "/x", text, &error);
	g_autoptr(JsonObject) json = NULL;

	assert_null(error);
	assert_int_equal(reply->status, 201);
	assert_string_equal(mtw_http_header(reply, "content-type"), "application/json");
	assert_true(g_str_has_suffix(reply->url, "/x"));
	json = mtw_http_json(fixture->transfer, reply, &error);
	assert_null(error);
	assert_string_equal(mtw_json_string(json, "method", ""), method);
	assert_int_equal(mtw_json_int(json, "bytes", -1), bytes);
	assert_int_equal(mtw_transfer_failure(fixture->transfer)->class, MTW_FAILURE_NONE);
}

static void test_methods(void **state)
{
	g_auto(Fixture) fixture = { 0 };

	(void)state;
	open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
	expect_echo(&fixture, "GET", NULL, 0);
	expect_echo(&fixture, "DELETE", NULL, 0);
	expect_echo(&fixture, "MKCOL", NULL, 0);
	expect_echo(&fixture, "PUT", "{}", 2);
	expect_echo(&fixture, "PATCH", "{\"a\":1}", 7);
	assert_int_equal(fixture.server->connections, 1);
	expect_echo(&fixture, "POST", "{}", 2);
	expect_echo(&fixture, "POST", NULL, 0);
	expect_echo(&fixture, "PUT", NULL, 0);
}

static void test_head(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(MtwHttpReply) reply = NULL;

	(void)state;
	open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
	reply = server_send(fixture.transfer, &fixture.target, "HEAD", "/", NULL, NULL);
	assert_non_null(reply);
	assert_int_equal(reply->body->len, 0);
	assert_string_equal(mtw_http_header(reply, "x-odd"), "a b");
	assert_null(mtw_http_header(reply, "X-Odd"));
}

/* What every request says and what none says. */
static void test_header(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	const GString *received;

	(void)state;
	g_setenv("http_proxy", "http://user:pass@127.0.0.1:1/", TRUE);
	open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
	expect_echo(&fixture, "POST", "{}", 2);
	g_unsetenv("http_proxy");
	received = close_connections(&fixture);
	assert_true(g_str_has_prefix(received->str, "POST /x HTTP/1.1\r\n"));
	assert_true(bytes_contain(received, "\r\nUser-Agent: mmiotrace-wizard/"));
	assert_true(bytes_contain(received, "\r\nContent-Type: application/json\r\n"));
	assert_true(bytes_contain(received, "\r\nContent-Length: 2\r\n"));
	assert_true(bytes_contain(received, "\r\nAuthorization: Bearer " SERVER_TOKEN "\r\n"));
	assert_null(strcasestr(received->str, "accept-encoding"));
	assert_null(strcasestr(received->str, "expect"));
	assert_null(strcasestr(received->str, "cookie"));
	assert_null(strcasestr(received->str, "transfer-encoding"));
}

static char *header_line(MtwAuth auth, gboolean no_auth)
{
	g_auto(Fixture) fixture = { 0 };
	g_autofree char *url = NULL;
	g_autoptr(MtwHttpReply) reply = NULL;
	const GString *received;
	const char *line;

	open_fixture(&fixture, serve_echo, NULL, auth);
	url = g_strconcat(fixture.target.url, "/", NULL);
	reply = mtw_http_send(fixture.transfer,
			      &(MtwHttpRequest){ .method = "GET", .url = url, .no_auth = no_auth },
			      NULL);
	assert_non_null(reply);
	received = close_connections(&fixture);
	line = strstr(received->str, "Authorization:");
	if (line == NULL)
		line = strstr(received->str, "X-Test-Key:");
	return line != NULL ? g_strndup(line, strcspn(line, "\r")) : g_strdup("");
}

static void test_credentials(void **state)
{
	static const struct {
		MtwAuth auth;
		gboolean no_auth;
		const char *line;
	} cases[] = {
		{ MTW_AUTH_BEARER, FALSE, "Authorization: Bearer " SERVER_TOKEN },
		{ MTW_AUTH_HEADER, FALSE, "X-Test-Key: " SERVER_TOKEN },
		{ MTW_AUTH_BASIC, FALSE,
		  "Authorization: Basic Ym9iOmdscGF0LTAxMjM0NTY3ODlhYmNkZWY=" },
		{ MTW_AUTH_JSON, FALSE, "" },
		{ MTW_AUTH_NONE, FALSE, "" },
		{ MTW_AUTH_BEARER, TRUE, "" },
		{ MTW_AUTH_BASIC, TRUE, "" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *line = header_line(cases[i].auth, cases[i].no_auth);
		assert_string_equal(line, cases[i].line);
	}
}

/* With another token the next request has the other one. */
static void test_set_secret(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(MtwSecret) other = mtw_secret_new("other\n", 6);
	const GString *received;

	(void)state;
	open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
	mtw_transfer_set_secret(fixture.transfer, other);
	assert_string_equal(mtw_secret_text(mtw_transfer_secret(fixture.transfer)), "other");
	expect_echo(&fixture, "GET", NULL, 0);
	received = close_connections(&fixture);
	assert_true(bytes_contain(received, "Bearer other\r\n"));
	assert_false(bytes_contain(received, SERVER_TOKEN));
}

/* Nothing that a person or a server wrote can begin a header of its own. */
static void test_no_injection(void **state)
{
	static const char *const bad_headers[][2] = {
		{ "X-A: b\r\nX-Evil: 1", NULL },
		{ "X-A: b\nX-Evil: 1", NULL },
		{ "no colon", NULL },
		{ ": no name", NULL },
		{ "X A: space in name", NULL },
		{ "X-A: \033[31m", NULL },
	};
	static const MtwFormPart bad_parts[] = {
		{ .name = "a\r\nX-Evil: 1", .text = "x" },
		{ .name = "a", .text = "x", .type = "text/plain\r\nX-Evil: 1" },
		{ .name = "a", .text = "x", .filename = "f\nX-Evil: 1" },
	};
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(GError) error = NULL;
	MtwHttpRequest request = { .method = "POST" };

	(void)state;
	open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
	request.url = fixture.target.url;
	for (gsize i = 0; i < G_N_ELEMENTS(bad_headers); i++) {
		request.headers = bad_headers[i];
		assert_null(mtw_http_send(fixture.transfer, &request, &error));
		expect_failure(fixture.transfer, &error, MTW_ERROR_INVALID, MTW_FAILURE_PERMANENT,
			       FALSE);
	}
	request.headers = NULL;
	request.form = MTW_BODY_FORM;
	request.n_parts = 1;
	for (gsize i = 0; i < G_N_ELEMENTS(bad_parts); i++) {
		request.parts = &bad_parts[i];
		assert_null(mtw_http_send(fixture.transfer, &request, &error));
		expect_failure(fixture.transfer, &error, MTW_ERROR_INVALID, MTW_FAILURE_PERMANENT,
			       FALSE);
	}
	assert_int_equal(close_connections(&fixture)->len, 0);
	assert_int_equal(fixture.server->connections, 0);
}

static void test_bad_secret(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(MtwSecret) forged = mtw_secret_new("a\r\nX-Evil: 1", 12);
	g_autoptr(GError) error = NULL;

	(void)state;
	open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_HEADER);
	mtw_transfer_set_secret(fixture.transfer, forged);
	assert_null(server_send(fixture.transfer, &fixture.target, "GET", "/", NULL, &error));
	expect_failure(fixture.transfer, &error, MTW_ERROR_AUTH, MTW_FAILURE_AUTH, FALSE);
	assert_int_equal(close_connections(&fixture)->len, 0);
}

/* What went over the wire behind the first request's header. */
static const char *body_of(const GString *received, gsize *ret_bytes)
{
	const char *body = memmem(received->str, received->len, "\r\n\r\n", 4);

	assert_non_null(body);
	*ret_bytes = received->len - (gsize)(body + 4 - received->str);
	return body + 4;
}

static void test_file(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	g_autofree char *content = NULL;
	g_autoptr(MtwHttpReply) reply = NULL;
	g_autofree char *url = NULL;
	const GString *received;
	const char *body;
	gsize bytes;
	int fd = server_file(3000000, &content);

	(void)state;
	open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
	url = g_strconcat(fixture.target.url, "/f", NULL);
	reply = mtw_http_send(fixture.transfer,
			      &(MtwHttpRequest){ .method = "PUT",
						 .url = url,
						 .form = MTW_BODY_FILE,
						 .file = { fd, 1000, 2500000 } },
			      NULL);
	assert_non_null(reply);
	close(fd);
	received = close_connections(&fixture);
	assert_true(bytes_contain(received, "\r\nExpect: 100-continue\r\n"));
	assert_true(bytes_contain(received, "\r\nContent-Length: 2500000\r\n"));
	body = body_of(received, &bytes);
	assert_int_equal(bytes, 2500000);
	assert_memory_equal(body, content + 1000, bytes);
}

/* Every remainder of three, ends of the encoder's blocks, nothing at all. */
static void test_base64(void **state)
{
	static const gsize sizes[] = { 0, 1, 2, 3, 4, 49151, 49152, 49153, 65537, 4000000 };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_auto(Fixture) fixture = { 0 };
		g_autofree char *content = NULL;
		g_autofree char *encoded = NULL;
		g_autofree char *expected = NULL;
		g_autoptr(MtwHttpReply) reply = NULL;
		int fd = server_file(sizes[i] + 10, &content);
		const char *body;
		gsize bytes;
		open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
		reply = mtw_http_send(fixture.transfer,
				      &(MtwHttpRequest){ .method = "POST",
							 .url = fixture.target.url,
							 .form = MTW_BODY_BASE64,
							 .type = "application/json",
							 .before = "{\"data\":\"",
							 .after = "\"}",
							 .file = { fd, 7, sizes[i] } },
				      NULL);
		assert_non_null(reply);
		close(fd);
		body = body_of(close_connections(&fixture), &bytes);
		encoded = g_base64_encode((const guchar *)content + 7, sizes[i]);
		expected = g_strconcat("{\"data\":\"", encoded, "\"}", NULL);
		assert_int_equal(bytes, strlen(expected));
		assert_memory_equal(body, expected, bytes);
	}
}

static void test_form(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	g_autofree char *content = NULL;
	g_autoptr(MtwHttpReply) reply = NULL;
	int fd = server_file(200000, &content);
	const MtwFormPart parts[] = {
		{ .name = "JSON", .type = "application/json", .text = "{\"Queue\":\"q\"}" },
		{ .name = "file",
		  .filename = "a \"quoted\" name.tar.gz",
		  .type = "application/gzip",
		  .file = { fd, 5, 150000 } },
	};
	const GString *received;
	const char *file;

	(void)state;
	open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
	reply = mtw_http_send(fixture.transfer,
			      &(MtwHttpRequest){ .method = "POST",
						 .url = fixture.target.url,
						 .form = MTW_BODY_FORM,
						 .parts = parts,
						 .n_parts = 2 },
			      NULL);
	assert_non_null(reply);
	close(fd);
	received = close_connections(&fixture);
	assert_true(g_str_has_prefix(received->str, "POST / "));
	assert_true(bytes_contain(received, "Content-Type: multipart/form-data; boundary="));
	assert_true(bytes_contain(received, "\r\nExpect: 100-continue\r\n"));
	assert_true(bytes_contain(received, "name=\"JSON\"\r\nContent-Type: application/json\r\n"
					    "\r\n{\"Queue\":\"q\"}\r\n"));
	assert_true(bytes_contain(received, "filename=\"a %22quoted%22 name.tar.gz\""));
	file = memmem(received->str, received->len, "application/gzip\r\n\r\n", 20);
	assert_non_null(file);
	assert_memory_equal(file + 20, content + 5, 150000);
	assert_memory_equal(file + 20 + 150000, "\r\n--", 4);
}

typedef struct {
	guint calls;
	guint64 last, total;
} Progress;

static void on_progress(guint64 done, guint64 total, gpointer data)
{
	Progress *progress = data;

	assert_true(done > progress->last);
	assert_true(done <= total);
	progress->calls++;
	progress->last = done;
	progress->total = total;
}

/* In bytes of the file, whatever the body is made of. */
static void test_progress(void **state)
{
	static const MtwBodyForm forms[] = { MTW_BODY_FILE, MTW_BODY_BASE64, MTW_BODY_FORM };
	int fd = server_file(5000000, NULL);

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
		Progress progress = { 0 };
		const MtwTransferHooks hooks = { .progress = on_progress, .user_data = &progress };
		const MtwFormPart part = { .name = "file", .file = { fd, 0, 5000000 } };
		g_auto(Fixture) fixture = { 0 };
		g_autoptr(MtwHttpReply) reply = NULL;
		open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
		mtw_transfer_free(fixture.transfer);
		fixture.transfer = server_transfer(&fixture.target, &hooks);
		reply = mtw_http_send(fixture.transfer,
				      &(MtwHttpRequest){ .method = "POST",
							 .url = fixture.target.url,
							 .form = forms[i],
							 .file = { fd, 0, 5000000 },
							 .parts = &part,
							 .n_parts = 1 },
				      NULL);
		assert_non_null(reply);
		assert_true(progress.calls > 0);
		assert_int_equal(progress.last, 5000000);
		assert_int_equal(progress.total, 5000000);
	}
	close(fd);
}

/* The disk, or somebody who shortens the file. */
static void test_file_trouble(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(GError) error = NULL;
	int fd = server_file(100000, NULL);
	int ends[2];

	(void)state;
	open_fixture(&fixture, serve_echo, NULL, MTW_AUTH_BEARER);
	assert_null(server_send_file(fixture.transfer, &fixture.target, "PUT", "/f", fd, 100001,
				     &error));
	expect_failure(fixture.transfer, &error, MTW_ERROR_INVALID, MTW_FAILURE_PERMANENT, FALSE);
	close(fd);
	assert_int_equal(pipe(ends), 0);
	assert_null(server_send_file(fixture.transfer, &fixture.target, "PUT", "/f", ends[0], 10,
				     &error));
	expect_failure(fixture.transfer, &error, MTW_ERROR_DISK, MTW_FAILURE_PERMANENT, FALSE);
	close(ends[0]);
	close(ends[1]);
}

static void test_escape(void **state)
{
	g_autofree char *project = mtw_url_escape("drm/nouveau");
	g_autofree char *text = mtw_url_escape("a b&c=\303\244?#%");

	(void)state;
	assert_string_equal(project, "drm%2Fnouveau");
	assert_string_equal(text, "a%20b%26c%3D%C3%A4%3F%23%25");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_methods),	   cmocka_unit_test(test_head),
		cmocka_unit_test(test_header),	   cmocka_unit_test(test_credentials),
		cmocka_unit_test(test_set_secret), cmocka_unit_test(test_no_injection),
		cmocka_unit_test(test_bad_secret), cmocka_unit_test(test_file),
		cmocka_unit_test(test_base64),	   cmocka_unit_test(test_form),
		cmocka_unit_test(test_progress),   cmocka_unit_test(test_file_trouble),
		cmocka_unit_test(test_escape),
	};

	return cmocka_run_group_tests_name("submit-transfer", tests, NULL, NULL);
}
