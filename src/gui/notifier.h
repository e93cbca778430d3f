/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows notifications of the desktop by libnotify, in a thread of its own: a desktop that hangs keeps only that one waiting. One of a
 * kind: a newer one takes the place of the older.
 */
#pragma once

#include <glib.h>

typedef struct {
	char *kind;
	char *title; /* translated, as all texts */
	char *text;
	char *link; /* (nullable) http or https: can be opened */
} MtwNotice;

/*
 * Called in the main loop's thread when the person presses something in a notification. @link: (nullable): open this; else show the
 * window. @token: (nullable): of the desktop, for whoever comes to the front
 */
typedef void (*MtwNoticeFunc)(const char *link, const char *token);

/* mtw_notifier_show: unless the person has switched notifications off. @notice: (transfer full) */
void mtw_notifier_show(MtwNotice *notice, MtwNoticeFunc pressed);

/* mtw_notifier_end: takes back what is shown, whose buttons would do nothing any more. Does not wait for a desktop that hangs. */
void mtw_notifier_end(void);
