/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parent's side: root. */
#include "wizard/hand-over.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "capture/events.h"
#include "wizard/options-json.h"
#include "wizard/person.h"
#include "wizard/sending.h"
#include "wizard/wizard-private.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define POLL_MSEC 200

/* What the report is made of, as far as it is there. */
static const char *const session_files[] = { "trace.txt", "verdict.json" };

typedef struct {
	MtwWizard *wizard;
	GSubprocessLauncher *launcher;
	int next_fd; /* in the child */
	MtwFd reply; /* the end to read */
	GString *line;
	gboolean done;
	gboolean signalled;
	GError *error; /* of the child */
} HandOver;

static int memory_file(const char *name, const void *data, gsize bytes, GError **error)
{
	g_auto(MtwFd) fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0) {
		mtw_set_error_errno(error, errno, "handing over %s", name);
		return -1;
	}
	if (!mtw_file_write_all(fd, data, bytes, error) || lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	return mtw_fd_steal(&fd);
}

/* Gives @fd to the child and notes its number there. */
static void add_file(HandOver *over, JsonArray *files, const char *name, int fd)
{
	JsonObject *file = json_object_new();

	g_subprocess_launcher_take_fd(over->launcher, fd, over->next_fd);
	json_object_set_string_member(file, "name", name);
	json_object_set_int_member(file, "fd", over->next_fd++);
	json_array_add_object_element(files, file);
}

static void add_session_file(HandOver *over, JsonArray *files, const char *name)
{
	int fd = mtw_engine_open_file(over->wizard->engine, name, NULL);

	if (fd >= 0)
		add_file(over, files, name, fd);
}

static JsonArray *add_session_files(HandOver *over)
{
	JsonArray *files = json_array_new();

	for (gsize i = 0; i < G_N_ELEMENTS(session_files); i++)
		add_session_file(over, files, session_files[i]);
	for (guint i = 0; i < over->wizard->collected->len; i++) {
		const MtwMessage *message = over->wizard->collected->pdata[i];
		g_autofree char *name = g_build_filename("collected", message->id, NULL);
		add_session_file(over, files, name);
	}
	return files;
}

/* Read by the child, if it is going to send: a copy, so that this process's own stays as it is. */
static gboolean pass_token(HandOver *over, JsonObject *options, GError **error)
{
	guint token_fd = over->wizard->options->token_fd;
	int copy;

	if (token_fd == 0)
		return TRUE;
	copy = fcntl((int)token_fd, F_DUPFD_CLOEXEC, MTW_HANDED_FIRST_FILE_FD);
	if (copy < 0) {
		mtw_set_error_errno(error, errno, "--token-fd %u", token_fd);
		return FALSE;
	}
	g_subprocess_launcher_take_fd(over->launcher, copy, over->next_fd);
	json_object_set_int_member(options, "token_fd", over->next_fd++);
	return TRUE;
}

static JsonObject *report_request(HandOver *over, GError **error)
{
	MtwWizard *wizard = over->wizard;
	g_autoptr(JsonObject) request = json_object_new();
	JsonObject *options = mtw_options_to_json(wizard);

	json_object_set_object_member(request, "options", options);
	if (!pass_token(over, options, error))
		return NULL;
	json_object_set_string_member(request, "session", mtw_engine_session_id(wizard->engine));
	json_object_set_object_member(request, "facts",
				      json_object_ref(mtw_engine_facts(wizard->engine)));
	json_object_set_array_member(request, "messages", mtw_messages_to_json(wizard->collected));
	json_object_set_object_member(request, "answers", mtw_answers_to_json(wizard->answers));
	json_object_set_array_member(request, "redact_facts",
				     mtw_redact_facts_to_json(wizard->redact_facts));
	json_object_set_array_member(request, "files", add_session_files(over));
	return g_steal_pointer(&request);
}

static void become_caller(gpointer user_data)
{
	if (!mtw_caller_become(user_data))
		_exit(127);
}

static gboolean pass_request(HandOver *over, JsonObject *request, GError **error)
{
	g_autofree char *text = mtw_json_line(request);
	int fd = memory_file("request", text, strlen(text), error);

	if (fd < 0)
		return FALSE;
	g_subprocess_launcher_take_fd(over->launcher, fd, MTW_HANDED_REQUEST_FD);
	return TRUE;
}

static gboolean pass_reply_pipe(HandOver *over, GError **error)
{
	g_autoptr(GError) why = NULL;
	int ends[2];

	if (!g_unix_open_pipe(ends, FD_CLOEXEC, &why)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "%s", why->message);
		return FALSE;
	}
	over->reply = ends[0];
	g_subprocess_launcher_take_fd(over->launcher, ends[1], MTW_HANDED_REPLY_FD);
	return TRUE;
}

static GSubprocess *start_child(HandOver *over, GError **error)
{
	g_autofree char *self =
		mtw_paths_build(over->wizard->paths, MTW_PATH_PROCFS, "self", "exe", NULL);
	g_auto(GStrv) environment =
		mtw_person_environment(over->wizard->paths, over->wizard->caller);
	const char *const argv[] = { self, MTW_HANDED_VERB, NULL };
	g_autoptr(GError) why = NULL;
	GSubprocess *child;

	g_subprocess_launcher_set_environ(over->launcher, environment);
	g_subprocess_launcher_set_child_setup(over->launcher, become_caller,
					      (gpointer)over->wizard->caller, NULL);
	child = g_subprocess_launcher_spawnv(over->launcher, argv, &why);
	if (child == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "cannot go on as user %s: %s",
			    over->wizard->caller->name, why->message);
	return child;
}

