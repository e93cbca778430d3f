/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of facts.h. */
#pragma once

#include "capture/facts.h"

/* mtw_facts_set: nothing for NULL or an empty @value; it is made one clean line. */
void mtw_facts_set(JsonObject *facts, const char *name, const char *value);

/* mtw_facts_add: @item after a comma. */
void mtw_facts_add(GString *list, const char *item);

/* mtw_facts_gather_parts: firmware-version, interfaces, codecs, disks, vbios-version: facts-parts.c
 */
void mtw_facts_gather_parts(const MtwPaths *paths, const MtwPciDevice *device, JsonObject *facts);

/* facts-log.c */

/*
 * mtw_facts_parse_log: what the text of dmesg says. @module: (nullable): with "_"
 * @ret_driver_version, @ret_firmware_version: (out) (transfer full) (nullable)
 */
void mtw_facts_parse_log(const char *log, const char *module, const char *address,
			 char **ret_driver_version, char **ret_firmware_version);

/* mtw_facts_gather_log: the versions that nothing else has told. */
void mtw_facts_gather_log(const MtwPaths *paths, JsonObject *facts);
