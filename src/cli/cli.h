/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the verbs of the command line share. */
#pragma once

#include "base/paths.h"
#include "wizard/view.h"
#include "wizard/wizard.h"

#include <gio/gio.h>
#include <stdio.h>

typedef struct {
	MtwPaths *paths;
	gboolean json;	    /* one object a line on stdout; people's messages on stderr */
	GSubprocess *agent; /* (nullable) that asks for a password on this terminal */
} MtwCli;

/* A verb: @argv[0] is its name. Returns: the exit status */
typedef int (*MtwVerb)(MtwCli *cli, int argc, char **argv);

int mtw_verb_run(MtwCli *cli, int argc, char **argv);
int mtw_verb_check(MtwCli *cli, int argc, char **argv);
int mtw_verb_devices(MtwCli *cli, int argc, char **argv);
int mtw_verb_verify(MtwCli *cli, int argc, char **argv);
int mtw_verb_recover(MtwCli *cli, int argc, char **argv);
int mtw_verb_next_boot(MtwCli *cli, int argc, char **argv);
int mtw_verb_sessions(MtwCli *cli, int argc, char **argv);
int mtw_verb_show(MtwCli *cli, int argc, char **argv);
int mtw_verb_pack(MtwCli *cli, int argc, char **argv);
int mtw_verb_profiles(MtwCli *cli, int argc, char **argv);
int mtw_verb_targets(MtwCli *cli, int argc, char **argv);
int mtw_verb_review(MtwCli *cli, int argc, char **argv);
int mtw_verb_attach(MtwCli *cli, int argc, char **argv);
int mtw_verb_open(MtwCli *cli, int argc, char **argv);
int mtw_verb_upload(MtwCli *cli, int argc, char **argv);
int mtw_verb_queue(MtwCli *cli, int argc, char **argv);

/* The hidden verb: the child of a hand-over (wizard/hand-over.h). */
int mtw_verb_report_worker(MtwCli *cli);

/* The hidden verb of mmiotrace-wizard-boot.service. */
#define MTW_BOOT_VERB "boot-capture"
int mtw_verb_boot_capture(MtwCli *cli);

/* window.c */

/* mtw_cli_wants_window: nothing is asked for, nobody can read, and there is a desktop. */
gboolean mtw_cli_wants_window(int argc);

/* mtw_cli_become_window: returns only when there is no such program; then mtw_cli_tell_no_window says so. */
void mtw_cli_become_window(void);
void mtw_cli_tell_no_window(void);

/* verb-sessions.c */

/* mtw_cli_may_see_sessions: those of root, without the service. */
gboolean mtw_cli_may_see_sessions(MtwCli *cli, GError **error);

/* mtw_cli_show_sessions: a row for each session in that state. @state: (nullable): all. Returns: how many, or -1 */
int mtw_cli_show_sessions(MtwCli *cli, const char *state, GError **error);

/* send-options.c */

typedef struct {
	char *target, *issue, *token_file, *token_fd; /* (nullable) */
	gboolean consent_upload, no_network;
} MtwCliSendOptions;

/* The rows of a GOptionEntry table. */
#define MTW_CLI_TOKEN_ENTRIES(options)                                        \
	{ "token-file",                                                       \
	  0,                                                                  \
	  0,                                                                  \
	  G_OPTION_ARG_FILENAME,                                              \
	  &(options).token_file,                                              \
	  N_("Token or password of the target; -: from stdin"),               \
	  "FILE" },                                                           \
	{                                                                     \
		"token-fd", 0, 0, G_OPTION_ARG_FILENAME, &(options).token_fd, \
			N_("The same from an open file"), "N"                 \
	}

