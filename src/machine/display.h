/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Graphics cards: their connectors and what is at them, from the DRM's part of sysfs. */
#pragma once

#include "machine/edid.h"
#include "machine/pci.h"

typedef struct {
	char *name;   /* "HDMI-A-1", cleaned */
	char *status; /* "connected", "disconnected", "unknown"; cleaned */
	gboolean enabled;
	char *mode;    /* (nullable): the first of its list, "1920x1200"; cleaned */
	MtwEdid *edid; /* (nullable) of the monitor */
} MtwConnector;

/*
 * mtw_display_connectors: those of @device, by name. A card whose driver is not of the DRM, or not
 * loaded, has none. Returns: (transfer full) (element-type MtwConnector)
 */
GPtrArray *mtw_display_connectors(const MtwPaths *paths, const MtwPciDevice *device);

/* mtw_display_is_card: the device is of the display class. */
gboolean mtw_display_is_card(const MtwPciDevice *device);

/*
 * mtw_display_siblings: the other display devices of the machine (PRIME, Optimus, a second card).
 * Returns: (transfer full) (element-type MtwPciDevice)
 */
GPtrArray *mtw_display_siblings(const MtwPaths *paths, const MtwPciDevice *device);
