/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device of the list of devices, as JSON: what it is, and whether and how it can be traced. */
#pragma once

#include "machine/pci.h"

#include <json-glib/json-glib.h>

/*
 * mtw_device_to_json: {"device","ids","class","vendor_name","device_name","class_name","driver","module",
 * "bars":[{"index","kind","start","length"}],"way","reason":{message}} or, when several drivers fit, "way":"choose" and
 * "error". An obstacle outranks the way that would be taken without it. Returns: (transfer full)
 */
JsonObject *mtw_device_to_json(const MtwPaths *paths, const MtwPciDevice *device);
