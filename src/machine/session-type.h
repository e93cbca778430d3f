/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What draws the desktop: X11 or Wayland. */
#pragma once

#include "base/paths.h"

typedef enum {
	MTW_SESSION_TYPE_NONE, /* text consoles only */
	MTW_SESSION_TYPE_X11,
	MTW_SESSION_TYPE_WAYLAND,
} MtwSessionType;

/*
 * mtw_session_type: from logind's session files: that of the active session at a seat; without
 * logind's word, from the names of the processes that run. A login screen counts.
 */
MtwSessionType mtw_session_type(const MtwPaths *paths);

/* mtw_session_type_of_self: of the session this process would end with; NONE for a service, a text console, SSH. */
MtwSessionType mtw_session_type_of_self(const MtwPaths *paths);

/* mtw_session_type_name: "none", "X11", "Wayland". */
const char *mtw_session_type_name(MtwSessionType type);

/*
 * mtw_session_programs: names of the display servers and compositors that run, sorted, each once.
 * Returns: (transfer full) (element-type utf8)
 */
GPtrArray *mtw_session_programs(const MtwPaths *paths);
