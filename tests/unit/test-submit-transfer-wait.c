/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Servers that are not there or do not answer, and a person who has enough of it. */
#include "test-submit-transfer-server.h"

#include <dlfcn.h>
#include <netdb.h>

#define MIB (1024 * 1024)

static gboolean resolver_free, resolver_asked, resolver_done;

/* libcurl's resolver is this one here: a name that does not exist, and one whose server never answers. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
		struct addrinfo **result)
{
	int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

	if (g_strcmp0(name, "nope.invalid") == 0)
		return EAI_NONAME;
	if (g_strcmp0(name, "slow.invalid") == 0) {
		g_atomic_int_set(&resolver_asked, TRUE);
		while (!g_atomic_int_get(&resolver_free))
			g_usleep(1000);
		g_atomic_int_set(&resolver_done, TRUE);
		return EAI_AGAIN;
	}
	*(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
	return real(name, service, hints, result);
}

/* A target that is not a server of the test, without credentials. */
static MtwTarget stranger(const char *url)
{
	return (MtwTarget){
		.url = (char *)url,
		.host = (char *)"somewhere",
		.network = { .redirect_hosts = no_hosts,
			     .plain_http = TRUE,
			     .connect_timeout_sec = 1,
			     .low_speed_bytes = 1,
			     .low_speed_sec = 60 },
	};
}

static MtwHttpReply *get(MtwTransfer *transfer, const char *url, GError **error)
{
	return mtw_http_send(transfer, &(MtwHttpRequest){ .method = "POST", .url = url }, error);
}

static void test_no_name(void **state)
{
	const MtwTarget target = stranger("http://nope.invalid");
	g_autoptr(MtwTransfer) transfer = mtw_transfer_new(&target, NULL, NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	/* Again with the same handle, in which the first failure left something. */
	for (int i = 0; i < 3; i++) {
		assert_null(get(transfer, target.url, &error));
		assert_int_equal(mtw_transfer_failure(transfer)->curl_code,
				 CURLE_COULDNT_RESOLVE_HOST);
		assert_non_null(
			strstr(error->message, "POST to nope.invalid: the name of the server"));
		expect_failure(transfer, &error, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, FALSE);
	}
}

static void test_refused(void **state)
{
	g_autofree char *url = NULL;
	g_autoptr(GError) error = NULL;
	guint port;
	int fd = server_listen(1, &port);

	(void)state;
	close(fd);
	url = g_strdup_printf("http://127.0.0.1:%u", port);
	{
		const MtwTarget target = stranger(url);
		g_autoptr(MtwTransfer) transfer = mtw_transfer_new(&target, NULL, NULL);
		assert_null(get(transfer, url, &error));
		assert_non_null(strstr(error->message, "Connection refused"));
		expect_failure(transfer, &error, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, FALSE);
	}
}

/* A listener whose queue is full does not answer new connections at all. */
typedef struct {
	int fd, waiting[8];
	char *url;
} BlackHole;

static void black_hole_open(BlackHole *hole)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	guint port;

	hole->fd = server_listen(0, &port);
	address.sin_port = htons((guint16)port);
	for (gsize i = 0; i < G_N_ELEMENTS(hole->waiting); i++) {
		hole->waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (connect(hole->waiting[i], (struct sockaddr *)&address, sizeof address) != 0)
			assert_int_equal(errno, EINPROGRESS);
	}
	hole->url = g_strdup_printf("http://127.0.0.1:%u", port);
}

static void black_hole_clear(BlackHole *hole)
{
	for (gsize i = 0; i < G_N_ELEMENTS(hole->waiting); i++)
		close(hole->waiting[i]);
	close(hole->fd);
	g_free(hole->url);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BlackHole, black_hole_clear)

static void test_no_connection(void **state)
{
	g_auto(BlackHole) hole = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	black_hole_open(&hole);
	{
		const MtwTarget target = stranger(hole.url);
		g_autoptr(MtwTransfer) transfer = mtw_transfer_new(&target, NULL, NULL);
		assert_null(get(transfer, hole.url, &error));
		assert_non_null(strstr(error->message, "no connection within 1 s"));
		expect_failure(transfer, &error, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, FALSE);
	}
}

static void serve_hang(Server *server, int fd, guint number)
{
	g_autoptr(GString) body = g_string_new(NULL);
	g_autoptr(GString) head = server_read_request(server, fd, body);

	(void)number;
	if (server->data != NULL)
		g_atomic_int_set((int *)(gintptr)server->data, 1);
	server_hang(server, fd);
}

