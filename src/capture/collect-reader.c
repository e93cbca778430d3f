/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/collect-reader.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "capture/collect-reader-child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A killed process is gone at once, or it hangs in the kernel. */
#define REAP_TRIES 20
#define REAP_WAIT_USEC (5 * 1000)
#define SWITCH_OFF_USEC (2 * G_USEC_PER_SEC)

struct _MtwReader {
	MtwFd socket; /* -1: there is no process */
	pid_t pid;
	MtwReaderPacket packet;
};

/* One request on its way. */
typedef struct {
	MtwReader *reader;
	const MtwReaderRequest *request;
	gint64 deadline_usec;
	MtwReadSink sink; /* NULL: nothing more is wanted */
	gpointer user_data;
	gboolean cut;
	gboolean rom_is_on; /* because of us */
} Exchange;

MtwReader *mtw_reader_new(void)
{
	MtwReader *reader = g_new0(MtwReader, 1);

	reader->socket = -1;
	return reader;
}

static gpointer reap(gpointer pid)
{
	while (waitpid((pid_t)GPOINTER_TO_INT(pid), NULL, 0) < 0 && errno == EINTR)
		;
	return NULL;
}

/* A process that hangs is left to a thread, which does nothing but wait for it. */
static void dismiss(MtwReader *reader)
{
	GThread *thread;

	if (reader->socket < 0)
		return;
	mtw_fd_clear(&reader->socket);
	kill(reader->pid, SIGKILL);
	for (int i = 0; i < REAP_TRIES; i++) {
		pid_t reaped = waitpid(reader->pid, NULL, WNOHANG);
		if (reaped == reader->pid || (reaped < 0 && errno == ECHILD))
			return;
		g_usleep(REAP_WAIT_USEC);
	}
	thread = g_thread_try_new("reap", reap, GINT_TO_POINTER((int)reader->pid), NULL);
	if (thread != NULL)
		g_thread_unref(thread);
}

void mtw_reader_free(MtwReader *reader)
{
	if (reader == NULL)
		return;
	dismiss(reader);
	g_free(reader);
}

/* The signals are blocked before the fork: the new process must not run a handler of ours. */
static gboolean start(MtwReader *reader, GError **error)
{
	sigset_t all, before;
	int ends[2];
	int errnum;

	if (reader->socket >= 0)
		return TRUE;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
		mtw_set_error_errno(error, errno, "cannot start a reading process");
		return FALSE;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	reader->pid = fork();
	errnum = errno;
	if (reader->pid == 0)
		mtw_reader_child(ends[1]);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	reader->socket = ends[0];
	if (reader->pid < 0) {
		mtw_fd_clear(&reader->socket);
		mtw_set_error_errno(error, errnum, "cannot start a reading process");
		return FALSE;
	}
	return TRUE;
}

/* Waits for a packet. Returns: FALSE: it is too late for one */
static gboolean wait_for_packet(const Exchange *exchange)
{
	struct pollfd poll_fd = { .fd = exchange->reader->socket, .events = POLLIN };
	gint64 left_usec;

	do {
		left_usec = exchange->deadline_usec - g_get_monotonic_time();
		if (left_usec <= 0)
			return FALSE;
	} while (poll(&poll_fd, 1, (int)MIN(left_usec / 1000 + 1, 1000)) <= 0);
	return TRUE;
}

/* Returns: the bytes of the next packet; 0: the process has died; -1: too late */
static gssize next_packet(const Exchange *exchange)
{
	MtwReader *reader = exchange->reader;
	gssize got;

	do {
		if (!wait_for_packet(exchange))
			return -1;
		got = recv(reader->socket, &reader->packet, sizeof reader->packet, MSG_DONTWAIT);
	} while (got < 0 && (errno == EINTR || errno == EAGAIN));
	return got >= (gssize)MTW_READER_HEADER_BYTES ? got : 0;
}

static void take_data(Exchange *exchange, gsize bytes)
{
	if (exchange->sink != NULL &&
	    !exchange->sink(exchange->reader->packet.data, bytes, exchange->user_data))
		exchange->sink = NULL;
}

/* Returns: FALSE when it was the last one; then @ret_errnum is what the kernel said, or 0. */
static gboolean take_packet(Exchange *exchange, gsize bytes, int *ret_errnum)
{
	const MtwReaderPacket *packet = &exchange->reader->packet;

	*ret_errnum = packet->errnum;
	switch ((MtwReaderPacketKind)packet->kind) {
	case MTW_READER_DATA:
		take_data(exchange, bytes - MTW_READER_HEADER_BYTES);
		/* Nobody listens any more: the rest would only come through the kernel in vain. */
		return exchange->sink != NULL;
	case MTW_READER_ROM_ON:
		exchange->rom_is_on = TRUE;
		return TRUE;
	case MTW_READER_ROM_OFF:
		exchange->rom_is_on = packet->errnum != 0;
		return TRUE;
	case MTW_READER_CUT:
		exchange->cut = TRUE;
		return FALSE;
	case MTW_READER_END:
	default:
		return FALSE;
	}
}

