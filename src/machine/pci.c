/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/pci.h"

#include "base/error.h"
#include "base/file.h"
#include "machine/pci-names.h"
#include "machine/sysfs.h"

#include <string.h>

/* Bits of the third column of `resource`: the kernel's struct resource flags (ioport.h). */
#define RESOURCE_IO 0x00000100
#define RESOURCE_MEMORY 0x00000200
#define RESOURCE_PREFETCH 0x00002000
#define RESOURCE_64BIT 0x00100000

void mtw_pci_device_free(MtwPciDevice *device)
{
	if (device == NULL)
		return;
	g_free(device->vendor_name);
	g_free(device->device_name);
	g_free(device->class_name);
	g_free(device->driver);
	g_free(device->module);
	g_free(device->modalias);
	g_free(device->driver_override);
	g_free(device);
}

static MtwBarKind bar_kind(guint64 flags, guint64 end)
{
	if (end == 0)
		return MTW_BAR_NONE;
	if (flags & RESOURCE_MEMORY)
		return MTW_BAR_MEMORY;
	return flags & RESOURCE_IO ? MTW_BAR_IO : MTW_BAR_NONE;
}

gboolean mtw_pci_parse_resource(const char *line, MtwPciBar *ret_bar)
{
	g_auto(GStrv) words = g_strsplit(line, " ", 4);
	guint64 start, end, flags;
	MtwBarKind kind;

	if (g_strv_length(words) != 3 || !mtw_parse_u64(words[0], 16, &start) ||
	    !mtw_parse_u64(words[1], 16, &end) || !mtw_parse_u64(words[2], 16, &flags))
		return FALSE;
	/* The length of all addresses there are would not fit. */
	if (end < start || end - start == G_MAXUINT64)
		return FALSE;
	kind = bar_kind(flags, end);
	*ret_bar = (MtwPciBar){
		.kind = kind,
		.start = start,
		.length = kind != MTW_BAR_NONE ? end - start + 1 : 0,
		.prefetchable = kind == MTW_BAR_MEMORY && (flags & RESOURCE_PREFETCH) != 0,
		.is_64bit = kind == MTW_BAR_MEMORY && (flags & RESOURCE_64BIT) != 0,
	};
	return TRUE;
}

static gboolean read_hex(const char *folder, const char *name, guint64 max, guint64 *ret_value)
{
	g_autofree char *text = mtw_sysfs_attribute(folder, name);

	return text != NULL && mtw_parse_u64(text, 16, ret_value) && *ret_value <= max;
}

static void read_bars(const char *folder, MtwPciDevice *device)
{
	g_autofree char *text = mtw_sysfs_attribute(folder, "resource");
	g_auto(GStrv) lines = NULL;

	if (text == NULL)
		return;
	lines = g_strsplit(text, "\n", MTW_PCI_BARS + 1);
	for (int bar = 0; bar < MTW_PCI_BARS && lines[bar] != NULL; bar++)
		if (!mtw_pci_parse_resource(lines[bar], &device->bars[bar]))
			device->bars[bar] = (MtwPciBar){ .kind = MTW_BAR_NONE };
}

/* The identity; FALSE when the folder is not one of a PCI device. */
static gboolean read_ids(const char *folder, MtwPciDevice *device)
{
	guint64 vendor, id, class_code, value;

	if (!read_hex(folder, "vendor", G_MAXUINT16, &vendor) ||
	    !read_hex(folder, "device", G_MAXUINT16, &id) ||
	    !read_hex(folder, "class", 0xffffff, &class_code))
		return FALSE;
	device->vendor = (guint16)vendor;
	device->device = (guint16)id;
	device->class_code = (guint32)class_code;
	if (read_hex(folder, "subsystem_vendor", G_MAXUINT16, &value))
		device->subsystem_vendor = (guint16)value;
	if (read_hex(folder, "subsystem_device", G_MAXUINT16, &value))
		device->subsystem_device = (guint16)value;
	if (read_hex(folder, "revision", G_MAXUINT8, &value))
		device->revision = (guint8)value;
	return TRUE;
}

/* Returns: (transfer full) (nullable): NULL when @name is not a PCI device */
static MtwPciDevice *read_device(const MtwPaths *paths, const char *name)
{
	g_autoptr(MtwPciDevice) device = g_new0(MtwPciDevice, 1);
	g_autofree char *folder = NULL;
	g_autofree char *enabled = NULL;
	g_autofree char *boot_vga = NULL;

	if (!mtw_parse_bdf(name, &device->bdf))
		return NULL;
	mtw_bdf_format(&device->bdf, device->address);
	folder = mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices", device->address,
				 NULL);
	if (!read_ids(folder, device))
		return NULL;
	read_bars(folder, device);
	enabled = mtw_sysfs_attribute(folder, "enable");
	device->enabled = enabled != NULL && strcmp(enabled, "0") != 0;
	boot_vga = mtw_sysfs_attribute(folder, "boot_vga");
	device->boot_vga = g_strcmp0(boot_vga, "1") == 0;
	device->modalias = mtw_sysfs_attribute(folder, "modalias");
	if (device->modalias == NULL)
		device->modalias = g_strdup("");
	device->driver_override = mtw_pci_override(paths, device->address);
	device->driver = mtw_pci_driver(paths, device->address);
	if (device->driver != NULL)
		device->module = mtw_pci_driver_module(paths, device->driver);
	mtw_pci_names(device->vendor, device->device, &device->vendor_name, &device->device_name);
	device->class_name = g_strdup(mtw_pci_class_name(device->class_code));
	return g_steal_pointer(&device);
}

GPtrArray *mtw_pci_list(const MtwPaths *paths)
{
	GPtrArray *devices = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_pci_device_free);
	g_autofree char *folder =
		mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		MtwPciDevice *device = read_device(paths, names->pdata[i]);
		if (device != NULL)
			g_ptr_array_add(devices, device);
	}
	return devices;
}

MtwPciDevice *mtw_pci_get(const MtwPaths *paths, const char *address, GError **error)
{
	MtwPciDevice *device = read_device(paths, address);

	if (device == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "there is no PCI device with the address %s", address);
	return device;
}

gboolean mtw_pci_has_memory_bar(const MtwPciDevice *device)
{
	for (int bar = 0; bar < 6; bar++)
		if (device->bars[bar].kind == MTW_BAR_MEMORY && device->bars[bar].length > 0 &&
		    device->bars[bar].start != 0)
			return TRUE;
	return FALSE;
}
