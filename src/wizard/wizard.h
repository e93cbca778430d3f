/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of the wizard, in order, and its questions. No screen, no terminal: a view shows what it
 * says. The steps are a table (step.h); the same table serves window, terminal and --batch.
 */
#pragma once

#include "base/caller.h"
#include "capture/engine.h"
#include "wizard/answers.h"
#include "wizard/view.h"

typedef struct _MtwWizard MtwWizard;

#define MTW_DURATION_UNSET G_MAXUINT

/* After losses, unless a person says otherwise. */
#define MTW_RETRIES_DEFAULT 3

typedef enum {
	MTW_REDACT_ASK, /* yes, unless the person says no in the review */
	MTW_REDACT_YES,
	MTW_REDACT_NO,
} MtwRedactChoice;

typedef struct {
	gboolean batch;	    /* nobody is there: questions get their harmless answer */
	gboolean json;	    /* the view prints JSON: only passed on to the child of a hand-over */
	const char *device; /* (nullable) */
	const char *driver; /* (nullable) */
	const char *module_options;   /* (nullable) */
	const char *model;	      /* (nullable): in the archive's name instead of the PCI ids */
	const char *output;	      /* (nullable): folder; NULL: the current one */
	const char *const *exercises; /* (nullable) commands */
	const char *const *marks;     /* (nullable) markers to set when the driver is up */
	const char *scenario;	      /* (nullable): file */
	const char *profile;	      /* (nullable): id; NULL: the one that fits the device */
	const char *story_file;	      /* (nullable): text of the description */
	guint duration_sec; /* after the driver is up; 0: until a signal; MTW_DURATION_UNSET */
	guint max_retries;
	guint64 buffer_kb; /* 0: default */
	gboolean load_driver;
	const MtwCaptureOptions *running; /* (nullable): of the capture to attach to */
	gboolean next_boot;		  /* not now, but at the next start of the computer */
	MtwRedactChoice redact;
	const char *const *redact_words; /* (nullable): masked too */
	gboolean
		review_only; /* DESCRIBE asks nothing that was answered before; packing is asked for */
	/* Sending: see sending.h */
	const char *target;	 /* (nullable): id */
	const char *issue;	 /* (nullable): address of a report that this one is added to */
	gboolean ask_link;	 /* without an issue: WELCOME asks for its address */
	const char *token_file;	 /* (nullable): "-" is standard input */
	guint token_fd;		 /* 0: none */
	gboolean consent_upload; /* the person's consent, given beforehand */
	gboolean assume_yes;	 /* ask for consent and secrets only */
	gboolean no_network;	 /* prepare, but send later */
	gboolean no_sending;	 /* leave the step out */
} MtwWizardOptions;

/*
 * mtw_wizard_new: nothing is owned; all must outlive the wizard.
 * @answers: by request id; those of `nick` and `on-lost` come from options too
 */
MtwWizard *mtw_wizard_new(const MtwPaths *paths, MtwEngine *engine, MtwView *view,
			  const MtwAnswers *answers, const MtwCaller *caller,
			  const MtwWizardOptions *options);
void mtw_wizard_free(MtwWizard *wizard);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwWizard, mtw_wizard_free)

/*
 * mtw_wizard_run: all steps. Returns: TRUE when all went well; otherwise the error tells the worst
 * thing that happened, in spite of which an archive may have been made.
 */
gboolean mtw_wizard_run(MtwWizard *wizard, GError **error);

/*
 * mtw_wizard_attach: the steps from CAPTURE on, with an engine whose capture, of options.running, runs already.
 */
gboolean mtw_wizard_attach(MtwWizard *wizard, GError **error);

/*
 * mtw_wizard_report: the steps from DESCRIBE on, in a process that is the person's (hand-over.h); the
 * engine has the finished session.
 */
gboolean mtw_wizard_report(MtwWizard *wizard, GError **error);

/*
 * mtw_wizard_interrupt: Ctrl-C: a capture ends in order, everything else stops.
 * Async-signal-safe and thread-safe.
 */
void mtw_wizard_interrupt(MtwWizard *wizard);

/*
 * mtw_wizard_leave: SIGTERM, or the terminal is gone: the person's desktop or login ends. A walk's capture goes on in the
 * service; one of this process, and an unattended one, ends as with mtw_wizard_interrupt. Async-signal-safe and thread-safe.
 */
void mtw_wizard_leave(MtwWizard *wizard);

/*
 * mtw_wizard_pack: packs a session of an earlier run: the steps from DESCRIBE on.
 */
gboolean mtw_wizard_pack(MtwWizard *wizard, const char *session, GError **error);
