/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PREPARE: every change that is going to be made and how it is undone; nothing is changed yet. For a capture at the next
 * start of the computer this is the last step: that start makes it.
 */
#include "base/json.h"
#include "capture/events.h"
#include "capture/next-boot.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>

static gboolean agree(MtwWizard *wizard, const char *sentence, GError **error)
{
	const MtwRequest request = {
		.id = "prepare",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = sentence,
		.detail = "",
		.proposal = "yes",
		.harmless = wizard->options->batch ? "yes" : NULL,
	};

	return mtw_wizard_agree(wizard, &request, error);
}

/* @plan: (transfer full) */
static void show_plan(MtwWizard *wizard, JsonObject *plan)
{
	json_object_set_string_member(plan, "event", "plan");
	mtw_wizard_show(wizard, plan);
}

static gboolean run_now(MtwWizard *wizard, GError **error)
{
	MtwCaptureOptions options = mtw_wizard_capture_options(wizard);
	JsonObject *plan = mtw_engine_plan(wizard->engine, &options, error);

	if (plan == NULL)
		return FALSE;
	wizard->buffer_kb = (guint64)mtw_json_int(plan, "buffer_kb", 0);
	show_plan(wizard, plan);
	return agree(wizard, N_("Make these changes and start the capture?"), error);
}

/* ---- at the next start ----------------------------------------------------------------------- */

static const char what_happens[] =
	N_("Nothing is traced now. When the computer starts the next time, it first removes\n"
	   "the file that keeps the driver away, switches the tracer on, loads the driver and\n"
	   "goes on with the start, slowly and on one processor, until the time is over. The\n"
	   "driver then stays as at any start. All of this happens once: the start after that\n"
	   "one is a usual one, also when the computer froze and had to be switched off.\n");

static const char what_to_do[] =
	N_("Restart the computer when it suits you; until then nothing changes for you. When it\n"
	   "is up again, use the device. Then:\n"
	   "  mmiotrace-wizard sessions            shows whether the trace is there\n"
	   "  mmiotrace-wizard pack SESSION        makes the file for the driver developers\n"
	   "Before the restart, this takes it back:\n"
	   "  mmiotrace-wizard next-boot --cancel\n");

static guint duration_sec(const MtwWizard *wizard)
{
	guint seconds = wizard->options->duration_sec;

	return seconds != MTW_DURATION_UNSET ? seconds : MTW_NEXT_BOOT_DEFAULT_SEC;
}

/* The rest of the walk is another process's, after the restart. */
static gboolean arrange(MtwWizard *wizard, const MtwCaptureOptions *options, GError **error)
{
	JsonObject *event;

	if (!mtw_engine_arrange_next_boot(wizard->engine, options, duration_sec(wizard), error))
		return FALSE;
	event = mtw_event_new("next-boot");
	json_object_set_string_member(event, "session", mtw_engine_session_id(wizard->engine));
	json_object_set_string_member(event, "device", wizard->device);
	json_object_set_int_member(event, "duration_sec", duration_sec(wizard));
	mtw_wizard_show(wizard, event);
	mtw_wizard_explain(wizard, what_to_do);
	return TRUE;
}

static gboolean run_next_boot(MtwWizard *wizard, GError **error)
{
	MtwCaptureOptions options = mtw_wizard_capture_options(wizard);
	JsonObject *plan = mtw_engine_plan_next_boot(wizard->engine, &options, error);

	if (plan == NULL)
		return FALSE;
	show_plan(wizard, plan);
	mtw_wizard_explain(wizard, what_happens);
	return agree(wizard, N_("Trace the driver at the next start of the computer?"), error) &&
	       arrange(wizard, &options, error);
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	if (!wizard->options->next_boot)
		return run_now(wizard, error);
	*next = MTW_STEP_DONE;
	return run_next_boot(wizard, error);
}

const MtwStep mtw_step_prepare = {
	.id = "prepare",
	.title = N_("Preparation"),
	.run = run,
};
