/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short helpers for trees of small files and symbolic links, as /sys and /proc are. */
#pragma once

#include <glib.h>

/*
 * mtw_sysfs_resolve: where @path leads when all links are followed.
 * Returns: (transfer full) (nullable): NULL when it leads nowhere or in a circle
 */
char *mtw_sysfs_resolve(const char *path);

/* mtw_sysfs_is_below: @path is @folder or something in it. Both resolved. */
gboolean mtw_sysfs_is_below(const char *path, const char *folder);

/*
 * mtw_sysfs_attribute: the file @name of @folder, without the final newline.
 * Returns: (transfer full) (nullable): NULL when it cannot be read
 */
char *mtw_sysfs_attribute(const char *folder, const char *name);

/* mtw_sysfs_is_name: @name is one component of a path: not empty, no "/", not "." or "..". */
gboolean mtw_sysfs_is_name(const char *name);

/* mtw_sysfs_list_has: @list (element-type utf8) has a string equal to @text. */
gboolean mtw_sysfs_list_has(const GPtrArray *list, const char *text);
