/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/file.h"

#include "base/cleanup.h"
#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Appends one read(2) to @content. Returns 1 for data, 0 for end of file, -1 for an error (errno). */
static int append_read(int fd, GByteArray *content)
{
	guint8 block[16384];
	ssize_t got;

	do
		got = read(fd, block, sizeof block);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		g_byte_array_append(content, block, (guint)got);
	return got > 0 ? 1 : (int)got;
}

char *mtw_file_read(const char *path, gsize max_bytes, gsize *ret_bytes, GError **error)
{
	g_auto(MtwFd) fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		return mtw_file_read_fd(fd, max_bytes, ret_bytes, path, error);
	mtw_set_error_errno(error, errno, "%s", path);
	return NULL;
}

char *mtw_file_read_fd(int fd, gsize max_bytes, gsize *ret_bytes, const char *path, GError **error)
{
	g_autoptr(GByteArray) content = g_byte_array_new();
	int more = 1;

	while (more > 0 && content->len <= max_bytes)
		more = append_read(fd, content);
	if (more < 0) {
		mtw_set_error_errno(error, errno, "%s", path);
		return NULL;
	}
	if (content->len > max_bytes) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: larger than %zu bytes", path,
			    max_bytes);
		return NULL;
	}
	if (ret_bytes != NULL)
		*ret_bytes = content->len;
	g_byte_array_append(content, (const guint8 *)"", 1);
	return (char *)g_byte_array_free(g_steal_pointer(&content), FALSE);
}

char *mtw_file_read_line(const char *path, GError **error)
{
	char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, error);

	return text != NULL ? g_strchomp(text) : NULL;
}

gboolean mtw_file_write_kernel(const char *path, const char *text, GError **error)
{
	g_auto(MtwFd) fd = open(path, O_WRONLY | O_CLOEXEC);
	gsize bytes = strlen(text);
	ssize_t written = fd < 0 ? -1 : write(fd, text, bytes);

	if (written < 0) {
		int errnum = errno;
		MtwErrorCode code = mtw_error_from_errno(errnum);
		/* What the kernel calls an I/O error or no space (a driver's probe) is none of a disk. */
		g_set_error(error, MTW_ERROR, code == MTW_ERROR_DISK ? MTW_ERROR_FAILED : (int)code,
			    "writing \"%s\" to %s: %s", text, path, mtw_error_errno_text(errnum));
		return FALSE;
	}
	if ((gsize)written != bytes) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
			    "%s: the kernel took only %zd of %zu bytes", path, written, bytes);
		return FALSE;
	}
	return TRUE;
}

gboolean mtw_file_write_all(int fd, const void *data, gsize bytes, GError **error)
{
	const char *at = data;

	while (bytes > 0) {
		ssize_t written = write(fd, at, bytes);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			mtw_set_error_errno(error, errno, "writing");
			return FALSE;
		}
		at += written;
		bytes -= (gsize)written;
	}
	return TRUE;
}

int mtw_file_create(const char *path, mode_t mode, GError **error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);

	if (fd < 0)
		mtw_set_error_errno(error, errno, "cannot create %s", path);
	return fd;
}

int mtw_file_open_read(const char *path, GError **error)
{
	g_auto(MtwFd) fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0) {
		mtw_set_error_errno(error, errno, "cannot open %s", path);
		return -1;
	}
	if (!S_ISREG(status.st_mode)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s is not a regular file", path);
		return -1;
	}
	return mtw_fd_steal(&fd);
}

static gboolean write_and_sync(int fd, const char *data, gsize bytes, GError **error)
{
	if (!mtw_file_write_all(fd, data, bytes, error))
		return FALSE;
	if (fsync(fd) != 0) {
		mtw_set_error_errno(error, errno, "fsync");
		return FALSE;
	}
	return TRUE;
}

gboolean mtw_file_write_atomic(const char *path, const char *data, gsize bytes, mode_t mode,
			       GError **error)
{
	g_autofree char *temporary = g_strdup_printf("%s.new", path);
	g_autofree char *folder = g_path_get_dirname(path);
	g_auto(MtwFd) fd = -1;

	if (unlink(temporary) != 0 && errno != ENOENT) {
		mtw_set_error_errno(error, errno, "cannot replace %s", temporary);
		return FALSE;
	}
	fd = mtw_file_create(temporary, mode, error);
	if (fd < 0)
		return FALSE;
	if (!write_and_sync(fd, data, bytes, error)) {
		g_prefix_error(error, "%s: ", path);
		unlink(temporary);
		return FALSE;
	}
	if (rename(temporary, path) != 0) {
		mtw_set_error_errno(error, errno, "cannot replace %s", path);
		unlink(temporary);
		return FALSE;
	}
	return mtw_folder_sync(folder, error);
}

gboolean mtw_folder_ensure(const char *path, mode_t mode, GError **error)
{
	g_autofree char *parent = g_path_get_dirname(path);
	struct stat status;

	if (g_mkdir_with_parents(parent, 0755) != 0 ||
	    (mkdir(path, mode) != 0 && errno != EEXIST) || lstat(path, &status) != 0) {
		mtw_set_error_errno(error, errno, "cannot make the folder %s", path);
		return FALSE;
	}
	if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid()) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_PERMISSION,
			    "%s is not a folder of this user: it is a link, a file, or belongs to "
			    "user %u",
			    path, status.st_uid);
		return FALSE;
	}
	return TRUE;
}

gboolean mtw_folder_sync(const char *path, GError **error)
{
	g_auto(MtwFd) fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* EINVAL: a file system that has no fsync for folders keeps its own order. */
	if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL)) {
		mtw_set_error_errno(error, errno, "cannot sync the folder %s", path);
		return FALSE;
	}
	return TRUE;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *mtw_folder_list(const char *path)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder != NULL && (entry = readdir(folder)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			g_ptr_array_add(names, g_strdup(entry->d_name));
	if (folder != NULL)
		closedir(folder);
	g_ptr_array_sort(names, compare_names);
	return names;
}

gboolean mtw_folder_remove(const char *path, GError **error)
{
	g_autoptr(GPtrArray) names = NULL;
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		names = mtw_folder_list(path);
		for (guint i = 0; i < names->len; i++) {
			g_autofree char *child = g_build_filename(path, names->pdata[i], NULL);
			if (!mtw_folder_remove(child, error))
				return FALSE;
		}
	}
	if (g_remove(path) != 0 && errno != ENOENT) {
		mtw_set_error_errno(error, errno, "cannot remove %s", path);
		return FALSE;
	}
	return TRUE;
}

char *mtw_link_name(const char *path)
{
	g_autofree char *target = g_file_read_link(path, NULL);

	return target != NULL ? g_path_get_basename(target) : NULL;
}
