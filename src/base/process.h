/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running another program: argument vector with an absolute path, never a shell, a clean
 * environment, a time limit and a cap on the output.
 */
#pragma once

#include <glib.h>

typedef struct {
	guint timeout_sec;	/* 0: none. Then SIGTERM, two seconds later SIGKILL to its group */
	gsize max_output_bytes; /* stdout and stderr together; what is over is dropped and said */
	gboolean
		inherit_environment; /* mtw_process_environment; FALSE: only PATH, LC_ALL=C, HOME=/ */
	const int *cancel; /* (nullable): becomes non-zero: end the program as at a time-out */
} MtwProcessOptions;

typedef struct {
	int exit_status; /* of exit(); -1 when it died by a signal */
	int signal;	 /* that signal, or 0 */
	gboolean timed_out;
	gboolean cancelled;
	gboolean truncated; /* output was over the cap */
	GString *output;    /* stdout and stderr in the order they came; any bytes */
} MtwProcessResult;

/* Variables that begin so have a secret of the person, for this program only. */
#define MTW_TOKEN_VARIABLE "MMIOTRACE_WIZARD_TOKEN_"

/* mtw_process_environment: that of this process, without secrets, for a program that it starts. Returns: (transfer full) */
char **mtw_process_environment(void);

/*
 * mtw_process_run: runs @argv (argv[0] absolute, or looked up in the system's folders by
 * g_find_program_in_path when it has no slash and @inherit_environment) and waits for it.
 * Thread-safe. Returns: (transfer full) (nullable): NULL when it could not be started
 */
MtwProcessResult *mtw_process_run(const char *const *argv, const MtwProcessOptions *options,
				  GError **error);

void mtw_process_result_free(MtwProcessResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwProcessResult, mtw_process_result_free)