static void test_too_slow(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	open_fixture(&fixture, serve_hang, NULL, MTW_AUTH_BEARER);
	fixture.target.target.network.low_speed_bytes = 1000;
	fixture.target.target.network.low_speed_sec = 1;
	assert_null(server_send(fixture.transfer, &fixture.target, "POST", "/", "{}", &error));
	assert_non_null(strstr(error->message, "less than 1000 bytes/s for 1 s"));
	expect_failure(fixture.transfer, &error, MTW_ERROR_NETWORK, MTW_FAILURE_TRANSIENT, TRUE);
}

/* ---- the person cancels; that these return at all is what is tested ---- */

static int cancel;

static MtwTransfer *with_cancel(const MtwTarget *target)
{
	const MtwTransferHooks hooks = { .cancel = &cancel };

	return mtw_transfer_new(target, NULL, &hooks);
}

static gpointer cancel_soon(gpointer asked)
{
	while (asked != NULL && !g_atomic_int_get((gboolean *)asked))
		g_usleep(1000);
	g_usleep(50000);
	g_atomic_int_set(&cancel, 1);
	return NULL;
}

static void expect_cancelled(const MtwTarget *target, const char *method, int fd, gsize bytes,
			     gboolean maybe_done)
{
	g_autoptr(MtwTransfer) transfer = with_cancel(target);
	g_autoptr(GError) error = NULL;
	const MtwHttpRequest request = {
		.method = method,
		.url = target->url,
		.form = bytes > 0 ? MTW_BODY_FILE : MTW_BODY_NONE,
		.file = { .fd = fd, .bytes = bytes },
	};

	assert_null(mtw_http_send(transfer, &request, &error));
	expect_failure(transfer, &error, MTW_ERROR_INTERRUPTED, MTW_FAILURE_CANCELLED, maybe_done);
}

static void test_cancel_before(void **state)
{
	g_auto(Fixture) fixture = { 0 };

	(void)state;
	cancel = 1;
	open_fixture(&fixture, serve_hang, NULL, MTW_AUTH_BEARER);
	expect_cancelled(&fixture.target.target, "POST", -1, 0, FALSE);
	assert_int_equal(fixture.server->connections, 0);
}

static void test_cancel_connecting(void **state)
{
	g_auto(BlackHole) hole = { 0 };
	MtwTarget target;
	GThread *thread;

	(void)state;
	cancel = 0;
	black_hole_open(&hole);
	target = stranger(hole.url);
	target.network.connect_timeout_sec = 1000;
	thread = g_thread_new("cancel", cancel_soon, NULL);
	expect_cancelled(&target, "POST", -1, 0, FALSE);
	g_thread_join(thread);
}

static void test_cancel_resolving(void **state)
{
	MtwTarget target = stranger("http://slow.invalid");
	GThread *thread;

	(void)state;
	if (curl_version_info(CURLVERSION_NOW)->version_num < 0x075700)
		skip();
	cancel = 0;
	target.network.connect_timeout_sec = 1000;
	thread = g_thread_new("cancel", cancel_soon, &resolver_asked);
	expect_cancelled(&target, "POST", -1, 0, FALSE);
	g_thread_join(thread);
	g_atomic_int_set(&resolver_free, TRUE);
	while (!g_atomic_int_get(&resolver_done))
		g_usleep(1000);
}

/* The request is out: nobody knows what the server does with it. */
static void test_cancel_waiting(void **state)
{
	g_auto(Fixture) fixture = { 0 };

	(void)state;
	cancel = 0;
	open_fixture(&fixture, serve_hang, &cancel, MTW_AUTH_BEARER);
	expect_cancelled(&fixture.target.target, "POST", -1, 0, TRUE);
	cancel = 0;
	expect_cancelled(&fixture.target.target, "GET", -1, 0, FALSE);
}

static void serve_no_reading(Server *server, int fd, guint number)
{
	g_autoptr(GString) head = server_read_head(server, fd);

	(void)number;
	server_say(fd, "HTTP/1.1 100 Continue\r\n\r\n");
	g_usleep(50000);
	g_atomic_int_set(&cancel, 1);
	server_hang(server, fd);
}

static void test_cancel_sending(void **state)
{
	g_auto(Fixture) fixture = { 0 };
	int fd = memfd_create("big", MFD_CLOEXEC);

	(void)state;
	cancel = 0;
	assert_int_equal(ftruncate(fd, 2000 * (off_t)MIB), 0);
	open_fixture(&fixture, serve_no_reading, NULL, MTW_AUTH_BEARER);
	expect_cancelled(&fixture.target.target, "PUT", fd, 2000 * (gsize)MIB, FALSE);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_name),		 cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_connection),	 cmocka_unit_test(test_too_slow),
		cmocka_unit_test(test_cancel_before),	 cmocka_unit_test(test_cancel_connecting),
		cmocka_unit_test(test_cancel_resolving), cmocka_unit_test(test_cancel_waiting),
		cmocka_unit_test(test_cancel_sending),
	};

	return cmocka_run_group_tests_name("submit-transfer-wait", tests, NULL, NULL);
}
