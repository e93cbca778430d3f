/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A server in a thread of the test, on 127.0.0.1, that answers as the test wants, and a target that is it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "submit/transfer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define SERVER_TOKEN "glpat-0123456789abcdef"

typedef struct _Server Server;

/* One connection; @number: 1 for the first. What it reads with server_read goes into the server's log. */
typedef void (*ServeFunc)(Server *server, int fd, guint number);

struct _Server {
	ServeFunc serve;
	const void *data;
	int listener;
	guint port;
	guint connections; /* atomic */
	guint requests;	   /* atomic */
	gboolean stop;	   /* atomic */
	GThread *thread;
	GMutex lock;	   /* of received */
	GString *received; /* all bytes of all connections; look at it after server_stop */
	char *host;	   /* "127.0.0.1:PORT" */
};

/* Returns: FALSE when the client closed */
static inline gboolean server_read(Server *server, int fd, GString *into, gsize bytes)
{
	char block[65536];
	ssize_t got = recv(fd, block, MIN(bytes, sizeof block), 0);

	if (got <= 0)
		return FALSE;
	g_string_append_len(into, block, got);
	g_mutex_lock(&server->lock);
	g_string_append_len(server->received, block, got);
	g_mutex_unlock(&server->lock);
	return TRUE;
}

/* Up to the empty line. Returns: (transfer full) (nullable) */
static inline GString *server_read_head(Server *server, int fd)
{
	GString *head = g_string_new(NULL);

	while (strstr(head->str, "\r\n\r\n") == NULL)
		if (!server_read(server, fd, head, 1)) {
			g_string_free(head, TRUE);
			return NULL;
		}
	g_atomic_int_inc((gint *)&server->requests);
	return head;
}

static inline gsize server_body_bytes(const char *head)
{
	const char *length = strcasestr(head, "\r\ncontent-length:");

	return length != NULL ? (gsize)g_ascii_strtoull(length + 17, NULL, 10) : 0;
}

static inline void server_write(int fd, const char *text, gsize bytes)
{
	while (bytes > 0) {
		ssize_t written = send(fd, text, bytes, MSG_NOSIGNAL);
		if (written <= 0)
			return;
		text += written;
		bytes -= (gsize)written;
	}
}

static inline void server_say(int fd, const char *text)
{
	server_write(fd, text, strlen(text));
}

/* Head and body, with "100 Continue" when the client waits for it. Returns: (transfer full) (nullable): the head */
static inline GString *server_read_request(Server *server, int fd, GString *body)
{
	GString *head = server_read_head(server, fd);
	gsize bytes = head != NULL ? server_body_bytes(head->str) : 0;

	if (head != NULL && strcasestr(head->str, "expect: 100-continue") != NULL)
		server_say(fd, "HTTP/1.1 100 Continue\r\n\r\n");
	while (body->len < bytes)
		if (!server_read(server, fd, body, bytes - body->len))
			break;
	return head;
}

/* A whole answer. @extra: (nullable): more headers, each with its line end */
static inline void server_answer(int fd, const char *status, const char *type, const char *body,
				 const char *extra)
{
	g_autofree char *text =
		g_strdup_printf("HTTP/1.1 %s\r\nContent-Type: %s\r\n"
				"Content-Length: %zu\r\n%s\r\n%s",
				status, type, strlen(body), extra != NULL ? extra : "", body);
	server_say(fd, text);
}

static inline void server_json(int fd, const char *status, const char *body)
{
	server_answer(fd, status, "application/json", body, NULL);
}

