/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wizard's view on a terminal: events on stderr, questions answered from stdin. Also serves
 * --batch and --json, where nothing is asked. A terminal that goes away (SSH) is the end of input;
 * what cannot be written is dropped.
 */
#include "base/cleanup.h"
#include "base/json.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/cli.h"
#include "submit/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define LINE_MAX_BYTES (64 * 1024)
/* Enough for a secret without being moved in memory, which would leave a copy behind. */
#define INPUT_BYTES 4096

/* Where the line cannot change, the counters are shown less often. */
#define PLAIN_COUNTERS_SEC 10

typedef enum {
	LIVE_NOTHING,
	LIVE_COUNTERS, /* two lines: counters, and the place to type */
	LIVE_PROGRESS, /* one line */
} LiveKind;

typedef struct {
	MtwView base;
	gboolean json;
	gboolean fancy;
	LiveKind live;
	gint64 plain_sec;
	GString *input; /* read but not yet taken */
	gboolean input_ended;
	MtwFd wake[2];
	/*
	 * (element-type JsonObject) What could not be written yet: the output is stopped (Ctrl-S), or nobody reads it.
	 * A capture must not wait for that.
	 */
	GQueue held;
} Terminal;

/*
 * While tracing, two lines stay at the bottom: the counters, and below them what the person types,
 * which the terminal itself echoes. The counters are redrawn in place, with the cursor brought back.
 */
#define SAVE_CURSOR "\0337"
#define RESTORE_CURSOR "\0338"
#define LINE_UP "\033[A\r"
#define CLEAR_LINE "\r\033[K"
#define CLEAR_BELOW "\033[J"

static void draw_counters(Terminal *terminal, JsonObject *event)
{
	if (terminal->live == LIVE_COUNTERS)
		fputs(SAVE_CURSOR LINE_UP CLEAR_LINE, stderr);
	mtw_cli_print_event(stderr, event);
	fputs(terminal->live == LIVE_COUNTERS ? RESTORE_CURSOR : "\n> ", stderr);
	terminal->live = LIVE_COUNTERS;
}

static void draw_progress(Terminal *terminal, JsonObject *event)
{
	fputs(CLEAR_LINE, stderr);
	mtw_cli_print_event(stderr, event);
	terminal->live = LIVE_PROGRESS;
}

/* Makes room for text: takes the live lines away. */
static void end_live(Terminal *terminal)
{
	if (terminal->live == LIVE_COUNTERS)
		fputs(LINE_UP CLEAR_BELOW, stderr);
	else if (terminal->live == LIVE_PROGRESS)
		fputs(CLEAR_LINE, stderr);
	terminal->live = LIVE_NOTHING;
}

/* Without a terminal's abilities the counters are lines, and fewer. */
static void print_plain(Terminal *terminal, JsonObject *event)
{
	gint64 now_sec = g_get_monotonic_time() / G_USEC_PER_SEC;

	if (now_sec - terminal->plain_sec < PLAIN_COUNTERS_SEC)
		return;
	terminal->plain_sec = now_sec;
	mtw_cli_print_event(stderr, event);
	fputc('\n', stderr);
}

static gboolean is_progress(const char *name)
{
	return g_str_equal(name, "packing") || g_str_equal(name, "progress");
}

static void show_now(Terminal *terminal, JsonObject *event)
{
	const char *name = mtw_json_string(event, "event", "");
	gboolean counters = g_str_equal(name, "counters");

	if (terminal->json)
		mtw_cli_print_json(event);
	if (!counters && !is_progress(name)) {
		end_live(terminal);
		mtw_cli_print_event(stderr, event);
	} else if (!terminal->fancy) {
		if (!g_str_equal(name, "packing"))
			print_plain(terminal, event);
	} else if (counters) {
		draw_counters(terminal, event);
	} else {
		draw_progress(terminal, event);
	}
	fflush(stderr);
}

/* A terminal that is gone takes everything, and loses it. */
static gboolean can_write(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };

	return poll(&poll_fd, 1, 0) > 0;
}

static gboolean can_show(const Terminal *terminal)
{
	return can_write(STDERR_FILENO) && (!terminal->json || can_write(STDOUT_FILENO));
}

