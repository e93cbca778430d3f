/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new file in a folder that a person chose: written under a temporary name, it gets its real name
 * only when it is whole, and never takes the place of another file.
 */
#pragma once

#include <glib.h>

typedef struct _MtwNewFile MtwNewFile;

/*
 * mtw_new_file_open: creates the temporary file, mode 0600.
 * @stem: a plain file name; part of the temporary name
 * Errors: MTW_ERROR_NOT_FOUND (no such folder), MTW_ERROR_PERMISSION, MTW_ERROR_DISK
 * Returns: (transfer full) (nullable)
 */
MtwNewFile *mtw_new_file_open(const char *folder, const char *stem, GError **error);

/* mtw_new_file_fd: where to write. The file keeps it. */
int mtw_new_file_fd(const MtwNewFile *file);

/*
 * mtw_new_file_publish: makes the content durable and readable (0644) and names it <stem><suffix>,
 * or <stem>-2<suffix>, <stem>-3<suffix>, ... the first that is free.
 * Returns: (transfer full) (nullable): the path; on error nothing of the file is left
 */
char *mtw_new_file_publish(MtwNewFile *file, const char *stem, const char *suffix, GError **error);

/* mtw_new_file_free: removes the file unless it was published. */
void mtw_new_file_free(MtwNewFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwNewFile, mtw_new_file_free)
