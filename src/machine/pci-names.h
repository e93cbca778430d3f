/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of PCI things: pci.ids by libpciaccess; classes, which it does not know, from a table. */
#pragma once

#include <glib.h>

/*
 * mtw_pci_names: @ret_vendor and @ret_device: (out) (transfer full): "" when pci.ids has none.
 * Thread-safe (libpciaccess alone is not).
 */
void mtw_pci_names(guint16 vendor, guint16 device, char **ret_vendor, char **ret_device);

/* mtw_pci_class_name: of a 24-bit class code; "" for an unknown class. Returns: a static string */
const char *mtw_pci_class_name(guint32 class_code);
