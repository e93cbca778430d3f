/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/archive.h"

#include "base/error.h"
#include "base/hash.h"

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

/* Feeds the file to @hash. Returns: its size, or -1 */
static gint64 hash_file(int fd, MtwHash *hash, GError **error)
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
		mtw_hash_add(hash, block, (gsize)got);
		offset += got;
	}
	return offset;
}

static gboolean measure_file(MtwMember *member, MtwHash *hash, GError **error)
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
	bytes = hash_file(member->fd, hash, error);
	member->bytes = (guint64)bytes;
	return bytes >= 0;
}

gboolean mtw_archive_measure(GPtrArray *members, GError **error)
{
	for (guint i = 0; i < members->len; i++) {
		MtwMember *member = members->pdata[i];
		g_autoptr(MtwHash) hash = NULL;

		if (member->sha256 != NULL)
			continue;
		hash = mtw_hash_new();
		if (member->fd < 0) {
			mtw_hash_add(hash, member->data, member->data_bytes);
			member->bytes = member->data_bytes;
		} else if (!measure_file(member, hash, error)) {
			g_prefix_error(error, "%s: ", member->name);
			return FALSE;
		}
		if (!mtw_hash_finish(hash, &member->sha256, error))
			return FALSE;
	}
	return TRUE;
}
