/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/session.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SESSION_FORMAT 1
#define SESSIONS_A_SECOND 100
#define RESERVE_BYTES (4 * 1024 * 1024)

static char *sessions_folder(const MtwPaths *paths)
{
	return mtw_paths_build(paths, MTW_PATH_STATE, "sessions", NULL);
}

static int lock_file(const char *path, GError **error)
{
	g_auto(MtwFd) fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fd < 0) {
		mtw_set_error_errno(error, errno, "cannot open %s", path);
		return -1;
	}
	/* Of the open file, not of the process: others can look at it without taking it (is_live). */
	if (fcntl(fd, F_OFD_SETLK, &whole) != 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY,
			    "another mmiotrace-wizard is at work (%s is locked)", path);
		return -1;
	}
	return mtw_fd_steal(&fd);
}

int mtw_capture_lock(const MtwPaths *paths, GError **error)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_STATE, "capture.lock", NULL);

	if (!mtw_folder_ensure(mtw_paths_get(paths, MTW_PATH_STATE), 0700, error))
		return -1;
	return lock_file(path, error);
}

char *mtw_session_path(const MtwSession *session, const char *name)
{
	return g_build_filename(session->folder, name, NULL);
}

static gboolean id_is_valid(const char *id)
{
	static const char allowed[] = "0123456789abcdef-";

	return id[0] != '\0' && strlen(id) < 64 && id[strspn(id, allowed)] == '\0';
}

static MtwSession *session_at(const char *sessions, const char *id)
{
	MtwSession *session = g_new0(MtwSession, 1);

	session->id = g_strdup(id);
	session->folder = g_build_filename(sessions, id, NULL);
	session->lock_fd = -1;
	session->log_fd = -1;
	return session;
}

static gboolean take_for_work(MtwSession *session, GError **error)
{
	g_autofree char *lock = mtw_session_path(session, "lock");
	g_autofree char *log = mtw_session_path(session, "log");

	session->lock_fd = lock_file(lock, error);
	if (session->lock_fd < 0)
		return FALSE;
	session->log_fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (session->log_fd < 0) {
		mtw_set_error_errno(error, errno, "cannot open %s", log);
		return FALSE;
	}
	return TRUE;
}

/* The folder itself is the claim on the id: mkdir fails when it exists. */
static MtwSession *make_folder(const char *sessions, guint16 vendor, guint16 device, GError **error)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *time = g_date_time_format(now, "%Y%m%d-%H%M%S");

	for (int try = 1; try < SESSIONS_A_SECOND; try++) {
		g_autofree char *first = g_strdup_printf("%s-%04x-%04x", time, vendor, device);
		g_autofree char *id =
			try == 1 ? g_strdup(first) : g_strdup_printf("%s-%d", first, try);
		g_autoptr(MtwSession) session = session_at(sessions, id);
		if (mkdir(session->folder, 0700) == 0)
			return g_steal_pointer(&session);
		if (errno != EEXIST) {
			mtw_set_error_errno(error, errno, "cannot make the folder %s",
					    session->folder);
			return NULL;
		}
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY, "too many sessions in one second");
	return NULL;
}

MtwSession *mtw_session_create(const MtwPaths *paths, guint16 vendor, guint16 device,
			       GError **error)
{
	g_autofree char *sessions = sessions_folder(paths);
	g_autoptr(MtwSession) session = NULL;

	if (!mtw_folder_ensure(mtw_paths_get(paths, MTW_PATH_STATE), 0700, error) ||
	    !mtw_folder_ensure(sessions, 0700, error))
		return NULL;
	session = make_folder(sessions, vendor, device, error);
	if (session == NULL || !take_for_work(session, error))
		return NULL;
	session->state = json_object_new();
	json_object_set_int_member(session->state, "format", SESSION_FORMAT);
	json_object_set_string_member(session->state, "id", session->id);
	json_object_set_boolean_member(session->state, "restored", TRUE);
	json_object_set_int_member(session->state, "time_sec", g_get_real_time() / G_USEC_PER_SEC);
	if (!mtw_session_set_state(session, MTW_SESSION_PREPARING, error) ||
	    !mtw_folder_sync(sessions, error))
		return NULL;
	return g_steal_pointer(&session);
}

