/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's mmiotrace through trace_pipe as text.
 *
 * All descriptors stay open during the run: they keep working when lockdown is raised meanwhile, and
 * the open trace_pipe keeps others from changing the tracer.
 */
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"
#include "capture/tracer.h"
#include "machine/cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define STATS_MAX_BYTES 4096

typedef struct {
	MtwTracer base;
	MtwFd pipe;
	MtwFd marker;
	MtwFd tracing_on;
	GArray *stats; /* of int: one descriptor of per_cpu/cpuN/stats each */
} Builtin;

static void add_change(GPtrArray *changes, MtwChangeKind kind, const char *subject,
		       const char *after)
{
	g_ptr_array_add(changes, mtw_change_new(kind, subject, NULL, after));
}

static gboolean builtin_plan(MtwTracer *tracer, MtwMachine *machine, guint64 buffer_kb,
			     GPtrArray *changes, GError **error)
{
	g_autoptr(GArray) online = mtw_cpu_list(machine->paths, "online", error);
	g_autofree char *buffer = NULL;
	g_autofree char *size = g_strdup_printf("%" G_GUINT64_FORMAT, buffer_kb);

	(void)tracer;
	if (online == NULL || online->len == 0)
		return FALSE;
	buffer = g_strdup_printf("per_cpu/cpu%u/buffer_size_kb", g_array_index(online, guint, 0));
	/* The order matters: a later change of these empties the buffer or loses events. */
	add_change(changes, MTW_CHANGE_SETTING, "options/overwrite", "1");
	add_change(changes, MTW_CHANGE_RECORDING, "tracing_on", "1");
	add_change(changes, MTW_CHANGE_CLOCK, "trace_clock", "mono");
	add_change(changes, MTW_CHANGE_BUFFER, buffer, size);
	add_change(changes, MTW_CHANGE_CPUS, "cpus", "");
	add_change(changes, MTW_CHANGE_TRACER, "current_tracer", "mmiotrace");
	return TRUE;
}

static gboolean open_file(MtwMachine *machine, const char *name, int flags, MtwFd *ret_fd,
			  GError **error)
{
	g_autofree char *path = mtw_tracefs_path(machine->tracefs, name);

	*ret_fd = open(path, flags | O_CLOEXEC);
	if (*ret_fd < 0)
		mtw_set_error_errno(error, errno, "%s", path);
	return *ret_fd >= 0;
}

static gboolean open_stats(Builtin *builtin, MtwMachine *machine, GError **error)
{
	g_autoptr(GArray) cpus = mtw_tracefs_cpus(machine->tracefs);

	for (guint i = 0; i < cpus->len; i++) {
		g_autofree char *name =
			g_strdup_printf("per_cpu/cpu%u/stats", g_array_index(cpus, guint, i));
		g_auto(MtwFd) fd = -1;
		if (!open_file(machine, name, O_RDONLY, &fd, error))
			return FALSE;
		g_array_append_val(builtin->stats, fd);
		mtw_fd_steal(&fd);
	}
	return TRUE;
}

static gboolean builtin_open(MtwTracer *tracer, MtwMachine *machine, GError **error)
{
	Builtin *builtin = (Builtin *)tracer;

	return open_file(machine, "trace_pipe", O_RDONLY | O_NONBLOCK, &builtin->pipe, error) &&
	       open_file(machine, "trace_marker", O_WRONLY, &builtin->marker, error) &&
	       open_file(machine, "tracing_on", O_WRONLY, &builtin->tracing_on, error) &&
	       open_stats(builtin, machine, error);
}

static gssize builtin_read(MtwTracer *tracer, void *buffer, gsize bytes, GError **error)
{
	Builtin *builtin = (Builtin *)tracer;
	ssize_t got;

	do
		got = read(builtin->pipe, buffer, bytes);
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno == EAGAIN)
		return 0;
	if (got < 0)
		mtw_set_error_errno(error, errno, "reading trace_pipe");
	return got;
}

static void builtin_wait(MtwTracer *tracer, guint timeout_msec)
{
	struct pollfd pipe = { .fd = ((Builtin *)tracer)->pipe, .events = POLLIN };

	poll(&pipe, 1, (int)timeout_msec);
}

static gboolean write_once(int fd, const char *text, const char *what, GError **error)
{
	if (write(fd, text, strlen(text)) >= 0)
		return TRUE;
	mtw_set_error_errno(error, errno, "writing to %s", what);
	return FALSE;
}

static gboolean builtin_mark(MtwTracer *tracer, const char *text, GError **error)
{
	g_autofree char *line = g_strconcat(text, "\n", NULL);

	return write_once(((Builtin *)tracer)->marker, line, "trace_marker", error);
}

static gboolean builtin_pause(MtwTracer *tracer, GError **error)
{
	return write_once(((Builtin *)tracer)->tracing_on, "0", "tracing_on", error);
}

static gboolean builtin_ring_stats(MtwTracer *tracer, MtwRingStats *ret_stats, GError **error)
{
	Builtin *builtin = (Builtin *)tracer;
	MtwRingStats sum = { 0 };

	for (guint i = 0; i < builtin->stats->len; i++) {
		char text[STATS_MAX_BYTES];
		ssize_t got = pread(g_array_index(builtin->stats, int, i), text, sizeof text, 0);
		if (got < 0) {
			mtw_set_error_errno(error, errno, "reading the buffer's statistics");
			return FALSE;
		}
		mtw_ring_stats_add(&sum, text, (gsize)got);
	}
	*ret_stats = sum;
	return TRUE;
}

static gboolean builtin_watch(MtwTracer *tracer, MtwMachine *machine, GError **error)
{
	g_autoptr(GArray) online = mtw_cpu_list(machine->paths, "online", error);

	(void)tracer;
	if (online == NULL)
		return FALSE;
	if (online->len > 1) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
			    "a processor was switched on while tracing; going on could crash the "
			    "machine");
		return FALSE;
	}
	return TRUE;
}

static void builtin_close(MtwTracer *tracer)
{
	Builtin *builtin = (Builtin *)tracer;

	mtw_fd_clear(&builtin->pipe);
	mtw_fd_clear(&builtin->marker);
	mtw_fd_clear(&builtin->tracing_on);
	for (guint i = 0; i < builtin->stats->len; i++)
		close(g_array_index(builtin->stats, int, i));
	g_array_set_size(builtin->stats, 0);
}

static void builtin_free(MtwTracer *tracer)
{
	Builtin *builtin = (Builtin *)tracer;

	builtin_close(tracer);
	g_array_unref(builtin->stats);
	g_free(builtin);
}

static const MtwTracerOps builtin_ops = {
	.name = "mmiotrace",
	.free = builtin_free,
	.plan = builtin_plan,
	.open = builtin_open,
	.read = builtin_read,
	.wait = builtin_wait,
	.mark = builtin_mark,
	.pause = builtin_pause,
	.ring_stats = builtin_ring_stats,
	.watch = builtin_watch,
	.close = builtin_close,
};

MtwTracer *mtw_tracer_new_builtin(void)
{
	Builtin *builtin = g_new0(Builtin, 1);

	builtin->base.ops = &builtin_ops;
	builtin->pipe = -1;
	builtin->marker = -1;
	builtin->tracing_on = -1;
	builtin->stats = g_array_new(FALSE, FALSE, sizeof(int));
	return &builtin->base;
}
