/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DONE: where the result is, and the proof that the machine is as before. */
#include "base/json.h"
#include "capture/events.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	JsonObject *facts = mtw_engine_facts(wizard->engine);
	JsonObject *event = mtw_event_new("done-summary");

	(void)next;
	(void)error;
	mtw_json_set_text(event, "session", mtw_engine_session_id(wizard->engine));
	/* The proof is of this run: an earlier one's says nothing about now. */
	if (wizard->captured)
		json_object_set_boolean_member(event, "restored",
					       facts != NULL &&
						       mtw_json_bool(facts, "restored", FALSE));
	mtw_json_set_text(event, "archive", wizard->archive);
	mtw_wizard_show(wizard, event);
	return TRUE;
}

const MtwStep mtw_step_done = {
	.id = "done",
	.title = N_("Done"),
	.run = run,
};
