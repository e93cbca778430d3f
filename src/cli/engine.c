/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which engine: root works in this process and needs no bus (recovery shells, --batch over SSH); everybody else
 * goes through the service, when there is one.
 */
#include "base/error.h"
#include "cli/cli.h"
#include "machine/session-type.h"
#include "service/client.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <poll.h>
#include <unistd.h>

#define AGENT_MSEC 3000

gboolean mtw_cli_uses_service(const MtwCli *cli)
{
	return geteuid() != 0 && mtw_paths_live(cli->paths) && mtw_service_is_there(cli->paths);
}

/* The agent says that it is registered by closing its end. */
static void wait_for_agent(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	(void)poll(&poll_fd, 1, AGENT_MSEC);
	close(fd);
}

/*
 * Where no desktop asks for the password (SSH, text console), polkit's own agent asks on this terminal. It ends with
 * this process. In a desktop's terminal it only stands in for one that is missing; without a session polkit would not
 * look for such a stand-in.
 */
static void start_agent(MtwCli *cli)
{
	g_autofree char *program = mtw_paths_tool(cli->paths, "pkttyagent");
	g_autofree char *pid = g_strdup_printf("%d", getpid());
	gboolean alone = mtw_session_type_of_self(cli->paths) == MTW_SESSION_TYPE_NONE;
	const char *const argv[] = { program,	  "--notify-fd", "3",
				     "--process", pid,		 alone ? NULL : "--fallback",
				     NULL };
	g_autoptr(GSubprocessLauncher) launcher = NULL;
	int ends[2];

	if (program == NULL || !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO) ||
	    !g_unix_open_pipe(ends, FD_CLOEXEC, NULL))
		return;
	launcher = g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDIN_INHERIT);
	g_subprocess_launcher_take_fd(launcher, ends[1], 3);
	cli->agent = g_subprocess_launcher_spawnv(launcher, argv, NULL);
	g_subprocess_launcher_close(launcher);
	wait_for_agent(ends[0]);
}

MtwEngine *mtw_cli_engine(MtwCli *cli, GError **error)
{
	if (!mtw_cli_uses_service(cli))
		return mtw_engine_new_local(cli->paths);
	if (cli->agent == NULL)
		start_agent(cli);
	return mtw_engine_new_service(cli->paths, error);
}

void mtw_cli_end_agent(MtwCli *cli)
{
	if (cli->agent == NULL)
		return;
	g_subprocess_send_signal(cli->agent, SIGTERM);
	g_clear_object(&cli->agent);
}
