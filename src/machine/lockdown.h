/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel lockdown (Secure Boot): "none [integrity] confidentiality". */
#pragma once

#include "base/paths.h"

typedef enum {
	MTW_LOCKDOWN_UNKNOWN, /* securityfs not mounted, or no such security module */
	MTW_LOCKDOWN_NONE,
	MTW_LOCKDOWN_INTEGRITY,
	MTW_LOCKDOWN_CONFIDENTIALITY,
} MtwLockdown;

MtwLockdown mtw_lockdown_parse(const char *text);
MtwLockdown mtw_lockdown_get(const MtwPaths *paths);
