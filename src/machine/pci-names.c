/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/pci-names.h"

#include <pciaccess.h>

/* libpciaccess reads pci.ids bit by bit into a tree that all callers share. */
G_LOCK_DEFINE_STATIC(pci_ids);

typedef struct {
	guint16 code; /* class and subclass; subclass 0xff: the class itself */
	const char *name;
} ClassName;

/* After the PCI Code and ID Assignment Specification; the words are those of pci.ids. */
static const ClassName class_names[] = {
	{ 0x0000, "Non-VGA unclassified device" },
	{ 0x0001, "VGA compatible unclassified device" },
	{ 0x00ff, "Unclassified device" },
	{ 0x0100, "SCSI storage controller" },
	{ 0x0101, "IDE interface" },
	{ 0x0104, "RAID bus controller" },
	{ 0x0105, "ATA controller" },
	{ 0x0106, "SATA controller" },
	{ 0x0107, "Serial Attached SCSI controller" },
	{ 0x0108, "Non-Volatile memory controller" },
	{ 0x01ff, "Mass storage controller" },
	{ 0x0200, "Ethernet controller" },
	{ 0x0207, "Infiniband controller" },
	{ 0x02ff, "Network controller" },
	{ 0x0300, "VGA compatible controller" },
	{ 0x0301, "XGA compatible controller" },
	{ 0x0302, "3D controller" },
	{ 0x03ff, "Display controller" },
	{ 0x0400, "Multimedia video controller" },
	{ 0x0401, "Multimedia audio controller" },
	{ 0x0403, "Audio device" },
	{ 0x04ff, "Multimedia controller" },
	{ 0x0500, "RAM memory" },
	{ 0x0501, "FLASH memory" },
	{ 0x0502, "CXL memory" },
	{ 0x05ff, "Memory controller" },
	{ 0x0600, "Host bridge" },
	{ 0x0601, "ISA bridge" },
	{ 0x0604, "PCI bridge" },
	{ 0x0607, "CardBus bridge" },
	{ 0x06ff, "Bridge" },
	{ 0x0700, "Serial controller" },
	{ 0x0701, "Parallel controller" },
	{ 0x0703, "Modem" },
	{ 0x07ff, "Communication controller" },
	{ 0x0805, "SD Host controller" },
	{ 0x0806, "IOMMU" },
	{ 0x08ff, "System peripheral" },
	{ 0x0900, "Keyboard controller" },
	{ 0x0902, "Mouse controller" },
	{ 0x09ff, "Input device controller" },
	{ 0x0aff, "Docking station" },
	{ 0x0bff, "Processor" },
	{ 0x0c00, "FireWire (IEEE 1394)" },
	{ 0x0c03, "USB controller" },
	{ 0x0c04, "Fibre Channel" },
	{ 0x0c05, "SMBus" },
	{ 0x0c06, "InfiniBand" },
	{ 0x0c09, "CANBUS" },
	{ 0x0cff, "Serial bus controller" },
	{ 0x0d11, "Bluetooth" },
	{ 0x0dff, "Wireless controller" },
	{ 0x0eff, "Intelligent controller" },
	{ 0x0fff, "Satellite communications controller" },
	{ 0x10ff, "Encryption controller" },
	{ 0x11ff, "Signal processing controller" },
	{ 0x12ff, "Processing accelerators" },
	{ 0x13ff, "Non-Essential Instrumentation" },
	{ 0xffff, "Unassigned class" },
};

void mtw_pci_names(guint16 vendor, guint16 device, char **ret_vendor, char **ret_device)
{
	struct pci_id_match match = {
		.vendor_id = vendor,
		.device_id = device,
		.subvendor_id = PCI_MATCH_ANY,
		.subdevice_id = PCI_MATCH_ANY,
	};
	const char *vendor_name = NULL, *device_name = NULL;
	const char *subvendor_name = NULL, *subdevice_name = NULL;

	G_LOCK(pci_ids);
	pci_get_strings(&match, &device_name, &vendor_name, &subdevice_name, &subvendor_name);
	*ret_vendor = g_utf8_make_valid(vendor_name != NULL ? vendor_name : "", -1);
	*ret_device = g_utf8_make_valid(device_name != NULL ? device_name : "", -1);
	G_UNLOCK(pci_ids);
}

static const char *find_class(guint32 code)
{
	for (gsize i = 0; i < G_N_ELEMENTS(class_names); i++)
		if (class_names[i].code == code)
			return class_names[i].name;
	return NULL;
}

const char *mtw_pci_class_name(guint32 class_code)
{
	const char *name = find_class(class_code >> 8);

	if (name == NULL)
		name = find_class(class_code >> 8 | 0xff);
	return name != NULL ? name : "";
}