static void show_held(Terminal *terminal)
{
	while (!g_queue_is_empty(&terminal->held) && can_show(terminal)) {
		g_autoptr(JsonObject) event = g_queue_pop_head(&terminal->held);
		show_now(terminal, event);
	}
}

static void show(MtwView *view, JsonObject *event)
{
	Terminal *terminal = (Terminal *)view;
	const char *name = mtw_json_string(event, "event", "");

	show_held(terminal);
	if (g_queue_is_empty(&terminal->held) && can_show(terminal))
		show_now(terminal, event);
	else if (!is_progress(name) && !g_str_equal(name, "counters"))
		g_queue_push_tail(&terminal->held, json_object_ref(event));
}

/* Now it is worth waiting for: a question is asked, or the program ends. */
static void show_rest(Terminal *terminal)
{
	JsonObject *event;

	while ((event = g_queue_pop_head(&terminal->held)) != NULL) {
		show_now(terminal, event);
		json_object_unref(event);
	}
}

/* A whole line of the input read so far. Returns: (transfer full) (nullable) */
static char *take_line(Terminal *terminal)
{
	char *newline = memchr(terminal->input->str, '\n', terminal->input->len);
	gsize bytes;
	char *line;

	if (newline == NULL && !(terminal->input_ended && terminal->input->len > 0))
		return NULL;
	bytes = newline != NULL ? (gsize)(newline - terminal->input->str) : terminal->input->len;
	line = g_strndup(terminal->input->str, bytes);
	g_string_erase(terminal->input, 0, (gssize)(newline != NULL ? bytes + 1 : bytes));
	return line;
}

/* Waits at most @timeout_msec (-1: for ever) for input or the wake-up. FALSE after a wake-up. */
static gboolean read_more(Terminal *terminal, int timeout_msec)
{
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				{ .fd = terminal->wake[0], .events = POLLIN } };
	char block[1024];
	ssize_t got;

	if (poll(fds, 2, timeout_msec) <= 0)
		return TRUE;
	if (fds[1].revents != 0) {
		(void)!read(terminal->wake[0], block, sizeof block);
		return FALSE;
	}
	got = read(STDIN_FILENO, block, sizeof block);
	if (got > 0 && terminal->input->len < LINE_MAX_BYTES)
		g_string_append_len(terminal->input, block, got);
	else if (got <= 0 && errno != EINTR && errno != EAGAIN)
		terminal->input_ended = TRUE;
	else if (got == 0)
		terminal->input_ended = TRUE;
	mtw_secret_wipe(block, sizeof block);
	return TRUE;
}

/* Returns: (transfer full) (nullable): NULL at the end of input, or when woken up by a signal */
static char *read_line(Terminal *terminal)
{
	char *line;

	while ((line = take_line(terminal)) == NULL && !terminal->input_ended)
		if (!read_more(terminal, -1))
			return NULL;
	return line;
}

static gboolean capture_line(MtwView *view, char **ret_line)
{
	Terminal *terminal = (Terminal *)view;

	show_held(terminal);
	*ret_line = take_line(terminal);
	if (*ret_line == NULL && !terminal->input_ended && read_more(terminal, 0))
		*ret_line = take_line(terminal);
	/* The Enter that was echoed moved the cursor below the two live lines. */
	if (*ret_line != NULL && terminal->live == LIVE_COUNTERS && can_show(terminal))
		fputs(LINE_UP, stderr);
	return *ret_line != NULL || terminal->input_ended;
}

/* A window that was closed, a connection that broke; Ctrl-D is neither. */
static gboolean is_gone(MtwView *view)
{
	struct pollfd poll_fd = { .fd = STDIN_FILENO, .events = POLLIN };

	(void)view;
	return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & POLLHUP) != 0;
}

static void print_choices(const MtwRequest *request)
{
	gsize width = 0;

	for (guint i = 0; request->choices[i] != NULL; i++)
		width = MAX(width, mtw_text_columns(request->choices[i]));
	for (guint i = 0; request->choices[i] != NULL; i++) {
		g_autofree char *label = mtw_text_clean_line(request->labels[i]);
		g_autofree char *choice = mtw_cli_pad(request->choices[i], width);
		fprintf(stderr, "  %2u. %s  %s\n", i + 1, choice, mtw_cli_translate(label));
	}
}

