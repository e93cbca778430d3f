/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/display-nvidia.h"

#include "base/file.h"
#include "base/text.h"

#include <string.h>

/* The parameter EnableGpuFirmware (nv-firmware-registry.h): the mode, and "fall back" above it. */
#define GPU_FIRMWARE_MODE_MASK 0xf
#define GPU_FIRMWARE_MODE_OFF 0
#define GPU_FIRMWARE_MODE_ON 1

void mtw_nvidia_facts_free(MtwNvidiaFacts *facts)
{
	if (facts == NULL)
		return;
	g_free(facts->driver_version);
	g_free(facts->vbios_version);
	g_free(facts->gsp_version);
	g_free(facts);
}

/* The value behind "key:", cleaned. Returns: (transfer full) (nullable): NULL: not there, or empty
 */
static char *value_of(const char *text, const char *key)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	gsize length = strlen(key);

	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *value = NULL;
		if (strncmp(*line, key, length) != 0 || (*line)[length] != ':')
			continue;
		value = g_strstrip(mtw_text_clean_line(*line + length + 1));
		return value[0] != '\0' ? g_steal_pointer(&value) : NULL;
	}
	return NULL;
}

/*
 * "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 ...", with the open
 * modules
 * "... Open Kernel Module for x86_64  560.35.03  Release Build ...": the first word that is a
 * version.
 */
static char *version_of(const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);

	for (char **word = words; *word != NULL; word++)
		if (g_ascii_isdigit(**word) && strchr(*word, '.') != NULL &&
		    strspn(*word, "0123456789.") == strlen(*word))
			return g_strdup(*word);
	return NULL;
}

static char *read_nvidia(const MtwPaths *paths, const char *name)
{
	g_autofree char *path =
		mtw_paths_build(paths, MTW_PATH_PROCFS, "driver", "nvidia", name, NULL);

	return mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
}

static void read_version(const MtwPaths *paths, MtwNvidiaFacts *facts)
{
	g_autofree char *text = read_nvidia(paths, "version");
	g_autofree char *line = text != NULL ? value_of(text, "NVRM version") : NULL;

	if (line != NULL)
		facts->driver_version = version_of(line);
}

/* "GPU Firmware: 580.173.02", or "N/A" when it is off; older drivers have no such line. */
static void read_card(const MtwPaths *paths, const MtwPciDevice *device, MtwNvidiaFacts *facts)
{
	g_autofree char *name = g_build_filename("gpus", device->address, "information", NULL);
	g_autofree char *text = read_nvidia(paths, name);
	g_autofree char *firmware = NULL;

	if (text == NULL)
		return;
	facts->vbios_version = value_of(text, "Video BIOS");
	firmware = value_of(text, "GPU Firmware");
	if (firmware == NULL)
		return;
	facts->gsp = g_str_equal(firmware, "N/A") ? MTW_GSP_OFF : MTW_GSP_ON;
	if (facts->gsp == MTW_GSP_ON)
		facts->gsp_version = g_steal_pointer(&firmware);
}

/* What was asked for; the default leaves it open. */
static MtwGspState gsp_of_parameters(const MtwPaths *paths)
{
	g_autofree char *text = read_nvidia(paths, "params");
	g_autofree char *value = text != NULL ? value_of(text, "EnableGpuFirmware") : NULL;
	guint number;

	if (value == NULL || !mtw_parse_uint(value, 0, G_MAXINT, &number))
		return MTW_GSP_UNKNOWN;
	if ((number & GPU_FIRMWARE_MODE_MASK) == GPU_FIRMWARE_MODE_OFF)
		return MTW_GSP_OFF;
	if (number == GPU_FIRMWARE_MODE_ON)
		return MTW_GSP_ON;
	return MTW_GSP_UNKNOWN;
}

MtwNvidiaFacts *mtw_nvidia_facts(const MtwPaths *paths, const MtwPciDevice *device)
{
	MtwNvidiaFacts *facts = g_new0(MtwNvidiaFacts, 1);

	read_version(paths, facts);
	read_card(paths, device, facts);
	if (facts->gsp == MTW_GSP_UNKNOWN)
		facts->gsp = gsp_of_parameters(paths);
	return facts;
}
