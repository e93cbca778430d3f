/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/hand-over.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "capture/events.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_FD 3
#define REQUEST_MAX_BYTES (1024 * 1024)
#define MEMBERS_MAX 1000

static char *request_text(const MtwHandOver *hand_over)
{
	g_autoptr(JsonObject) request = json_object_new();
	JsonArray *members = json_array_new();

	for (guint i = 0; hand_over->members != NULL && i < hand_over->members->len; i++) {
		const MtwMember *member = hand_over->members->pdata[i];
		JsonObject *object = json_object_new();
		json_object_set_string_member(object, "name", member->name);
		json_object_set_int_member(object, "fd", FIRST_FD + i);
		json_object_set_int_member(object, "bytes", (gint64)member->bytes);
		json_object_set_string_member(object, "sha256", member->sha256);
		json_array_add_object_element(members, object);
	}
	mtw_json_set_text(request, "folder", hand_over->folder);
	mtw_json_set_text(request, "stem", hand_over->stem);
	json_object_set_int_member(request, "time_sec", hand_over->time_sec);
	json_object_set_array_member(request, "members", members);
	return mtw_json_pretty(request);
}

/* A descriptor with the member's content. */
static int open_member(const MtwMember *member, GError **error)
{
	g_auto(MtwFd) fd = member->fd >= 0 ? dup(member->fd)
					   : memfd_create(member->name, MFD_CLOEXEC);

	if (fd < 0) {
		mtw_set_error_errno(error, errno, "handing over %s", member->name);
		return -1;
	}
	if (member->fd < 0 && !mtw_file_write_all(fd, member->data, member->data_bytes, error))
		return -1;
	return mtw_fd_steal(&fd);
}

static void become_caller(gpointer user_data)
{
	if (!mtw_caller_become(user_data))
		_exit(127);
}

static char **worker_environment(const MtwCaller *caller)
{
	char **environment = g_environ_setenv(NULL, "PATH", "/usr/bin:/bin", TRUE);

	environment = g_environ_setenv(environment, "LC_ALL", "C.UTF-8", TRUE);
	return g_environ_setenv(environment, "HOME", caller->home, TRUE);
}

static GSubprocess *start_worker(const MtwHandOver *hand_over, GError **error)
{
	g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(
		G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE);
	g_autofree char *self =
		mtw_paths_build(hand_over->paths, MTW_PATH_PROCFS, "self", "exe", NULL);
	g_auto(GStrv) environment = worker_environment(hand_over->caller);
	const char *const argv[] = { self, MTW_HAND_OVER_VERB, NULL };
	g_autoptr(GError) why = NULL;
	GSubprocess *worker;

	g_subprocess_launcher_set_environ(launcher, environment);
	g_subprocess_launcher_set_cwd(launcher, "/");
	g_subprocess_launcher_set_child_setup(launcher, become_caller,
					      (gpointer)hand_over->caller, NULL);
	for (guint i = 0; hand_over->members != NULL && i < hand_over->members->len; i++) {
		int fd = open_member(hand_over->members->pdata[i], error);
		if (fd < 0)
			return NULL;
		g_subprocess_launcher_take_fd(launcher, fd, (int)(FIRST_FD + i));
	}
	worker = g_subprocess_launcher_spawnv(launcher, argv, &why);
	if (worker == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "cannot start the packing: %s",
			    why->message);
	return worker;
}

static gboolean send_request(const MtwHandOver *hand_over, GSubprocess *worker, GError **error)
{
	GOutputStream *stream = g_subprocess_get_stdin_pipe(worker);
	g_autofree char *text = request_text(hand_over);

	return g_output_stream_write_all(stream, text, strlen(text), NULL, NULL, error) &&
	       g_output_stream_close(stream, NULL, error);
}

/* One line of the worker. Returns: (transfer full) (nullable): the path, with the last line */
static char *take_line(const MtwHandOver *hand_over, const char *line, GError **error)
{
	g_autoptr(JsonObject) object = mtw_json_parse(line, -1, "hand-over", error);
	JsonObject *failure;

	if (object == NULL)
		return NULL;
	failure = mtw_json_object(object, "error");
	if (failure != NULL) {
		g_propagate_error(error, mtw_error_from_json(failure));
		return NULL;
	}
	if (hand_over->progress != NULL && json_object_has_member(object, "done"))
		hand_over->progress((guint64)mtw_json_int(object, "done", 0),
				    (guint64)mtw_json_int(object, "total", 0), hand_over->user_data);
	return g_strdup(mtw_json_string(object, "path", NULL));
}

