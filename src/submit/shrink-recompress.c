/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tar inside stays byte for byte: libarchive only takes one filter off and puts another one on, block by
 * block.
 */
#include "submit/shrink-private.h"

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
/* Each one needs some 130 MiB. */
#define THREADS_MAX 4

typedef struct {
	const char *format;
	struct archive *in, *out;
	guint64 total;
	const MtwShrinkHooks *hooks;
} Recompressing;

static void recompressing_clear(Recompressing *work)
{
	if (work->in != NULL)
		archive_read_free(work->in);
	if (work->out != NULL)
		archive_write_free(work->out);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Recompressing, recompressing_clear)

static gboolean set_archive_error(GError **error, struct archive *archive, const char *what)
{
	const char *text = archive_error_string(archive);

	if (archive_errno(archive) == ENOSPC)
		mtw_set_error_errno(error, ENOSPC, "%s", what);
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", what,
			    text != NULL ? text : "libarchive failed");
	return FALSE;
}

static gboolean open_in(Recompressing *work, int fd, GError **error)
{
	struct archive_entry *entry;

	work->in = archive_read_new();
	/* Not all filters: libarchive runs programs for some. */
	if (archive_read_support_filter_gzip(work->in) != ARCHIVE_OK ||
	    archive_read_support_filter_xz(work->in) != ARCHIVE_OK ||
	    archive_read_support_filter_zstd(work->in) != ARCHIVE_OK ||
	    archive_read_support_filter_bzip2(work->in) != ARCHIVE_OK ||
	    archive_read_support_format_raw(work->in) != ARCHIVE_OK ||
	    archive_read_open_fd(work->in, fd, BLOCK_BYTES) != ARCHIVE_OK ||
	    archive_read_next_header(work->in, &entry) != ARCHIVE_OK)
		return set_archive_error(error, work->in, "unpacking");
	return TRUE;
}

/* The strongest level that needs little memory to unpack. */
static gboolean set_filter(Recompressing *work)
{
	gboolean is_xz = strcmp(work->format, "tar.xz") == 0;
	g_autofree char *threads = g_strdup_printf("%u", MIN(g_get_num_processors(), THREADS_MAX));
	const char *name = is_xz ? "xz" : "zstd";

	if ((is_xz ? archive_write_add_filter_xz(work->out)
		   : archive_write_add_filter_zstd(work->out)) != ARCHIVE_OK ||
	    archive_write_set_filter_option(work->out, name, "compression-level",
					    is_xz ? "6" : "19") != ARCHIVE_OK)
		return FALSE;
	/* A libarchive without threads takes longer, that is all. */
	(void)archive_write_set_filter_option(work->out, name, "threads", threads);
	return TRUE;
}

static gboolean open_out(Recompressing *work, int fd, GError **error)
{
	struct archive_entry *entry = archive_entry_new();
	gboolean ok;

	work->out = archive_write_new();
	archive_entry_set_pathname(entry, "data");
	archive_entry_set_filetype(entry, AE_IFREG);
	ok = archive_write_set_format_raw(work->out) == ARCHIVE_OK && set_filter(work) &&
	     archive_write_set_bytes_per_block(work->out, BLOCK_BYTES) == ARCHIVE_OK &&
	     archive_write_open_fd(work->out, fd) == ARCHIVE_OK &&
	     archive_write_header(work->out, entry) == ARCHIVE_OK;
	archive_entry_free(entry);
	return ok || set_archive_error(error, work->out, "packing");
}

static gboolean pump(Recompressing *work, GError **error)
{
	g_autofree char *block = g_malloc(BLOCK_BYTES);
	la_ssize_t got;

	while ((got = archive_read_data(work->in, block, BLOCK_BYTES)) > 0) {
		guint64 done = (guint64)archive_filter_bytes(work->in, -1);
		if (archive_write_data(work->out, block, (gsize)got) != got)
			return set_archive_error(error, work->out, "packing");
		if (!mtw_shrink_go_on(work->hooks, MIN(done, work->total), work->total, error))
			return FALSE;
	}
	if (got < 0)
		return set_archive_error(error, work->in, "unpacking");
	if (archive_write_close(work->out) != ARCHIVE_OK)
		return set_archive_error(error, work->out, "packing");
	return TRUE;
}

static gboolean recompress(Recompressing *work, int in, int out, GError **error)
{
	struct stat status;

	if (fstat(in, &status) != 0) {
		mtw_set_error_errno(error, errno, "looking at it");
		return FALSE;
	}
	work->total = (guint64)status.st_size;
	if (!open_in(work, in, error) || !open_out(work, out, error))
		return FALSE;
	if (!pump(work, error)) {
		/* Or freeing would finish the file; closing frees its buffers. */
		archive_write_fail(work->out);
		archive_write_close(work->out);
		return FALSE;
	}
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
	g_auto(Recompressing) work = { .format = format, .hooks = hooks };
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
	if (!recompress(&work, in, out, error) || !publish(part, result, folder, error)) {
		g_prefix_error(error, "recompressing %s: ", path);
		unlink(part);
		return NULL;
	}
	return g_steal_pointer(&result);
}
