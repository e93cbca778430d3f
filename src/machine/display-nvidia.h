/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the NVIDIA vendor driver tells in its folder of procfs while it is loaded. (The UUID of the
 * card, which is there too, is not taken: it is private.)
 */
#pragma once

#include "machine/pci.h"

typedef enum {
	MTW_GSP_UNKNOWN, /* the driver does not tell, or is not loaded */
	MTW_GSP_OFF,
	MTW_GSP_ON, /* the card's own processor (GSP) runs the firmware that initialises it */
} MtwGspState;

typedef struct {
	char *driver_version; /* (nullable) */
	char *vbios_version;  /* (nullable) */
	MtwGspState gsp;
	char *gsp_version; /* (nullable): of the firmware, when it is on */
} MtwNvidiaFacts;

/* mtw_nvidia_facts: never fails: what cannot be read is not known. Returns: (transfer full) */
MtwNvidiaFacts *mtw_nvidia_facts(const MtwPaths *paths, const MtwPciDevice *device);
void mtw_nvidia_facts_free(MtwNvidiaFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwNvidiaFacts, mtw_nvidia_facts_free)