#define MTW_CLI_SEND_ENTRIES(options)                           \
	{ "target",                                             \
	  0,                                                    \
	  0,                                                    \
	  G_OPTION_ARG_FILENAME,                                \
	  &(options).target,                                    \
	  N_("Send it there; `targets` lists the ids"),         \
	  "ID" },                                               \
		{ "issue",                                      \
		  0,                                            \
		  0,                                            \
		  G_OPTION_ARG_FILENAME,                        \
		  &(options).issue,                             \
		  N_("Add it to the report with this address"), \
		  "URL" },                                      \
		{ "consent-upload",                             \
		  0,                                            \
		  0,                                            \
		  G_OPTION_ARG_NONE,                            \
		  &(options).consent_upload,                    \
		  N_("You agree that it is sent"),              \
		  NULL },                                       \
		{ "no-network",                                 \
		  0,                                            \
		  0,                                            \
		  G_OPTION_ARG_NONE,                            \
		  &(options).no_network,                        \
		  N_("Prepare it, and send it later (queue)"),  \
		  NULL },                                       \
		MTW_CLI_TOKEN_ENTRIES(options)

void mtw_cli_clear_send_options(MtwCliSendOptions *options);

/* mtw_cli_use_send_options: the strings stay those of @options. */
gboolean mtw_cli_use_send_options(const MtwCliSendOptions *options, MtwWizardOptions *wizard,
				  GError **error);

/*
 * mtw_cli_become_person: under sudo or pkexec gives up root for good, with the person's environment; call it before anything
 * is opened. Root itself stays root. Returns: (transfer full) (nullable)
 */
MtwCaller *mtw_cli_become_person(MtwCli *cli, GError **error);

/* verb-upload.c: @work with a wizard that has no capture, on the terminal, with signals. */
gboolean mtw_cli_with_wizard(MtwCli *cli, const MtwCaller *caller, const MtwWizardOptions *options,
			     gboolean (*work)(MtwWizard *wizard, gpointer user_data,
					      GError **error),
			     gpointer user_data, GError **error);

/* engine.c */

/* mtw_cli_uses_service: this process is not root, and there is a service that makes captures. */
gboolean mtw_cli_uses_service(const MtwCli *cli);

/* mtw_cli_engine: in this process, or through the service. Returns: (transfer full) (nullable) */
MtwEngine *mtw_cli_engine(MtwCli *cli, GError **error);

void mtw_cli_end_agent(MtwCli *cli);

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

/* mtw_cli_print_level: "  ok       " in front of a sentence. @level: "ok", "warning", "failure" */
void mtw_cli_print_level(FILE *file, const char *level);

/* print-send.c: those of sending. @event: safe for a terminal */
void mtw_cli_print_send_event(FILE *file, const char *name, JsonObject *event);

/* mtw_cli_print_json: one event as a line on stdout. */
void mtw_cli_print_json(JsonObject *event);

/* mtw_cli_print_verdict: the content of verdict.json for people. */
void mtw_cli_print_verdict(FILE *file, JsonObject *verdict);

/* mtw_cli_bar_name: "BAR 0", or "ROM". Returns: (transfer full) */
char *mtw_cli_bar_name(guint index);

/* words.c */

/* A row of a table that ends with { NULL, NULL }. @text: a msgid with a context, NC_() */
typedef struct {
	const char *name, *text;
} MtwCliWord;

/* mtw_cli_word: translated; @name itself when the table does not have it. */
const char *mtw_cli_word(const MtwCliWord *words, const char *context, const char *name);

/* mtw_cli_words_columns: the width of the widest word. */
gsize mtw_cli_words_columns(const MtwCliWord *words, const char *context);

/* mtw_cli_word_padded: as wide as the widest. Returns: (transfer full) */
char *mtw_cli_word_padded(const MtwCliWord *words, const char *context, const char *name);

/* wrap.c */

/* mtw_cli_translate: what is a msgid; the empty one would give the catalogue's header. */
const char *mtw_cli_translate(const char *msgid);

/* mtw_cli_pad: @text with spaces behind it, as wide as @columns of a terminal, or wider. Returns: (transfer full) */
char *mtw_cli_pad(const char *text, gsize columns);

/* mtw_cli_pad_left: the same with the spaces in front. Returns: (transfer full) */
char *mtw_cli_pad_left(const char *text, gsize columns);

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
