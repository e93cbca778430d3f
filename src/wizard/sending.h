/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sending an archive: the same for the walk, `upload` and `queue`. In this order: where; what the server says before
 * (size, account, earlier report); what to do when it is too big; a preview of exactly what is sent; an earlier report;
 * consent; the transfer; the receipt. Without consent nothing but questions goes to the server, and with nobody there not even
 * they do.
 *
 * Events for the view, beside those of submit/send.h:
 *   preview {"target","name","kind","host","project","issue","visibility","privacy_uri","who","limit","title","body","report_id",
 *            "archive","bytes","sha256","files":[{"name","bytes"}],"members":[{"name","bytes"}],"local","bare_store"}
 *   inquiry {"limit","who","duplicate"}
 *   duplicate {"url"}: nothing was sent, it is there already
 *   queued {"id","target","host","state","next_try_sec"}: it is not there yet, and kept
 */
#pragma once

#include "submit/queue.h"
#include "wizard/wizard.h"

/*
 * mtw_wizard_send: sends @archive as the wizard's options say; asks for what they do not say.
 * Errors: MTW_ERROR_DECLINED: the person (or nobody) said no, the archive stays; those of mtw_send_item
 */
gboolean mtw_wizard_send(MtwWizard *wizard, const char *archive, GError **error);

/* mtw_wizard_send_item: goes on with a report of the queue. @one_try: no waiting for a second one */
gboolean mtw_wizard_send_item(MtwWizard *wizard, MtwItem *item, gboolean one_try, GError **error);

/* mtw_wizard_drop_item: asks, and removes a report from the queue, also one that cannot be read. Errors: MTW_ERROR_DECLINED, _BUSY */
gboolean mtw_wizard_drop_item(MtwWizard *wizard, const char *id, GError **error);

/*
 * mtw_sending_check: what can be found wrong before there is an archive: the target and the address of a report.
 * Reads the person's own files, so it runs as the person.
 */
gboolean mtw_sending_check(const MtwPaths *paths, const char *target, const char *issue,
			   GError **error);
