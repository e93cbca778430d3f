/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/shrink-private.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (256 * 1024)
#define PARTS_MAX 99

typedef struct {
	int fd;
	char *name;
	const char *folder;
	guint64 total, done, part_bytes;
	const MtwShrinkHooks *hooks;
	MtwHash *whole;
	GString *sums;	  /* lines as sha256sum writes them */
	GPtrArray *paths; /* of what is made already */
	char *block;
} Splitting;

static void splitting_clear(Splitting *splitting)
{
	mtw_fd_clear(&splitting->fd);
	g_free(splitting->name);
	g_free(splitting->block);
	g_clear_pointer(&splitting->whole, mtw_hash_free);
	g_clear_pointer(&splitting->paths, g_ptr_array_unref);
	if (splitting->sums != NULL)
		g_string_free(splitting->sums, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Splitting, splitting_clear)

/* Returns: a descriptor of the new file, which is one to remove from now on, or -1 */
static int create(Splitting *splitting, const char *suffix, GError **error)
{
	g_autofree char *name = g_strconcat(splitting->name, suffix, NULL);
	g_autofree char *path = g_build_filename(splitting->folder, name, NULL);
	int fd = mtw_file_create(path, 0600, error);

	if (fd >= 0)
		g_ptr_array_add(splitting->paths, g_steal_pointer(&path));
	return fd;
}

static gboolean sync_file(int fd, const char *what, GError **error)
{
	if (fsync(fd) == 0)
		return TRUE;
	mtw_set_error_errno(error, errno, "writing %s", what);
	return FALSE;
}

static gboolean copy_part(Splitting *splitting, int out, MtwHash *hash, GError **error)
{
	guint64 left = MIN(splitting->part_bytes, splitting->total - splitting->done);

	while (left > 0) {
		gssize got = mtw_shrink_read(splitting->fd, splitting->block,
					     (gsize)MIN(left, BLOCK_BYTES), splitting->done, error);
		if (got == 0)
			g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
				    "%s became shorter while it was split", splitting->name);
		if (got <= 0 || !mtw_file_write_all(out, splitting->block, (gsize)got, error))
			return FALSE;
		mtw_hash_add(hash, splitting->block, (gsize)got);
		mtw_hash_add(splitting->whole, splitting->block, (gsize)got);
		splitting->done += (guint64)got;
		left -= (guint64)got;
		if (!mtw_shrink_go_on(splitting->hooks, splitting->done, splitting->total, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean write_part(Splitting *splitting, guint number, GError **error)
{
	g_autofree char *suffix = g_strdup_printf(".%03u", number);
	g_autoptr(MtwHash) hash = mtw_hash_new();
	g_autofree char *sum = NULL;
	g_auto(MtwFd) out = create(splitting, suffix, error);

	if (out < 0 || !copy_part(splitting, out, hash, error) ||
	    !mtw_hash_finish(hash, &sum, error) || !sync_file(out, suffix, error))
		return FALSE;
	g_string_append_printf(splitting->sums, "%s  %s%s\n", sum, splitting->name, suffix);
	return TRUE;
}

/* For whoever gets the parts: plain English data, as the archive's own description. */
static char *note_text(const Splitting *splitting, guint parts, const char *whole)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 1; i <= parts; i++)
		g_string_append_printf(names, "%s%s.%03u", i > 1 ? "+" : "", splitting->name, i);
	return g_strdup_printf(
		"%s was too large for one upload and was cut into %u parts.\n"
		"\n"
		"To join them, with all parts in one folder:\n"
		"\n"
		"  Linux, macOS:  cat %s.[0-9][0-9][0-9] > %s\n"
		"  Windows:       copy /b %s %s\n"
		"\n"
		"The result has %" G_GUINT64_FORMAT
		" bytes. SHA-256 of it and of the parts (check with sha256sum -c, or on\n"
		"Windows with certutil -hashfile FILE SHA256):\n"
		"\n"
		"%s  %s\n%s",
		splitting->name, parts, splitting->name, splitting->name, names->str,
		splitting->name, splitting->total, whole, splitting->name, splitting->sums->str);
}

static gboolean write_note(Splitting *splitting, guint parts, GError **error)
{
	g_autofree char *sum = NULL;
	g_autofree char *text = NULL;
	g_auto(MtwFd) out = -1;

	if (!mtw_hash_finish(splitting->whole, &sum, error))
		return FALSE;
	text = note_text(splitting, parts, sum);
	out = create(splitting, ".join.txt", error);
	return out >= 0 && mtw_file_write_all(out, text, strlen(text), error) &&
	       sync_file(out, "the note", error) && mtw_folder_sync(splitting->folder, error);
}

static gboolean open_source(Splitting *splitting, const char *path, GError **error)
{
	struct stat status;

	splitting->fd = mtw_file_open_read(path, error);
	if (splitting->fd < 0)
		return FALSE;
	if (fstat(splitting->fd, &status) != 0) {
		mtw_set_error_errno(error, errno, "%s", path);
		return FALSE;
	}
	splitting->total = (guint64)status.st_size;
	return TRUE;
}

/* Returns: how many, 0 with an error */
static guint count_parts(const Splitting *splitting, GError **error)
{
	guint64 bytes = splitting->part_bytes;
	guint64 parts = bytes == 0 ? 0 : splitting->total / bytes + (splitting->total % bytes != 0);

	if (parts >= 1 && parts <= PARTS_MAX)
		return (guint)parts;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "%s (%" G_GUINT64_FORMAT
		    " bytes) cannot be cut into 1 to %d parts of %" G_GUINT64_FORMAT " bytes",
		    splitting->name, splitting->total, PARTS_MAX, bytes);
	return 0;
}

static gboolean split(Splitting *splitting, const char *path, GError **error)
{
	guint parts;

	if (!open_source(splitting, path, error))
		return FALSE;
	parts = count_parts(splitting, error);
	if (parts == 0)
		return FALSE;
	for (guint i = 1; i <= parts; i++)
		if (!write_part(splitting, i, error))
			return FALSE;
	return write_note(splitting, parts, error);
}

GPtrArray *mtw_shrink_split(const char *path, const char *folder, guint64 part_bytes,
			    const MtwShrinkHooks *hooks, GError **error)
{
	g_auto(Splitting) splitting = { .fd = -1,
					.name = g_path_get_basename(path),
					.folder = folder,
					.part_bytes = part_bytes,
					.hooks = hooks,
					.whole = mtw_hash_new(),
					.sums = g_string_new(NULL),
					.paths = g_ptr_array_new_with_free_func(g_free),
					.block = g_malloc(BLOCK_BYTES) };

	if (split(&splitting, path, error))
		return g_steal_pointer(&splitting.paths);
	g_prefix_error(error, "splitting %s: ", path);
	for (guint i = 0; i < splitting.paths->len; i++)
		unlink(splitting.paths->pdata[i]);
	return NULL;
}