/* The next close is a reset. */
static inline void server_reset(int fd)
{
	const struct linger linger = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

/* Until the client goes away. */
static inline void server_hang(Server *server, int fd)
{
	g_autoptr(GString) rest = g_string_new(NULL);

	while (server_read(server, fd, rest, 65536))
		g_string_truncate(rest, 0);
}

typedef struct {
	Server *server;
	int fd;
	guint number;
} ServerConnection;

static inline gpointer server_one(gpointer data)
{
	ServerConnection *connection = data;

	connection->server->serve(connection->server, connection->fd, connection->number);
	close(connection->fd);
	g_free(connection);
	return NULL;
}

static inline gpointer server_loop(gpointer data)
{
	Server *server = data;
	g_autoptr(GPtrArray) threads = g_ptr_array_new();

	while (!g_atomic_int_get(&server->stop)) {
		ServerConnection *connection = NULL;
		int fd = accept(server->listener, NULL, NULL);
		if (fd < 0)
			break;
		connection = g_new(ServerConnection, 1);
		*connection = (ServerConnection){ server, fd, 0 };
		connection->number = (guint)g_atomic_int_add((gint *)&server->connections, 1) + 1;
		g_ptr_array_add(threads, g_thread_new("connection", server_one, connection));
	}
	for (guint i = 0; i < threads->len; i++)
		g_thread_join(threads->pdata[i]);
	return NULL;
}

static inline int server_listen(int backlog, guint *ret_port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
	assert_int_equal(listen(fd, backlog), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	*ret_port = ntohs(address.sin_port);
	return fd;
}

/* @data: for @serve. Returns: (transfer full) */
static inline Server *server_start(ServeFunc serve, const void *data)
{
	Server *server = g_new0(Server, 1);

	server->serve = serve;
	server->data = data;
	server->received = g_string_new(NULL);
	server->listener = server_listen(64, &server->port);
	server->host = g_strdup_printf("127.0.0.1:%u", server->port);
	server->thread = g_thread_new("server", server_loop, server);
	return server;
}

/* Nothing more is received after it. The client must have let go of its connections. */
static inline void server_stop(Server *server)
{
	if (server->thread == NULL)
		return;
	g_atomic_int_set(&server->stop, TRUE);
	shutdown(server->listener, SHUT_RDWR);
	g_thread_join(server->thread);
	server->thread = NULL;
	close(server->listener);
}

static inline void server_free(Server *server)
{
	server_stop(server);
	g_string_free(server->received, TRUE);
	g_mutex_clear(&server->lock);
	g_free(server->host);
	g_free(server);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Server, server_free)

static char *no_hosts[] = { NULL };

/* Nothing of it is owned but the address. */
typedef struct {
	MtwTarget target;
	char *url;
} ServerTarget;

static inline void server_target(ServerTarget *target, const Server *server, MtwAuth auth)
{
	target->url = g_strdup_printf("http://%s", server->host);
	target->target = (MtwTarget){
		.id = (char *)"test",
		.name = (char *)"Test",
		.url = target->url,
		.host = (char *)"127.0.0.1",
		.user = (char *)"bob",
		.auth = auth,
		.auth_name = (char *)"X-Test-Key",
		.network = { .redirect_hosts = no_hosts,
			     .connect_timeout_sec = 20,
			     .low_speed_bytes = 1,
			     .low_speed_sec = 60 },
	};
}

static inline void server_target_clear(ServerTarget *target)
{
	g_free(target->url);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ServerTarget, server_target_clear)

/* With the token. Returns: (transfer full) */
static inline MtwTransfer *server_transfer(const ServerTarget *target,
					   const MtwTransferHooks *hooks)
{
	g_autoptr(MtwSecret) secret = mtw_secret_new(SERVER_TOKEN, strlen(SERVER_TOKEN));

	return mtw_transfer_new(&target->target, secret, hooks);
}

/* What most tests have: a server, the target that is it, a transfer with the token. */
typedef struct {
	Server *server;
	ServerTarget target;
	MtwTransfer *transfer;
} Fixture;

static inline void open_fixture(Fixture *fixture, ServeFunc serve, const void *data, MtwAuth auth)
{
	fixture->server = server_start(serve, data);
	server_target(&fixture->target, fixture->server, auth);
	fixture->transfer = server_transfer(&fixture->target, NULL);
}

/* Closes the connections; what the server received can be looked at then. */
static inline const GString *close_connections(Fixture *fixture)
{
	g_clear_pointer(&fixture->transfer, mtw_transfer_free);
	server_stop(fixture->server);
	return fixture->server->received;
}

static inline void fixture_clear(Fixture *fixture)
{
	mtw_transfer_free(fixture->transfer);
	server_free(fixture->server);
	server_target_clear(&fixture->target);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Fixture, fixture_clear)

/* A file in memory with bytes that repeat nowhere near. Returns: its descriptor */
static inline int server_file(gsize bytes, char **ret_content)
{
	int fd = memfd_create("file", MFD_CLOEXEC);
	char *content = g_malloc(bytes + 1);

	for (gsize i = 0; i < bytes; i++)
		content[i] = (char)(i * 2654435761u >> 13);
	assert_int_equal(write(fd, content, bytes), bytes);
	if (ret_content != NULL)
		*ret_content = content;
	else
		g_free(content);
	return fd;
}

static inline gboolean bytes_contain(const GString *bytes, const char *text)
{
	return memmem(bytes->str, bytes->len, text, strlen(text)) != NULL;
}

/* One request to /path with nothing special about it. Returns: (transfer full) (nullable) */
static inline MtwHttpReply *server_send(MtwTransfer *transfer, const ServerTarget *target,
					const char *method, const char *path, const char *text,
					GError **error)
{
	g_autofree char *url = g_strconcat(target->url, path, NULL);
	const MtwHttpRequest request = {
		.method = method,
		.url = url,
		.form = text != NULL ? MTW_BODY_TEXT : MTW_BODY_NONE,
		.type = text != NULL ? "application/json" : NULL,
		.text = text,
	};

	return mtw_http_send(transfer, &request, error);
}

/* The same with a file as the body. */
static inline MtwHttpReply *server_send_file(MtwTransfer *transfer, const ServerTarget *target,
					     const char *method, const char *path, int fd,
					     gsize bytes, GError **error)
{
	g_autofree char *url = g_strconcat(target->url, path, NULL);
	const MtwHttpRequest request = {
		.method = method,
		.url = url,
		.form = MTW_BODY_FILE,
		.type = "application/gzip",
		.file = { .fd = fd, .bytes = bytes },
	};

	return mtw_http_send(transfer, &request, error);
}

static inline void expect_failure(const MtwTransfer *transfer, GError **error, int code,
				  MtwFailureClass class, gboolean maybe_done)
{
	const MtwFailure *failure = mtw_transfer_failure(transfer);

	if (*error == NULL)
		fail_msg("no error");
	if (!g_error_matches(*error, MTW_ERROR, code) || failure->class != class ||
	    failure->maybe_done != maybe_done)
		fail_msg("\"%s\": code %d, class %s, maybe_done %d", (*error)->message,
			 (*error)->code, mtw_failure_class_name(failure->class),
			 failure->maybe_done);
	assert_null(strstr((*error)->message, SERVER_TOKEN));
	g_clear_error(error);
}
