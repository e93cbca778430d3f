/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether polkit lets a caller do something. */
#pragma once

#include <gio/gio.h>
#include <sys/types.h>

/* @error: (nullable): NULL: yes. MTW_ERROR_PERMISSION or _DECLINED */
typedef void (*MtwAuthorityAnswer)(const GError *error, gpointer user_data);

typedef struct {
	const char *sender; /* bus name of the caller */
	uid_t uid;	    /* its user */
	const char *action;
	GHashTable *details; /* (nullable) of texts: for the sentence of the dialog and for rules */
	gboolean interactive; /* the caller allows that a person is asked */
} MtwAuthorityQuestion;

/*
 * mtw_authority_ask: asynchronous, in the main thread: a person may have to type a password. Without a polkit only root
 * may. What @question points to has to live until the answer. When the caller goes, polkit takes its question back.
 */
void mtw_authority_ask(const MtwAuthorityQuestion *question, MtwAuthorityAnswer answer,
		       gpointer user_data);
