/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The archive that is sent: pciid-nick-mmiotrace.tar.gz. Members at top level, owner root, order
 * and times fixed, so that the same members give the same bytes. Written by libarchive to a
 * temporary name in the folder, fsynced, then given its name; an older archive is never
 * overwritten.
 */
#pragma once

#include <glib.h>

typedef struct {
	char *name; /* in the archive; no folder */
	int fd;	    /* (owned) content, read from offset 0 with pread; or -1: `data` */
	char *data; /* (owned) (nullable) */
	gsize data_bytes;
	guint64 bytes;	   /* size, set by mtw_archive_measure */
	char *sha256;	   /* (owned) (nullable) hexadecimal, set by mtw_archive_measure */
	gint64 mtime_nsec; /* of the file behind `fd` when it was measured: it must not change */
} MtwMember;

/* mtw_member_new_fd: takes @fd over. mtw_member_new_data: takes @data over. Returns: (transfer
 * full) */
MtwMember *mtw_member_new_fd(const char *name, int fd);
MtwMember *mtw_member_new_data(const char *name, char *data, gsize bytes);
void mtw_member_free(MtwMember *member);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwMember, mtw_member_free)

/*
 * mtw_archive_measure: fills size and SHA-256 of each member that has none yet. Call it when the
 * content is final; it takes about 3 seconds for a GB.
 */
gboolean mtw_archive_measure(GPtrArray *members, GError **error);

/* mtw_members_new: a list that owns its MtwMembers. Returns: (transfer full) */
GPtrArray *mtw_members_new(void);

/* Progress: @done of @total bytes of the members are packed. Return FALSE to cancel. */
typedef gboolean (*MtwArchiveProgress)(guint64 done, guint64 total, gpointer user_data);

/*
 * mtw_archive_write:
 * @folder: where; @stem: file name without ".tar.gz" ("10de-1b80-alice-mmiotrace"), used as
 * stem.tar.gz, stem-2.tar.gz, ... whichever is free
 * @members: (element-type MtwMember), measured; written in this order; names of [A-Za-z0-9._-]
 * @time_sec: modification time of the members (Unix time)
 * @progress: (nullable)
 * Errors: MTW_ERROR_DISK (no space), MTW_ERROR_PERMISSION, MTW_ERROR_NOT_FOUND (folder),
 * MTW_ERROR_INTERRUPTED (cancelled), MTW_ERROR_INVALID (a member changed since it was measured),
 * MTW_ERROR_USAGE (a member or @stem has an unfit name). Nothing is left behind.
 * Returns: (transfer full) (nullable): the path
 */
char *mtw_archive_write(const char *folder, const char *stem, GPtrArray *members, gint64 time_sec,
			MtwArchiveProgress progress, gpointer user_data, GError **error);

/* mtw_archive_write_as: the same with @format "tar.gz", "tar.xz" or "tar.zst", which is the suffix too. */
char *mtw_archive_write_as(const char *format, const char *folder, const char *stem,
			   GPtrArray *members, gint64 time_sec, MtwArchiveProgress progress,
			   gpointer user_data, GError **error);

/*
 * mtw_archive_stem: "<vendor>-<device>-<nick>-mmiotrace", or "<model>-<nick>-mmiotrace".
 * @model: (nullable); both cleaned to [A-Za-z0-9._-]
 * Errors: MTW_ERROR_USAGE when nothing is left of the nick or the model
 * Returns: (transfer full) (nullable)
 */
char *mtw_archive_stem(guint16 vendor, guint16 device, const char *nick, const char *model,
		       GError **error);

/*
 * Reading: any tar, zip or 7z, plain or compressed, from anyone. The content is not trusted and
 * never extracted. Only regular files count: folders, links and devices are passed over. Names are
 * made safe to show and to use: valid UTF-8, no control characters, no empty, "." or ".." parts, at
 * most 255 bytes.
 *
 * Errors: MTW_ERROR_NOT_FOUND, MTW_ERROR_PERMISSION, MTW_ERROR_INVALID (not an archive, damaged,
 * cut, more than 10,000 members, compressed more than once, sparse)
 */

/*
 * mtw_archive_read_member: a small member; the first of this name. What is over @max_bytes is
 * MTW_ERROR_INVALID. Returns: (transfer full) (nullable): NUL-terminated
 */
char *mtw_archive_read_member(const char *path, const char *name, gsize max_bytes, gsize *ret_bytes,
			      GError **error);

typedef struct {
	char *name;
	guint64 bytes; /* what is really there, not what a header says */
	char *sha256;  /* (nullable): of mtw_archive_list */
} MtwMemberFacts;

/*
 * mtw_archive_list: names, sizes and hashes of what is in it, in its order; one name may be there
 * twice. Returns: (transfer full) (nullable) (element-type MtwMemberFacts)
 */
GPtrArray *mtw_archive_list(const char *path, GError **error);

/* mtw_archive_sizes: the same without hashes, which take longer than the unpacking. */
GPtrArray *mtw_archive_sizes(const char *path, GError **error);
