/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/archive.h"

#include "base/error.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (1024 * 1024)

MtwMember *mtw_member_new_fd(const char *name, int fd)
{
	MtwMember *member = g_new0(MtwMember, 1);

	member->name = g_strdup(name);
	member->fd = fd;
	return member;
}

MtwMember *mtw_member_new_data(const char *name, char *data, gsize bytes)
{
	MtwMember *member = mtw_member_new_fd(name, -1);

	member->data = data;
	member->data_bytes = bytes;
	return member;
}

void mtw_member_free(MtwMember *member)
{
	if (member == NULL)
		return;
	if (member->fd >= 0)
		close(member->fd);
	g_free(member->name);
	g_free(member->data);
	g_free(member->sha256);
	g_free(member);
}

GPtrArray *mtw_members_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)mtw_member_free);
}

/* Feeds the file to @checksum. Returns: its size, or -1 */
static gint64 hash_file(int fd, GChecksum *checksum, GError **error)
{
	g_autofree guchar *block = g_malloc(BLOCK_BYTES);
	gint64 offset = 0;
	ssize_t got;

	while ((got = pread(fd, block, BLOCK_BYTES, offset)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			mtw_set_error_errno(error, errno, "reading");
			return -1;
		}
		g_checksum_update(checksum, block, got);
		offset += got;
	}
	return offset;
}

static gboolean measure_file(MtwMember *member, GChecksum *checksum, GError **error)
{
	struct stat status;
	gint64 bytes;

	/* Before the content: what is written while it is hashed shows as a change later. */
	if (fstat(member->fd, &status) != 0) {
		mtw_set_error_errno(error, errno, "fstat");
		return FALSE;
	}
	member->mtime_nsec =
		status.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) + status.st_mtim.tv_nsec;
	bytes = hash_file(member->fd, checksum, error);
	member->bytes = (guint64)bytes;
	return bytes >= 0;
}

gboolean mtw_archive_measure(GPtrArray *members, GError **error)
{
	for (guint i = 0; i < members->len; i++) {
		MtwMember *member = members->pdata[i];
		g_autoptr(GChecksum) checksum = NULL;

		if (member->sha256 != NULL)
			continue;
		checksum = g_checksum_new(G_CHECKSUM_SHA256);
		if (member->fd < 0) {
			g_checksum_update(checksum, (const guchar *)member->data,
					  (gssize)member->data_bytes);
			member->bytes = member->data_bytes;
		} else if (!measure_file(member, checksum, error)) {
			g_prefix_error(error, "%s: ", member->name);
			return FALSE;
		}
		member->sha256 = g_strdup(g_checksum_get_string(checksum));
	}
	return TRUE;
}
