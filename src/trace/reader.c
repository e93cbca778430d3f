/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/reader.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "trace/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_BLOCK_BYTES (256 * 1024)
/* How much of an archive's member is looked at to tell whether it is a trace. */
#define PEEK_BYTES 4096
/* The name that the kernel's document gives the trace. */
#define TRACE_NAME "mydump.txt"

struct _MtwTraceReader {
	MtwFd fd;
	off_t start; /* where the file begins in fd; -1: a pipe */
	char *name;  /* for messages */
	struct archive *archive;
	gboolean empty;
	char *member;
	const void *block; /* of libarchive, until its next call */
	gsize block_bytes;
	char peek[PEEK_BYTES]; /* read already from the member */
	gsize peek_bytes, peek_at;
};

void mtw_trace_reader_free(MtwTraceReader *reader)
{
	if (reader == NULL)
		return;
	archive_read_free(reader->archive);
	mtw_fd_clear(&reader->fd);
	g_free(reader->name);
	g_free(reader->member);
	g_free(reader);
}

static void set_archive_error(const MtwTraceReader *reader, GError **error)
{
	const char *text = archive_error_string(reader->archive);

	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: damaged or cut: %s", reader->name,
		    text != NULL ? text : "unknown error");
}

/*
 * Only what people send: libarchive's "all" would take a text for one of its rarer formats, and run
 * programs for rarer compressions.
 */
static struct archive *new_archive(void)
{
	struct archive *archive = archive_read_new();

	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_bzip2(archive);
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_format_tar(archive);
	archive_read_support_format_zip(archive);
	archive_read_support_format_7zip(archive);
	archive_read_support_format_raw(archive);
	archive_read_support_format_empty(archive);
	return archive;
}

static gboolean open_archive(MtwTraceReader *reader, GError **error)
{
	archive_read_free(reader->archive);
	reader->archive = new_archive();
	if (reader->start >= 0 && lseek(reader->fd, reader->start, SEEK_SET) < 0) {
		mtw_set_error_errno(error, errno, "%s", reader->name);
		return FALSE;
	}
	if (archive_read_open_fd(reader->archive, reader->fd, INPUT_BLOCK_BYTES) != ARCHIVE_OK) {
		set_archive_error(reader, error);
		return FALSE;
	}
	return TRUE;
}

/* Returns: 1 for a member, 0 at the end, -1 for an error. A warning (odd names) is no error. */
static int next_member(MtwTraceReader *reader, struct archive_entry **ret_entry)
{
	int status = archive_read_next_header(reader->archive, ret_entry);

	reader->block_bytes = 0;
	if (status == ARCHIVE_EOF)
		return 0;
	return status == ARCHIVE_OK || status == ARCHIVE_WARN ? 1 : -1;
}

/*
 * By libarchive's blocks: archive_read_data would fill the whole buffer first, and at a cut drop
 * what it had put there.
 */
static gssize read_member(MtwTraceReader *reader, void *buffer, gsize bytes)
{
	la_int64_t offset;
	int status = ARCHIVE_OK;
	gsize taken;

	while (reader->block_bytes == 0 && (status == ARCHIVE_OK || status == ARCHIVE_RETRY))
		status = archive_read_data_block(reader->archive, &reader->block,
						 &reader->block_bytes, &offset);
	if (reader->block_bytes == 0)
		return status == ARCHIVE_EOF ? 0 : -1;
	taken = MIN(bytes, reader->block_bytes);
	memcpy(buffer, reader->block, taken);
	reader->block = (const char *)reader->block + taken;
	reader->block_bytes -= taken;
	return (gssize)taken;
}

/* Whether one of the first lines is a trace's: a comment or a prompt may stand before it. */
static gboolean looks_like_trace(const char *text, gsize bytes)
{
	const char *end = text + bytes;
	const char *newline;
	MtwRecord record;

	while ((newline = memchr(text, '\n', (gsize)(end - text))) != NULL) {
		if (mtw_record_parse(text, (gsize)(newline - text), &record))
			return TRUE;
		text = newline + 1;
	}
	return FALSE;
}

/* Fills `peek`; a damaged member is what was read of it. */
static void peek_member(MtwTraceReader *reader)
{
	gssize got;

	do {
		got = read_member(reader, reader->peek + reader->peek_bytes,
				  PEEK_BYTES - reader->peek_bytes);
		reader->peek_bytes += got > 0 ? (gsize)got : 0;
	} while (got > 0 && reader->peek_bytes < PEEK_BYTES);
}

static char *member_name(struct archive_entry *entry)
{
	const char *name = archive_entry_pathname_utf8(entry);

	if (name == NULL)
		name = archive_entry_pathname(entry);
	return g_utf8_make_valid(name != NULL ? name : "", -1);
}

