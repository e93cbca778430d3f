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
 * mtw_changes_undo_desktop: what was ended because it draws on the device comes back, while the tracer
 * may still record. Returns: as mtw_changes_undo_all
 */
gboolean mtw_changes_undo_desktop(const MtwChangeMaker *maker, GError **error);

/*
 * mtw_changes_end_desktop_again: after mtw_changes_undo_desktop, before a driver is taken away that it uses by
 * now. New changes, which are undone in their turn.
 */
gboolean mtw_changes_end_desktop_again(const MtwChangeMaker *maker, GError **error);

/*
 * mtw_changes_undo_all: undoes everything that is not undone yet, last change first (the desktop after
 * the rest: it needs the driver), each in spite of failures before it.
 * Returns: FALSE with MTW_ERROR_NOT_RESTORED naming everything that is not as before
 */
gboolean mtw_changes_undo_all(const MtwChangeMaker *maker, GError **error);
