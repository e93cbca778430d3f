/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DESCRIBE: whom to thank, and the person's story. */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "wizard/settings.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean ask_nick(MtwWizard *wizard, GError **error)
{
	g_autoptr(MtwSettings) settings = mtw_settings_load(wizard->caller, NULL);
	gboolean is_set = settings != NULL && settings->nick[0] != '\0';
	const MtwRequest request = {
		.id = "nick",
		.kind = MTW_REQUEST_TEXT,
		.sentence = N_("Your nickname, as it shall stand in the file's name?"),
		.detail = "",
		.proposal = is_set ? settings->nick : wizard->caller->name,
		.harmless = "anonymous",
	};
	gboolean may_ask_again =
		!wizard->options->batch && mtw_answers_get(wizard->answers, request.id) == NULL;

	for (;;) {
		g_autofree char *answer = mtw_wizard_ask(wizard, &request, error);
		if (answer == NULL)
			return FALSE;
		wizard->nick = mtw_text_clean_name(answer);
		if (wizard->nick != NULL)
			return TRUE;
		if (!may_ask_again) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
				    "the nickname \"%s\" has no letter or digit (A-Z, a-z, 0-9)",
				    answer);
			return FALSE;
		}
		mtw_wizard_tell(
			wizard,
			mtw_message_new("nick", MTW_LEVEL_WARNING,
					N_("A nickname needs a letter from A to Z or a digit."), "",
					"%s", answer));
	}
}

static gboolean ask_plain_story(MtwWizard *wizard, GError **error)
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

	wizard->story = mtw_wizard_ask(wizard, &request, error);
	return wizard->story != NULL;
}

/* Of a proposal that nobody looked at, the lines that have nothing behind their colon. */
static char *without_empty_answers(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GString) kept = g_string_new(NULL);

	for (char **line = lines; *line != NULL; line++) {
		g_strchomp(*line);
		if (**line != '\0' && !g_str_has_suffix(*line, ":"))
			g_string_append_printf(kept, "%s%s", kept->len > 0 ? "\n" : "", *line);
	}
	return g_strdup(kept->str);
}

/* One question of the profile: its own words, in the person's language; found-out facts proposed. */
static gboolean ask_question(MtwWizard *wizard, const MtwQuestion *question, JsonObject *facts,
			     GString *story, GError **error)
{
	g_autofree char *proposal = mtw_profile_prefill(question, facts);
	g_autofree char *harmless = without_empty_answers(proposal);
	const MtwRequest request = {
		.id = question->id,
		.kind = question->many_lines ? MTW_REQUEST_STORY : MTW_REQUEST_TEXT,
		.sentence = question->ask,
		.detail = "",
		.proposal = proposal,
		.harmless = harmless,
	};
	g_autofree char *answer = mtw_wizard_ask(wizard, &request, error);

	if (answer == NULL)
		return FALSE;
	if (answer[0] != '\0')
		g_string_append_printf(story, "%s\n%s\n\n", question->ask_plain, answer);
	return TRUE;
}

static gboolean ask_questions(MtwWizard *wizard, const MtwProfile *profile, JsonObject *facts,
			      GError **error)
{
	g_autoptr(GString) story = g_string_new(NULL);

	for (guint i = 0; i < profile->questions->len; i++)
		if (!ask_question(wizard, profile->questions->pdata[i], facts, story, error))
			return FALSE;
	wizard->story = g_strdup(story->str);
	return TRUE;
}

/* All questions at once in the person's editor. */
static gboolean edit_story(MtwWizard *wizard, const MtwProfile *profile, JsonObject *facts,
			   GError **error)
{
	g_autofree char *path =
		g_build_filename(mtw_report_folder(wizard->report), "story.txt", NULL);
	g_autofree char *template = mtw_profile_story_template(profile, facts);
	g_autofree char *edited = NULL;

	if (!mtw_file_write_atomic(path, template, strlen(template), 0600, error) ||
	    !wizard->view->ops->edit(wizard->view, path, error))
		return FALSE;
	edited = mtw_file_read(path, MTW_STORY_MAX_BYTES, NULL, error);
	if (edited == NULL)
		return FALSE;
	wizard->story = mtw_profile_story_from_template(edited);
	return TRUE;
}

static gboolean tell_story(MtwWizard *wizard, GError **error)
{
	g_autoptr(MtwProfile) profile = mtw_wizard_session_profile(wizard);
	g_autoptr(JsonObject) none = json_object_new();
	JsonObject *facts = mtw_json_object(mtw_engine_facts(wizard->engine), "facts");

	if (facts == NULL)
		facts = none;
	if (mtw_answers_get(wizard->answers, "story") != NULL || profile == NULL ||
	    profile->questions->len == 0)
		return ask_plain_story(wizard, error);
	if (!wizard->options->batch && wizard->view->ops->can_edit(wizard->view))
		return edit_story(wizard, profile, facts, error);
	return ask_questions(wizard, profile, facts, error);
}

static gboolean read_story(MtwWizard *wizard, GError **error)
{
	if (wizard->options->story_file == NULL)
		return tell_story(wizard, error);
	wizard->story =
		mtw_file_read(wizard->options->story_file, MTW_STORY_MAX_BYTES, NULL, error);
	return wizard->story != NULL;
}

static gboolean open_report(MtwWizard *wizard, GError **error)
{
	g_autofree char *state = mtw_caller_state_dir(wizard->caller);
	g_autofree char *reports = g_build_filename(state, "reports", NULL);
	g_autofree char *folder =
		g_build_filename(reports, mtw_engine_session_id(wizard->engine), NULL);

	if (!mtw_folder_ensure(state, 0700, error) || !mtw_folder_ensure(reports, 0700, error))
		return FALSE;
	wizard->report = mtw_report_open(folder, error);
	return wizard->report != NULL;
}

/* Whether the person says something new about it in this run. */
static gboolean is_told_anew(const MtwWizard *wizard, const char *id)
{
	return mtw_answers_get(wizard->answers, id) != NULL ||
	       (!wizard->options->batch && !wizard->options->review_only);
}

/* What was answered in an earlier run stays, unless there is something new. */
static gboolean get_nick(MtwWizard *wizard, GError **error)
{
	const char *earlier = mtw_report_fact(wizard->report, "nick");

	if (earlier == NULL || is_told_anew(wizard, "nick"))
		return ask_nick(wizard, error);
	wizard->nick = g_strdup(earlier);
	return TRUE;
}

static gboolean get_story(MtwWizard *wizard, GError **error)
{
	const char *earlier = mtw_report_fact(wizard->report, "story");

	if (earlier == NULL || wizard->options->story_file != NULL || is_told_anew(wizard, "story"))
		return read_story(wizard, error);
	wizard->story = g_strdup(earlier);
	return TRUE;
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	(void)next;
	if (!open_report(wizard, error))
		return FALSE;
	return get_nick(wizard, error) && get_story(wizard, error) &&
	       mtw_report_set_fact(wizard->report, "nick", wizard->nick, error) &&
	       mtw_report_set_fact(wizard->report, "story", wizard->story, error);
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
