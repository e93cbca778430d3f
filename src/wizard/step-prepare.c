/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PREPARE: every change that is going to be made and how it is undone; nothing is changed yet. */
#include "base/json.h"
#include "capture/events.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>

static void show_plan(MtwWizard *wizard, const MtwPlan *plan)
{
	JsonObject *event = mtw_event_new("plan");
	JsonArray *changes = json_array_new();

	for (guint i = 0; i < plan->changes->len; i++) {
		const MtwChange *change = plan->changes->pdata[i];
		if (mtw_change_needed(change))
			json_array_add_object_element(changes, mtw_change_to_json(change));
	}
	json_object_set_string_member(event, "device", plan->device->address);
	json_object_set_string_member(event, "way", mtw_way_name(plan->way->kind));
	mtw_json_set_text(event, "driver",
			  plan->way->module != NULL ? plan->way->module : plan->way->driver);
	json_object_set_int_member(event, "buffer_kb", (gint64)plan->buffer_kb);
	json_object_set_array_member(event, "changes", changes);
	mtw_wizard_show(wizard, event);
}

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
	g_autoptr(MtwPlan) plan = mtw_engine_plan(wizard->engine, &options, error);

	(void)next;
	if (plan == NULL)
		return FALSE;
	show_plan(wizard, plan);
	wizard->buffer_kb = plan->buffer_kb;
	return mtw_wizard_agree(wizard, &request, error);
}

const MtwStep mtw_step_prepare = {
	.id = "prepare",
	.title = N_("Preparation"),
	.run = run,
};
