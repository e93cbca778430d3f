/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of steps. Private to src/wizard; views know steps by the event "step". */
#pragma once

#include "wizard/wizard.h"

typedef enum {
	MTW_STEP_WELCOME,
	MTW_STEP_DEVICE,
	MTW_STEP_CHECK,
	MTW_STEP_PREPARE,
	MTW_STEP_CAPTURE,
	MTW_STEP_VERDICT,
	MTW_STEP_DESCRIBE,
	MTW_STEP_REVIEW,
	MTW_STEP_PACK,
	MTW_STEP_SEND,
	MTW_STEP_DONE,
	MTW_N_STEPS,
} MtwStepId;

typedef struct {
	const char *id;	   /* stable: "welcome" */
	const char *title; /* msgid */
	/* (nullable): whether there is anything to do; NULL: always */
	gboolean (*applicable)(const MtwWizard *wizard);
	/*
	 * (nullable): whether what the step needs is there; an error stops the wizard before it runs
	 */
	gboolean (*validate)(const MtwWizard *wizard, GError **error);
	/*
	 * Does it. @next: (inout): the step after it, set when it is another one than the next row.
	 * Leaving CAPTURE, by whatever door, is after the machine was restored.
	 */
	gboolean (*run)(MtwWizard *wizard, MtwStepId *next, GError **error);
	/* (nullable): what came out of it, in a few words of data. Returns: (transfer full) */
	char *(*summary)(const MtwWizard *wizard);
} MtwStep;

extern const MtwStep mtw_step_welcome;
extern const MtwStep mtw_step_device;
extern const MtwStep mtw_step_check;
extern const MtwStep mtw_step_prepare;
extern const MtwStep mtw_step_capture;
extern const MtwStep mtw_step_verdict;
extern const MtwStep mtw_step_describe;
extern const MtwStep mtw_step_review;
extern const MtwStep mtw_step_pack;
extern const MtwStep mtw_step_send;
extern const MtwStep mtw_step_done;