MtwSession *mtw_session_open(const MtwPaths *paths, const char *id, gboolean lock, GError **error)
{
	g_autofree char *sessions = sessions_folder(paths);
	g_autoptr(MtwSession) session = NULL;
	g_autofree char *path = NULL;
	g_autofree char *text = NULL;

	if (!id_is_valid(id)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "\"%s\" is not the id of a session", id);
		return NULL;
	}
	session = session_at(sessions, id);
	path = mtw_session_path(session, "state.json");
	text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, error);
	if (text == NULL) {
		g_prefix_error(error, "session %s: ", id);
		return NULL;
	}
	session->state = mtw_json_parse(text, -1, path, error);
	if (session->state == NULL || (lock && !take_for_work(session, error)))
		return NULL;
	return g_steal_pointer(&session);
}

void mtw_session_free(MtwSession *session)
{
	if (session == NULL)
		return;
	g_free(session->id);
	g_free(session->folder);
	g_clear_pointer(&session->state, json_object_unref);
	mtw_fd_clear(&session->lock_fd);
	mtw_fd_clear(&session->log_fd);
	g_free(session);
}

GPtrArray *mtw_session_list(const MtwPaths *paths)
{
	g_autofree char *sessions = sessions_folder(paths);
	g_autoptr(GPtrArray) names = mtw_folder_list(sessions);
	GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < names->len; i++)
		if (id_is_valid(names->pdata[i]))
			g_ptr_array_add(ids, g_strdup(names->pdata[i]));
	return ids;
}

gboolean mtw_session_is_live(const MtwSession *session)
{
	g_autofree char *path = mtw_session_path(session, "lock");
	g_auto(MtwFd) fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct flock whole = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return fd >= 0 && fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

gboolean mtw_session_save(MtwSession *session, GError **error)
{
	g_autofree char *path = mtw_session_path(session, "state.json");
	g_autofree char *text = mtw_json_pretty(session->state);

	return mtw_file_write_atomic(path, text, strlen(text), 0600, error);
}

gboolean mtw_session_set_state(MtwSession *session, const char *state, GError **error)
{
	json_object_set_string_member(session->state, "state", state);
	mtw_session_log(session, "state: %s", state);
	return mtw_session_save(session, error);
}

void mtw_session_log(MtwSession *session, const char *format, ...)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_local();
	g_autofree char *time = g_date_time_format(now, "%H:%M:%S");
	g_autofree char *text = NULL;
	g_autofree char *line = NULL;
	va_list args;

	if (session->log_fd < 0)
		return;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	line = g_strdup_printf("%s %s\n", time, text);
	(void)mtw_file_write_all(session->log_fd, line, strlen(line), NULL);
}

void mtw_session_reserve(MtwSession *session)
{
	g_autofree char *path = mtw_session_path(session, "reserve");
	g_auto(MtwFd) fd = -1;

	mtw_session_release(session);
	fd = mtw_file_create(path, 0600, NULL);
	if (fd < 0 || posix_fallocate(fd, 0, RESERVE_BYTES) != 0)
		mtw_session_log(session, "no room could be reserved on the disk");
}

void mtw_session_release(MtwSession *session)
{
	g_autofree char *path = mtw_session_path(session, "reserve");

	unlink(path);
}

gboolean mtw_session_delete(const MtwPaths *paths, const char *id, GError **error)
{
	g_autoptr(MtwSession) session = mtw_session_open(paths, id, TRUE, error);

	if (session == NULL)
		return FALSE;
	if (g_str_equal(mtw_json_string(session->state, "state", ""), MTW_SESSION_WAITING)) {
		g_set_error(
			error, MTW_ERROR, MTW_ERROR_BUSY,
			"session %s waits for the next start of the computer; `mmiotrace-wizard "
			"next-boot --cancel` takes it back",
			id);
		return FALSE;
	}
	if (!mtw_json_bool(session->state, "restored", TRUE)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_RESTORED,
			    "session %s: the machine is not restored yet", id);
		return FALSE;
	}
	return mtw_folder_remove(session->folder, error);
}
