/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of a process that works for the person: their settings, and nothing that only root's should have. */
#pragma once

#include "base/caller.h"
#include "base/paths.h"

/*
 * mtw_person_environment: of a process that is going to be @caller: language, terminal, editor, proxies, tokens, and the
 * desktop as far as it is theirs. Returns: (transfer full): for execve
 */
char **mtw_person_environment(const MtwPaths *paths, const MtwCaller *caller);
