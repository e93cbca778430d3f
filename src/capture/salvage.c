/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/salvage.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (64 * 1024)
#define DRAIN_READS 100000

guint mtw_salvage_newest(const MtwSession *session)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(session->folder);
	guint newest = 0;

	for (guint i = 0; i < names->len; i++) {
		guint number;
		int end = 0;
		if (sscanf(names->pdata[i], "trace-%u.txt%n", &number, &end) == 1 && end > 0 &&
		    ((const char *)names->pdata[i])[end] == '\0')
			newest = MAX(newest, number);
	}
	return newest;
}

/* The offset behind the last newline of the file. */
static gboolean find_last_line_end(int fd, off_t bytes, off_t *ret_end)
{
	char block[BLOCK_BYTES];

	while (bytes > 0) {
		off_t start = bytes > BLOCK_BYTES ? bytes - BLOCK_BYTES : 0;
		ssize_t got = pread(fd, block, (size_t)(bytes - start), start);
		const char *newline;
		if (got != bytes - start)
			return FALSE;
		newline = memrchr(block, '\n', (size_t)got);
		if (newline != NULL) {
			*ret_end = start + (newline - block) + 1;
			return TRUE;
		}
		bytes = start;
	}
	*ret_end = 0;
	return TRUE;
}

int mtw_salvage_open(const MtwSession *session, guint try_number, GError **error)
{
	g_autofree char *name = g_strdup_printf("trace-%u.txt", try_number);
	g_autofree char *path = mtw_session_path(session, name);
	g_auto(MtwFd) fd = open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	off_t end = 0;

	if (fd < 0 || fstat(fd, &status) != 0 || !find_last_line_end(fd, status.st_size, &end) ||
	    (end != status.st_size && ftruncate(fd, end) != 0)) {
		mtw_set_error_errno(error, errno, "%s", path);
		return -1;
	}
	return mtw_fd_steal(&fd);
}

static gboolean is_header(const char *line, gsize bytes)
{
	return (bytes > 8 && memcmp(line, "VERSION ", 8) == 0) ||
	       (bytes > 7 && memcmp(line, "PCIDEV ", 7) == 0);
}

/* Skips the header lines at the beginning of @block. Returns: how many bytes they are */
static gsize header_bytes(const char *block, gsize bytes)
{
	gsize at = 0;

	while (at < bytes && is_header(block + at, bytes - at)) {
		const char *newline = memchr(block + at, '\n', bytes - at);
		if (newline == NULL)
			break;
		at = (gsize)(newline - block) + 1;
	}
	return at;
}

gboolean mtw_salvage_drain(MtwTracer *tracer, int fd, gboolean *at_start, GError **error)
{
	g_autofree char *block = g_malloc(BLOCK_BYTES);

	for (int reads = 0; reads < DRAIN_READS; reads++) {
		gssize got = mtw_tracer_read(tracer, block, BLOCK_BYTES, error);
		gsize skip = 0;
		if (got <= 0)
			return got == 0;
		if (*at_start) {
			skip = header_bytes(block, (gsize)got);
			*at_start = skip == (gsize)got;
		}
		if (!mtw_file_write_all(fd, block + skip, (gsize)got - skip, error))
			return FALSE;
	}
	return TRUE;
}

gboolean mtw_salvage_count(int fd, MtwStats *stats, GError **error)
{
	g_autofree char *block = g_malloc(BLOCK_BYTES);
	off_t offset = 0;
	ssize_t got;

	while ((got = pread(fd, block, BLOCK_BYTES, offset)) > 0) {
		mtw_stats_feed(stats, block, (gsize)got);
		offset += got;
	}
	if (got < 0)
		mtw_set_error_errno(error, errno, "reading the salvaged trace");
	return got == 0;
}
