/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/process.h"

#include "base/cleanup.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_MSEC 100
#define GRACE_USEC (2 * G_USEC_PER_SEC)
/* A program that hangs in the kernel does not even die of SIGKILL: it is not waited for. */
#define ABANDON_USEC (5 * G_USEC_PER_SEC)

typedef struct {
	GPid pid;
	int output_fd;
	gboolean exited;
	int wait_status;
	gint64 deadline_usec; /* monotonic; 0: none */
	gint64 kill_usec;     /* when SIGTERM turns into SIGKILL; 0: not yet asked to end */
} Running;

/*
 * The child leads its own process group, so that a time-out ends its children too, and gets back the
 * signals that this program blocks or ignores, or that a script has it ignore in the background.
 */
static void child_setup(gpointer user_data)
{
	static const int signals[] = { SIGPIPE, SIGHUP, SIGINT, SIGQUIT };
	sigset_t none;

	(void)user_data;
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(signals); i++)
		signal(signals[i], SIG_DFL);
}

static char **clean_environment(void)
{
	char **environment = g_new0(char *, 4);

	environment[0] = g_strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
	environment[1] = g_strdup("LC_ALL=C.UTF-8");
	environment[2] = g_strdup("HOME=/");
	return environment;
}

char **mtw_process_environment(void)
{
	g_auto(GStrv) all = g_get_environ();
	g_autoptr(GStrvBuilder) kept = g_strv_builder_new();

	for (char **entry = all; *entry != NULL; entry++)
		if (!g_str_has_prefix(*entry, MTW_TOKEN_VARIABLE))
			g_strv_builder_add(kept, *entry);
	return g_strv_builder_end(kept);
}

static gboolean start(const char *const *argv, const MtwProcessOptions *options, Running *running,
		      GError **error)
{
	g_auto(GStrv) environment =
		options->inherit_environment ? mtw_process_environment() : clean_environment();
	GSpawnFlags flags = G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CLOEXEC_PIPES;
	g_autoptr(GError) spawn_error = NULL;
	int ends[2] = { -1, -1 };

	if (options->inherit_environment)
		flags |= G_SPAWN_SEARCH_PATH_FROM_ENVP;
	if (!g_unix_open_pipe(ends, FD_CLOEXEC, &spawn_error) ||
	    !g_spawn_async_with_pipes_and_fds(NULL, argv, (const char *const *)environment, flags,
					      child_setup, NULL, -1, ends[1], ends[1], NULL, NULL,
					      0, &running->pid, NULL, NULL, NULL, &spawn_error)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "cannot run %s: %s", argv[0],
			    spawn_error->message);
		mtw_fd_clear(&ends[0]);
		mtw_fd_clear(&ends[1]);
		return FALSE;
	}
	close(ends[1]);
	running->output_fd = ends[0];
	g_unix_set_fd_nonblocking(ends[0], TRUE, NULL);
	if (options->timeout_sec > 0)
		running->deadline_usec =
			g_get_monotonic_time() + (gint64)options->timeout_sec * G_USEC_PER_SEC;
	return TRUE;
}

/* Takes what there is. Returns FALSE at the end of the output. */
static gboolean take_output(int fd, gsize max_bytes, MtwProcessResult *result)
{
	char block[16384];
	ssize_t got;

	while ((got = read(fd, block, sizeof block)) > 0) {
		gsize room = max_bytes - MIN(result->output->len, max_bytes);
		if ((gsize)got > room)
			result->truncated = TRUE;
		g_string_append_len(result->output, block, (gssize)MIN((gsize)got, room));
	}
	return got < 0 && (errno == EAGAIN || errno == EINTR);
}

static void end_if_due(Running *running, const MtwProcessOptions *options, MtwProcessResult *result)
{
	gint64 now = g_get_monotonic_time();
	gboolean late = running->deadline_usec != 0 && now >= running->deadline_usec;
	gboolean cancelled = options->cancel != NULL && g_atomic_int_get(options->cancel) != 0;

	if (running->kill_usec == 0 && (late || cancelled)) {
		result->timed_out = late && !cancelled;
		result->cancelled = cancelled;
		running->kill_usec = now + GRACE_USEC;
		kill(-running->pid, SIGTERM);
	} else if (running->kill_usec != 0 && now >= running->kill_usec) {
		kill(-running->pid, SIGKILL);
	}
}

static void reap(Running *running)
{
	if (!running->exited &&
	    waitpid(running->pid, &running->wait_status, WNOHANG) == running->pid)
		running->exited = TRUE;
}

static gboolean is_abandoned(const Running *running)
{
	return running->kill_usec != 0 &&
	       g_get_monotonic_time() >= running->kill_usec + ABANDON_USEC;
}

/* Until the program ended; a grandchild that keeps the pipe open is not waited for. */
static void follow(Running *running, const MtwProcessOptions *options, MtwProcessResult *result)
{
	gboolean open = TRUE;

	while (!running->exited && !is_abandoned(running)) {
		struct pollfd poll_fd = { .fd = open ? running->output_fd : -1, .events = POLLIN };
		poll(&poll_fd, 1, POLL_MSEC);
		if (open)
			open = take_output(running->output_fd, options->max_output_bytes, result);
		end_if_due(running, options, result);
		reap(running);
	}
	if (open)
		take_output(running->output_fd, options->max_output_bytes, result);
}

MtwProcessResult *mtw_process_run(const char *const *argv, const MtwProcessOptions *options,
				  GError **error)
{
	Running running = { .output_fd = -1 };
	MtwProcessResult *result;

	if (!start(argv, options, &running, error))
		return NULL;
	result = g_new0(MtwProcessResult, 1);
	result->output = g_string_new(NULL);
	follow(&running, options, result);
	close(running.output_fd);
	g_spawn_close_pid(running.pid);
	result->exit_status = running.exited && WIFEXITED(running.wait_status)
				      ? WEXITSTATUS(running.wait_status)
				      : -1;
	result->signal = WIFSIGNALED(running.wait_status) ? WTERMSIG(running.wait_status) : 0;
	return result;
}

void mtw_process_result_free(MtwProcessResult *result)
{
	if (result == NULL)
		return;
	g_string_free(result->output, TRUE);
	g_free(result);
}
