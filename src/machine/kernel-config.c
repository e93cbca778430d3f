/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/kernel-config.h"

#include "base/file.h"
#include "machine/system.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

/* A distribution's configuration has some 300 kB; more than this is not one. */
#define CONFIG_MAX_BYTES (4 * 1024 * 1024)

static MtwConfigValue value_of(char letter)
{
	switch (letter) {
	case 'y':
		return MTW_CONFIG_YES;
	case 'm':
		return MTW_CONFIG_MODULE;
	default:
		return MTW_CONFIG_NO;
	}
}

MtwConfigValue mtw_kernel_config_parse(const char *text, gsize bytes, const char *option)
{
	gsize length = strlen(option);
	const char *end = text + bytes;

	while (text < end) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		gsize line_bytes = (gsize)((newline != NULL ? newline : end) - text);
		if (line_bytes == length + 2 && memcmp(text, option, length) == 0 &&
		    text[length] == '=')
			return value_of(text[length + 1]);
		text += line_bytes + 1;
	}
	return MTW_CONFIG_NO;
}

/* Takes the one raw entry of @archive. Returns: (transfer full) (nullable): NULL when it is damaged
 */
static char *take_entry(struct archive *archive)
{
	g_autoptr(GByteArray) text = g_byte_array_new();
	struct archive_entry *entry;
	guint8 block[16384];
	la_ssize_t got;

	if (archive_read_next_header(archive, &entry) != ARCHIVE_OK)
		return NULL;
	while ((got = archive_read_data(archive, block, sizeof block)) > 0) {
		g_byte_array_append(text, block, (guint)got);
		if (text->len > CONFIG_MAX_BYTES)
			return NULL;
	}
	if (got < 0 || text->len == 0)
		return NULL;
	g_byte_array_append(text, (const guint8 *)"", 1);
	return (char *)g_byte_array_free(g_steal_pointer(&text), FALSE);
}

/* Only filters that libarchive has in itself: some of the others run programs. */
static struct archive *reader_new(void)
{
	struct archive *archive = archive_read_new();

	if (archive == NULL)
		return NULL;
	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_filter_bzip2(archive);
	archive_read_support_format_raw(archive);
	return archive;
}

/* Plain or compressed, by content, not by name. */
static char *read_any(const char *path)
{
	g_autofree char *content = NULL;
	struct archive *archive;
	char *text = NULL;
	gsize bytes;

	content = mtw_file_read(path, CONFIG_MAX_BYTES, &bytes, NULL);
	if (content == NULL)
		return NULL;
	archive = reader_new();
	if (archive == NULL)
		return NULL;
	if (archive_read_open_memory(archive, content, bytes) == ARCHIVE_OK)
		text = take_entry(archive);
	archive_read_free(archive);
	return text;
}

char *mtw_kernel_config_load(const MtwPaths *paths, char **ret_source)
{
	g_autofree char *release = mtw_system_release(paths);
	g_autofree char *boot_name = g_strdup_printf("config-%s", release);
	g_autofree char *proc = mtw_paths_build(paths, MTW_PATH_PROCFS, "config.gz", NULL);
	g_autofree char *boot = mtw_paths_build(paths, MTW_PATH_BOOT, boot_name, NULL);
	g_autofree char *modules =
		mtw_paths_build(paths, MTW_PATH_MODULES, release, "config", NULL);
	const char *const candidates[] = { proc, boot, modules };

	for (gsize i = 0; i < G_N_ELEMENTS(candidates); i++) {
		char *text = read_any(candidates[i]);
		/* A damaged file must not pass for a kernel without any option. */
		if (text == NULL || strstr(text, "CONFIG_") == NULL) {
			g_free(text);
			continue;
		}
		if (ret_source != NULL)
			*ret_source = g_strdup(candidates[i]);
		return text;
	}
	return NULL;
}
