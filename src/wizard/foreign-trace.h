/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace that was made by hand elsewhere, as a finished session that can be packed. */
#pragma once

#include "capture/engine.h"

/*
 * mtw_foreign_trace_open: @path: plain, compressed, or an archive with a trace in it
 * @device: (nullable): PCI ids like "10de:1b80"; NULL: those in the file's name; without either
 * MTW_ERROR_USAGE, because the archive is named after them
 * Returns: (transfer full) (nullable)
 */
MtwEngine *mtw_foreign_trace_open(const char *path, const char *device, GError **error);
