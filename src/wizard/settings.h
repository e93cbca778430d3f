/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a person has set once and for all: $XDG_CONFIG_HOME/mmiotrace-wizard/settings.conf, mode 0600. All of it is a proposal that
 * can still be changed in the walk.
 */
#pragma once

#include "base/caller.h"

#define MTW_SETTINGS_MAX_WORDS 200
#define MTW_SETTINGS_MAX_CHARS 200 /* of the contact, and of each word */

typedef struct {
	char *nick;	     /* "" if not set; as mtw_text_clean_name leaves it */
	char *contact;	     /* "" if not set; one line for the description */
	char *target;	     /* id; "" if not set */
	char **redact_words; /* never NULL */
	gboolean never_ask;  /* whether to send */
	gboolean no_notifications;
} MtwSettings;

/* mtw_settings_new: nothing is set. Returns: (transfer full) */
MtwSettings *mtw_settings_new(void);
void mtw_settings_free(MtwSettings *settings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwSettings, mtw_settings_free)

/*
 * mtw_settings_load: no file: nothing is set. Errors: MTW_ERROR_INVALID for a file that is not understood, and those of
 * mtw_file_read. Returns: (transfer full) (nullable)
 */
MtwSettings *mtw_settings_load(const MtwCaller *caller, GError **error);

/*
 * mtw_settings_save: values are cleaned; what else stands in the file stays. One that is not understood is an error, and stays
 * as it is.
 */
gboolean mtw_settings_save(const MtwCaller *caller, const MtwSettings *settings, GError **error);

/* mtw_settings_words: one a line, or any strings: cleaned, without empty ones and repetitions. Returns: (transfer full) */
char **mtw_settings_words(const char *const *words);

/* The person wants no question whether to send. A file that is not understood settles nothing. */
gboolean mtw_settings_never_ask(const MtwCaller *caller);
gboolean mtw_settings_set_never_ask(const MtwCaller *caller, GError **error);