static void set_late(GError **error, const char *path)
{
	g_set_error(error, MTW_ERROR, MTW_ERROR_TIMEOUT, "%s: gave no answer in time", path);
}

/* One request and all that comes back for it. */
static gboolean exchange_packets(Exchange *exchange, GError **error)
{
	MtwReader *reader = exchange->reader;
	const char *path = exchange->request->path;
	int errnum = 0;
	gssize got;

	if (g_get_monotonic_time() >= exchange->deadline_usec) {
		set_late(error, path);
		return FALSE;
	}
	if (!start(reader, error))
		return FALSE;
	if (send(reader->socket, exchange->request, sizeof *exchange->request, MSG_NOSIGNAL) < 0) {
		mtw_set_error_errno(error, errno, "%s", path);
		dismiss(reader);
		return FALSE;
	}
	do
		got = next_packet(exchange);
	while (got > 0 && take_packet(exchange, (gsize)got, &errnum));
	/* Who is not at the end of its answer would give the rest of it to the next request. */
	if (got <= 0 || exchange->sink == NULL)
		dismiss(reader);
	if (got < 0)
		set_late(error, path);
	else if (got == 0)
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "%s: the reading process died",
			    path);
	else if (errnum != 0)
		mtw_set_error_errno(error, errnum, "%s", path);
	return got > 0 && errnum == 0;
}

static gboolean fill_request(MtwReaderRequest *request, MtwReaderAction action, const char *path,
			     const MtwReadLimits *limits, GError **error)
{
	memset(request, 0, sizeof *request);
	request->action = action;
	request->max_bytes = limits->max_bytes;
	request->only_these = limits->only_these;
	if (g_strlcpy(request->path, path, sizeof request->path) < sizeof request->path)
		return TRUE;
	mtw_set_error_errno(error, ENAMETOOLONG, "%s", path);
	return FALSE;
}

gboolean mtw_reader_stream(MtwReader *reader, const char *path, const MtwReadLimits *limits,
			   MtwReadSink sink, gpointer user_data, gboolean *ret_cut, GError **error)
{
	MtwReaderRequest request;
	Exchange exchange = { .reader = reader,
			      .request = &request,
			      .deadline_usec = limits->deadline_usec,
			      .sink = sink,
			      .user_data = user_data };
	gboolean ok;

	if (!fill_request(&request, MTW_READER_READ, path, limits, error))
		return FALSE;
	ok = exchange_packets(&exchange, error);
	if (ret_cut != NULL)
		*ret_cut = exchange.cut;
	return ok;
}

static gboolean append(const void *data, gsize bytes, gpointer user_data)
{
	g_string_append_len(user_data, data, (gssize)bytes);
	return TRUE;
}

char *mtw_reader_read(MtwReader *reader, const char *path, const MtwReadLimits *limits,
		      gsize *ret_bytes, gboolean *ret_cut, GError **error)
{
	GString *content = g_string_new(NULL);

	if (!mtw_reader_stream(reader, path, limits, append, content, ret_cut, error)) {
		g_string_free(content, TRUE);
		return NULL;
	}
	if (ret_bytes != NULL)
		*ret_bytes = content->len;
	return g_string_free(content, FALSE);
}

/* The process that switched the ROM on did not get to switch it off. */
static gboolean switch_off(MtwReader *reader, const char *path)
{
	MtwReaderRequest request;
	const MtwReadLimits limits = { .deadline_usec = g_get_monotonic_time() + SWITCH_OFF_USEC };
	Exchange exchange = { .reader = reader,
			      .request = &request,
			      .deadline_usec = limits.deadline_usec,
			      .sink = append };

	dismiss(reader);
	return fill_request(&request, MTW_READER_SWITCH_OFF, path, &limits, NULL) &&
	       exchange_packets(&exchange, NULL);
}

char *mtw_reader_read_rom(MtwReader *reader, const char *path, const MtwReadLimits *limits,
			  gsize *ret_bytes, gboolean *ret_cut, GError **error)
{
	g_autoptr(GString) content = g_string_new(NULL);
	MtwReaderRequest request;
	Exchange exchange = { .reader = reader,
			      .request = &request,
			      .deadline_usec = limits->deadline_usec,
			      .sink = append,
			      .user_data = content };
	gboolean ok;

	if (!fill_request(&request, MTW_READER_READ_ROM, path, limits, error))
		return NULL;
	ok = exchange_packets(&exchange, error);
	if (exchange.rom_is_on && !switch_off(reader, path)) {
		g_clear_error(error);
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_RESTORED,
			    "%s: could not be switched off again; that lasts until the next start",
			    path);
		return NULL;
	}
	*ret_bytes = content->len;
	*ret_cut = exchange.cut;
	return ok ? g_string_free(g_steal_pointer(&content), FALSE) : NULL;
}
