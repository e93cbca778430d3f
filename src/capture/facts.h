/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be found out about the machine for a description, as flat texts: what profiles put in
 * the place of "{name}" and compare in the conditions of hints. A fact that is not known has no
 * member.
 *
 *   address           "0000:01:00.0"
 *   device-id         "10de:1b80"
 *   device-name       "NVIDIA Corporation GP104 [GeForce GTX 1080]"
 *   driver            the PCI driver that has the device now
 *   module            the module that is going to be traced
 *   driver-version    of that module, as it or its driver tells, else from the kernel's log
 *   module-license    of that module: "NVIDIA", "Dual MIT/GPL"
 *   kernel            uname -r
 *   distribution      "Debian GNU/Linux 12 (bookworm)"
 *   session           "X11", "Wayland" or "none"
 *   session-programs  the display servers and compositors that run
 *   connectors        "HDMI-A-1 connected (DELL U2415), DP-1 disconnected"
 *   monitors          "HDMI-A-1: DELL U2415 1920x1200"
 *   siblings          other display devices: "0000:00:02.0 Intel ... [8086:3e9b] (i915)", or "none"
 *   gsp               NVIDIA's firmware on the card's own processor: "on", "off", "unknown"
 *   gsp-version       of that firmware
 *   vbios-version
 *   firmware-version  as sysfs tells for disks and graphics cards, else from the kernel's log
 *   interfaces        network interfaces of the device
 *   codecs            of a sound card
 *   disks             models, without serial numbers
 *
 * connectors, monitors, siblings and session are there for display devices only; gsp for NVIDIA's.
 */
#pragma once

#include "machine/pci.h"

#include <json-glib/json-glib.h>

/*
 * mtw_facts_gather: reads only, and never fails.
 * @module: (nullable): the module that is going to be traced; NULL: that of the bound driver, or
 * the only one that fits a device without a driver Returns: (transfer full): string members, each
 * one line, valid UTF-8 without control characters
 */
JsonObject *mtw_facts_gather(const MtwPaths *paths, const MtwPciDevice *device, const char *module);

/* mtw_facts_is_name: whether there is a fact of this name, known here or not. */
gboolean mtw_facts_is_name(const char *name);
