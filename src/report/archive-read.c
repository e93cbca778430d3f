/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/archive.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define MEMBERS_MAX 10000
#define NAME_MAX_BYTES 255
#define BLOCK_BYTES (256 * 1024)

typedef struct {
	struct archive *archive;
	MtwFd fd;
	const char *path;
	guint n_members;
	guint64 position; /* in the member that is being read */
} Unpacking;

static void unpacking_clear(Unpacking *unpacking)
{
	if (unpacking->archive != NULL)
		archive_read_free(unpacking->archive);
	mtw_fd_clear(&unpacking->fd);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Unpacking, unpacking_clear)

/* Returns: -1 */
static int set_damaged(const Unpacking *unpacking, const char *reason, GError **error)
{
	const char *text = reason != NULL ? reason : archive_error_string(unpacking->archive);
	g_autofree char *clean = mtw_text_clean_line(text != NULL ? text : "damaged");

	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", unpacking->path, clean);
	return -1;
}

/* A link is followed: the person named the file. A pipe or a device would block or never end. */
static gboolean open_file(Unpacking *unpacking, GError **error)
{
	struct stat status;

	unpacking->fd = open(unpacking->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (unpacking->fd < 0 || fstat(unpacking->fd, &status) != 0) {
		mtw_set_error_errno(error, errno, "cannot open %s", unpacking->path);
		return FALSE;
	}
	if (!S_ISREG(status.st_mode)) {
		set_damaged(unpacking, "not a regular file", error);
		return FALSE;
	}
	return TRUE;
}

/* Only formats and filters that libarchive reads itself: some others would run a program. */
static gboolean unpacking_start(Unpacking *unpacking, const char *path, GError **error)
{
	struct archive *archive = archive_read_new();

	*unpacking = (Unpacking){ .archive = archive, .fd = -1, .path = path };
	if (!open_file(unpacking, error))
		return FALSE;
	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_bzip2(archive);
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_format_tar(archive);
	archive_read_support_format_zip(archive);
	archive_read_support_format_7zip(archive);
	if (archive_read_open_fd(archive, unpacking->fd, BLOCK_BYTES) != ARCHIVE_OK) {
		set_damaged(unpacking, NULL, error);
		return FALSE;
	}
	/* The list ends with the file itself. A file compressed twice can be a bomb of any size. */
	if (archive_filter_count(archive) > 2) {
		set_damaged(unpacking, "compressed more than once", error);
		return FALSE;
	}
	return TRUE;
}

/* Without leading "/", "./" and any "..": whoever uses it as a path stays where they are. */
static char *clean_member_name(struct archive_entry *entry)
{
	const char *raw = archive_entry_pathname(entry);
	g_autofree char *line = mtw_text_clean_line(raw != NULL ? raw : "");
	g_auto(GStrv) parts = g_strsplit(line, "/", -1);
	GString *name = g_string_new(NULL);

	for (char **part = parts; *part != NULL; part++) {
		if (**part == '\0' || strcmp(*part, ".") == 0 || strcmp(*part, "..") == 0)
			continue;
		g_string_append_printf(name, "%s%s", name->len > 0 ? "/" : "", *part);
	}
	if (name->len == 0)
		g_string_append(name, "unnamed");
	if (name->len > NAME_MAX_BYTES)
		g_string_truncate(name, (gsize)(g_utf8_find_prev_char(
							name->str, name->str + NAME_MAX_BYTES + 1) -
						name->str));
	return g_string_free(name, FALSE);
}

/* The next regular file. Returns: 1; 0 at the end; -1 on error. @ret_name: (transfer full) */
static int next_member(Unpacking *unpacking, char **ret_name, GError **error)
{
	struct archive_entry *entry;
	int result;

	while ((result = archive_read_next_header(unpacking->archive, &entry)) == ARCHIVE_OK ||
	       result == ARCHIVE_WARN) {
		if (++unpacking->n_members > MEMBERS_MAX)
			return set_damaged(unpacking, "more than 10000 members", error);
		if (archive_entry_filetype(entry) != AE_IFREG ||
		    archive_entry_hardlink(entry) != NULL)
			continue;
		unpacking->position = 0;
		*ret_name = clean_member_name(entry);
		return 1;
	}
	return result == ARCHIVE_EOF ? 0 : set_damaged(unpacking, NULL, error);
}

/* The next bytes of the member. Returns: 1; 0 at its end; -1 on error */
static int next_block(Unpacking *unpacking, const void **ret_data, gsize *ret_bytes, GError **error)
{
	gint64 offset = 0;
	int result = archive_read_data_block(unpacking->archive, ret_data, ret_bytes, &offset);

	if (result != ARCHIVE_OK && result != ARCHIVE_WARN && result != ARCHIVE_EOF)
		return set_damaged(unpacking, NULL, error);
	/* A hole of exabytes costs a few bytes of archive, and nobody packs a trace like that. */
	if (offset < 0 || (guint64)offset > unpacking->position)
		return set_damaged(unpacking, "sparse files in an archive are not read", error);
	if (result == ARCHIVE_EOF)
		return 0;
	unpacking->position += *ret_bytes;
	return 1;
}

static char *read_content(Unpacking *unpacking, gsize max_bytes, gsize *ret_bytes, GError **error)
{
	g_autoptr(GByteArray) content = g_byte_array_new();
	const void *data;
	gsize bytes;
	int more;

	while ((more = next_block(unpacking, &data, &bytes, error)) > 0) {
		if (bytes > max_bytes - content->len) {
			set_damaged(unpacking, "a member is larger than it may be", error);
			return NULL;
		}
		g_byte_array_append(content, data, (guint)bytes);
	}
	if (more < 0)
		return NULL;
	if (ret_bytes != NULL)
		*ret_bytes = content->len;
	g_byte_array_append(content, (const guint8 *)"", 1);
	return (char *)g_byte_array_free(g_steal_pointer(&content), FALSE);
}

char *mtw_archive_read_member(const char *path, const char *name, gsize max_bytes, gsize *ret_bytes,
			      GError **error)
{
	g_auto(Unpacking) unpacking = { .fd = -1 };
	g_autofree char *found = NULL;
	int more;

	if (!unpacking_start(&unpacking, path, error))
		return NULL;
	while ((more = next_member(&unpacking, &found, error)) > 0 && strcmp(found, name) != 0)
		g_clear_pointer(&found, g_free);
	if (more > 0)
		return read_content(&unpacking, max_bytes, ret_bytes, error);
	if (more == 0)
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "%s: no member %s", path, name);
	return NULL;
}

