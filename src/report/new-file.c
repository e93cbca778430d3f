/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/new-file.h"

#include "base/cleanup.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_TRIES 100
#define NAME_TRIES 9999

struct _MtwNewFile {
	MtwFd folder_fd; /* everything is relative to it: the folder may be renamed meanwhile */
	MtwFd fd;
	char *folder;
	char *temporary; /* NULL once the file has its real name */
};

/* A name that is taken, also by a planted symbolic link, is never opened: O_EXCL. */
static gboolean create_temporary(MtwNewFile *file, const char *stem)
{
	for (int i = 0; i < TEMPORARY_TRIES; i++) {
		g_autofree char *name = g_strdup_printf(".%s.%08x.part", stem, g_random_int());
		file->fd = openat(file->folder_fd, name,
				  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (file->fd >= 0) {
			file->temporary = g_steal_pointer(&name);
			return TRUE;
		}
		if (errno != EEXIST)
			return FALSE;
	}
	return FALSE;
}

MtwNewFile *mtw_new_file_open(const char *folder, const char *stem, GError **error)
{
	g_autoptr(MtwNewFile) file = g_new0(MtwNewFile, 1);

	file->fd = -1;
	file->folder = g_strdup(folder);
	file->folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file->folder_fd < 0) {
		mtw_set_error_errno(error, errno, "cannot open the folder %s", folder);
		return NULL;
	}
	if (!create_temporary(file, stem)) {
		mtw_set_error_errno(error, errno, "cannot create a file in %s", folder);
		return NULL;
	}
	return g_steal_pointer(&file);
}

int mtw_new_file_fd(const MtwNewFile *file)
{
	return file->fd;
}

/*
 * For file systems with neither RENAME_NOREPLACE nor hard links (FUSE, some network ones): an empty
 * file holds the name against everyone who asks the same way, then it is replaced. Returns an
 * errno.
 */
static int claim_name(const MtwNewFile *file, const char *name)
{
	int fd = openat(file->folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	int errnum;

	if (fd < 0)
		return errno;
	close(fd);
	if (renameat(file->folder_fd, file->temporary, file->folder_fd, name) == 0)
		return 0;
	errnum = errno;
	unlinkat(file->folder_fd, name, 0);
	return errnum;
}

/*
 * Each way that fails for another reason than a taken name hands over to the next one; what is
 * really wrong (no space, read-only) fails the last one too. Returns an errno; EEXIST: name taken.
 */
static int give_name(const MtwNewFile *file, const char *name)
{
	int folder = file->folder_fd;

	if (renameat2(folder, file->temporary, folder, name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EEXIST)
		return EEXIST;
	if (linkat(folder, file->temporary, folder, name, 0) == 0) {
		unlinkat(folder, file->temporary, 0);
		return 0;
	}
	if (errno == EEXIST)
		return EEXIST;
	return claim_name(file, name);
}

static gboolean make_durable(const MtwNewFile *file, GError **error)
{
	if (fsync(file->fd) != 0) {
		mtw_set_error_errno(error, errno, "writing in %s", file->folder);
		return FALSE;
	}
	/* The umask does not count: the file is for others. EPERM: a file system without modes. */
	if (fchmod(file->fd, 0644) != 0 && errno != EPERM) {
		mtw_set_error_errno(error, errno, "changing the mode of a file in %s",
				    file->folder);
		return FALSE;
	}
	return TRUE;
}

/* Returns: (transfer full) (nullable): the name it got */
static char *take_free_name(MtwNewFile *file, const char *stem, const char *suffix, GError **error)
{
	int errnum = EEXIST;

	for (int i = 1; i <= NAME_TRIES && errnum == EEXIST; i++) {
		g_autofree char *name = i == 1 ? g_strconcat(stem, suffix, NULL)
					       : g_strdup_printf("%s-%d%s", stem, i, suffix);
		errnum = give_name(file, name);
		if (errnum == 0) {
			g_clear_pointer(&file->temporary, g_free);
			return g_steal_pointer(&name);
		}
	}
	mtw_set_error_errno(error, errnum, "cannot give the new file in %s its name %s%s",
			    file->folder, stem, suffix);
	return NULL;
}

char *mtw_new_file_publish(MtwNewFile *file, const char *stem, const char *suffix, GError **error)
{
	g_autofree char *name = NULL;

	if (!make_durable(file, error))
		return NULL;
	name = take_free_name(file, stem, suffix, error);
	if (name == NULL)
		return NULL;
	/* EINVAL: a file system that has no fsync for folders keeps its own order. */
	if (fsync(file->folder_fd) != 0 && errno != EINVAL) {
		mtw_set_error_errno(error, errno, "cannot sync the folder %s", file->folder);
		unlinkat(file->folder_fd, name, 0);
		return NULL;
	}
	return g_build_filename(file->folder, name, NULL);
}

void mtw_new_file_free(MtwNewFile *file)
{
	if (file == NULL)
		return;
	if (file->temporary != NULL)
		unlinkat(file->folder_fd, file->temporary, 0);
	mtw_fd_clear(&file->fd);
	mtw_fd_clear(&file->folder_fd);
	g_free(file->temporary);
	g_free(file->folder);
	g_free(file);
}
