/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handing a finished capture over to the person. Under sudo or pkexec everything from DESCRIBE on
 * runs in a child that became the person for good: root never opens a path that a user chose, the
 * editor is theirs, and so are the files. The session's files pass as open descriptors; facts that the
 * session has to keep come back through a pipe.
 *
 * Request (a JSON file on descriptor MTW_HANDED_REQUEST_FD):
 *   {"probe":FOLDER or null,"story_file":FILE or null,"target":ID or null,"issue":ADDRESS or null} or {"session","facts":{...},"messages":[...],"answers":{...},
 *   "options":{...},"redact_facts":[...],"files":[{"name","fd"}]}
 * Reply (JSON lines on MTW_HANDED_REPLY_FD):
 *   {"keep":NAME,"value":...}, {"log":TEXT}, at last {"done":true,["error":{...}]}
 */
#pragma once

#include "wizard/wizard.h"

/* The hidden verb of the child, which expects these descriptors. */
#define MTW_HANDED_VERB "report-worker"
#define MTW_HANDED_REQUEST_FD 3
#define MTW_HANDED_REPLY_FD 4
#define MTW_HANDED_FIRST_FILE_FD 5

/*
 * mtw_hand_over_probe: whether the caller can make a file in the output folder (which is made when it
 * is not there): better found before the machine is changed than after the capture.
 */
gboolean mtw_hand_over_probe(MtwWizard *wizard, GError **error);

/* mtw_hand_over_check_sending: mtw_sending_check as the caller, of the options' target and the wizard's issue. */
gboolean mtw_hand_over_check_sending(MtwWizard *wizard, GError **error);

/* mtw_probe: the same for the process's own user. @story_file: (nullable): must be readable */
gboolean mtw_probe(const char *folder, const char *story_file, GError **error);

/* mtw_hand_over: runs the report's steps as the caller, on the same terminal, to their end. */
gboolean mtw_hand_over(MtwWizard *wizard, GError **error);

/*
 * mtw_handed_run: the child's side. @view: on the inherited terminal; @watch: (nullable): told of the
 * wizard while it runs, for signals, and of NULL afterwards. Returns: the exit status
 */
int mtw_handed_run(const MtwPaths *paths, MtwView *view, JsonObject *request,
		   void (*watch)(MtwWizard *wizard, MtwView *view));

/* mtw_handed_request: reads the request. Returns: (transfer full) (nullable) */
JsonObject *mtw_handed_request(GError **error);

/* mtw_make_output_folder: makes the folder when it is not there, and tries whether it can be written to. */
gboolean mtw_make_output_folder(const char *folder, GError **error);