static char *take_answer(const MtwHandOver *hand_over, GSubprocess *worker, GError **error)
{
	g_autoptr(GDataInputStream) lines =
		g_data_input_stream_new(g_subprocess_get_stdout_pipe(worker));
	g_autoptr(GError) why = NULL;
	char *path = NULL;

	while (path == NULL && why == NULL) {
		g_autofree char *line = g_data_input_stream_read_line(lines, NULL, NULL, &why);
		if (line == NULL)
			break;
		path = take_line(hand_over, line, &why);
	}
	g_subprocess_wait(worker, NULL, NULL);
	if (why != NULL)
		g_propagate_error(error, g_steal_pointer(&why));
	else if (path == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
			    "the packing as user %s ended without a result", hand_over->caller->name);
	return path;
}

static char *ask_worker(const MtwHandOver *hand_over, GError **error)
{
	g_autoptr(GSubprocess) worker = start_worker(hand_over, error);

	if (worker == NULL || !send_request(hand_over, worker, error))
		return NULL;
	return take_answer(hand_over, worker, error);
}

static gboolean make_folder(const char *folder, GError **error)
{
	if (g_mkdir_with_parents(folder, 0755) == 0 && access(folder, W_OK | X_OK) == 0)
		return TRUE;
	mtw_set_error_errno(error, errno, "the folder %s for the result", folder);
	return FALSE;
}

gboolean mtw_hand_over_probe(const MtwHandOver *hand_over, GError **error)
{
	g_autofree char *folder = NULL;

	if (mtw_caller_is_self(hand_over->caller))
		return make_folder(hand_over->folder, error);
	folder = ask_worker(hand_over, error);
	return folder != NULL;
}

char *mtw_hand_over(const MtwHandOver *hand_over, GError **error)
{
	if (!mtw_caller_is_self(hand_over->caller))
		return ask_worker(hand_over, error);
	if (!make_folder(hand_over->folder, error))
		return NULL;
	return mtw_archive_write(hand_over->folder, hand_over->stem, hand_over->members,
				 hand_over->time_sec, hand_over->progress, hand_over->user_data,
				 error);
}

/* The worker's side. */

static void print_line(JsonObject *object)
{
	g_autofree char *line = mtw_json_line(object);
	g_autofree char *text = g_strconcat(line, "\n", NULL);

	(void)mtw_file_write_all(STDOUT_FILENO, text, strlen(text), NULL);
	json_object_unref(object);
}

static gboolean print_progress(guint64 done, guint64 total, gpointer user_data)
{
	JsonObject *object = json_object_new();

	(void)user_data;
	json_object_set_int_member(object, "done", (gint64)done);
	json_object_set_int_member(object, "total", (gint64)total);
	print_line(object);
	return TRUE;
}

static GPtrArray *read_members(JsonObject *request)
{
	JsonArray *array = mtw_json_array(request, "members");
	GPtrArray *members = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_member_free);

	for (guint i = 0; array != NULL && i < MIN(json_array_get_length(array), MEMBERS_MAX); i++) {
		JsonObject *object = json_array_get_object_element(array, i);
		MtwMember *member = mtw_member_new_fd(mtw_json_string(object, "name", ""),
						      (int)mtw_json_int(object, "fd", -1));
		member->bytes = (guint64)mtw_json_int(object, "bytes", 0);
		member->sha256 = g_strdup(mtw_json_string(object, "sha256", NULL));
		g_ptr_array_add(members, member);
	}
	return members;
}

static char *work(GError **error)
{
	g_autofree char *text = g_malloc(REQUEST_MAX_BYTES);
	g_autoptr(JsonObject) request = NULL;
	g_autoptr(GPtrArray) members = NULL;
	const char *folder;
	gsize bytes = 0;
	ssize_t got;

	while ((got = read(STDIN_FILENO, text + bytes, REQUEST_MAX_BYTES - bytes)) > 0)
		bytes += (gsize)got;
	request = mtw_json_parse(text, (gssize)bytes, "request", error);
	if (request == NULL)
		return NULL;
	folder = mtw_json_string(request, "folder", "");
	if (!make_folder(folder, error))
		return NULL;
	members = read_members(request);
	/* Without members: only a probe. */
	if (members->len == 0)
		return g_strdup(folder);
	return mtw_archive_write(folder, mtw_json_string(request, "stem", ""), members,
				 mtw_json_int(request, "time_sec", 0), print_progress, NULL, error);
}

int mtw_hand_over_worker(void)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = work(&error);
	JsonObject *answer = json_object_new();

	if (path != NULL)
		mtw_json_set_text(answer, "path", path);
	else
		json_object_set_object_member(answer, "error", mtw_error_to_json(error));
	print_line(answer);
	return mtw_error_exit_status(error);
}
