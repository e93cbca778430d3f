/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the machine from going to sleep in the middle of a capture (a closed lid, an idle time-out):
 * an inhibitor of systemd-logind. It is a descriptor, so it ends with the process, however that dies.
 */
#pragma once

#include "base/paths.h"

/*
 * mtw_inhibit_sleep: @why: shown to people who ask logind.
 * Returns: a descriptor to close when sleep is allowed again; -1 when there is no logind to ask
 */
int mtw_inhibit_sleep(const MtwPaths *paths, const char *why);
