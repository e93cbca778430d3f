/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Something to tell a person, without being text of one language: the core makes it, the views
 * translate `sentence` and `hint` (msgids) and show `detail`, which is data (names, numbers, paths).
 * Used for checks and for what went on in spite of an error.
 */
#pragma once

#include <glib.h>

typedef enum {
	MTW_LEVEL_OK,
	MTW_LEVEL_WARNING,
	MTW_LEVEL_FAILURE,
} MtwLevel;

/* What the program itself can do about it; views offer it. */
#define MTW_FIX_NEXT_BOOT "next-boot"		    /* trace at the next start instead */
#define MTW_FIX_RECOVER "recover"		    /* undo what a dead run left */
#define MTW_FIX_FREE_ROOM "free-room"		    /* delete old captures */
#define MTW_FIX_CANCEL_NEXT_BOOT "cancel-next-boot" /* take back the capture that waits */

typedef struct {
	const char *id; /* stable, for --json: "kernel-config" (static) */
	MtwLevel level;
	const char *sentence; /* msgid (static) */
	char *detail;	      /* (owned) "" if none; safe to show on a terminal */
	const char *hint;     /* msgid (static): what to do; "" if nothing */
	const char *fix;      /* (nullable) (static): MTW_FIX_ */
} MtwMessage;

/*
 * mtw_message_new: @format: (nullable): printf format of the detail; its result is cleaned of control
 * characters. Returns: (transfer full)
 */
MtwMessage *mtw_message_new(const char *id, MtwLevel level, const char *sentence, const char *hint,
			    const char *format, ...) G_GNUC_PRINTF(5, 6);

/* mtw_message_copy: Returns: (transfer full) */
MtwMessage *mtw_message_copy(const MtwMessage *message);

/*
 * mtw_message_translate: the text of an error: if it is a sentence of ours (a msgid), with or without a detail in
 * brackets behind it, the sentence is translated. @translate: returns the same pointer for what it does not know.
 * Returns: (transfer full)
 */
char *mtw_message_translate(const char *text, const char *(*translate)(const char *msgid));

void mtw_message_free(MtwMessage *message);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwMessage, mtw_message_free)

/* mtw_messages_new: a list that owns its MtwMessages. Returns: (transfer full) */
GPtrArray *mtw_messages_new(void);

/* mtw_messages_worst: the highest level in the list; OK for an empty one. */
MtwLevel mtw_messages_worst(const GPtrArray *messages);

/* mtw_messages_find: (transfer none) (nullable) */
const MtwMessage *mtw_messages_find(const GPtrArray *messages, const char *id);

/* mtw_fix_find: the MTW_FIX_ of this name. @name: (nullable). Returns: (nullable) (static): NULL for any other name */
const char *mtw_fix_find(const char *name);

/* mtw_level_name: "ok", "warning", "failure". */
const char *mtw_level_name(MtwLevel level);
