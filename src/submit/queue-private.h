/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the queue and the sender share about an item. */
#pragma once

#include "base/cleanup.h"
#include "submit/queue.h"
#include "submit/shrink.h"

#define MTW_PHASE_STARTED "started"
#define MTW_PHASE_DONE "done"

struct _MtwItem {
	char *id;
	char *folder;
	MtwFd lock_fd; /* -1: not locked */
	JsonObject *meta;
	JsonObject *state;
};

/* ---- queue.c ---- */

/* mtw_queue_id_is_valid: a folder of that name is an item's; others are of no interest. */
gboolean mtw_queue_id_is_valid(const char *id);

/* ---- item-lock.c ---- */

/*
 * mtw_item_lock: takes the lock in @folder. Errors: MTW_ERROR_BUSY: another process has it, or has just taken the
 * folder away. Returns: a descriptor, or -1
 */
int mtw_item_lock(const char *folder, GError **error);
gboolean mtw_item_folder_is_busy(const char *folder);

/* ---- item.c ---- */

/* mtw_item_at: without meta and state. Returns: (transfer full) */
MtwItem *mtw_item_at(const char *queue, const char *id);
/* mtw_item_load: meta.json and state.json. Errors: MTW_ERROR_INVALID and those of reading */
gboolean mtw_item_load(MtwItem *item, GError **error);
gboolean mtw_item_save_meta(MtwItem *item, GError **error);
gboolean mtw_item_save_state(MtwItem *item, GError **error);
void mtw_item_set_state(MtwItem *item, MtwItemState state);
/* mtw_item_need_lock: FALSE with MTW_ERROR_BUSY when it was opened for reading only. */
gboolean mtw_item_need_lock(const MtwItem *item, GError **error);
JsonObject *mtw_item_phases(MtwItem *item); /* (transfer none) */
JsonObject *mtw_item_facts(MtwItem *item);  /* (transfer none) */
JsonObject *mtw_item_new_state(void);	    /* (transfer full) */
/* mtw_item_place: all of @target that says where a report goes. Returns: (transfer full) */
char *mtw_item_place(const MtwTarget *target);

/* ---- item-consent.c ---- */

/* mtw_item_check_consent: as mtw_item_has_consent; @sha256: of the files as they are now */
gboolean mtw_item_check_consent(MtwItem *item, const MtwTarget *target, const char *sha256,
				GError **error);

/* ---- item-files.c ---- */

/* Open files and what they are. */
typedef struct {
	GPtrArray *files; /* (element-type MtwJobFile) */
	char *sha256;	  /* of all of them, one behind the other */
} MtwItemFiles;

void mtw_item_files_clear(MtwItemFiles *files);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwItemFiles, mtw_item_files_clear)

/*
 * mtw_item_files_open: opens and hashes regular files. @paths: ends with NULL. Errors: MTW_ERROR_INVALID: one is not a
 * regular file, none or too many are given, or two would have the same name
 */
gboolean mtw_item_files_open(const char *const *paths, const MtwShrinkHooks *hooks,
			     MtwItemFiles *ret_files, GError **error);

/* ---- item-store.c ---- */

/*
 * mtw_item_files_prepare: new files beside those that @folder has, by hard link or copy; nothing of them stays after an
 * error.
 */
gboolean mtw_item_files_prepare(const MtwItemFiles *files, const char *folder, GError **error);
/* mtw_item_files_swap: the prepared ones in place of those it has. */
gboolean mtw_item_files_swap(const char *folder, GError **error);

/* ---- item-files.c ---- */

/*
 * mtw_item_open_files: those that are stored, which must be what meta.json says. Errors: MTW_ERROR_INVALID: changed or
 * gone
 */
gboolean mtw_item_open_files(MtwItem *item, const MtwShrinkHooks *hooks, MtwItemFiles *ret_files,
			     GError **error);

/* mtw_item_files_to_json: Returns: (transfer full): "files" of meta.json */
JsonArray *mtw_item_files_to_json(const MtwItemFiles *files);
/* mtw_item_files_are: whether meta.json tells of just these. */
gboolean mtw_item_files_are(MtwItem *item, const MtwItemFiles *files);
/* mtw_item_drop_files: a report that is sent needs them no more. */
void mtw_item_drop_files(MtwItem *item);
