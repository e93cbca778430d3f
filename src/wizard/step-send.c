/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SEND: to whoever asked for the trace, if the person wants that. The archive is theirs already, whatever comes. */
#include "base/error.h"
#include "wizard/sending-private.h"

#include <glib/gi18n.h>

static gboolean is_named(const MtwWizard *wizard)
{
	return wizard->options->target != NULL || wizard->issue != NULL ||
	       mtw_answers_get(wizard->answers, "target") != NULL;
}

static gboolean applicable(const MtwWizard *wizard)
{
	if (wizard->archive == NULL || wizard->options->no_sending)
		return FALSE;
	if (is_named(wizard))
		return TRUE;
	return !wizard->options->batch && !mtw_settings_never_ask(wizard->caller);
}

static void tell_saved(MtwWizard *wizard)
{
	mtw_wizard_tell(wizard,
			mtw_message_new("saved", MTW_LEVEL_OK,
					N_("Nothing was sent; the archive is saved."),
					N_("`mmiotrace-wizard upload FILE` sends it later."), "%s",
					wizard->archive));
}

/* A run that was ended before its time is not sent by itself. */
static gboolean check_interrupted(MtwWizard *wizard, GError **error)
{
	if (!wizard->options->batch || !wizard->cut_short)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED,
		    "the run was ended before its time, so nothing was sent; the archive is %s",
		    wizard->archive);
	return FALSE;
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	g_autoptr(GError) why = NULL;

	(void)next;
	(void)error;
	if (check_interrupted(wizard, &why) && mtw_wizard_send(wizard, wizard->archive, &why))
		return TRUE;
	if (g_error_matches(why, MTW_ERROR, MTW_ERROR_DECLINED))
		tell_saved(wizard);
	/* For a person a "no" is an answer like others. */
	if (wizard->options->batch || !g_error_matches(why, MTW_ERROR, MTW_ERROR_DECLINED))
		mtw_wizard_remember(wizard, g_steal_pointer(&why));
	return TRUE;
}

const MtwStep mtw_step_send = {
	.id = "send",
	.title = N_("Sending"),
	.applicable = applicable,
	.run = run,
};
