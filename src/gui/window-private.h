/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the window share. Private to src/gui/window*.c. */
#pragma once

#include "gui/details.h"
#include "gui/page-done.h"
#include "gui/page.h"
#include "gui/question.h"
#include "gui/steps.h"
#include "gui/window.h"

struct _MtwWindow {
	GtkApplicationWindow parent;
	MtwSteps *steps;
	GtkWidget *sidebar;
	GtkStack *stack;
	GtkLabel *heading, *status;
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
	GPtrArray
		*history; /* (element-type MtwBridgeAnswer): what was answered, for the way back */

	MtwPage *page;
	const char *step;	   /* id */
	const MtwRequest *request; /* (nullable): that is open */
	char *edited;		   /* (nullable): file in the editor */
	gboolean page_asks;	   /* the page shows it */
	gboolean was_asked;	   /* a question of this step was shown */
	gboolean held;		   /* the person reads */
	gboolean was_read;
	gboolean capturing;
	gboolean stopping; /* the person has asked for the end */
	gboolean ended;	   /* the walk is over */
	gboolean failed;   /* before anything was changed */
	gboolean closing;  /* the window goes when the walk is over */
	gboolean restarts; /* another walk comes when this one is over */
	gboolean replays;  /* with the answers of this one */
};

/* window.c */

/* mtw_window_update: the buttons, by what is possible now. */
void mtw_window_update(MtwWindow *window);

/* mtw_window_show_step: the page of a step. */
void mtw_window_show_step(MtwWindow *window, const char *id);

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

/* window-actions.c */

void mtw_window_add_actions(MtwWindow *window);

/* window-close.c: the question what shall become of what goes on. Returns: TRUE: not now */
gboolean mtw_window_on_close(GtkWindow *window, gpointer user_data);
