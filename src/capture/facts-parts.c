/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of what belongs to a device and tells of itself in sysfs: disks, interfaces, codecs. */
#include "capture/facts-private.h"

#include "base/file.h"
#include "base/text.h"
#include "machine/sysfs.h"

#include <string.h>

/* The folder of each thing of class @class_name that belongs to the device, by name. */
static GPtrArray *parts_of(const MtwPaths *paths, const MtwPciDevice *device,
			   const char *class_name)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *device_path = mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci",
						       "devices", device->address, NULL);
	g_autofree char *real_device = mtw_sysfs_resolve(device_path);
	g_autofree char *folder = mtw_paths_build(paths, MTW_PATH_SYSFS, "class", class_name, NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; real_device != NULL && i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		g_autofree char *real = mtw_sysfs_resolve(path);
		if (real != NULL && mtw_sysfs_is_below(real, real_device))
			g_ptr_array_add(parts, g_steal_pointer(&real));
	}
	return parts;
}

/* The values of the attributes @keys of a part, with spaces between them. */
static char *attributes(const char *folder, const char *const *keys)
{
	GString *text = g_string_new(NULL);

	for (; *keys != NULL; keys++) {
		g_autofree char *value = mtw_sysfs_attribute(folder, *keys);
		if (value == NULL || g_strstrip(value)[0] == '\0')
			continue;
		if (text->len > 0)
			g_string_append_c(text, ' ');
		g_string_append(text, value);
	}
	return g_string_free(text, FALSE);
}

static void add_part(GString *list, const char *folder, const char *const *keys)
{
	g_autofree char *name = g_path_get_basename(folder);
	g_autofree char *value = attributes(folder, keys);
	g_autofree char *item = NULL;

	if (value[0] == '\0')
		return;
	item = g_strdup_printf("%s: %s", name, value);
	mtw_facts_add(list, item);
}

static void gather_list(const MtwPaths *paths, const MtwPciDevice *device, JsonObject *facts,
			const char *fact, const char *class_name, const char *const *keys)
{
	g_autoptr(GPtrArray) parts = parts_of(paths, device, class_name);
	g_autoptr(GString) list = g_string_new(NULL);

	for (guint i = 0; i < parts->len; i++)
		add_part(list, parts->pdata[i], keys);
	mtw_facts_set(facts, fact, list->str);
}

static void gather_interfaces(const MtwPaths *paths, const MtwPciDevice *device, JsonObject *facts)
{
	g_autoptr(GPtrArray) parts = parts_of(paths, device, "net");
	g_autoptr(GString) list = g_string_new(NULL);

	for (guint i = 0; i < parts->len; i++) {
		g_autofree char *name = g_path_get_basename(parts->pdata[i]);
		mtw_facts_add(list, name);
	}
	mtw_facts_set(facts, "interfaces", list->str);
}

/* Disks of the NVMe kind are a class of their own; the others are SCSI devices below the host. */
static void gather_disks(const MtwPaths *paths, const MtwPciDevice *device, JsonObject *facts)
{
	static const char *const nvme_keys[] = { "model", NULL };
	static const char *const scsi_keys[] = { "device/vendor", "device/model", NULL };
	g_autoptr(GPtrArray) nvme = parts_of(paths, device, "nvme");

	if (nvme->len > 0)
		gather_list(paths, device, facts, "disks", "nvme", nvme_keys);
	else
		gather_list(paths, device, facts, "disks", "scsi_device", scsi_keys);
}

/* Firmware of an AMD card: a folder of files NAME_fw_version. */
static void add_card_firmware(const char *device_path, GString *list)
{
	static const char suffix[] = "_fw_version";
	g_autofree char *folder = g_build_filename(device_path, "fw_version", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		g_autofree char *value = mtw_sysfs_attribute(folder, name);
		g_autofree char *item = NULL;
		if (value == NULL || !g_str_has_suffix(name, suffix))
			continue;
		item = g_strdup_printf("%.*s: %s", (int)(strlen(name) - strlen(suffix)), name,
				       g_strstrip(value));
		mtw_facts_add(list, item);
	}
}

static void gather_firmware(const MtwPaths *paths, const MtwPciDevice *device, JsonObject *facts)
{
	static const char *const nvme_keys[] = { "firmware_rev", NULL };
	static const char *const scsi_keys[] = { "device/rev", NULL };
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices",
						device->address, NULL);
	g_autofree char *vbios = mtw_sysfs_attribute(path, "vbios_version");
	g_autoptr(GPtrArray) nvme = parts_of(paths, device, "nvme");
	g_autoptr(GPtrArray) scsi = parts_of(paths, device, "scsi_device");
	g_autoptr(GString) list = g_string_new(NULL);

	for (guint i = 0; i < nvme->len; i++)
		add_part(list, nvme->pdata[i], nvme_keys);
	for (guint i = 0; i < scsi->len; i++)
		add_part(list, scsi->pdata[i], scsi_keys);
	add_card_firmware(path, list);
	mtw_facts_set(facts, "firmware-version", list->str);
	if (!json_object_has_member(facts, "vbios-version"))
		mtw_facts_set(facts, "vbios-version", vbios);
}

void mtw_facts_gather_parts(const MtwPaths *paths, const MtwPciDevice *device, JsonObject *facts)
{
	/* A codec's names stand in its hwdep device, "hwC0D0". */
	static const char *const codec_keys[] = { "vendor_name", "chip_name", NULL };

	gather_interfaces(paths, device, facts);
	gather_disks(paths, device, facts);
	gather_list(paths, device, facts, "codecs", "sound", codec_keys);
	gather_firmware(paths, device, facts);
}
