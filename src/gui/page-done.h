/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "gui/page.h"
#include "gui/work.h"

#define MTW_TYPE_PAGE_DONE (mtw_page_done_get_type())
G_DECLARE_FINAL_TYPE(MtwPageDone, mtw_page_done, MTW, PAGE_DONE, MtwPage)

/* mtw_page_done_forget: another walk begins. @only_sends: what was captured stays */
void mtw_page_done_forget(MtwPageDone *page, gboolean only_sends);

/* mtw_page_done_note: whatever happens in the walk, for the result that is shown in the end. */
void mtw_page_done_note(MtwPageDone *page, const char *name, JsonObject *event);

/* mtw_page_done_finish: the walk has ended. @sentence: (nullable): what went wrong, with detail and hint */
void mtw_page_done_finish(MtwPageDone *page, const char *sentence, const char *detail,
			  const char *hint);

/* mtw_page_done_not_restored: the same, when what went wrong is that the computer is not as before: said first, once. */
void mtw_page_done_not_restored(MtwPageDone *page, const char *sentence, const char *detail,
				const char *hint);

/* mtw_page_done_stop: the walk has ended because the person has stopped what was being sent. */
void mtw_page_done_stop(MtwPageDone *page);

/* mtw_page_done_is_packed: whether the walk has made an archive, or has one to send. */
gboolean mtw_page_done_is_packed(MtwPageDone *page);

/* mtw_page_done_is_well: whether all went well but that the computer was not as before, and it is now. */
gboolean mtw_page_done_is_well(MtwPageDone *page);

/* mtw_page_done_worked: some work went well. @kept: what is there now (kept.h): the person may have deleted another capture */
void mtw_page_done_worked(MtwPageDone *page, MtwWorkKind kind, JsonObject *kept);
