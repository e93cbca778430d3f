/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * REVIEW: every file that is going to be packed, what was masked in it, and the person's say: leave
 * out, edit, mask more, keep something. Nothing is packed that was not shown here.
 */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "report/description.h"
#include "wizard/settings.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define DIFF_MAX_LINES 2000

static JsonObject *file_to_json(const MtwReportFile *file)
{
	JsonObject *object = json_object_new();
	JsonObject *replaced = json_object_new();

	json_object_set_string_member(object, "name", file->name);
	json_object_set_int_member(object, "bytes", (gint64)file->bytes);
	json_object_set_boolean_member(object, "text", file->text);
	json_object_set_boolean_member(object, "excluded", file->excluded);
	for (int kind = 0; kind < MTW_N_REDACT_KINDS; kind++)
		if (file->counts[kind] > 0)
			json_object_set_int_member(replaced, mtw_redact_kind_name(kind),
						   file->counts[kind]);
	json_object_set_object_member(object, "replaced", replaced);
	return object;
}

static void show_review(MtwWizard *wizard)
{
	const GPtrArray *files = mtw_report_files(wizard->report);
	JsonObject *event = mtw_event_new("review");
	JsonArray *array = json_array_new();

	for (guint i = 0; i < files->len; i++)
		json_array_add_object_element(array, file_to_json(files->pdata[i]));
	json_object_set_boolean_member(event, "redact", mtw_report_redacts(wizard->report));
	json_object_set_string_member(event, "folder", mtw_report_folder(wizard->report));
	json_object_set_array_member(event, "files", array);
	mtw_wizard_show(wizard, event);
}

/* Each cleaning says again what it could not do: only what is new is shown. */
static void show_messages(MtwWizard *wizard)
{
	const GPtrArray *messages = mtw_report_messages(wizard->report);

	for (guint i = wizard->messages_shown; messages != NULL && i < messages->len; i++)
		mtw_wizard_show(wizard, mtw_event_message(messages->pdata[i]));
	if (messages != NULL)
		wizard->messages_shown = messages->len;
}

static gboolean clean(MtwWizard *wizard, GError **error)
{
	g_autoptr(MtwRedactRules) rules = mtw_redact_rules_load(wizard->paths, error);

	return rules != NULL &&
	       mtw_report_clean(wizard->report, rules, wizard->redact_facts, error);
}

/* ---- the files ------------------------------------------------------------------------------ */

static gboolean add_description(MtwWizard *wizard, const MtwSettings *settings, GError **error)
{
	g_autoptr(JsonObject) facts = mtw_wizard_capture_facts(wizard);
	g_autoptr(JsonObject) verdict = mtw_wizard_read_verdict(wizard);
	const char *notes = mtw_json_string(mtw_engine_facts(wizard->engine), "notes", "");
	g_autofree char *story = g_strconcat(notes, wizard->story, NULL);
	g_autofree char *text =
		mtw_description_new(facts, verdict, wizard->nick, settings->contact, story);

	return mtw_report_add(wizard->report, "description.txt", text, strlen(text), error);
}

