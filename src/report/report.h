/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report: what the person is going to hand out, and what they decided about it. A folder of theirs,
 * $XDG_STATE_HOME/mmiotrace-wizard/reports/ID, mode 0700:
 *
 *   report.json       decisions: {"format":1,"redact","agreed","words","keep","excluded"}
 *   files/NAME        the files as they were collected, or as the person edited them
 *   clean/NAME        the same without private values: these are packed
 *   redact-map.json   mask and original of each value, mode 0600; never packed
 *
 * The trace itself is not copied: it stays an open descriptor, and is cleaned into clean/ only when
 * there is something to clean in it (markers).
 */
#pragma once

#include "report/archive.h"
#include "report/redact.h"

#include <json-glib/json-glib.h>

#define MTW_REPORT_TRACE "mydump.txt"

typedef struct {
	char *name;
	guint64 bytes; /* of the file as it is packed */
	gboolean text; /* FALSE: packed as it is, with consent given before */
	gboolean excluded;
	gboolean changed;		  /* the cleaned one differs */
	guint counts[MTW_N_REDACT_KINDS]; /* replacements, after mtw_report_clean */
	int fd;				  /* (owned) the trace; else -1 */
} MtwReportFile;

typedef struct _MtwReport MtwReport;

/* mtw_report_open: @folder: the report's own; made when it is not there. Returns: (transfer full) (nullable) */
MtwReport *mtw_report_open(const char *folder, GError **error);
void mtw_report_free(MtwReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwReport, mtw_report_free)

const char *mtw_report_folder(const MtwReport *report);

/* mtw_report_files: (transfer none) (element-type MtwReportFile), in the order they were added */
const GPtrArray *mtw_report_files(const MtwReport *report);

/* mtw_report_find: (transfer none) (nullable), with MTW_ERROR_NOT_FOUND */
MtwReportFile *mtw_report_find(const MtwReport *report, const char *name, GError **error);

/*
 * mtw_report_add: a file of the report. One that the person edited already stays.
 * @name: [A-Za-z0-9._-]
 */
gboolean mtw_report_add(MtwReport *report, const char *name, const void *data, gsize bytes,
			GError **error);

/* mtw_report_add_fd: the same from a descriptor (taken over); MTW_REPORT_TRACE is kept open, not copied. */
gboolean mtw_report_add_fd(MtwReport *report, const char *name, int fd, GError **error);

/* Decisions; each is saved at once. */
gboolean mtw_report_set_redact(MtwReport *report, gboolean redact, GError **error);
gboolean mtw_report_redacts(const MtwReport *report); /* default: yes */
gboolean mtw_report_set_agreed(MtwReport *report, gboolean agreed, GError **error);
gboolean mtw_report_agreed(const MtwReport *report);
gboolean mtw_report_exclude(MtwReport *report, const char *name, gboolean excluded, GError **error);
gboolean mtw_report_add_word(MtwReport *report, const char *word, GError **error);
gboolean mtw_report_keep(MtwReport *report, const char *value, GError **error);

/* Facts of the person: "nick", "story". (transfer none) (nullable) */
const char *mtw_report_fact(const MtwReport *report, const char *name);
gboolean mtw_report_set_fact(MtwReport *report, const char *name, const char *text, GError **error);

/* mtw_report_edit_path: the file for an editor; it counts as edited from now on. Returns: (transfer full) (nullable) */
char *mtw_report_edit_path(MtwReport *report, const char *name, GError **error);

/*
 * mtw_report_clean: makes clean/ anew from files/ and the decisions.
 * @facts: what is known about the machine and its people
 */
gboolean mtw_report_clean(MtwReport *report, MtwRedactRules *rules, const MtwRedactFacts *facts,
			  GError **error);

/* mtw_report_messages: what the redactor could not do. (transfer none) (nullable) (element-type MtwMessage) */
const GPtrArray *mtw_report_messages(const MtwReport *report);

/* mtw_report_clean_text: a text that is made after the cleaning (the manifest). Returns: (transfer full) */
char *mtw_report_clean_text(MtwReport *report, const char *name, const char *text,
			    gsize *ret_bytes);

/*
 * mtw_report_diff: the lines that the cleaning changed: [{"line","before","after"}].
 * @max_lines: at most so many. Returns: (transfer full) (nullable)
 */
JsonArray *mtw_report_diff(MtwReport *report, const char *name, guint max_lines, GError **error);

/* mtw_report_members: what is packed, excluded files left out. Returns: (transfer full) (nullable) (element-type MtwMember) */
GPtrArray *mtw_report_members(MtwReport *report, GError **error);

/*
 * mtw_report_scan_archive: the second look, at the finished archive: how many private values are still
 * in it (0 is good). Returns: FALSE on error
 */
gboolean mtw_report_scan_archive(MtwReport *report, const char *path, guint64 *ret_leaks,
				 GError **error);
