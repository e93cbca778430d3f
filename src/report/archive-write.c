/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/archive.h"

#include "base/error.h"
#include "report/new-file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (1024 * 1024)
#define NAME_MAX_BYTES 100 /* what the plain tar header holds */

typedef struct {
	const char *format; /* "tar.gz", "tar.xz", "tar.zst" */
	struct archive *archive;
	gint64 time_sec;
	char *block; /* BLOCK_BYTES */
	guint64 done, total;
	MtwArchiveProgress progress;
	gpointer user_data;
} Packing;

static gboolean name_fits(const char *name)
{
	return *name != '\0' && *name != '.' && strlen(name) <= NAME_MAX_BYTES &&
	       strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-") == strlen(name);
}

static gboolean check_members(const char *stem, GPtrArray *members, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	if (*stem == '\0' || *stem == '.' || strchr(stem, '/') != NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "\"%s\" cannot be the name of an archive", stem);
		return FALSE;
	}
	for (guint i = 0; i < members->len; i++) {
		MtwMember *member = members->pdata[i];
		if (!name_fits(member->name) || !g_hash_table_add(seen, member->name)) {
			g_set_error(
				error, MTW_ERROR, MTW_ERROR_USAGE,
				"\"%s\" cannot be the name of a file in the archive, or is twice",
				member->name);
			return FALSE;
		}
		if (member->sha256 == NULL) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "%s was not measured",
				    member->name);
			return FALSE;
		}
	}
	return TRUE;
}

static void set_archive_error(GError **error, struct archive *archive, const char *what)
{
	int errnum = archive_errno(archive);

	if (errnum > 0)
		mtw_set_error_errno(error, errnum, "packing %s", what);
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "packing %s: %s", what,
			    archive_error_string(archive));
}

static gboolean set_changed(const MtwMember *member, GError **error)
{
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s was changed while it was being packed",
		    member->name);
	return FALSE;
}

/* The header says how much follows: a file that grew or shrank since then must not go unseen. */
static gboolean check_unchanged(const MtwMember *member, GError **error)
{
	struct stat status;

	if (member->fd < 0)
		return TRUE;
	if (fstat(member->fd, &status) != 0) {
		mtw_set_error_errno(error, errno, "%s", member->name);
		return FALSE;
	}
	if ((guint64)status.st_size != member->bytes ||
	    status.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) + status.st_mtim.tv_nsec !=
		    member->mtime_nsec)
		return set_changed(member, error);
	return TRUE;
}

static gboolean pack_header(Packing *packing, const MtwMember *member, GError **error)
{
	struct archive_entry *entry = archive_entry_new();
	int result;

	archive_entry_set_pathname(entry, member->name);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (gint64)member->bytes);
	archive_entry_set_mtime(entry, packing->time_sec, 0);
	archive_entry_set_uname(entry, "root");
	archive_entry_set_gname(entry, "root");
	result = archive_write_header(packing->archive, entry);
	archive_entry_free(entry);
	if (result != ARCHIVE_OK) {
		set_archive_error(error, packing->archive, member->name);
		return FALSE;
	}
	return TRUE;
}

/* The next bytes of the member, in the packing's block. Returns: FALSE with an error */
static gboolean take_block(Packing *packing, const MtwMember *member, guint64 offset, gsize bytes,
			   GError **error)
{
	gsize have = 0;

	if (member->fd < 0) {
		memcpy(packing->block, member->data + offset, bytes);
		return TRUE;
	}
	while (have < bytes) {
		ssize_t got = pread(member->fd, packing->block + have, bytes - have,
				    (off_t)(offset + have));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			mtw_set_error_errno(error, errno, "reading %s", member->name);
			return FALSE;
		}
		if (got == 0)
			return set_changed(member, error);
		have += (gsize)got;
	}
	return TRUE;
}

static gboolean tell(Packing *packing, gsize bytes, GError **error)
{
	packing->done += bytes;
	if (packing->progress == NULL ||
	    packing->progress(packing->done, packing->total, packing->user_data))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED, "packing was cancelled");
	return FALSE;
}

