/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace, or an archive that somebody sent, is worth. The file is not trusted. */
#pragma once

#include "base/message.h"

#include <json-glib/json-glib.h>

typedef struct {
	JsonObject *verdict;  /* trace/verdict-json.h */
	JsonObject *manifest; /* (nullable): of an archive that has one */
	GPtrArray
		*messages; /* (element-type MtwMessage): what is missing or changed in an archive */
	gboolean is_archive;
} MtwVerification;

/*
 * mtw_verify_file: reads the whole trace again. With a manifest its target and what its recorder
 * knew about losses are used; a bare trace is judged by its lines alone. An archive is also checked
 * for what every project asks for.
 * Returns: (transfer full) (nullable)
 */
MtwVerification *mtw_verify_file(const char *path, GError **error);
void mtw_verification_free(MtwVerification *verification);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwVerification, mtw_verification_free)
