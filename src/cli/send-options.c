/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `upload`, `queue` and the walk share: their options about sending, and becoming the person. */
#include "base/error.h"
#include "base/parse.h"
#include "cli/cli.h"
#include "wizard/person.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FD_MIN 3
#define FD_MAX 65535

void mtw_cli_clear_send_options(MtwCliSendOptions *options)
{
	g_free(options->target);
	g_free(options->issue);
	g_free(options->token_file);
	g_free(options->token_fd);
}

static gboolean read_token_fd(const char *text, guint *ret_fd, GError **error)
{
	*ret_fd = 0;
	if (text == NULL)
		return TRUE;
	if (!mtw_parse_uint(text, FD_MIN, FD_MAX, ret_fd)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "--token-fd takes the number of an open file from %d on, not \"%s\"",
			    FD_MIN, text);
		return FALSE;
	}
	if (fcntl((int)*ret_fd, F_SETFD, FD_CLOEXEC) == 0)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "--token-fd %s: no open file has this number", text);
	return FALSE;
}

gboolean mtw_cli_use_send_options(const MtwCliSendOptions *options, MtwWizardOptions *wizard,
				  GError **error)
{
	wizard->target = options->target;
	wizard->issue = options->issue;
	wizard->token_file = options->token_file;
	wizard->consent_upload = options->consent_upload;
	wizard->no_network = options->no_network;
	if (options->token_file != NULL && options->token_fd != NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "--token-file and --token-fd: which one?");
		return FALSE;
	}
	return read_token_fd(options->token_fd, &wizard->token_fd, error);
}

/* The environment that the person would have; root's is of no use to them. */
static void use_environment(char **environment)
{
	clearenv();
	for (char **entry = environment; *entry != NULL; entry++) {
		g_auto(GStrv) parts = g_strsplit(*entry, "=", 2);
		(void)g_setenv(parts[0], parts[1], TRUE);
	}
}

MtwCaller *mtw_cli_become_person(MtwCli *cli, GError **error)
{
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);
	g_auto(GStrv) environment = NULL;

	if (caller == NULL)
		return NULL;
	if (mtw_caller_is_self(caller) && geteuid() == getuid())
		return g_steal_pointer(&caller);
	environment = mtw_person_environment(cli->paths, caller);
	if (!mtw_caller_become(caller)) {
		mtw_set_error_errno(error, errno, "cannot go on as user %s", caller->name);
		return NULL;
	}
	use_environment(environment);
	return mtw_caller_get(error);
}
