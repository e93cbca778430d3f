/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the traced device itself says: config-space.txt and vbios.rom. */
#include "capture/collect-private.h"

#include "base/file.h"

#include <string.h>

#define CONFIG_MAX_BYTES 4096
/* What everybody may read. */
#define CONFIG_HEADER_BYTES 64
#define RESOURCE_MAX_BYTES 4096
/* Of sysfs `resource`: six BARs, the ROM, then those of SR-IOV and of bridges. */
#define ROM_RESOURCE 6
/* An image for x86 (and the container of all others) begins so. */
#define ROM_FIRST 0x55
#define ROM_SECOND 0xaa

static char *device_folder(const MtwCollecting *collecting)
{
	return mtw_paths_build(collecting->options.paths, MTW_PATH_SYSFS, "bus", "pci", "devices",
			       collecting->options.device->address, NULL);
}

static void append_resource(GString *text, guint index, const char *line)
{
	MtwPciBar bar;

	if (!mtw_pci_parse_resource(line, &bar) || bar.length == 0)
		return;
	if (index < ROM_RESOURCE)
		g_string_append_printf(text, "BAR %u:", index);
	else if (index == ROM_RESOURCE)
		g_string_append(text, "Expansion ROM:");
	else
		g_string_append_printf(text, "Resource %u:", index);
	g_string_append_printf(text, " %s (%" G_GUINT64_FORMAT " bytes, %s)\n", line, bar.length,
			       bar.kind == MTW_BAR_IO ? "I/O ports" : "memory");
}

static void append_resources(MtwCollecting *collecting, GString *text, const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "resource", NULL);
	g_autofree char *resources =
		mtw_collecting_read(collecting, path, RESOURCE_MAX_BYTES, NULL);
	g_auto(GStrv) lines = g_strsplit(resources != NULL ? resources : "", "\n", -1);

	g_string_append(text, "\nResources as the kernel has them: first, last, flags\n");
	for (guint i = 0; lines[i] != NULL; i++)
		append_resource(text, i, lines[i]);
}

/*
 * All of it, also what is undefined: the kernel knows the few devices that cannot stand that, and
 * it is the reading process that would hang.
 */
static char *read_config(MtwCollecting *collecting, const char *folder, gsize *ret_length)
{
	g_autofree char *path = g_build_filename(folder, "config", NULL);
	char *config = mtw_collecting_read(collecting, path, CONFIG_MAX_BYTES, ret_length);

	if (config != NULL && *ret_length <= CONFIG_HEADER_BYTES)
		mtw_collecting_misses(collecting, "only %zu bytes of it: more is for root only",
				      *ret_length);
	return config;
}

void mtw_collect_config_space(MtwCollecting *collecting)
{
	g_autofree char *folder = device_folder(collecting);
	g_autoptr(GString) text =
		mtw_collecting_head("the config space in the form of `lspci -D -nn -xxxx`.");
	gsize length = 0;
	g_autofree char *config = read_config(collecting, folder, &length);

	g_string_append_c(text, '\n');
	mtw_lspci_title(text, collecting->options.device);
	mtw_lspci_dump(text, (const guint8 *)config, config != NULL ? length : 0);
	append_resources(collecting, text, folder);
	mtw_collecting_text(collecting, text->str, text->len);
}

/* "1" of the folder's drm/card1: also the number of its folder in debugfs. */
static char *drm_minor(const char *folder)
{
	g_autofree char *drm = g_build_filename(folder, "drm", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(drm);

	for (guint i = 0; i < names->len; i++)
		if (g_str_has_prefix(names->pdata[i], "card"))
			return g_strdup((const char *)names->pdata[i] + strlen("card"));
	return NULL;
}

/*
 * What the driver keeps in memory. Returns: (transfer full) (nullable): NULL: it has none; that is
 * not missing, as there is another way
 */
static char *read_drivers_copy(MtwCollecting *collecting, const char *folder, gsize *ret_length)
{
	static const char *const names[] = { "vbios.rom", "amdgpu_vbios" };
	const MtwPaths *paths = collecting->options.paths;
	g_autofree char *minor = drm_minor(folder);

	for (gsize i = 0; minor != NULL && i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path =
			mtw_paths_build(paths, MTW_PATH_DEBUGFS, "dri", minor, names[i], NULL);
		MtwReadLimits limits =
			mtw_collecting_limits(collecting, collecting->collector->max_bytes);
		gboolean cut = FALSE;
		char *rom =
			mtw_reader_read(collecting->reader, path, &limits, ret_length, &cut, NULL);
		if (rom != NULL && *ret_length > 0 && !cut) {
			mtw_collecting_notes(collecting, "from %s", path);
			return rom;
		}
		g_free(rom);
	}
	return NULL;
}

static char *read_rom(MtwCollecting *collecting, const char *folder, gsize *ret_length)
{
	g_autofree char *path = g_build_filename(folder, "rom", NULL);
	MtwReadLimits limits = { .max_bytes = collecting->collector->max_bytes,
				 .deadline_usec = collecting->deadline_usec };
	g_autoptr(GError) error = NULL;
	gboolean cut = FALSE;
	char *rom;

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		mtw_collecting_notes(collecting, "the device has no ROM");
		return NULL;
	}
	rom = mtw_reader_read_rom(collecting->reader, path, &limits, ret_length, &cut, &error);
	if (rom == NULL)
		mtw_collecting_misses(collecting, "%s", error->message);
	else if (cut)
		mtw_collecting_misses(collecting, "only the first %zu bytes", *ret_length);
	else
		mtw_collecting_notes(collecting, "from %s", path);
	return rom;
}

void mtw_collect_vbios(MtwCollecting *collecting)
{
	g_autofree char *folder = device_folder(collecting);
	gsize length = 0;
	g_autofree char *rom = read_drivers_copy(collecting, folder, &length);

	if (rom == NULL)
		rom = read_rom(collecting, folder, &length);
	if (rom == NULL)
		return;
	if (length == 0) {
		mtw_collecting_misses(collecting, "the ROM is empty");
		return;
	}
	if (length < 2 || (guint8)rom[0] != ROM_FIRST || (guint8)rom[1] != ROM_SECOND)
		mtw_collecting_notes(collecting, "it does not begin as a ROM does (55 aa)");
	mtw_collecting_file(collecting, collecting->collector->file, g_steal_pointer(&rom), length);
}
