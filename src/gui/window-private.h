/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the window share. Private to src/gui/window*.c. */
#pragma once

#include "gui/details.h"
#include "gui/page-done.h"
#include "gui/page.h"
#include "gui/question.h"
#include "gui/steps.h"
#include "gui/window.h"
#include "gui/work.h"

struct _MtwWindow {
	GtkApplicationWindow parent;
	MtwSteps *steps;
	GtkWidget *sidebar;
	GtkStack *stack;
	GtkLabel *place, *heading, *status;
	GtkListBox *messages;
	MtwQuestion *question;
	GtkButton *next, *other, *back, *menu;
	GtkSpinner *spinner;
	MtwDetails *details;

	const MtwWalkSetup *setup;
	MtwBridge *bridge; /* (nullable) */
	MtwWalk *walk;	   /* (nullable) */
	char *session;	   /* (nullable): of the capture of this walk */
	char *device;	   /* (nullable): given by an option */
	gboolean next_boot;
	char *report;		/* (nullable): of the queue, that is only sent */
	char *archive;		/* (nullable): that is only sent */
	JsonObject *kept;	/* (nullable): kept.h, as it was last seen */
	GtkWidget *kept_window; /* (nullable) */
	JsonObject
		*trouble; /* (nullable): event "done" of a capture that did not end as it should */
	GPtrArray
		*history; /* (element-type MtwBridgeAnswer): what was answered, for the way back */

	MtwPage *page;
	const char *step;    /* id */
	const char *passing; /* (nullable) id: a repeated walk shows no page before it unasked */
	const MtwRequest *request; /* (nullable): that is open */
	gboolean editing;	   /* a text, instead of a question */
	gboolean saving;	   /* it */
	gboolean page_asks;	   /* the page shows it */
	gboolean was_asked;	   /* a question of this step was shown */
	gboolean held;		   /* the person reads */
	gboolean was_read;
	gboolean has_read; /* a page without a question, since the last answer */
	gboolean capturing;
	gboolean stopping; /* the person has asked for the end */
	gboolean ended;	   /* the walk is over */
	gboolean failed;   /* before anything was changed */
	gboolean closing;  /* the window goes when the walk is over */
	gboolean restarts; /* another walk comes when this one is over */
	gboolean replays;  /* with the answers of this one */
	gboolean begun;	   /* the walk has come to a step */
	gboolean wrong;	   /* failed, because what an option asked for is not there */
	guint working;	   /* background.h */
	/* The row that tells of it; (nullable) (weak) */
	GtkWidget *failed_work;
	gboolean busy_told; /* on this page */
};

/* window.c */

/* mtw_window_update: the buttons, by what is possible now. */
void mtw_window_update(MtwWindow *window);

/* mtw_window_show_step: the page of a step. */
void mtw_window_show_step(MtwWindow *window, const char *id);

/* mtw_window_present_step: title, list of the steps and page are those of this step. */
void mtw_window_present_step(MtwWindow *window);

/* mtw_window_show_stop: the walk has ended in the step @at with an error; the last page is shown. */
void mtw_window_show_stop(MtwWindow *window, const char *at);

/* mtw_window_page: of a step. Returns: (transfer none) */
MtwPage *mtw_window_page(MtwWindow *window, const char *id);

/* mtw_window_show_question: below the page, or instead of it. */
void mtw_window_show_question(MtwWindow *window);

/* mtw_window_add_message: a row below the page. */
void mtw_window_add_message(MtwWindow *window, const char *level, const char *sentence,
			    const char *detail, const char *hint);
void mtw_window_add_row(MtwWindow *window, GtkWidget *row, const char *name);

/* mtw_window_can_go_back: to the question before. */
gboolean mtw_window_can_go_back(MtwWindow *window);

/* window-walk.c */

/* mtw_window_restart: ends this walk and begins another. @replay: with its answers */
void mtw_window_restart(MtwWindow *window, gboolean replay);

/* mtw_window_end: ends the walk; nothing of it is shown any more. */
void mtw_window_end(MtwWindow *window);

/* mtw_window_forget_task: the next walk is a new trace, unless something else is set then. */
void mtw_window_forget_task(MtwWindow *window);

/* mtw_window_is_at_work: there is a walk that must not be given up for another one. */
gboolean mtw_window_is_at_work(const MtwWindow *window);

/* mtw_window_tell_busy: why nothing new is begun. */
void mtw_window_tell_busy(MtwWindow *window);

/* window-kept.c: earlier captures, and reports that wait. */

void mtw_window_add_kept_actions(MtwWindow *window);

/* mtw_window_set_kept: @kept: the event */
void mtw_window_set_kept(MtwWindow *window, JsonObject *kept);

/* mtw_window_work: and what follows from it. @id: (nullable) */
void mtw_window_work(MtwWindow *window, MtwWorkKind kind, const char *id);

/* window-fix.c: what a failed check, or a machine that is not as before, needs. */

void mtw_window_add_fix_actions(MtwWindow *window);

/* window-actions.c */

void mtw_window_add_actions(MtwWindow *window);

/* window-close.c: the question what shall become of what goes on. Returns: TRUE: not now */
gboolean mtw_window_on_close(GtkWindow *window, gpointer user_data);