/* Why one is missing, its message says; that is in the manifest. */
static gboolean add_collected(MtwWizard *wizard, GError **error)
{
	for (guint i = 0; i < wizard->collected->len; i++) {
		const MtwMessage *message = wizard->collected->pdata[i];
		g_autofree char *path = g_build_filename("collected", message->id, NULL);
		int fd = mtw_engine_open_file(wizard->engine, path, NULL);
		if (fd >= 0 && !mtw_report_add_fd(wizard->report, message->id, fd, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_trace(MtwWizard *wizard, GError **error)
{
	int fd = mtw_engine_open_file(wizard->engine, "trace.txt", error);

	return fd >= 0 && mtw_report_add_fd(wizard->report, MTW_REPORT_TRACE, fd, error);
}

static gboolean add_words(MtwWizard *wizard, const char *const *words, GError **error)
{
	for (; words != NULL && *words != NULL; words++)
		if (!mtw_report_add_word(wizard->report, *words, error))
			return FALSE;
	return TRUE;
}

static gboolean take_options(MtwWizard *wizard, GError **error)
{
	/* The nickname is what the person wants to be called in public. */
	return add_words(wizard, wizard->options->redact_words, error) &&
	       mtw_report_keep(wizard->report, wizard->nick, error) &&
	       (wizard->options->redact == MTW_REDACT_ASK ||
		mtw_report_set_redact(wizard->report, wizard->options->redact == MTW_REDACT_YES,
				      error));
}

/* ---- what was set once and for all ---------------------------------------------------------- */

static MtwSettings *load_settings(MtwWizard *wizard)
{
	g_autoptr(GError) why = NULL;
	MtwSettings *settings = mtw_settings_load(wizard->caller, &why);

	if (settings != NULL)
		return settings;
	mtw_wizard_tell(wizard,
			mtw_message_new("settings", MTW_LEVEL_WARNING,
					N_("Your settings cannot be read. Words that you wanted to "
					   "have masked are not."),
					N_("Correct that file, or remove it."), "%s",
					why->message));
	return mtw_settings_new();
}

/* How to reach them is for the developers: it stays, and is said here. Not into the log, which is not the person's. */
static gboolean keep_contact(MtwWizard *wizard, const char *contact, GError **error)
{
	g_autoptr(MtwMessage) message = NULL;

	if (contact[0] == '\0')
		return TRUE;
	message = mtw_message_new("contact", MTW_LEVEL_OK,
				  N_("Your contact is in description.txt and is not masked."), "",
				  "%s", contact);
	mtw_wizard_show(wizard, mtw_event_message(message));
	return mtw_report_keep(wizard->report, contact, error);
}

static gboolean take_settings(MtwWizard *wizard, const MtwSettings *settings, GError **error)
{
	return add_words(wizard, (const char *const *)settings->redact_words, error) &&
	       keep_contact(wizard, settings->contact, error);
}

/* ---- the person's say ----------------------------------------------------------------------- */

static gboolean show_diff(MtwWizard *wizard, const char *name, GError **error)
{
	JsonArray *lines = mtw_report_diff(wizard->report, name, DIFF_MAX_LINES + 1, error);
	JsonObject *event;
	gboolean more;

	if (lines == NULL)
		return FALSE;
	more = json_array_get_length(lines) > DIFF_MAX_LINES;
	if (more)
		json_array_remove_element(lines, DIFF_MAX_LINES);
	event = mtw_event_new("diff");
	json_object_set_string_member(event, "file", name);
	json_object_set_boolean_member(event, "more", more);
	json_object_set_array_member(event, "lines", lines);
	mtw_wizard_show(wizard, event);
	return TRUE;
}

static gboolean edit(MtwWizard *wizard, const char *name, GError **error)
{
	g_autofree char *path = mtw_report_edit_path(wizard->report, name, error);

	return path != NULL && wizard->view->ops->edit(wizard->view, path, error) &&
	       clean(wizard, error);
}

static gboolean exclude(MtwWizard *wizard, const char *name, GError **error)
{
	return mtw_report_exclude(wizard->report, name, TRUE, error) && clean(wizard, error);
}

static gboolean include(MtwWizard *wizard, const char *name, GError **error)
{
	return mtw_report_exclude(wizard->report, name, FALSE, error) && clean(wizard, error);
}

static gboolean add_word(MtwWizard *wizard, const char *word, GError **error)
{
	return mtw_report_add_word(wizard->report, word, error) && clean(wizard, error);
}

static gboolean keep(MtwWizard *wizard, const char *value, GError **error)
{
	return mtw_report_keep(wizard->report, value, error) && clean(wizard, error);
}

static gboolean set_redact(MtwWizard *wizard, const char *value, GError **error)
{
	return mtw_report_set_redact(wizard->report, g_str_equal(value, "yes"), error);
}

static const struct {
	const char *name;
	gboolean (*run)(MtwWizard *wizard, const char *argument, GError **error);
	gboolean changes; /* the list of files is shown again */
} commands[] = {
	{ "diff", show_diff, FALSE },	{ "edit", edit, TRUE },	    { "exclude", exclude, TRUE },
	{ "include", include, TRUE },	{ "word", add_word, TRUE }, { "keep", keep, TRUE },
	{ "redact", set_redact, TRUE },
};

/* A mistake of the person is told, and they are asked again. */
static void run_command(MtwWizard *wizard, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", 2);
	g_autoptr(GError) error = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
		if (words[1] == NULL || !g_str_equal(words[0], commands[i].name))
			continue;
		if (!commands[i].run(wizard, g_strstrip(words[1]), &error))
			mtw_wizard_tell(wizard, mtw_message_new("review", MTW_LEVEL_FAILURE,
								N_("That did not work."), "", "%s",
								error->message));
		else if (commands[i].changes)
			show_review(wizard);
		show_messages(wizard);
		return;
	}
	mtw_wizard_tell(wizard,
			mtw_message_new("review", MTW_LEVEL_WARNING,
					N_("That is none of the commands."), "", "%s", line));
}

static gboolean ask_commands(MtwWizard *wizard, GError **error)
{
	const MtwRequest request = {
		.id = "review",
		.kind = MTW_REQUEST_TEXT,
		.sentence =
			N_("ok to go on, or: diff FILE, edit FILE, exclude FILE, include FILE, "
			   "word WORD (mask it too), keep VALUE (do not mask it), redact yes|no"),
		.detail = "",
		.proposal = "ok",
		.harmless = "ok",
	};

	for (;;) {
		g_autofree char *answer = mtw_wizard_ask(wizard, &request, error);
		if (answer == NULL)
			return FALSE;
		if (g_str_equal(answer, "ok"))
			return TRUE;
		run_command(wizard, answer);
		/* A batch file has one answer. */
		if (mtw_answers_get(wizard->answers, request.id) != NULL)
			return TRUE;
	}
}

static gboolean ask_agreement(MtwWizard *wizard, GError **error)
{
	const MtwRequest request = {
		.id = "agree",
		.kind = MTW_REQUEST_YES_NO,
		.sentence =
			N_("The values in the trace itself cannot be cleaned: whoever gets it may "
			   "find in them MAC addresses, the identity of monitors, firmware, or "
			   "keys that were written to the device. Do you agree to hand it out? "
			   "(Nothing is sent now.)"),
		.detail = "",
		.proposal = "yes",
		.harmless = "no",
	};
	g_autofree char *answer = mtw_wizard_ask(wizard, &request, error);

	return answer != NULL &&
	       mtw_report_set_agreed(wizard->report, g_str_equal(answer, "yes"), error);
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	g_autoptr(MtwSettings) settings = load_settings(wizard);

	(void)next;
	if (!add_description(wizard, settings, error) || !add_collected(wizard, error) ||
	    !add_trace(wizard, error) || !take_options(wizard, error) ||
	    !take_settings(wizard, settings, error) || !clean(wizard, error))
		return FALSE;
	show_review(wizard);
	show_messages(wizard);
	return ask_commands(wizard, error) && ask_agreement(wizard, error);
}

static gboolean applicable(const MtwWizard *wizard)
{
	return wizard->have_trace && !wizard->give_up;
}

static char *summary(const MtwWizard *wizard)
{
	return g_strdup_printf("redact %s, agreed %s",
			       mtw_report_redacts(wizard->report) ? "yes" : "no",
			       mtw_report_agreed(wizard->report) ? "yes" : "no");
}

const MtwStep mtw_step_review = {
	.id = "review",
	.title = N_("Review"),
	.applicable = applicable,
	.run = run,
	.summary = summary,
};
