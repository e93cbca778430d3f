/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the steps share. Private to src/wizard. */
#pragma once

#include "base/message.h"
#include "capture/facts.h"
#include "report/report.h"
#include "wizard/profile.h"
#include "wizard/step.h"

/* The longest description. */
#define MTW_STORY_MAX_BYTES (256 * 1024)

struct _MtwWizard {
	const MtwPaths *paths;
	MtwEngine *engine;
	MtwView *view;
	const MtwAnswers *answers;
	const MtwCaller *caller;
	const MtwWizardOptions *options;

	int interrupted;    /* atomic: a signal came */
	int leaving;	    /* atomic: this process has to end, the capture has not */
	gboolean attached;  /* the first try runs already */
	gboolean captured;  /* this run made a capture */
	gboolean cut_short; /* it came before the capture's own end */

	char *device; /* PCI address */
	char *driver; /* (nullable): the one to trace instead of the obvious one */
	char *issue;  /* (nullable): address of a report that this one is added to */
	MtwProfile *profile;
	GPtrArray *scenario;  /* (nullable) (element-type MtwScenarioStep) */
	guint64 buffer_kb;    /* 0: default */
	char *module_options; /* (nullable) for the traced load */
	gboolean load_driver;
	GString *notes; /* for the description: which way the trace was made */
	gboolean consent_edid, consent_vbios;
	guint retries;	      /* made so far */
	JsonObject *verdict;  /* (nullable) of the last try */
	gboolean have_trace;  /* the session has a trace.txt */
	gboolean give_up;     /* the person wants no archive of it */
	GPtrArray *collected; /* (element-type MtwMessage): of each collected file, id = its name */
	MtwRedactFacts *redact_facts; /* what is known about the machine and its people */
	MtwReport *report;	      /* (nullable): from DESCRIBE on */
	guint messages_shown;	      /* of the report */
	char *nick;
	char *story;   /* (nullable) */
	char *archive; /* (nullable) path */
	guint64 leaks; /* private values that still stand in it */
	GError *worst; /* the worst thing that did not stop the wizard */
};

/* mtw_wizard_show: hands @event (transfer full) to the view. */
void mtw_wizard_show(MtwWizard *wizard, JsonObject *event);

/* mtw_wizard_explain: paragraphs for people (msgid), lines broken at 78 columns. */
void mtw_wizard_explain(MtwWizard *wizard, const char *text);

/* mtw_wizard_tell: a message (transfer full) to the view and into the session's log. */
void mtw_wizard_tell(MtwWizard *wizard, MtwMessage *message);

/*
 * mtw_wizard_ask: the answer of the batch file, of the view, or the harmless one.
 * Errors: MTW_ERROR_INTERRUPTED; MTW_ERROR_DECLINED when there is no answer and no harmless one;
 * MTW_ERROR_USAGE for an answer that is none of the choices
 * Returns: (transfer full) (nullable)
 */
char *mtw_wizard_ask(MtwWizard *wizard, const MtwRequest *request, GError **error);

/* mtw_wizard_agree: a yes/no question. FALSE with MTW_ERROR_DECLINED for no. */
gboolean mtw_wizard_agree(MtwWizard *wizard, const MtwRequest *request, GError **error);

/* FALSE with @error: why @answer cannot be used. */
typedef gboolean (*MtwAnswerTaker)(const char *answer, gpointer user_data, GError **error);

/*
 * mtw_wizard_ask_until: asks until @take is content, or nothing is answered ("" without spaces); only once where the answer
 * would be the same: in a batch, and when it was given beforehand.
 * @refused: (msgid): what the person is told before they are asked again, with the reason
 * Errors: those of mtw_wizard_ask and @take
 */
gboolean mtw_wizard_ask_until(MtwWizard *wizard, const MtwRequest *request, const char *refused,
			      MtwAnswerTaker take, gpointer user_data, GError **error);

/* mtw_wizard_remember: keeps @error (transfer full) when it is worse than what is kept. */
void mtw_wizard_remember(MtwWizard *wizard, GError *error);

/* mtw_wizard_is_interrupted: a signal came. */
gboolean mtw_wizard_is_interrupted(const MtwWizard *wizard);

/* mtw_wizard_choose_profile: of the device, and the scenario with it (step-device.c). */
gboolean mtw_wizard_choose_profile(MtwWizard *wizard, const MtwPciDevice *device, GError **error);

/* mtw_wizard_take_wishes: the profile's notes, hints, driver options and consents (wishes.c). */
gboolean mtw_wizard_take_wishes(MtwWizard *wizard, const MtwPciDevice *device, GError **error);

/* mtw_wizard_capture_options: of the device chosen. */
MtwCaptureOptions mtw_wizard_capture_options(const MtwWizard *wizard);

/* mtw_wizard_session_profile: the profile of the session's capture. Returns: (transfer full) (nullable) */
MtwProfile *mtw_wizard_session_profile(MtwWizard *wizard);

/* mtw_wizard_capture_facts: for description and manifest. Returns: (transfer full) */
JsonObject *mtw_wizard_capture_facts(MtwWizard *wizard);

/* mtw_wizard_read_verdict: the session's verdict.json. Returns: (transfer full) (nullable) */
JsonObject *mtw_wizard_read_verdict(MtwWizard *wizard);

/* mtw_wizard_output_folder: where the result goes, absolute. Returns: (transfer full) */
char *mtw_wizard_output_folder(const MtwWizard *wizard);
