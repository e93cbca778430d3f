/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making and undoing the changes of a session by its journal. Shared by a capture and by recovery.
 */
#pragma once

#include "capture/journal.h"

/* Told of each change: @action "apply" or "undo"; @error: (nullable) */
typedef void (*MtwChangeWatcher)(const MtwChange *change, const char *action, const GError *error,
				 gpointer user_data);

typedef struct {
	MtwMachine *machine;
	MtwJournal *journal;
	MtwChangeWatcher watcher; /* (nullable) */
	gpointer user_data;
} MtwChangeMaker;

/*
 * mtw_changes_make: fills `before`, writes @change into the journal and makes it. A change that is not
 * needed is dropped. Takes @change over.
 */
gboolean mtw_changes_make(const MtwChangeMaker *maker, MtwChange *change, GError **error);

/*
 * mtw_changes_undo_driver: undoes what was made after the tracer was switched on (driver loaded or
 * bound), while it still records. Failures are told to the watcher and tried again by undo_all.
 */
void mtw_changes_undo_driver(const MtwChangeMaker *maker);

/*
 * mtw_changes_undo_all: undoes everything that is not undone yet, last change first, each in spite of
 * failures before it.
 * Returns: FALSE with MTW_ERROR_NOT_RESTORED naming everything that is not as before
 */
gboolean mtw_changes_undo_all(const MtwChangeMaker *maker, GError **error);
