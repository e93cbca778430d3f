/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/sysfs.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

char *mtw_sysfs_resolve(const char *path)
{
	/* realpath's memory is malloc's, which is GLib's too, but only a copy is certain to be. */
	char *real = realpath(path, NULL);
	char *copy = g_strdup(real);

	free(real);
	return copy;
}

gboolean mtw_sysfs_is_below(const char *path, const char *folder)
{
	gsize length = strlen(folder);

	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

char *mtw_sysfs_attribute(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return mtw_file_read_line(path, NULL);
}

gboolean mtw_sysfs_is_name(const char *name)
{
	return *name != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

gboolean mtw_sysfs_list_has(const GPtrArray *list, const char *text)
{
	for (guint i = 0; i < list->len; i++)
		if (strcmp(list->pdata[i], text) == 0)
			return TRUE;
	return FALSE;
}
