/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page of the window without a wizard: it gets events, and what it shows and answers is looked at. */
#pragma once

#include "gui/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* In a window that is not shown. @sent: what it sent: "answer ok;line n;" */
typedef struct {
	GtkWindow *window;
	MtwPage *page;
	GString *sent;
} Fixture;

Fixture *open_page(GType type);
void close_page(Fixture *fixture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Fixture, close_page)

/* tell: an event that the page shows. @text: JSON */
void tell(Fixture *fixture, const char *name, const char *text);

/* note: an event of another step, for the last page. */
void note(Fixture *fixture, const char *name, const char *text);

/* What can be seen of all labels, a line each. */
void assert_shown(Fixture *fixture, const char *text);
void assert_not_shown(Fixture *fixture, const char *text);

/* assert_mnemonics: each underlined letter that can be seen is there once. @others: those of the window's own buttons */
void assert_mnemonics(Fixture *fixture, const char *others);

/* button: that can be seen and says so. Returns: (transfer none) (nullable) */
GtkWidget *button(Fixture *fixture, const char *text);

/* click: one that can be pressed. */
void click(Fixture *fixture, const char *text);

/* assert_sent: since the last time. */
void assert_sent(Fixture *fixture, const char *sent);

/* assert_target: the button does @action with @target. */
void assert_target(Fixture *fixture, const char *text, const char *action, const char *target);
