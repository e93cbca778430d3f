/* SPDX-License-Identifier: GPL-2.0-or-later */
/* VERDICT: what the trace is worth; on loss, again with a larger buffer. */
#include "base/error.h"
#include "base/json.h"
#include "capture/buffer.h"
#include "capture/events.h"
#include "machine/system.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>

/*
 * Whether another try is possible: the buffer for it, or 0. After an error (the disk is full, the machine is not restored)
 * it would make it worse.
 */
static guint64 larger_buffer_kb(MtwWizard *wizard)
{
	if (wizard->worst != NULL || wizard->retries >= wizard->options->max_retries ||
	    mtw_wizard_is_interrupted(wizard))
		return 0;
	return mtw_buffer_next_kb(wizard->buffer_kb, mtw_system_memory_available(wizard->paths));
}

static void show_verdict(MtwWizard *wizard)
{
	JsonObject *event = mtw_event_new("verdict");
	JsonObject *lost = mtw_json_object(wizard->verdict, "lost");

	json_object_set_string_member(event, "grade",
				      mtw_json_string(wizard->verdict, "grade", ""));
	json_object_set_int_member(event, "lost",
				   lost != NULL ? mtw_json_int(lost, "events", 0) : 0);
	mtw_json_set_text(event, "device", wizard->device);
	json_object_set_int_member(event, "buffer_kb", (gint64)wizard->buffer_kb);
	json_object_set_int_member(event, "next_buffer_kb", (gint64)larger_buffer_kb(wizard));
	json_object_set_object_member(event, "verdict", json_object_ref(wizard->verdict));
	mtw_wizard_show(wizard, event);
}

static char *ask_on_lost(MtwWizard *wizard, GError **error)
{
	static const char *const choices[] = { "retry", "keep", "fail", NULL };
	static const char *const labels[] = {
		N_("again from the start, with a larger buffer"),
		N_("keep the trace with its gaps"),
		N_("give up, pack nothing"),
		NULL,
	};
	const MtwRequest request = {
		.id = "on-lost",
		.kind = MTW_REQUEST_CHOICE,
		.sentence = N_("Events were lost. What now?"),
		.detail = "",
		.choices = choices,
		.labels = labels,
		.proposal = "retry",
		.harmless = wizard->options->batch ? "retry" : "keep",
	};

	return mtw_wizard_ask(wizard, &request, error);
}

static void remember_loss(MtwWizard *wizard)
{
	JsonObject *lost = mtw_json_object(wizard->verdict, "lost");

	mtw_wizard_remember(wizard,
			    g_error_new(MTW_ERROR, MTW_ERROR_LOST_EVENTS,
					"%" G_GINT64_FORMAT " events are missing in the trace",
					lost != NULL ? mtw_json_int(lost, "events", 0) : 0));
}

/*
 * Of several tries the session keeps the best one. What is said of the result in the end is said of
 * that one.
 */
static void take_kept(MtwWizard *wizard)
{
	JsonObject *kept = wizard->retries > 0 ? mtw_wizard_read_verdict(wizard) : NULL;
	g_autofree char *now = mtw_json_line(wizard->verdict);
	g_autofree char *best = kept != NULL ? mtw_json_line(kept) : NULL;

	if (kept == NULL)
		return;
	json_object_unref(wizard->verdict);
	wizard->verdict = kept;
	if (!g_str_equal(now, best))
		show_verdict(wizard);
}

static gboolean retry(MtwWizard *wizard, guint64 buffer_kb, MtwStepId *next)
{
	wizard->retries++;
	mtw_wizard_tell(wizard,
			mtw_message_new("retry", MTW_LEVEL_WARNING,
					N_("Events were lost: once more, with a larger buffer."),
					"", "%" G_GUINT64_FORMAT " KB", buffer_kb));
	wizard->buffer_kb = buffer_kb;
	*next = MTW_STEP_CAPTURE;
	return TRUE;
}

/* Nobody is asked when there is no choice left. */
static gboolean handle_loss(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	guint64 buffer_kb = larger_buffer_kb(wizard);
	const char *given = mtw_answers_get(wizard->answers, "on-lost");
	g_autofree char *answer = NULL;

	if (buffer_kb == 0 && g_strcmp0(given, "fail") != 0)
		answer = g_strdup("keep");
	else
		answer = ask_on_lost(wizard, error);
	if (answer == NULL)
		return FALSE;
	if (g_str_equal(answer, "retry"))
		return retry(wizard, buffer_kb, next);
	take_kept(wizard);
	remember_loss(wizard);
	wizard->give_up = g_str_equal(answer, "fail");
	return TRUE;
}

static gboolean applicable(const MtwWizard *wizard)
{
	return wizard->verdict != NULL;
}

static void remember_grade(MtwWizard *wizard)
{
	const char *grade = mtw_json_string(wizard->verdict, "grade", "");

	if (g_str_equal(grade, "lost"))
		remember_loss(wizard);
	else if (g_str_equal(grade, "untouched") || g_str_equal(grade, "empty"))
		mtw_wizard_remember(wizard,
				    g_error_new(MTW_ERROR, MTW_ERROR_NOTHING_TRACED,
						"the device %s was not touched", wizard->device));
	else if (g_str_equal(grade, "broken"))
		mtw_wizard_remember(wizard, g_error_new(MTW_ERROR, MTW_ERROR_INVALID,
							"the trace cannot be used"));
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	show_verdict(wizard);
	if (g_str_equal(mtw_json_string(wizard->verdict, "grade", ""), "lost"))
		return handle_loss(wizard, next, error);
	take_kept(wizard);
	remember_grade(wizard);
	return TRUE;
}

static char *summary(const MtwWizard *wizard)
{
	return g_strdup(mtw_json_string(wizard->verdict, "grade", ""));
}

const MtwStep mtw_step_verdict = {
	.id = "verdict",
	.title = N_("Verdict"),
	.applicable = applicable,
	.run = run,
	.summary = summary,
};
