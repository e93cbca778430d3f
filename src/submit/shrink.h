/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An archive that is larger than the server takes. The original is never touched. */
#pragma once

#include <glib.h>

typedef struct {
	const int *cancel;						   /* (nullable) atomic */
	void (*progress)(guint64 done, guint64 total, gpointer user_data); /* (nullable) */
	gpointer user_data;
} MtwShrinkHooks;

/*
 * mtw_shrink_recompress: the same tar with another filter: NAME.tar.xz or NAME.tar.zst beside nothing else in @folder.
 * @format: "tar.xz" or "tar.zst"
 * Returns: (transfer full) (nullable): its path; nothing half-written stays after an error
 */
char *mtw_shrink_recompress(const char *path, const char *folder, const char *format,
			    const MtwShrinkHooks *hooks, GError **error);

/*
 * mtw_shrink_split: NAME.001, NAME.002, ... of at most @part_bytes each (99 at most), and NAME.join.txt that tells how to
 * join them (with SHA-256 of the whole and of the parts).
 * Returns: (transfer full) (nullable) (element-type utf8): paths, the note last
 */
GPtrArray *mtw_shrink_split(const char *path, const char *folder, guint64 part_bytes,
			    const MtwShrinkHooks *hooks, GError **error);

/* mtw_file_sha256: of an open file, from its beginning. @ret_text: 64 hexadecimal digits. (transfer full) */
gboolean mtw_file_sha256(int fd, const MtwShrinkHooks *hooks, char **ret_text, guint64 *ret_bytes,
			 GError **error);
