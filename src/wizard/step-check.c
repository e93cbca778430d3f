/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CHECK: whether it can be done now. Warnings ask a person; failures stop. */
#include "base/error.h"
#include "capture/events.h"
#include "wizard/hand-over.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>

static void show_checks(MtwWizard *wizard, const GPtrArray *checks)
{
	for (guint i = 0; i < checks->len; i++) {
		JsonObject *event = mtw_event_message(checks->pdata[i]);
		json_object_set_string_member(event, "event", "check");
		mtw_wizard_show(wizard, event);
	}
}

/* The trace of a minute of a driver; a warning comes much earlier. */
#define MIN_FREE_BYTES (16 * 1024 * 1024)

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	const MtwCheckOptions options = { .device = wizard->device,
					  .driver = wizard->driver,
					  .buffer_kb = wizard->buffer_kb,
					  .min_free_bytes = MIN_FREE_BYTES,
					  .next_boot = wizard->options->next_boot };
	const MtwRequest request = {
		.id = "warnings",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = N_("There are warnings. Go on all the same?"),
		.detail = "",
		.proposal = "yes",
		.harmless = wizard->options->batch ? "yes" : NULL,
	};
	g_autoptr(GPtrArray) checks = mtw_engine_check(wizard->engine, &options, error);

	(void)next;
	if (checks == NULL)
		return FALSE;
	show_checks(wizard, checks);
	if (!mtw_check_to_error(checks, error))
		return FALSE;
	/* What is made at the next start is packed by whoever looks for it then. */
	if (!wizard->options->next_boot && !mtw_hand_over_probe(wizard, error))
		return FALSE;
	return mtw_messages_worst(checks) < MTW_LEVEL_WARNING ||
	       mtw_wizard_agree(wizard, &request, error);
}

const MtwStep mtw_step_check = {
	.id = "check",
	.title = N_("Checks"),
	.run = run,
};
