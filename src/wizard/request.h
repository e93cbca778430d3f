/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question of the wizard. A view answers it, or a batch file by its id; no answer is the harmless
 * one.
 */
#pragma once

#include <glib.h>

typedef enum {
	MTW_REQUEST_YES_NO, /* "yes", "no" */
	MTW_REQUEST_TEXT,   /* one line */
	MTW_REQUEST_STORY,  /* many lines */
	MTW_REQUEST_CHOICE, /* one of `choices` */
	MTW_REQUEST_SECRET, /* one line that is not shown; only a person answers it */
} MtwRequestKind;

typedef struct {
	const char *id; /* stable: "device", "prepare", "on-lost", ... */
	MtwRequestKind kind;
	const char *sentence;	    /* msgid: the question */
	const char *detail;	    /* data; "" if none */
	const char *const *choices; /* CHOICE: the answers; (nullable) */
	const char *const *labels; /* CHOICE: what stands beside them, data or msgids; (nullable) */
	const char *proposal;	   /* (nullable): what Enter means for a person */
	const char *harmless;	   /* (nullable): what silence means; NULL: stop the wizard */
	gboolean consent;	   /* only a person answers it: no file of answers, no --yes */
} MtwRequest;