static gboolean pack_member(Packing *packing, const MtwMember *member, GError **error)
{
	guint64 offset = 0;

	if (!pack_header(packing, member, error))
		return FALSE;
	while (offset < member->bytes) {
		gsize bytes = (gsize)MIN(member->bytes - offset, BLOCK_BYTES);
		if (!take_block(packing, member, offset, bytes, error))
			return FALSE;
		if (archive_write_data(packing->archive, packing->block, bytes) !=
		    (la_ssize_t)bytes) {
			set_archive_error(error, packing->archive, member->name);
			return FALSE;
		}
		offset += bytes;
		if (!tell(packing, bytes, error))
			return FALSE;
	}
	return check_unchanged(member, error);
}

static int add_filter(struct archive *archive, const char *format)
{
	if (strcmp(format, "tar.xz") == 0)
		return archive_write_add_filter_xz(archive);
	if (strcmp(format, "tar.zst") == 0)
		return archive_write_add_filter_zstd(archive);
	if (archive_write_add_filter_gzip(archive) != ARCHIVE_OK)
		return ARCHIVE_FATAL;
	return archive_write_set_filter_option(archive, "gzip", "timestamp", NULL);
}

/*
 * Plain ustar headers unless a size needs more. No time stamp in the gzip header: the same members
 * give the same bytes.
 */
static gboolean open_archive(struct archive *archive, const char *format, int fd, GError **error)
{
	if (archive_write_set_format_pax_restricted(archive) != ARCHIVE_OK ||
	    add_filter(archive, format) != ARCHIVE_OK ||
	    archive_write_set_bytes_per_block(archive, BLOCK_BYTES) != ARCHIVE_OK ||
	    archive_write_open_fd(archive, fd) != ARCHIVE_OK) {
		set_archive_error(error, archive, "the archive");
		return FALSE;
	}
	return TRUE;
}

static gboolean pack_all(Packing *packing, GPtrArray *members, int fd, GError **error)
{
	if (!open_archive(packing->archive, packing->format, fd, error))
		return FALSE;
	for (guint i = 0; i < members->len; i++)
		if (!pack_member(packing, members->pdata[i], error))
			return FALSE;
	if (archive_write_close(packing->archive) != ARCHIVE_OK) {
		set_archive_error(error, packing->archive, "the archive");
		return FALSE;
	}
	return TRUE;
}

char *mtw_archive_write(const char *folder, const char *stem, GPtrArray *members, gint64 time_sec,
			MtwArchiveProgress progress, gpointer user_data, GError **error)
{
	return mtw_archive_write_as("tar.gz", folder, stem, members, time_sec, progress, user_data,
				    error);
}

char *mtw_archive_write_as(const char *format, const char *folder, const char *stem,
			   GPtrArray *members, gint64 time_sec, MtwArchiveProgress progress,
			   gpointer user_data, GError **error)
{
	g_autofree char *suffix = g_strconcat(".", format, NULL);
	Packing packing = { .format = format,
			    .time_sec = MAX(time_sec, 0),
			    .progress = progress,
			    .user_data = user_data };
	g_autoptr(MtwNewFile) file = NULL;
	gboolean packed;

	if (!check_members(stem, members, error))
		return NULL;
	file = mtw_new_file_open(folder, stem, error);
	if (file == NULL)
		return NULL;
	for (guint i = 0; i < members->len; i++)
		packing.total += ((MtwMember *)members->pdata[i])->bytes;
	packing.block = g_malloc(BLOCK_BYTES);
	packing.archive = archive_write_new();
	packed = pack_all(&packing, members, mtw_new_file_fd(file), error);
	/* Given up: without the first call closing would fill the member up with zeros, without the
	 * second one libarchive would not free its buffers. */
	if (!packed) {
		archive_write_fail(packing.archive);
		archive_write_close(packing.archive);
	}
	archive_write_free(packing.archive);
	g_free(packing.block);
	return packed ? mtw_new_file_publish(file, stem, suffix, error) : NULL;
}