/* @answer: "yes" or "no" */
static const char *yes_no_text(const char *answer)
{
	/* TRANSLATORS: the answers to a question. The first letter will do, unless both begin with the same. */
	return g_str_equal(answer, "yes") ? _("yes") : _("no");
}

/* What Enter means. A long one stands above the place for the answer. */
static void print_proposal(const MtwRequest *request)
{
	g_auto(GStrv) lines = NULL;

	if (request->proposal == NULL || request->proposal[0] == '\0')
		return;
	if (request->kind != MTW_REQUEST_STORY) {
		fprintf(stderr, "[%s] ",
			request->kind == MTW_REQUEST_YES_NO ? yes_no_text(request->proposal)
							    : request->proposal);
		return;
	}
	lines = g_strsplit(request->proposal, "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		fprintf(stderr, "  %s\n", *line);
	fputs(_("Enter takes this; or write your own, and end with an empty line.\n"), stderr);
}

static void print_question(const MtwRequest *request)
{
	g_autofree char *question = g_strconcat(
		mtw_cli_translate(request->sentence), request->detail[0] != '\0' ? " (" : "",
		request->detail, request->detail[0] != '\0' ? ")" : "", NULL);

	fputc('\n', stderr);
	mtw_cli_print_wrapped(stderr, question, "");
	if (request->kind == MTW_REQUEST_CHOICE)
		print_choices(request);
	print_proposal(request);
	fputs("> ", stderr);
	fflush(stderr);
}

/* Whether @line is the letter that @answer begins with and @other does not. */
static gboolean is_first_letter(const char *line, const char *answer, const char *other)
{
	gunichar letter = g_utf8_get_char(line);

	return letter != 0 && *g_utf8_next_char(line) == '\0' &&
	       letter == g_utf8_get_char(answer) && letter != g_utf8_get_char(other);
}

/* "j", "yes", "Y", also in the person's language, become "yes". */
static char *normalise_yes_no(const char *line)
{
	static const struct {
		const char *answer, *other;
	} answers[] = { { "yes", "no" }, { "no", "yes" } };
	g_autofree char *lower = g_utf8_strdown(line, -1);

	for (gsize i = 0; i < G_N_ELEMENTS(answers); i++)
		if (g_str_equal(lower, yes_no_text(answers[i].answer)) ||
		    is_first_letter(lower, yes_no_text(answers[i].answer),
				    yes_no_text(answers[i].other)))
			return g_strdup(answers[i].answer);
	for (gsize i = 0; i < G_N_ELEMENTS(answers); i++)
		if (g_str_equal(lower, answers[i].answer) ||
		    is_first_letter(lower, answers[i].answer, answers[i].other))
			return g_strdup(answers[i].answer);
	return NULL;
}

/* A number of the list, or the answer itself. */
static char *normalise_choice(const MtwRequest *request, const char *line)
{
	guint64 number;

	if (g_strv_contains(request->choices, line))
		return g_strdup(line);
	if (!g_ascii_string_to_unsigned(line, 10, 1, g_strv_length((char **)request->choices),
					&number, NULL))
		return NULL;
	return g_strdup(request->choices[number - 1]);
}

/* Returns: (transfer full) (nullable): NULL: not understood */
static char *normalise(const MtwRequest *request, const char *line)
{
	g_autofree char *valid = g_utf8_make_valid(line, -1);

	g_strstrip(valid);
	if (valid[0] == '\0' && request->proposal != NULL)
		return g_strdup(request->proposal);
	switch (request->kind) {
	case MTW_REQUEST_YES_NO:
		return normalise_yes_no(valid);
	case MTW_REQUEST_CHOICE:
		return normalise_choice(request, valid);
	default:
		return valid[0] != '\0' ? g_steal_pointer(&valid) : NULL;
	}
}

static char *ask_story(Terminal *terminal, const MtwRequest *request)
{
	g_autoptr(GString) story = g_string_new(NULL);
	char *line;

	while ((line = read_line(terminal)) != NULL && line[0] != '\0') {
		g_string_append_printf(story, "%s\n", line);
		g_free(line);
	}
	g_free(line);
	return g_strdup(story->len > 0 ? story->str : request->proposal);
}

/* What was read and taken stays in the buffer's memory otherwise. */
static void wipe_rest(GString *input)
{
	mtw_secret_wipe(input->str + input->len, input->allocated_len - input->len - 1);
	input->str[input->len] = '\0';
}

/* Without echo, from before the question can be seen: an answer may be pasted at once. What was typed before is none. */
static char *ask_secret(Terminal *terminal, const MtwRequest *request)
{
	struct termios before, silent;
	gboolean is_terminal = tcgetattr(STDIN_FILENO, &before) == 0;
	char *line;

	if (is_terminal) {
		silent = before;
		silent.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK);
		silent.c_lflag |= ECHONL;
		(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
		g_string_truncate(terminal->input, 0);
	}
	print_question(request);
	line = read_line(terminal);
	wipe_rest(terminal->input);
	if (is_terminal)
		(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
	return line;
}

static char *ask(MtwView *view, const MtwRequest *request)
{
	Terminal *terminal = (Terminal *)view;

	show_rest(terminal);
	if (request->kind == MTW_REQUEST_SECRET)
		return ask_secret(terminal, request);
	print_question(request);
	if (request->kind == MTW_REQUEST_STORY)
		return ask_story(terminal, request);
	for (;;) {
		g_autofree char *line = read_line(terminal);
		char *answer;
		if (line == NULL)
			return NULL;
		answer = normalise(request, line);
		if (answer != NULL)
			return answer;
		fputs(_("That is not one of the answers. Once more, please.\n> "), stderr);
		fflush(stderr);
	}
}

static gboolean can_edit(MtwView *view)
{
	(void)view;
	return isatty(STDIN_FILENO) && (g_getenv("VISUAL") != NULL || g_getenv("EDITOR") != NULL);
}

/* $VISUAL or $EDITOR, which may have arguments; else what Debian has for this. */
static char **editor_argv(const char *path, GError **error)
{
	const char *command = g_getenv("VISUAL") != NULL ? g_getenv("VISUAL") : g_getenv("EDITOR");
	g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
	g_auto(GStrv) words = NULL;

	if (!g_shell_parse_argv(command != NULL ? command : "sensible-editor", NULL, &words, error))
		return NULL;
	g_strv_builder_addv(argv, (const char **)words);
	g_strv_builder_add(argv, path);
	return g_strv_builder_end(argv);
}

static gboolean edit(MtwView *view, const char *path, GError **error)
{
	g_auto(GStrv) argv = editor_argv(path, error);
	g_auto(GStrv) environment = mtw_process_environment();
	int status = 0;

	(void)view;
	return argv != NULL &&
	       g_spawn_sync(NULL, argv, environment,
			    G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL,
			    NULL, &status, error) &&
	       g_spawn_check_wait_status(status, error);
}

void mtw_terminal_wake(MtwView *view)
{
	(void)!write(((Terminal *)view)->wake[1], "", 1);
}

static const MtwViewOps terminal_ops = {
	.show = show,
	.ask = ask,
	.capture_line = capture_line,
	.is_gone = is_gone,
	.can_edit = can_edit,
	.edit = edit,
};

MtwView *mtw_terminal_new(gboolean json)
{
	Terminal *terminal = g_new0(Terminal, 1);

	terminal->base.ops = &terminal_ops;
	terminal->json = json;
	terminal->fancy = mtw_cli_is_fancy(stderr);
	terminal->input = g_string_sized_new(INPUT_BYTES);
	g_queue_init(&terminal->held);
	if (!g_unix_open_pipe(terminal->wake, FD_CLOEXEC, NULL))
		terminal->wake[0] = terminal->wake[1] = -1;
	return &terminal->base;
}

void mtw_terminal_free(MtwView *view)
{
	Terminal *terminal = (Terminal *)view;

	if (terminal == NULL)
		return;
	show_rest(terminal);
	mtw_fd_clear(&terminal->wake[0]);
	mtw_fd_clear(&terminal->wake[1]);
	g_string_free(terminal->input, TRUE);
	g_free(terminal);
}
