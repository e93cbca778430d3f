/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page of the window: shows the events of a step, and the questions of it that need more than the general form. */
#pragma once

#include "wizard/request.h"

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

#define MTW_TYPE_PAGE (mtw_page_get_type())
G_DECLARE_DERIVABLE_TYPE(MtwPage, mtw_page, MTW, PAGE, GtkBox)

/*
 * Signals: "answer" (string): to the question that the page shows, before anybody presses the main button; "line" (string,
 * nullable): for the capture. Property "ready": whether the main button may be pressed now.
 */
struct _MtwPageClass {
	GtkBoxClass parent;
	/* What is there was not agreed to by a question: the person reads it, and goes on. */
	gboolean is_read;
	/* (nullable) Its step begins, perhaps again. */
	void (*begin)(MtwPage *page);
	/* (nullable) Returns: FALSE: the window shows it in its own way */
	gboolean (*show)(MtwPage *page, const char *name, JsonObject *event);
	/* (nullable) Whether it shows this question. @request: NULL when the question is over */
	gboolean (*ask)(MtwPage *page, const MtwRequest *request);
	/* (nullable) Its own question begins: what the person answers with gets the focus. */
	void (*focus)(MtwPage *page);
	/* (nullable) The main button was pressed at its own question. Returns: (transfer full) */
	char *(*answer)(MtwPage *page);
	/* (nullable) The other one was; else that means no, or nothing. Returns: (transfer full) */
	char *(*other)(MtwPage *page);
};

void mtw_page_begin(MtwPage *page);
gboolean mtw_page_show(MtwPage *page, const char *name, JsonObject *event);
gboolean mtw_page_ask(MtwPage *page, const MtwRequest *request);
char *mtw_page_answer(MtwPage *page);

/* For the pages. mtw_page_append: @child below what is there. */
void mtw_page_append(MtwPage *page, GtkWidget *child);
void mtw_page_set_ready(MtwPage *page, gboolean ready);
gboolean mtw_page_is_ready(MtwPage *page);
void mtw_page_send_answer(MtwPage *page, const char *answer);
void mtw_page_send_line(MtwPage *page, const char *line);

GType mtw_page_welcome_get_type(void);
GType mtw_page_device_get_type(void);
GType mtw_page_check_get_type(void);
GType mtw_page_prepare_get_type(void);
GType mtw_page_capture_get_type(void);
GType mtw_page_verdict_get_type(void);
GType mtw_page_describe_get_type(void);
GType mtw_page_review_get_type(void);
GType mtw_page_send_get_type(void);
