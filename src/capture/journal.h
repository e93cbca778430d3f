/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of a session: every change before it is made, what became of it afterwards. JSON, one
 * object a line, appended and fsynced; a last line that a power cut tore is ignored when read.
 */
#pragma once

#include "capture/change.h"

typedef struct _MtwJournal MtwJournal;

/*
 * mtw_journal_open: the file `journal` in the session's folder, for appending; what it holds already
 * is read. Returns: (transfer full) (nullable)
 */
MtwJournal *mtw_journal_open(const char *folder, GError **error);
void mtw_journal_free(MtwJournal *journal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwJournal, mtw_journal_free)

/*
 * mtw_journal_plan: writes @change down and gives it its number. Must succeed before the change is
 * made. The journal takes @change over.
 */
gboolean mtw_journal_plan(MtwJournal *journal, MtwChange *change, GError **error);

/* mtw_journal_note: writes the status of @change down (and the modules that it brought). */
gboolean mtw_journal_note(MtwJournal *journal, const MtwChange *change, GError **error);

/*
 * mtw_journal_changes: all changes in the order they were made.
 * Returns: (transfer none) (element-type MtwChange)
 */
const GPtrArray *mtw_journal_changes(const MtwJournal *journal);

/* mtw_journal_parse: a journal from its text; pure. Returns: (transfer full) (element-type MtwChange) */
GPtrArray *mtw_journal_parse(const char *text, gsize bytes);