static gboolean is_trace_name(const char *name)
{
	g_autofree char *base = g_path_get_basename(name);

	return strcmp(base, TRACE_NAME) == 0;
}

/* The best member so far. */
typedef struct {
	gint64 index; /* -1: none */
	gint64 bytes;
} Candidate;

/*
 * Looks at one member. Returns TRUE when it is to be read right here: it has the right name, or it
 * is a trace in a pipe, where there is no way back to it.
 */
static gboolean consider_member(MtwTraceReader *reader, struct archive_entry *entry, gint64 index,
				Candidate *best)
{
	g_autofree char *name = member_name(entry);
	gint64 bytes = archive_entry_size(entry);
	gboolean named = is_trace_name(name);

	reader->peek_bytes = 0;
	if (archive_entry_filetype(entry) != AE_IFREG)
		return FALSE;
	if (!named) {
		peek_member(reader);
		if (!looks_like_trace(reader->peek, reader->peek_bytes))
			return FALSE;
	}
	if (named || reader->start < 0) {
		reader->member = g_steal_pointer(&name);
		return TRUE;
	}
	if (best->index < 0 || bytes > best->bytes)
		*best = (Candidate){ .index = index, .bytes = bytes };
	return FALSE;
}

/* Goes to the member number @index, from the start. */
static gboolean go_to_member(MtwTraceReader *reader, gint64 index, GError **error)
{
	struct archive_entry *entry = NULL;

	reader->peek_bytes = 0;
	if (!open_archive(reader, error))
		return FALSE;
	for (gint64 i = 0; i <= index; i++) {
		if (next_member(reader, &entry) <= 0) {
			set_archive_error(reader, error);
			return FALSE;
		}
	}
	reader->member = member_name(entry);
	return TRUE;
}

/*
 * Looks for the trace and leaves the reader at its beginning.
 * @entry, @more: what next_member gave for the first member
 */
static gboolean find_trace(MtwTraceReader *reader, struct archive_entry *entry, int more,
			   GError **error)
{
	Candidate best = { .index = -1 };

	for (gint64 index = 0; more > 0; index++) {
		if (consider_member(reader, entry, index, &best))
			return TRUE;
		more = next_member(reader, &entry);
	}
	/* Of an archive that is cut, what there is may still be read. */
	if (best.index >= 0)
		return go_to_member(reader, best.index, error);
	if (more < 0)
		set_archive_error(reader, error);
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "%s: there is no mmiotrace log in this archive", reader->name);
	return FALSE;
}

static gboolean begin(MtwTraceReader *reader, GError **error)
{
	struct archive_entry *entry = NULL;
	struct stat status;
	int more, format;

	if (fstat(reader->fd, &status) != 0) {
		mtw_set_error_errno(error, errno, "%s", reader->name);
		return FALSE;
	}
	if (S_ISDIR(status.st_mode)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s is a folder", reader->name);
		return FALSE;
	}
	if (!open_archive(reader, error))
		return FALSE;
	more = next_member(reader, &entry);
	format = archive_format(reader->archive);
	if (more >= 0 && (format == ARCHIVE_FORMAT_RAW || format == ARCHIVE_FORMAT_EMPTY)) {
		reader->empty = more == 0;
		return TRUE;
	}
	return find_trace(reader, entry, more, error);
}

static MtwTraceReader *open_named(int fd, const char *name, GError **error)
{
	g_autoptr(MtwTraceReader) reader = g_new0(MtwTraceReader, 1);

	reader->fd = fd;
	reader->start = lseek(fd, 0, SEEK_CUR);
	reader->name = g_strdup(name);
	if (!begin(reader, error))
		return NULL;
	return g_steal_pointer(&reader);
}

MtwTraceReader *mtw_trace_reader_open(const char *path, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		mtw_set_error_errno(error, errno, "cannot open %s", path);
		return NULL;
	}
	return open_named(fd, path, error);
}

MtwTraceReader *mtw_trace_reader_open_fd(int fd, GError **error)
{
	return open_named(fd, "the trace", error);
}

const char *mtw_trace_reader_member(const MtwTraceReader *reader)
{
	return reader->member;
}

gssize mtw_trace_reader_read(MtwTraceReader *reader, void *buffer, gsize bytes, GError **error)
{
	gsize peeked = MIN(bytes, reader->peek_bytes - reader->peek_at);
	gssize got;

	if (reader->empty)
		return 0;
	if (peeked > 0) {
		memcpy(buffer, reader->peek + reader->peek_at, peeked);
		reader->peek_at += peeked;
		return (gssize)peeked;
	}
	got = read_member(reader, buffer, bytes);
	if (got < 0)
		set_archive_error(reader, error);
	return got;
}
