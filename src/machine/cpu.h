/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's processors: which are on-line, which can go off-line. */
#pragma once

#include "base/paths.h"

/* mtw_cpu_online_text: the kernel's list, "0-3". Returns: (transfer full) (nullable) */
char *mtw_cpu_online_text(const MtwPaths *paths, GError **error);

/*
 * mtw_cpu_list: "online", "present", "possible".
 * Returns: (transfer full) (nullable) (element-type guint)
 */
GArray *mtw_cpu_list(const MtwPaths *paths, const char *which, GError **error);

/* mtw_cpu_can_go_offline: has an `online` file. The first CPU has none on many machines. */
gboolean mtw_cpu_can_go_offline(const MtwPaths *paths, guint cpu);

gboolean mtw_cpu_set_online(const MtwPaths *paths, guint cpu, gboolean online, GError **error);