static void member_facts_free(MtwMemberFacts *facts)
{
	g_free(facts->name);
	g_free(facts->sha256);
	g_free(facts);
}

/* All of it is unpacked in any case: a damaged one is found, and what a header says of its size counts for nothing. */
static gboolean measure_content(Unpacking *unpacking, gboolean with_hash, MtwMemberFacts *facts,
				GError **error)
{
	g_autoptr(MtwHash) hash = with_hash ? mtw_hash_new() : NULL;
	const void *data;
	gsize bytes;
	int more;

	while ((more = next_block(unpacking, &data, &bytes, error)) > 0)
		if (hash != NULL)
			mtw_hash_add(hash, data, bytes);
	facts->bytes = unpacking->position;
	return more == 0 && (hash == NULL || mtw_hash_finish(hash, &facts->sha256, error));
}

static GPtrArray *list_members(const char *path, gboolean with_hashes, GError **error)
{
	g_autoptr(GPtrArray) list =
		g_ptr_array_new_with_free_func((GDestroyNotify)member_facts_free);
	g_auto(Unpacking) unpacking = { .fd = -1 };
	char *name;
	int more;

	if (!unpacking_start(&unpacking, path, error))
		return NULL;
	while ((more = next_member(&unpacking, &name, error)) > 0) {
		MtwMemberFacts *facts = g_new0(MtwMemberFacts, 1);
		facts->name = name;
		g_ptr_array_add(list, facts);
		if (!measure_content(&unpacking, with_hashes, facts, error))
			return NULL;
	}
	return more == 0 ? g_steal_pointer(&list) : NULL;
}

GPtrArray *mtw_archive_list(const char *path, GError **error)
{
	return list_members(path, TRUE, error);
}

GPtrArray *mtw_archive_sizes(const char *path, GError **error)
{
	return list_members(path, FALSE, error);
}
