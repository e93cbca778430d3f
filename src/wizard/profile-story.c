/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions of a profile, and the text that becomes the description. */
#include "base/lines.h"
#include "capture/facts.h"
#include "wizard/profile-private.h"
#include "wizard/profile-template.h"

#include <string.h>

void mtw_question_free(gpointer data)
{
	MtwQuestion *question = data;

	if (question == NULL)
		return;
	g_free(question->id);
	g_free(question->ask);
	g_free(question->ask_plain);
	g_free(question->prefill);
	g_free(question);
}

static gboolean fail(const MtwKeyFile *file, const MtwKeyGroup *group, const char *key,
		     const char *reason, GError **error)
{
	return mtw_key_file_fail(file, mtw_key_group_line(group, key), error,
				 "[Question %s]: %s: %s", group->id, key, reason);
}

static gboolean read_lines(MtwQuestion *question, const MtwKeyFile *file, const MtwKeyGroup *group,
			   GError **error)
{
	g_autofree char *lines = mtw_key_group_text(group, "Lines");

	question->many_lines = g_strcmp0(lines, "many") == 0;
	if (lines != NULL && !question->many_lines && !g_str_equal(lines, "one"))
		return fail(file, group, "Lines", "it is one or many", error);
	return TRUE;
}

static gboolean read_prefill(MtwQuestion *question, const MtwKeyFile *file,
			     const MtwKeyGroup *group, GError **error)
{
	g_autofree char *why = NULL;

	question->prefill = mtw_key_group_text(group, "Prefill");
	if (question->prefill == NULL)
		question->prefill = g_strdup("");
	if (!question->many_lines && strchr(question->prefill, '\n') != NULL)
		return fail(file, group, "Prefill", "several lines need Lines=many", error);
	if (!mtw_template_check(question->prefill, mtw_facts_is_name, &why))
		return fail(file, group, "Prefill", why, error);
	return TRUE;
}

MtwQuestion *mtw_question_read(const MtwKeyFile *file, const MtwKeyGroup *group, GError **error)
{
	MtwQuestion *question = g_new0(MtwQuestion, 1);

	question->id = g_strdup(group->id);
	question->ask = mtw_key_group_shown(group, "Ask");
	question->ask_plain = mtw_key_group_text(group, "Ask");
	question->required = mtw_key_group_true(group, "Required");
	if (read_lines(question, file, group, error) && read_prefill(question, file, group, error))
		return question;
	mtw_question_free(question);
	return NULL;
}

char *mtw_profile_prefill(const MtwQuestion *question, JsonObject *facts)
{
	char *text = mtw_template_fill(question->prefill, facts);

	if (!question->many_lines)
		g_strdelimit(text, "\n", ' ');
	return text;
}

/* @text with @prefix before each line. */
static void append_prefixed(GString *story, const char *prefix, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line != NULL; line++)
		g_string_append_printf(story, "%s%s\n", prefix, *line);
}

static void append_question(GString *story, const MtwQuestion *question, JsonObject *facts)
{
	g_autofree char *ask = g_strconcat(question->ask, question->required ? " *" : "", NULL);
	g_autofree char *answer = mtw_profile_prefill(question, facts);
	g_auto(GStrv) lines = g_strsplit(answer, "\n", -1);

	append_prefixed(story, "# ", ask);
	/* An answer must not look like a comment. */
	for (char **line = lines; *line != NULL; line++)
		g_string_append_printf(story, "%s%s\n", **line == '#' ? " " : "", *line);
	g_string_append(story, lines[0] != NULL ? "\n" : "\n\n");
}

char *mtw_profile_story_template(const MtwProfile *profile, JsonObject *facts)
{
	GString *story = g_string_new(NULL);

	for (guint i = 0; i < profile->questions->len; i++)
		append_question(story, profile->questions->pdata[i], facts);
	return g_string_free(story, FALSE);
}

char *mtw_profile_story_from_template(const char *edited)
{
	g_autofree char *clean = mtw_lines_clean(edited, -1);
	g_auto(GStrv) lines = g_strsplit(clean, "\n", -1);
	GString *story = g_string_new(NULL);
	gboolean gap = FALSE;

	for (char **line = lines; *line != NULL; line++) {
		if (**line == '#')
			continue;
		g_strchomp(*line);
		if (**line == '\0') {
			gap = TRUE;
			continue;
		}
		if (gap && story->len > 0)
			g_string_append_c(story, '\n');
		gap = FALSE;
		g_string_append_printf(story, "%s\n", *line);
	}
	return g_string_free(story, FALSE);
}
