/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the profile wishes, before anything is changed: its note about privacy, its hints (a trace that
 * would show little, and what to do about it), its driver options, and consent for what is private.
 */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Text of a profile: in the person's language already. */
static void show_note(MtwWizard *wizard, const char *text)
{
	JsonObject *event;

	if (text == NULL || text[0] == '\0')
		return;
	event = mtw_event_new("note");
	mtw_json_set_text(event, "text", text);
	mtw_wizard_show(wizard, event);
}

/* For the description: which way the trace was made. That of a book has no room in a session. */
static void add_note(MtwWizard *wizard, const char *text)
{
	if (text[0] != '\0' && wizard->notes->len + strlen(text) < MTW_NOTES_MAX_BYTES)
		g_string_append_printf(wizard->notes, "%s\n", text);
}

static void add_options(MtwWizard *wizard, const char *options)
{
	char *all = wizard->module_options == NULL
			    ? g_strdup(options)
			    : g_strconcat(wizard->module_options, " ", options, NULL);

	g_free(wizard->module_options);
	wizard->module_options = all;
}

static gboolean ask_yes_no(MtwWizard *wizard, const char *id, const char *sentence,
			   const char *detail, gboolean *ret_yes, GError **error)
{
	const MtwRequest request = {
		.id = id,
		.kind = MTW_REQUEST_YES_NO,
		.sentence = sentence,
		.detail = detail,
		.proposal = "no",
		.harmless = "no",
	};
	g_autofree char *answer = mtw_wizard_ask(wizard, &request, error);

	*ret_yes = g_strcmp0(answer, "yes") == 0;
	return answer != NULL;
}

static gboolean ask_options(MtwWizard *wizard, const char *id, const char *options,
			    gboolean *ret_yes, GError **error)
{
	if (!ask_yes_no(wizard, id, N_("Load the driver with these options, for this trace only?"),
			options, ret_yes, error))
		return FALSE;
	if (*ret_yes)
		add_options(wizard, options);
	return TRUE;
}

static gboolean take_hint(MtwWizard *wizard, const MtwHint *hint, GError **error)
{
	g_autofree char *id = g_strdup_printf("hint-%s", hint->id);
	gboolean yes = FALSE;

	show_note(wizard, hint->say);
	if (hint->options != NULL &&
	    !ask_options(wizard, g_intern_string(id), hint->options, &yes, error))
		return FALSE;
	add_note(wizard, yes ? hint->tell_with : hint->tell_without);
	return TRUE;
}

static gboolean take_hints(MtwWizard *wizard, const MtwPciDevice *device, GError **error)
{
	g_autoptr(JsonObject) facts = mtw_facts_gather(wizard->paths, device, wizard->driver);
	g_autoptr(GPtrArray) hints = mtw_profile_hints(wizard->profile, device, facts);

	for (guint i = 0; i < hints->len; i++)
		if (!take_hint(wizard, hints->pdata[i], error))
			return FALSE;
	return TRUE;
}

static gboolean wants(const MtwProfile *profile, const char *collector)
{
	return g_strv_contains((const char *const *)profile->collectors, collector);
}

static gboolean ask_consent(MtwWizard *wizard, GError **error)
{
	if (wants(wizard->profile, "edid-binary") &&
	    !ask_yes_no(
		    wizard, "consent-edid",
		    N_("The project would like the identification data (EDID) of the monitors as "
		       "they are; their serial numbers are in it. Add them?"),
		    "", &wizard->consent_edid, error))
		return FALSE;
	return !wants(wizard->profile, "vbios") ||
	       ask_yes_no(
		       wizard, "consent-vbios",
		       N_("The project would like a copy of the card's firmware (video BIOS). Read "
			  "and add it?"),
		       "", &wizard->consent_vbios, error);
}

gboolean mtw_wizard_take_wishes(MtwWizard *wizard, const MtwPciDevice *device, GError **error)
{
	gboolean yes;

	if (wizard->profile == NULL)
		return TRUE;
	show_note(wizard, wizard->profile->privacy);
	if (!take_hints(wizard, device, error))
		return FALSE;
	if (wizard->profile->driver_options != NULL &&
	    !ask_options(wizard, "driver-options", wizard->profile->driver_options, &yes, error))
		return FALSE;
	return ask_consent(wizard, error);
}
