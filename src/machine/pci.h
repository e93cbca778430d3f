/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PCI devices, from sysfs; their names from pci.ids by libpciaccess. (libpciaccess's own scan has
 * its paths built in and cannot look at a fake root; CONTRIBUTING says more.)
 */
#pragma once

#include "base/parse.h"
#include "base/paths.h"

#define MTW_PCI_BARS 7 /* 0..5, 6 = expansion ROM */

typedef enum {
	MTW_BAR_NONE,
	MTW_BAR_MEMORY,
	MTW_BAR_IO,
} MtwBarKind;

typedef struct {
	MtwBarKind kind;
	guint64 start;
	guint64 length; /* bytes */
	gboolean prefetchable;
	gboolean is_64bit;
} MtwPciBar;

typedef struct {
	MtwBdf bdf;
	char address[MTW_BDF_TEXT_BYTES]; /* "0000:01:00.0" */
	guint16 vendor, device, subsystem_vendor, subsystem_device;
	guint32 class_code; /* 24 bits: class, subclass, interface */
	guint8 revision;
	gboolean enabled;
	MtwPciBar bars[MTW_PCI_BARS];
	char *vendor_name; /* "" when pci.ids has none */
	char *device_name;
	char *class_name;
	char *driver; /* (nullable): bound driver */
	char *module; /* (nullable): the bound driver's module; NULL: none, or built in */
	char *modalias;
	char *driver_override; /* (nullable): NULL when none is set */
	gboolean boot_vga;     /* the firmware's display */
} MtwPciDevice;

void mtw_pci_device_free(MtwPciDevice *device);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwPciDevice, mtw_pci_device_free)

/*
 * mtw_pci_parse_resource: one line of sysfs `resource` ("0xfeb40000 0xfeb5ffff 0x40200").
 * Returns: FALSE when it is not such a line
 */
gboolean mtw_pci_parse_resource(const char *line, MtwPciBar *ret_bar);

/* mtw_pci_list: all devices by address. Returns: (transfer full) (element-type MtwPciDevice) */
GPtrArray *mtw_pci_list(const MtwPaths *paths);

/* mtw_pci_get: Returns: (transfer full) (nullable): NULL with MTW_ERROR_NOT_FOUND */
MtwPciDevice *mtw_pci_get(const MtwPaths *paths, const char *address, GError **error);

/* mtw_pci_has_memory_bar: at least one memory BAR 0..5 with a length and an address. */
gboolean mtw_pci_has_memory_bar(const MtwPciDevice *device);

/* mtw_pci_driver: the driver bound to @address now. Returns: (transfer full) (nullable) */
char *mtw_pci_driver(const MtwPaths *paths, const char *address);

/*
 * mtw_pci_driver_devices: addresses bound to the PCI driver @driver.
 * Returns: (transfer full) (element-type utf8)
 */
GPtrArray *mtw_pci_driver_devices(const MtwPaths *paths, const char *driver);

/*
 * mtw_pci_driver_module: the module of the PCI driver; NULL: built in, or no such driver.
 * Returns: (transfer full) (nullable)
 */
char *mtw_pci_driver_module(const MtwPaths *paths, const char *driver);

gboolean mtw_pci_unbind(const MtwPaths *paths, const char *address, GError **error);
gboolean mtw_pci_bind(const MtwPaths *paths, const char *address, const char *driver,
		      GError **error);

/* mtw_pci_set_override: @driver: (nullable): NULL clears it. */
gboolean mtw_pci_set_override(const MtwPaths *paths, const char *address, const char *driver,
			      GError **error);

/* mtw_pci_override: what is set now. Returns: (transfer full) (nullable) */
char *mtw_pci_override(const MtwPaths *paths, const char *address);