static void take_reply(HandOver *over, const char *line)
{
	g_autoptr(JsonObject) reply = mtw_json_parse(line, -1, "reply", NULL);
	JsonObject *error;
	const char *keep;

	if (reply == NULL)
		return;
	keep = mtw_json_string(reply, "keep", NULL);
	error = mtw_json_object(reply, "error");
	/* Only what a report has to say; the rest of the session's facts is not the child's. */
	if (g_strcmp0(keep, "archive") == 0 || g_strcmp0(keep, "state") == 0 ||
	    g_strcmp0(keep, "sent") == 0)
		mtw_engine_keep_fact(over->wizard->engine, keep,
				     json_object_dup_member(reply, "value"), NULL);
	if (json_object_has_member(reply, "log"))
		mtw_engine_log(over->wizard->engine, mtw_json_string(reply, "log", ""));
	over->done |= mtw_json_bool(reply, "done", FALSE);
	if (error != NULL && over->error == NULL)
		over->error = mtw_error_from_json(error);
}

static gboolean read_replies(HandOver *over)
{
	struct pollfd poll_fd = { .fd = over->reply, .events = POLLIN };
	char block[4096];
	char *newline;
	ssize_t got;

	if (poll(&poll_fd, 1, POLL_MSEC) <= 0)
		return TRUE;
	got = read(over->reply, block, sizeof block);
	if (got <= 0)
		return got < 0 && errno == EINTR;
	g_string_append_len(over->line, block, got);
	while ((newline = memchr(over->line->str, '\n', over->line->len)) != NULL) {
		*newline = '\0';
		take_reply(over, over->line->str);
		g_string_erase(over->line, 0, newline - over->line->str + 1);
	}
	return TRUE;
}

static void attend(HandOver *over, GSubprocess *child)
{
	while (read_replies(over)) {
		/* The one that cut an unattended capture short has been heard; its trace is packed. */
		if (mtw_wizard_is_interrupted(over->wizard) && !over->signalled &&
		    !(over->wizard->options->batch && over->wizard->cut_short)) {
			g_subprocess_send_signal(child, SIGTERM);
			over->signalled = TRUE;
		}
	}
	g_subprocess_wait(child, NULL, NULL);
}

static gboolean conclude(HandOver *over, GError **error)
{
	if (over->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&over->error));
		return FALSE;
	}
	if (!over->done) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
			    "the part that runs as user %s ended without a result",
			    over->wizard->caller->name);
		return FALSE;
	}
	return TRUE;
}

typedef JsonObject *(*RequestMaker)(HandOver *over, GError **error);

static gboolean run_child(MtwWizard *wizard, RequestMaker make_request, GError **error)
{
	HandOver over = { .wizard = wizard, .next_fd = MTW_HANDED_FIRST_FILE_FD, .reply = -1 };
	g_autoptr(GSubprocessLauncher) launcher =
		g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDIN_INHERIT);
	g_autoptr(GString) line = g_string_new(NULL);
	g_autoptr(JsonObject) request = NULL;
	g_autoptr(GSubprocess) child = NULL;
	gboolean good = FALSE;

	over.launcher = launcher;
	over.line = line;
	request = make_request(&over, error);
	if (request != NULL && pass_request(&over, request, error) && pass_reply_pipe(&over, error))
		child = start_child(&over, error);
	/* The launcher has the child's ends of everything: only the child may keep them open. */
	g_subprocess_launcher_close(launcher);
	if (child != NULL) {
		attend(&over, child);
		good = conclude(&over, error);
	}
	mtw_fd_clear(&over.reply);
	return good;
}

static JsonObject *check_request(HandOver *over, GError **error)
{
	JsonObject *request = json_object_new();

	(void)error;
	mtw_json_set_text(request, "probe", NULL);
	mtw_json_set_text(request, "target", over->wizard->options->target);
	mtw_json_set_text(request, "issue", over->wizard->issue);
	return request;
}

gboolean mtw_hand_over_check_sending(MtwWizard *wizard, GError **error)
{
	if (!mtw_caller_is_self(wizard->caller))
		return run_child(wizard, check_request, error);
	return mtw_sending_check(wizard->paths, wizard->options->target, wizard->issue, error);
}

static JsonObject *probe_request(HandOver *over, GError **error)
{
	JsonObject *request = check_request(over, error);
	g_autofree char *folder = mtw_wizard_output_folder(over->wizard);

	mtw_json_set_text(request, "probe", folder);
	mtw_json_set_text(request, "story_file", over->wizard->options->story_file);
	return request;
}

gboolean mtw_hand_over_probe(MtwWizard *wizard, GError **error)
{
	g_autofree char *folder = NULL;

	if (!mtw_caller_is_self(wizard->caller))
		return run_child(wizard, probe_request, error);
	folder = mtw_wizard_output_folder(wizard);
	return mtw_probe(folder, wizard->options->story_file, error) &&
	       mtw_hand_over_check_sending(wizard, error);
}

gboolean mtw_hand_over(MtwWizard *wizard, GError **error)
{
	return run_child(wizard, report_request, error);
}
