/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What report.c and report-clean.c share. */
#pragma once

#include "report/report.h"

/* Texts are kept in memory; the trace is not. */
#define MTW_REPORT_FILE_MAX_BYTES (64 * 1024 * 1024)
#define MTW_REPORT_BLOCK_BYTES (256 * 1024)

struct _MtwReport {
	char *folder;
	JsonObject *state;
	GPtrArray *files;
	MtwRedactor *redactor; /* (nullable): after mtw_report_clean */
};

/* mtw_report_path: a file in "files" or "clean". Returns: (transfer full) */
char *mtw_report_path(const MtwReport *report, const char *folder, const char *name);

/* mtw_report_read: its content. Returns: (transfer full) (nullable) */
char *mtw_report_read(const MtwReport *report, const char *folder, const char *name,
		      gsize *ret_bytes, GError **error);
