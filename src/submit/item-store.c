/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The item's own names for the files: hard links, which need no room, else copies. */
#include "submit/queue-private.h"

#include "base/error.h"
#include "base/file.h"
#include "submit/shrink-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (256 * 1024)

static gboolean is_same_file(int fd, const char *path)
{
	struct stat opened, named;

	return fstat(fd, &opened) == 0 && lstat(path, &named) == 0 &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/*
 * Of the name, as a descriptor cannot be linked without rights or a mounted procfs; so the result is looked at.
 * FALSE: to be copied (another file system, a file of somebody else, the name is another file now).
 */
static gboolean link_file(const MtwJobFile *file, const char *path)
{
	if (linkat(AT_FDCWD, file->path, AT_FDCWD, path, 0) != 0)
		return FALSE;
	if (is_same_file(file->fd, path))
		return TRUE;
	unlink(path);
	return FALSE;
}

/* By the kernel, which shares blocks where the file system can. @ret_done: what is there already */
static gboolean copy_in_kernel(int from, int to, guint64 bytes, guint64 *ret_done)
{
	loff_t offset = 0;
	ssize_t got = 1;

	while (got > 0 && (guint64)offset < bytes)
		got = copy_file_range(from, &offset, to, NULL, bytes - (guint64)offset, 0);
	*ret_done = (guint64)offset;
	return (guint64)offset == bytes;
}

static gboolean copy_bytes(int from, int to, guint64 bytes, GError **error)
{
	g_autofree char *block = NULL;
	guint64 done = 0;

	if (copy_in_kernel(from, to, bytes, &done))
		return TRUE;
	block = g_malloc(BLOCK_BYTES);
	while (done < bytes) {
		gssize got = mtw_shrink_read(from, block, (gsize)MIN(bytes - done, BLOCK_BYTES),
					     done, error);
		if (got == 0)
			g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
				    "it became shorter meanwhile");
		if (got <= 0 || !mtw_file_write_all(to, block, (gsize)got, error))
			return FALSE;
		done += (guint64)got;
	}
	return TRUE;
}

static gboolean copy_file(const MtwJobFile *file, const char *path, GError **error)
{
	g_auto(MtwFd) to = mtw_file_create(path, 0600, error);

	if (to < 0)
		return FALSE;
	if (!copy_bytes(file->fd, to, file->bytes, error)) {
		g_prefix_error(error, "copying %s to %s: ", file->path, path);
		return FALSE;
	}
	if (fsync(to) != 0) {
		mtw_set_error_errno(error, errno, "writing %s", path);
		return FALSE;
	}
	return TRUE;
}

static gboolean store_all(const MtwItemFiles *files, const char *folder, GError **error)
{
	if (mkdir(folder, 0700) != 0) {
		mtw_set_error_errno(error, errno, "cannot make the folder %s", folder);
		return FALSE;
	}
	for (guint i = 0; i < files->files->len; i++) {
		const MtwJobFile *file = files->files->pdata[i];
		g_autofree char *path = g_build_filename(folder, file->name, NULL);
		if (!link_file(file, path) && !copy_file(file, path, error))
			return FALSE;
	}
	return mtw_folder_sync(folder, error);
}

gboolean mtw_item_files_prepare(const MtwItemFiles *files, const char *folder, GError **error)
{
	g_autofree char *new = g_build_filename(folder, "files.new", NULL);

	if (!mtw_folder_remove(new, error))
		return FALSE;
	if (!store_all(files, new, error)) {
		(void)mtw_folder_remove(new, NULL);
		return FALSE;
	}
	return TRUE;
}

gboolean mtw_item_files_swap(const char *folder, GError **error)
{
	g_autofree char *now = g_build_filename(folder, "files", NULL);
	g_autofree char *new = g_build_filename(folder, "files.new", NULL);

	if (!mtw_folder_remove(now, error))
		return FALSE;
	if (g_rename(new, now) != 0) {
		mtw_set_error_errno(error, errno, "cannot rename %s", new);
		return FALSE;
	}
	return mtw_folder_sync(folder, error);
}
