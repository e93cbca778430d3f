/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/queue-private.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_lock(const char *folder, int flags)
{
	g_autofree char *path = g_build_filename(folder, "lock", NULL);

	return open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Between opening and locking the folder may have been removed, or renamed to what it is for. */
static gboolean is_still_there(const char *folder, int fd)
{
	g_autofree char *path = g_build_filename(folder, "lock", NULL);
	struct stat opened, named;

	return fstat(fd, &opened) == 0 && lstat(path, &named) == 0 &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

int mtw_item_lock(const char *folder, GError **error)
{
	g_auto(MtwFd) fd = open_lock(folder, O_RDWR | O_CREAT);
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	gboolean locked;

	if (fd < 0) {
		mtw_set_error_errno(error, errno, "cannot open the lock of %s", folder);
		return -1;
	}
	/* Of the open file, not of the process: others can look at it without taking it. */
	locked = fcntl(fd, F_OFD_SETLK, &whole) == 0;
	if (!locked && errno != EAGAIN && errno != EACCES) {
		mtw_set_error_errno(error, errno, "cannot lock %s", folder);
		return -1;
	}
	if (!locked || !is_still_there(folder, fd)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY,
			    "another mmiotrace-wizard works on %s", folder);
		return -1;
	}
	return mtw_fd_steal(&fd);
}

gboolean mtw_item_folder_is_busy(const char *folder)
{
	g_auto(MtwFd) fd = open_lock(folder, O_RDONLY);
	struct flock whole = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return fd >= 0 && fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}
