/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tar inside stays byte for byte: libarchive only takes one filter off and puts another one on, block by
 * block.
 */
#include "submit/shrink-chunk.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (1024 * 1024)

typedef struct archive Unpacking;

static void unpacking_free(Unpacking *archive)
{
	archive_read_free(archive);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Unpacking, unpacking_free)

static gboolean set_error(GError **error, Unpacking *archive)
{
	const char *text = archive_error_string(archive);

	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "unpacking: %s",
		    text != NULL ? text : "there is nothing in it");
	return FALSE;
}

static gboolean begin(Unpacking *archive, int fd, GError **error)
{
	struct archive_entry *entry;

	/* Not all filters: libarchive runs programs for some. */
	if (archive_read_support_filter_gzip(archive) != ARCHIVE_OK ||
	    archive_read_support_filter_xz(archive) != ARCHIVE_OK ||
	    archive_read_support_filter_zstd(archive) != ARCHIVE_OK ||
	    archive_read_support_filter_bzip2(archive) != ARCHIVE_OK ||
	    archive_read_support_format_raw(archive) != ARCHIVE_OK ||
	    archive_read_open_fd(archive, fd, BLOCK_BYTES) != ARCHIVE_OK ||
	    archive_read_next_header(archive, &entry) != ARCHIVE_OK)
		return set_error(error, archive);
	return TRUE;
}

/* As much as fits. Returns: how many bytes, 0 at the end, -1 with an error */
static gssize fill(Unpacking *archive, char *block, gsize bytes, GError **error)
{
	gsize have = 0;
	la_ssize_t got = 1;

	while (have < bytes && got > 0) {
		got = archive_read_data(archive, block + have, bytes - have);
		have += got > 0 ? (gsize)got : 0;
	}
	if (got < 0) {
		set_error(error, archive);
		return -1;
	}
	return (gssize)have;
}

static gboolean pump(Unpacking *archive, MtwChunks *chunks, GError **error)
{
	gssize got;

	do {
		gsize bytes;
		char *block = mtw_chunks_block(chunks, &bytes);
		got = fill(archive, block, bytes, error);
		if (got > 0 && !mtw_chunks_add(chunks, (gsize)got,
					       (guint64)archive_filter_bytes(archive, -1), error))
			return FALSE;
	} while (got > 0);
	return got == 0 && mtw_chunks_finish(chunks, error);
}

static gboolean recompress(const char *format, int in, int out, const MtwShrinkHooks *hooks,
			   GError **error)
{
	g_autoptr(Unpacking) archive = archive_read_new();
	g_autoptr(MtwChunks) chunks = NULL;
	struct stat status;

	if (fstat(in, &status) != 0) {
		mtw_set_error_errno(error, errno, "looking at it");
		return FALSE;
	}
	chunks = mtw_chunks_new(format, out, (guint64)status.st_size, hooks);
	if (!begin(archive, in, error) || !pump(archive, chunks, error))
		return FALSE;
	if (fsync(out) != 0) {
		mtw_set_error_errno(error, errno, "packing");
		return FALSE;
	}
	return TRUE;
}

/* NAME of NAME.tar.gz, NAME.tgz, ... Returns: (transfer full) */
static char *stem_of(const char *path)
{
	static const char *const suffixes[] = { ".tar.gz", ".tar.xz", ".tar.zst", ".tar.bz2",
						".tgz",	   ".txz",    ".tar",	  NULL };
	g_autofree char *name = g_path_get_basename(path);

	for (const char *const *suffix = suffixes; *suffix != NULL; suffix++)
		if (g_str_has_suffix(name, *suffix) && strlen(name) > strlen(*suffix))
			return g_strndup(name, strlen(name) - strlen(*suffix));
	return g_steal_pointer(&name);
}

/* Its real name only when it is whole, and never that of another file. */
static gboolean publish(const char *part, const char *path, const char *folder, GError **error)
{
	if (renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return mtw_folder_sync(folder, error);
	/* A file system that knows no such rename. */
	if (errno != EINVAL || link(part, path) != 0) {
		mtw_set_error_errno(error, errno, "cannot create %s", path);
		return FALSE;
	}
	unlink(part);
	return mtw_folder_sync(folder, error);
}

char *mtw_shrink_recompress(const char *path, const char *folder, const char *format,
			    const MtwShrinkHooks *hooks, GError **error)
{
	g_autofree char *stem = stem_of(path);
	g_autofree char *name = g_strdup_printf("%s.%s", stem, format);
	g_autofree char *result = g_build_filename(folder, name, NULL);
	g_autofree char *part = g_strconcat(result, ".part", NULL);
	g_auto(MtwFd) in = -1;
	g_auto(MtwFd) out = -1;

	if (strcmp(format, "tar.xz") != 0 && strcmp(format, "tar.zst") != 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "\"%s\" is no format of an archive",
			    format);
		return NULL;
	}
	in = mtw_file_open_read(path, error);
	if (in < 0)
		return NULL;
	if (faccessat(AT_FDCWD, result, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		mtw_set_error_errno(error, EEXIST, "cannot create %s", result);
		return NULL;
	}
	unlink(part); /* of a run that was killed */
	out = mtw_file_create(part, 0600, error);
	if (out < 0)
		return NULL;
	if (!recompress(format, in, out, hooks, error) || !publish(part, result, folder, error)) {
		g_prefix_error(error, "recompressing %s: ", path);
		unlink(part);
		return NULL;
	}
	return g_steal_pointer(&result);
}
