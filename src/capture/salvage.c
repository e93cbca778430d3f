/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/salvage.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"
#include "trace/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (64 * 1024)
#define DRAIN_READS 100000

/* The N of "trace-N.txt". */
static gboolean number_of(const char *name, guint *ret_number)
{
	static const char prefix[] = "trace-", suffix[] = ".txt";
	g_autofree char *digits = NULL;

	if (!g_str_has_prefix(name, prefix) || !g_str_has_suffix(name, suffix))
		return FALSE;
	digits = g_strndup(name + strlen(prefix), strlen(name) - strlen(prefix) - strlen(suffix));
	return mtw_parse_uint(digits, 1, G_MAXINT, ret_number);
}

guint mtw_salvage_newest(const MtwSession *session)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(session->folder);
	guint newest = 0;

	for (guint i = 0; i < names->len; i++) {
		guint number;
		if (number_of(names->pdata[i], &number))
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

/* Whether it is a line of the header, or one about losses, which the kernel puts between them. */
static gboolean is_header(const char *line, gsize bytes, gboolean *ret_lost)
{
	MtwRecord record;

	if (!mtw_record_parse(line, bytes, &record))
		return FALSE;
	*ret_lost = record.kind == MTW_RECORD_LOST;
	return *ret_lost || record.kind == MTW_RECORD_VERSION || record.kind == MTW_RECORD_PCIDEV;
}

/* Writes @block; as long as the header goes on, of its lines only those about losses. */
static gboolean write_block(int fd, const char *block, gsize bytes, gboolean *at_start,
			    GError **error)
{
	const char *end = block + bytes;

	while (*at_start && block < end) {
		const char *newline = memchr(block, '\n', (gsize)(end - block));
		const char *next = newline != NULL ? newline + 1 : end;
		gboolean lost = FALSE;
		*at_start = newline != NULL && is_header(block, (gsize)(newline - block), &lost);
		if ((!*at_start || lost) &&
		    !mtw_file_write_all(fd, block, (gsize)(next - block), error))
			return FALSE;
		block = next;
	}
	return mtw_file_write_all(fd, block, (gsize)(end - block), error);
}

gboolean mtw_salvage_drain(MtwTracer *tracer, int fd, gboolean *at_start, GError **error)
{
	g_autofree char *block = g_malloc(BLOCK_BYTES);

	for (int reads = 0; reads < DRAIN_READS; reads++) {
		gssize got = mtw_tracer_read(tracer, block, BLOCK_BYTES, error);
		if (got <= 0)
			return got == 0;
		if (!write_block(fd, block, (gsize)got, at_start, error))
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
