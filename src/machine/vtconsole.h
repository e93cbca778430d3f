/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The drivers of the text consoles (/sys/class/vtconsole), and what is written on them. */
#pragma once

#include "base/paths.h"

/*
 * mtw_vtconsole_framebuffers: names ("vtcon1") of those that draw on a framebuffer and are bound.
 * Returns: (transfer full) (element-type utf8)
 */
GPtrArray *mtw_vtconsole_framebuffers(const MtwPaths *paths);

/* mtw_vtconsole_state: "1" bound, "0" not, "" when there is no such console. Returns: static */
const char *mtw_vtconsole_state(const MtwPaths *paths, const char *name);

/* mtw_vtconsole_set: binds ("1") or unbinds ("0"). */
gboolean mtw_vtconsole_set(const MtwPaths *paths, const char *name, const char *state,
			   GError **error);

/*
 * mtw_vtconsole_say: lines for whoever looks at the screen while there is no desktop. Never fails and never waits:
 * the console may be dark, or stopped with Ctrl-S.
 */
void mtw_vtconsole_say(const MtwPaths *paths, const char *text);
