/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/shrink-private.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (256 * 1024)

gboolean mtw_shrink_go_on(const MtwShrinkHooks *hooks, guint64 done, guint64 total, GError **error)
{
	if (hooks == NULL)
		return TRUE;
	if (hooks->cancel != NULL && g_atomic_int_get(hooks->cancel) != 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED, "it was cancelled");
		return FALSE;
	}
	if (hooks->progress != NULL)
		hooks->progress(done, total, hooks->user_data);
	return TRUE;
}

gssize mtw_shrink_read(int fd, void *block, gsize bytes, guint64 offset, GError **error)
{
	ssize_t got;

	do
		got = pread(fd, block, bytes, (off_t)offset);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		mtw_set_error_errno(error, errno, "reading a file");
	return got;
}

gboolean mtw_hash_add_file(MtwHash *hash, MtwHash *also, int fd, const MtwShrinkHooks *hooks,
			   guint64 *ret_bytes, GError **error)
{
	g_autofree char *block = g_malloc(BLOCK_BYTES);
	struct stat status;
	guint64 done = 0;
	gssize got;

	if (fstat(fd, &status) != 0) {
		mtw_set_error_errno(error, errno, "looking at a file");
		return FALSE;
	}
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	while ((got = mtw_shrink_read(fd, block, BLOCK_BYTES, done, error)) > 0) {
		mtw_hash_add(hash, block, (gsize)got);
		if (also != NULL)
			mtw_hash_add(also, block, (gsize)got);
		done += (guint64)got;
		if (!mtw_shrink_go_on(hooks, done, MAX(done, (guint64)status.st_size), error))
			return FALSE;
	}
	if (ret_bytes != NULL)
		*ret_bytes = done;
	return got == 0;
}

gboolean mtw_file_sha256(int fd, const MtwShrinkHooks *hooks, char **ret_text, guint64 *ret_bytes,
			 GError **error)
{
	g_autoptr(MtwHash) hash = mtw_hash_new();

	return mtw_hash_add_file(hash, NULL, fd, hooks, ret_bytes, error) &&
	       mtw_hash_finish(hash, ret_text, error);
}
