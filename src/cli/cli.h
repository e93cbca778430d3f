/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the verbs of the command line share. */
#pragma once

#include "base/paths.h"
#include "wizard/view.h"
#include "wizard/wizard.h"

#include <stdio.h>

typedef struct {
	MtwPaths *paths;
	gboolean json; /* one object a line on stdout; people's messages on stderr */
} MtwCli;

/* A verb: @argv[0] is its name. Returns: the exit status */
typedef int (*MtwVerb)(MtwCli *cli, int argc, char **argv);

int mtw_verb_run(MtwCli *cli, int argc, char **argv);
int mtw_verb_check(MtwCli *cli, int argc, char **argv);
int mtw_verb_devices(MtwCli *cli, int argc, char **argv);
int mtw_verb_verify(MtwCli *cli, int argc, char **argv);
int mtw_verb_recover(MtwCli *cli, int argc, char **argv);
int mtw_verb_sessions(MtwCli *cli, int argc, char **argv);
int mtw_verb_show(MtwCli *cli, int argc, char **argv);
int mtw_verb_pack(MtwCli *cli, int argc, char **argv);
int mtw_verb_profiles(MtwCli *cli, int argc, char **argv);
int mtw_verb_review(MtwCli *cli, int argc, char **argv);
int mtw_verb_open(MtwCli *cli, int argc, char **argv);

/* The hidden verb: the child of a hand-over (wizard/hand-over.h). */
int mtw_verb_report_worker(MtwCli *cli);

/* options.c */

/*
 * mtw_cli_parse: parses the options of a verb; --json and --help are added. What is not an option stays in
 * @argv. @arguments: what comes after the options, for the help ("FILE")
 */
gboolean mtw_cli_parse(MtwCli *cli, const char *verb, const char *arguments, const char *summary,
		       const GOptionEntry *entries, int *argc, char ***argv, GError **error);

/* mtw_cli_read_redact: the value of --redact. @text: (nullable) */
gboolean mtw_cli_read_redact(const char *text, MtwRedactChoice *ret_choice, GError **error);

/* print.c */

/* mtw_cli_fill: @text with {name} replaced by the members of @values. Returns: (transfer full) */
char *mtw_cli_fill(const char *text, JsonObject *values);

/* mtw_cli_print_event: one event for people, to @file. */
void mtw_cli_print_event(FILE *file, JsonObject *event);

/* mtw_cli_print_json: one event as a line on stdout. */
void mtw_cli_print_json(JsonObject *event);

/* mtw_cli_print_verdict: the content of verdict.json for people. */
void mtw_cli_print_verdict(FILE *file, JsonObject *verdict);

/* mtw_cli_bar_name: "BAR 0", or "ROM". Returns: (transfer full) */
char *mtw_cli_bar_name(guint index);

/*
 * mtw_cli_print_wrapped: @text in lines of at most 78 columns, each behind @indent; ends with a newline.
 */
void mtw_cli_print_wrapped(FILE *file, const char *text, const char *indent);

/* mtw_cli_is_fancy: whether @file takes colour and a line that changes (terminal, no NO_COLOR). */
gboolean mtw_cli_is_fancy(FILE *file);

/* mtw_cli_finish: prints @error (nullable) and the last JSON line. Returns: the exit status */
int mtw_cli_finish(MtwCli *cli, GError *error);

/* terminal.c: a view on a terminal, or on none. */
MtwView *mtw_terminal_new(gboolean json);
void mtw_terminal_free(MtwView *view);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwView, mtw_terminal_free)

/* mtw_terminal_wake: a question that waits for an answer gets none. Async-signal-safe. */
void mtw_terminal_wake(MtwView *view);

/* signals.c: Ctrl-C and SIGTERM interrupt the wizard in order; SIGHUP is ignored (SSH may die). */

/* mtw_signals_block: first of all, before any thread is made. */
void mtw_signals_block(void);

/* mtw_signals_watch: from now on signals go to @wizard and @view (both must stay). */
void mtw_signals_watch(MtwWizard *wizard, MtwView *view);
void mtw_signals_unwatch(void);
