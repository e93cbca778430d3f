/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A look through an archive for private values: of our own before it is sent, of anybody's in `verify`. */
#pragma once

#include "report/redact.h"

/*
 * mtw_leaks_count: scans all text members of the archive with @redactor.
 * @messages: (nullable): gets a message "leak" for each member with some: its name and the kinds
 * Returns: FALSE on error
 */
gboolean mtw_leaks_count(MtwRedactor *redactor, const char *archive, GPtrArray *messages,
			 guint64 *ret_leaks, GError **error);
