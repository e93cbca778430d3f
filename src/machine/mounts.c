/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/mounts.h"

#include "base/file.h"

#include <string.h>

#define MOUNTINFO_MAX_BYTES (16 * 1024 * 1024)

static void mount_free(gpointer data)
{
	MtwMount *mount = data;

	g_free(mount->device);
	g_free(mount->point);
	g_free(mount->type);
	g_free(mount->source);
	g_free(mount);
}

static gboolean is_octal(const char *text)
{
	for (int i = 0; i < 3; i++)
		if (text[i] < '0' || text[i] > '7')
			return FALSE;
	return TRUE;
}

/* Space, tab, newline and backslash stand as \040 and the like. */
static char *unescape(const char *text)
{
	GString *plain = g_string_new(NULL);

	while (*text != '\0') {
		if (*text == '\\' && is_octal(text + 1)) {
			int byte = (text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0');
			g_string_append_c(plain, (char)byte);
			text += 4;
		} else {
			g_string_append_c(plain, *text++);
		}
	}
	return g_string_free(plain, FALSE);
}

/* "36 35 98:0 /root /point options [fields] - type source super": NULL when it is not such a line.
 */
static MtwMount *parse_line(const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	guint n_words = g_strv_length(words);
	guint dash = 6;
	MtwMount *mount;

	while (dash < n_words && strcmp(words[dash], "-") != 0)
		dash++;
	if (dash + 2 >= n_words)
		return NULL;
	mount = g_new0(MtwMount, 1);
	mount->device = g_strdup(words[2]);
	mount->point = unescape(words[4]);
	mount->type = g_strdup(words[dash + 1]);
	mount->source = unescape(words[dash + 2]);
	return mount;
}

GPtrArray *mtw_mounts_parse(const char *text)
{
	GPtrArray *mounts = g_ptr_array_new_with_free_func(mount_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		MtwMount *mount = parse_line(*line);
		if (mount != NULL)
			g_ptr_array_add(mounts, mount);
	}
	return mounts;
}

GPtrArray *mtw_mounts_get(const MtwPaths *paths)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, "self", "mountinfo", NULL);
	g_autofree char *text = mtw_file_read(path, MOUNTINFO_MAX_BYTES, NULL, NULL);

	return mtw_mounts_parse(text != NULL ? text : "");
}
