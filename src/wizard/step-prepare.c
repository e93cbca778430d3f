/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PREPARE: every change that is going to be made and how it is undone; nothing is changed yet. */
#include "base/json.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	const MtwRequest request = {
		.id = "prepare",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = N_("Make these changes and start the capture?"),
		.detail = "",
		.proposal = "yes",
		.harmless = wizard->options->batch ? "yes" : NULL,
	};
	MtwCaptureOptions options = mtw_wizard_capture_options(wizard);
	JsonObject *plan = mtw_engine_plan(wizard->engine, &options, error);

	(void)next;
	if (plan == NULL)
		return FALSE;
	wizard->buffer_kb = (guint64)mtw_json_int(plan, "buffer_kb", 0);
	json_object_set_string_member(plan, "event", "plan");
	mtw_wizard_show(wizard, plan);
	return mtw_wizard_agree(wizard, &request, error);
}

const MtwStep mtw_step_prepare = {
	.id = "prepare",
	.title = N_("Preparation"),
	.run = run,
};
