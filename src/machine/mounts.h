/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is mounted: /proc/self/mountinfo. */
#pragma once

#include "base/paths.h"

typedef struct {
	char *device; /* "259:2" */
	char *point;  /* where, unescaped */
	char *type;   /* "ext4" */
	char *source; /* "/dev/nvme0n1p2", unescaped */
} MtwMount;

/*
 * mtw_mounts_parse: the text of a mountinfo file; lines that are none are passed over.
 * Returns: (transfer full) (element-type MtwMount)
 */
GPtrArray *mtw_mounts_parse(const char *text);

/* mtw_mounts_get: of this process. Returns: (transfer full) (element-type MtwMount) */
GPtrArray *mtw_mounts_get(const MtwPaths *paths);
