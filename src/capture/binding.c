/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/binding.h"

#include "machine/pci.h"

#define STEP_MSEC 50

char *mtw_binding_wait(const MtwPaths *paths, const char *address, const char *wanted,
		       guint timeout_msec)
{
	for (guint waited_msec = 0;; waited_msec += STEP_MSEC) {
		g_autofree char *driver = mtw_pci_driver(paths, address);
		if (waited_msec >= timeout_msec ||
		    (driver != NULL && (wanted == NULL || g_str_equal(driver, wanted))))
			return g_steal_pointer(&driver);
		g_usleep(STEP_MSEC * 1000);
	}
}
