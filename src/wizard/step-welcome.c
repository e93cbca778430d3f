/* SPDX-License-Identifier: GPL-2.0-or-later */
/* WELCOME: what is going to happen, and who asked for it. A dead run's changes are undone first. */
#include "base/error.h"
#include "capture/events.h"
#include "capture/recover.h"
#include "wizard/hand-over.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>
#include <unistd.h>

static gboolean validate(const MtwWizard *wizard, GError **error)
{
	if (geteuid() == 0 || wizard->engine->remote || !mtw_paths_live(wizard->paths))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_PERMISSION,
		    "only root can read the kernel's tracer and load drivers");
	return FALSE;
}

static void on_change(const MtwChange *change, const char *action, const GError *error,
		      gpointer user_data)
{
	mtw_wizard_show(user_data, mtw_event_change(change, action, error));
}

static gboolean recover_one(MtwWizard *wizard, const char *id, GError **error)
{
	const MtwRequest request = {
		.id = "recover",
		.kind = MTW_REQUEST_YES_NO,
		.sentence =
			N_("An earlier run did not end properly and may have left this computer "
			   "changed. Undo its changes now?"),
		.detail = id,
		.proposal = "yes",
		.harmless = "yes",
	};

	return mtw_wizard_agree(wizard, &request, error) &&
	       mtw_recover_session(wizard->paths, id, on_change, wizard, error);
}

static gboolean recover_dead_runs(MtwWizard *wizard, GError **error)
{
	g_autoptr(GPtrArray) pending = NULL;

	/* The service did that when it was started. */
	if (wizard->engine->remote)
		return TRUE;
	pending = mtw_recover_pending(wizard->paths);
	/* The newest run's changes are on top of the older ones. */
	for (guint i = pending->len; i > 0; i--)
		if (!recover_one(wizard, pending->pdata[i - 1], error))
			return FALSE;
	return TRUE;
}

static const char explanation[] =
	N_("A driver developer would like to see how the driver of a device talks to it. This\n"
	   "program lets the kernel write down every access (an \"mmiotrace\"): it takes the\n"
	   "device away from its driver, switches the tracer on, starts the driver again, records\n"
	   "while you use the device, and packs the result into one file for the developer.\n"
	   "\n"
	   "Meanwhile only one processor is on and the computer is slow; the device does not work\n"
	   "for a moment. Some drivers do not take this well: in the worst case the computer\n"
	   "freezes and has to be restarted. Nothing survives a restart but the trace itself.\n"
	   "Everything else is put back as it was, whatever happens, and checked.\n"
	   "\n"
	   "You see every change before it is made, and nothing is sent to anybody without your\n"
	   "consent.\n");

/* An address that cannot be used is worse than none: the person would hear of it after the capture. */
static gboolean take_link(const char *link, gpointer user_data, GError **error)
{
	MtwWizard *wizard = user_data;

	wizard->issue = g_strdup(link);
	if (mtw_hand_over_check_sending(wizard, error))
		return TRUE;
	g_clear_pointer(&wizard->issue, g_free);
	return FALSE;
}

static gboolean ask_link(MtwWizard *wizard, GError **error)
{
	const MtwRequest request = {
		.id = "link",
		.kind = MTW_REQUEST_TEXT,
		.sentence = N_("Did somebody ask you for this trace? Then give the address of the "
			       "page or report where they did; leave it empty otherwise."),
		.detail = "",
		.proposal = "",
		.harmless = "",
	};

	return mtw_wizard_ask_until(wizard, &request, N_("Nothing can be sent to that address."),
				    take_link, wizard, error);
}

static gboolean wants_link(const MtwWizard *wizard)
{
	return wizard->options->ask_link && !wizard->options->no_sending && wizard->issue == NULL;
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	const MtwRequest request = {
		.id = "welcome",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = wizard->options->next_boot
				    ? N_("Nothing is traced before the computer is started again. "
					 "Go on?")
				    : N_("Save your work now, please: like everything that touches "
					 "drivers, this can freeze the computer. Go on?"),
		.detail = "",
		.proposal = "yes",
		.harmless = wizard->options->batch ? "yes" : NULL,
	};

	(void)next;
	mtw_wizard_explain(wizard, explanation);
	return recover_dead_runs(wizard, error) && mtw_wizard_agree(wizard, &request, error) &&
	       (!wants_link(wizard) || ask_link(wizard, error));
}

const MtwStep mtw_step_welcome = {
	.id = "welcome",
	.title = N_("Welcome"),
	.validate = validate,
	.run = run,
};
