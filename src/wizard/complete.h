/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether an archive has what its profile asks for. */
#pragma once

#include "base/message.h"
#include "base/paths.h"

#include <json-glib/json-glib.h>

/*
 * mtw_complete_check: adds a message "incomplete" for each file of the profile's collectors that is
 * not in the archive and that the manifest does not explain.
 * @manifest: of the archive; not trusted
 */
void mtw_complete_check(const MtwPaths *paths, JsonObject *manifest, GPtrArray *messages);
