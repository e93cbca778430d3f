/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What goes with the trace, read from the machine with the rights of the process (lspci -vvv needs
 * root) into a private folder. A source that cannot be read is a message, never an error: the trace
 * matters more.
 */
#pragma once

#include "machine/pci.h"

typedef struct {
	const MtwPaths *paths;
	const MtwPciDevice *device;
	const char *module; /* (nullable): the traced driver's module */
	const char *driver; /* (nullable): the traced PCI driver */
	const char *folder; /* where the files go; exists, private */
	guint timeout_sec;  /* for each program that is run; 0: a default of 20 */
} MtwCollectOptions;

/*
 * mtw_collect_run: writes lspci.txt, dmesg.txt and system.txt (mode 0600).
 * lspci.txt: `lspci -vvv -nn` by absolute path; without pciutils (or when it fails, or on a fake
 * root) an equivalent that says so in its first line. dmesg.txt: from boot. system.txt: see below.
 * All three are valid UTF-8 without control characters other than newline and tab.
 * Returns: (transfer full) (element-type MtwMessage): one message per file: id "lspci.txt" etc.; a
 * warning says what is missing and why
 */
GPtrArray *mtw_collect_run(const MtwCollectOptions *options);

/* mtw_lspci_text: the equivalent of lspci -vvv from sysfs and pci.ids. Returns: (transfer full) */
char *mtw_lspci_text(const MtwPaths *paths);

/*
 * mtw_system_text: "Key: value" lines below "== Section ==" lines: uname -a, os-release, kernel
 * command line, the device, its driver, version, parameters, firmware. Returns: (transfer full)
 */
char *mtw_system_text(const MtwCollectOptions *options);
