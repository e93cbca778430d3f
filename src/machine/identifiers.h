/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that tell which machine this is and that only root can read: serial numbers of the firmware's tables, names of
 * networks. They have to be known to be masked (report/redact.h).
 */
#pragma once

#include "base/paths.h"

typedef struct {
	const char *kind; /* "uuid", "serial", "ssid": as in rule files of the redaction */
	char *value;
} MtwIdentifier;

/* mtw_identifiers_new: an empty list. Returns: (transfer full) (element-type MtwIdentifier) */
GPtrArray *mtw_identifiers_new(void);

/* mtw_identifiers_add: @kind: static; @value: (nullable) is copied; empty ones are not added */
void mtw_identifiers_add(GPtrArray *identifiers, const char *kind, const char *value);

/* mtw_identifiers_get: what can be read. Returns: (transfer full) (element-type MtwIdentifier) */
GPtrArray *mtw_identifiers_get(const MtwPaths *paths);
