/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is written to the tracker beside the file: title and text. Made of a template with @PLACES@ and of facts
 * that are in the archive already, so nothing is told that the person did not review.
 */
#pragma once

#include "submit/target.h"

typedef struct {
	char *report_id; /* UUID form; the same archive has always the same */
	char *title; /* one line, at most 200 bytes; ends with " [xxxxxxxx]", the first digits of report_id */
	char *body; /* lines end with LF; contains "Report-ID: UUID" */
} MtwLetter;

void mtw_letter_free(MtwLetter *letter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwLetter, mtw_letter_free)

/*
 * mtw_letter_new: @facts: texts by the name of their place in lower case: "pciid", "device", "nick", "driver",
 * "kernel", "verdict", "description", "markers", "file", "sha256", "bytes", "version". A place whose fact is
 * missing becomes empty, and a line of the body that had only such places is left out; "description" and "markers" have
 * many lines and take the line right above them, their heading, with them.
 * @sha256: of the whole archive, 64 hexadecimal digits: the report's id is made of it
 */
MtwLetter *mtw_letter_new(const MtwTarget *target, JsonObject *facts, const char *sha256);

/* mtw_letter_check_template: an unknown @PLACE@. @name: of the file. Errors: MTW_ERROR_INVALID */
gboolean mtw_letter_check_template(const char *template, const char *name, GError **error);

/* mtw_report_id: UUID form (version 8) of a SHA-256 in hexadecimal. Returns: (transfer full) */
char *mtw_report_id(const char *sha256);
