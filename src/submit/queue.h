/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports on their way: a folder each in $XDG_STATE_HOME/mmiotrace-wizard/queue/, mode 0700, of the person:
 *
 *   files/NAME   the archive (a hard link, else a copy) or its numbered parts; removed when it was sent to a server
 *   meta.json    what is sent where: target, issue, letter, files with sizes and SHA-256, the consent
 *   state.json   how far it is: state, done phases, facts, tries, the last failure, when to try again
 *   lock         held (OFD) by the process that works on it
 *
 * Every file is written whole or not at all. The folder's name is made of what is sent where, so the same report to
 * the same place is the same item.
 */
#pragma once

#include "base/caller.h"
#include "submit/kind.h"

typedef enum {
	MTW_ITEM_PREPARED,  /* no consent yet */
	MTW_ITEM_CONSENTED, /* may be sent */
	MTW_ITEM_UPLOADING,
	MTW_ITEM_UPLOADED, /* the file is there, the report is not filed */
	MTW_ITEM_DONE,	   /* receipt: "url" in the facts */
	MTW_ITEM_REFUSED,  /* the same would fail again: a person has to decide */
} MtwItemState;

const char *mtw_item_state_name(MtwItemState state);

/* Binds what is sent to where it goes; anything else needs a new one. */
typedef struct {
	char *sha256; /* of the archive, or of all parts in order */
	char *host;
	char *target;
	char *issue; /* "" for a new report */
	gint64 time_sec;
} MtwConsent;

typedef struct _MtwItem MtwItem;

/* mtw_queue_folder: made when it is not there. Returns: (transfer full) (nullable) */
char *mtw_queue_folder(const MtwCaller *caller, GError **error);

/* What an item is made of. Nothing is owned. */
typedef struct {
	const MtwTarget *target;
	const MtwTarget
		*store; /* (nullable): the target of target->store, which the consent covers too */
	const MtwLetter *letter;
	const MtwLink *issue;	    /* (nullable) */
	const char *const *paths;   /* of the archive, or its parts, in order */
	const char *archive_sha256; /* of the whole archive */
	const char *
		report_folder; /* (nullable): the wizard's report it belongs to; gets the receipt */
} MtwItemPlan;

/*
 * mtw_item_new: makes the folder, or opens the one that is there (a second run): then its state stays, unless the files
 * are others. The item is locked. Errors: MTW_ERROR_BUSY (another process works on it), MTW_ERROR_DISK (nothing half-made
 * stays), MTW_ERROR_INVALID (not a regular file). Returns: (transfer full) (nullable)
 */
MtwItem *mtw_item_new(const MtwCaller *caller, const MtwItemPlan *plan, GError **error);

/*
 * mtw_item_plan_id: the id that mtw_item_new gives it, made of what is sent where; the files do not matter.
 * Returns: (transfer full)
 */
char *mtw_item_plan_id(const MtwItemPlan *plan);

/* mtw_item_open: @id: whole or a beginning that only one has. Locked with @lock. Returns: (transfer full) (nullable) */
MtwItem *mtw_item_open(const MtwCaller *caller, const char *id, gboolean lock, GError **error);
void mtw_item_free(MtwItem *item);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwItem, mtw_item_free)

/* mtw_queue_list: oldest first, unreadable ones as messages. Returns: (transfer full) (element-type MtwItem), not locked */
GPtrArray *mtw_queue_list(const MtwCaller *caller, GPtrArray *problems);

const char *mtw_item_id(const MtwItem *item);
const char *mtw_item_folder(const MtwItem *item);
MtwItemState mtw_item_state(const MtwItem *item);
const char *mtw_item_target(const MtwItem *item);
/* (transfer none) (nullable): address of the filed report */
const char *mtw_item_url(const MtwItem *item);
/* (transfer none): "title", "body", "report_id", "host", "issue", "files":[{"name","bytes","sha256"}], "created_sec" */
JsonObject *mtw_item_meta(const MtwItem *item);
/* (transfer none): "phases":{ID:"started"|"done"}, "facts", "tries", "failure":{...}, "next_try_sec" */
JsonObject *mtw_item_state_json(const MtwItem *item);
/* mtw_item_to_json: for `queue list --json`. Returns: (transfer full) */
JsonObject *mtw_item_to_json(const MtwItem *item);

/*
 * mtw_item_consent: the person agreed to what the preview showed. Hashes the files anew and writes it down.
 * Errors: MTW_ERROR_INVALID: the files are not those of the plan any more
 */
gboolean mtw_item_consent(MtwItem *item, const MtwTarget *target, GError **error);

/* mtw_item_has_consent: for exactly these files, this target, this host. FALSE with MTW_ERROR_DECLINED and what changed. */
gboolean mtw_item_has_consent(MtwItem *item, const MtwTarget *target, GError **error);

/* mtw_item_drop: removes the item; the person's own archive stays. Errors: MTW_ERROR_BUSY */
gboolean mtw_item_drop(MtwItem *item, GError **error);

/* mtw_queue_drop: the same by id, also of one that cannot be read. */
gboolean mtw_queue_drop(const MtwCaller *caller, const char *id, GError **error);
