/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DESCRIBE: whom to thank, and the person's story. */
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>

#define STORY_MAX_BYTES (256 * 1024)

static gboolean ask_nick(MtwWizard *wizard, GError **error)
{
	const MtwRequest request = {
		.id = "nick",
		.kind = MTW_REQUEST_TEXT,
		.sentence = N_("Your nickname, as it shall stand in the file's name?"),
		.detail = "",
		.proposal = wizard->caller->name,
		.harmless = "anonymous",
	};
	g_autofree char *answer = mtw_wizard_ask(wizard, &request, error);

	if (answer == NULL)
		return FALSE;
	wizard->nick = mtw_text_clean_name(answer);
	if (wizard->nick != NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "the nickname \"%s\" has no letter or digit (A-Z, a-z, 0-9)", answer);
	return FALSE;
}

static gboolean read_story(MtwWizard *wizard, GError **error)
{
	const MtwRequest request = {
		.id = "story",
		.kind = MTW_REQUEST_STORY,
		.sentence = N_("What was connected, what did you do, what did you see? End with an "
			       "empty line."),
		.detail = "",
		.proposal = "",
		.harmless = "",
	};

	if (wizard->options->story_file != NULL)
		wizard->story = mtw_file_read(wizard->options->story_file, STORY_MAX_BYTES, NULL,
					      error);
	else
		wizard->story = mtw_wizard_ask(wizard, &request, error);
	return wizard->story != NULL;
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	(void)next;
	return ask_nick(wizard, error) && read_story(wizard, error);
}

static char *summary(const MtwWizard *wizard)
{
	return g_strdup(wizard->nick);
}

static gboolean applicable(const MtwWizard *wizard)
{
	return wizard->have_trace && !wizard->give_up;
}

const MtwStep mtw_step_describe = {
	.id = "describe",
	.title = N_("Description"),
	.applicable = applicable,
	.run = run,
	.summary = summary,
};
