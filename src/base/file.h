/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small file helpers: kernel files, files that must be whole or absent, private folders.
 * Errors are in MTW_ERROR and name the path.
 */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* The most that mtw_file_read takes by default: kernel files are small. */
#define MTW_FILE_SMALL_BYTES (1024 * 1024)

/*
 * mtw_file_read: the whole content of a small file, NUL-terminated, read until end of file (sizes of
 * kernel files are not to be trusted).
 * @max_bytes: more than this is an error (MTW_ERROR_INVALID)
 * @ret_bytes: (out) (nullable)
 * Returns: (transfer full) (nullable): NULL on error
 */
char *mtw_file_read(const char *path, gsize max_bytes, gsize *ret_bytes, GError **error);

/* mtw_file_read_fd: the same from where the open file stands. @path: its name, for the error */
char *mtw_file_read_fd(int fd, gsize max_bytes, gsize *ret_bytes, const char *path, GError **error);

/* mtw_file_read_line: mtw_file_read with the final newline removed. Returns: (transfer full) (nullable) */
char *mtw_file_read_line(const char *path, GError **error);

/*
 * mtw_file_write_kernel: writes @text with one write(2) to an existing kernel file (never created,
 * never truncated). A short write is an error.
 */
gboolean mtw_file_write_kernel(const char *path, const char *text, GError **error);

/*
 * mtw_file_write_atomic: the file has either the old content or all of @data, also after a power cut
 * (temporary name, fsync, rename, fsync of the folder). Mode 0600 less what @mode adds.
 */
gboolean mtw_file_write_atomic(const char *path, const char *data, gsize bytes, mode_t mode,
			       GError **error);

/* mtw_file_write_all: writes all of @data to @fd, through EINTR and short writes. */
gboolean mtw_file_write_all(int fd, const void *data, gsize bytes, GError **error);

/*
 * mtw_file_create: a new file for writing; one that exists, or a symbolic link, is an error.
 * Returns: a descriptor (O_CLOEXEC), or -1
 */
int mtw_file_create(const char *path, mode_t mode, GError **error);

/*
 * mtw_file_open_read: an existing regular file for reading, never through a final symbolic link.
 * Returns: a descriptor (O_CLOEXEC), or -1
 */
int mtw_file_open_read(const char *path, GError **error);

/*
 * mtw_folder_ensure: makes @path and its parents; the last one with @mode. A final component that
 * is a symbolic link, or not a folder, or belongs to another user, is an error.
 */
gboolean mtw_folder_ensure(const char *path, mode_t mode, GError **error);

/* mtw_folder_sync: fsync of the folder, so that new names in it survive a power cut. */
gboolean mtw_folder_sync(const char *path, GError **error);

/*
 * mtw_folder_list: the names in a folder, sorted, without "." and "..".
 * Returns: (transfer full) (element-type utf8): empty when it cannot be read
 */
GPtrArray *mtw_folder_list(const char *path);

/* mtw_folder_remove: with everything in it. One that is not there is removed already. */
gboolean mtw_folder_remove(const char *path, GError **error);

/* mtw_link_name: the last component of a symbolic link's target. Returns: (transfer full) (nullable) */
char *mtw_link_name(const char *path);
