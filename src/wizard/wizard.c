/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "submit/secret.h"
#include "wizard/hand-over.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Time to say stop before a desktop is ended. */
#define COUNTDOWN_SEC 10

static const MtwStep *const steps[MTW_N_STEPS] = {
	[MTW_STEP_WELCOME] = &mtw_step_welcome,	  [MTW_STEP_DEVICE] = &mtw_step_device,
	[MTW_STEP_CHECK] = &mtw_step_check,	  [MTW_STEP_PREPARE] = &mtw_step_prepare,
	[MTW_STEP_CAPTURE] = &mtw_step_capture,	  [MTW_STEP_VERDICT] = &mtw_step_verdict,
	[MTW_STEP_DESCRIBE] = &mtw_step_describe, [MTW_STEP_REVIEW] = &mtw_step_review,
	[MTW_STEP_PACK] = &mtw_step_pack,	  [MTW_STEP_SEND] = &mtw_step_send,
	[MTW_STEP_DONE] = &mtw_step_done,
};

MtwWizard *mtw_wizard_new(const MtwPaths *paths, MtwEngine *engine, MtwView *view,
			  const MtwAnswers *answers, const MtwCaller *caller,
			  const MtwWizardOptions *options)
{
	MtwWizard *wizard = g_new0(MtwWizard, 1);

	wizard->paths = paths;
	wizard->engine = engine;
	wizard->view = view;
	wizard->answers = answers;
	wizard->caller = caller;
	wizard->options = options;
	wizard->device = g_strdup(options->device);
	wizard->driver = g_strdup(options->driver);
	wizard->issue = options->issue != NULL ? g_strstrip(g_strdup(options->issue)) : NULL;
	wizard->buffer_kb = options->buffer_kb;
	wizard->module_options = g_strdup(options->module_options);
	wizard->load_driver = options->load_driver;
	wizard->notes = g_string_new(NULL);
	wizard->collected = mtw_messages_new();
	wizard->redact_facts = mtw_redact_facts_new();
	return wizard;
}

void mtw_wizard_free(MtwWizard *wizard)
{
	if (wizard == NULL)
		return;
	g_free(wizard->device);
	g_free(wizard->driver);
	g_free(wizard->issue);
	g_free(wizard->module_options);
	g_string_free(wizard->notes, TRUE);
	g_clear_pointer(&wizard->profile, mtw_profile_free);
	g_clear_pointer(&wizard->scenario, g_ptr_array_unref);
	g_clear_pointer(&wizard->verdict, json_object_unref);
	g_ptr_array_unref(wizard->collected);
	mtw_redact_facts_free(wizard->redact_facts);
	g_clear_pointer(&wizard->report, mtw_report_free);
	g_free(wizard->nick);
	g_free(wizard->story);
	g_free(wizard->archive);
	g_clear_error(&wizard->worst);
	g_free(wizard);
}

void mtw_wizard_interrupt(MtwWizard *wizard)
{
	g_atomic_int_set(&wizard->interrupted, 1);
}

void mtw_wizard_leave(MtwWizard *wizard)
{
	if (wizard->engine->remote && !wizard->options->batch)
		g_atomic_int_set(&wizard->leaving, 1);
	mtw_wizard_interrupt(wizard);
}

gboolean mtw_wizard_is_interrupted(const MtwWizard *wizard)
{
	return g_atomic_int_get(&wizard->interrupted) != 0;
}

void mtw_wizard_show(MtwWizard *wizard, JsonObject *event)
{
	wizard->view->ops->show(wizard->view, event);
	json_object_unref(event);
}

void mtw_wizard_explain(MtwWizard *wizard, const char *text)
{
	JsonObject *event = mtw_event_new("explain");

	json_object_set_string_member(event, "text", text);
	mtw_wizard_show(wizard, event);
}

void mtw_wizard_tell(MtwWizard *wizard, MtwMessage *message)
{
	g_autofree char *line = g_strdup_printf("%s: %s %s", mtw_level_name(message->level),
						message->sentence, message->detail);

	mtw_engine_log(wizard->engine, line);
	mtw_wizard_show(wizard, mtw_event_message(message));
	mtw_message_free(message);
}

static gboolean is_choice(const MtwRequest *request, const char *answer)
{
	static const char *const yes_no[] = { "yes", "no", NULL };

	if (request->kind == MTW_REQUEST_YES_NO)
		return g_strv_contains(yes_no, answer);
	return request->kind != MTW_REQUEST_CHOICE || g_strv_contains(request->choices, answer);
}

/* What no file of answers and no --yes can say. */
static gboolean is_for_a_person(const MtwRequest *request)
{
	return request->consent || request->kind == MTW_REQUEST_SECRET;
}

/* In batch mode nobody is there; a person who says nothing (end of input) gets the same. */
static char *find_answer(MtwWizard *wizard, const MtwRequest *request)
{
	const char *given =
		is_for_a_person(request) ? NULL : mtw_answers_get(wizard->answers, request->id);
	char *answer = NULL;

	if (given != NULL)
		return g_strdup(given);
	if (!wizard->options->batch && (!wizard->options->assume_yes || is_for_a_person(request)))
		answer = wizard->view->ops->ask(wizard->view, request);
	return answer != NULL ? answer : g_strdup(request->harmless);
}

static void forget_answer(const MtwRequest *request, char *answer)
{
	if (answer != NULL && request->kind == MTW_REQUEST_SECRET)
		mtw_secret_wipe(answer, strlen(answer));
	g_free(answer);
}

char *mtw_wizard_ask(MtwWizard *wizard, const MtwRequest *request, GError **error)
{
	char *answer = find_answer(wizard, request);

	if (mtw_wizard_is_interrupted(wizard) && !wizard->options->batch) {
		forget_answer(request, answer);
		g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED,
			    "stopped at the question \"%s\"", request->id);
		return NULL;
	}
	if (answer == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED,
			    "the question \"%s\" was not answered", request->id);
		return NULL;
	}
	if (!is_choice(request, answer)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "\"%s\" is not an answer to the question \"%s\"", answer, request->id);
		g_free(answer);
		return NULL;
	}
	return answer;
}

gboolean mtw_wizard_ask_until(MtwWizard *wizard, const MtwRequest *request, const char *refused,
			      MtwAnswerTaker take, gpointer user_data, GError **error)
{
	gboolean once =
		wizard->options->batch || mtw_answers_get(wizard->answers, request->id) != NULL;

	for (;;) {
		g_autofree char *answer = mtw_wizard_ask(wizard, request, error);
		g_autoptr(GError) why = NULL;
		if (answer == NULL)
			return FALSE;
		if (g_strstrip(answer)[0] == '\0' || take(answer, user_data, &why))
			return TRUE;
		if (once) {
			g_propagate_error(error, g_steal_pointer(&why));
			return FALSE;
		}
		mtw_wizard_tell(wizard, mtw_message_new(request->id, MTW_LEVEL_WARNING, refused, "",
							"%s", why->message));
	}
}

gboolean mtw_wizard_agree(MtwWizard *wizard, const MtwRequest *request, GError **error)
{
	g_autofree char *answer = mtw_wizard_ask(wizard, request, error);

	if (answer == NULL)
		return FALSE;
	if (g_str_equal(answer, "yes"))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED, "the answer to \"%s\" was no",
		    request->id);
	return FALSE;
}

/* What a person must hear first comes first. */
static int rank(const GError *error)
{
	if (error->domain != MTW_ERROR)
		return 3;
	switch (error->code) {
	case MTW_ERROR_NOTHING_TRACED:
		return 1;
	case MTW_ERROR_LOST_EVENTS:
		return 2;
	case MTW_ERROR_INTERRUPTED:
		return 4;
	case MTW_ERROR_DISK:
		return 5;
	case MTW_ERROR_NOT_RESTORED:
		return 6;
	default:
		return 3;
	}
}

void mtw_wizard_remember(MtwWizard *wizard, GError *error)
{
	mtw_engine_log(wizard->engine, error->message);
	if (wizard->worst == NULL || rank(error) > rank(wizard->worst)) {
		g_clear_error(&wizard->worst);
		wizard->worst = error;
	} else {
		g_error_free(error);
	}
}

MtwCaptureOptions mtw_wizard_capture_options(const MtwWizard *wizard)
{
	return (MtwCaptureOptions){
		.device = wizard->device,
		.driver = wizard->driver,
		.module_options = wizard->module_options,
		.buffer_kb = wizard->buffer_kb,
		.owner_uid = wizard->caller->uid,
		.issue = wizard->issue,
		.countdown_sec = COUNTDOWN_SEC,
		.profile = wizard->profile != NULL ? wizard->profile->id : NULL,
		.notes = wizard->notes->len > 0 ? wizard->notes->str : NULL,
		.load_driver = wizard->load_driver,
		.collectors = wizard->profile != NULL
				      ? (const char *const *)wizard->profile->collectors
				      : NULL,
		.consent_edid = wizard->consent_edid,
		.consent_vbios = wizard->consent_vbios
	};
}

char *mtw_wizard_output_folder(const MtwWizard *wizard)
{
	g_autofree char *current = g_get_current_dir();

	if (wizard->options->output == NULL)
		return g_steal_pointer(&current);
	return g_canonicalize_filename(wizard->options->output, current);
}

static void show_step(MtwWizard *wizard, const MtwStep *step)
{
	JsonObject *event = mtw_event_new("step");

	json_object_set_string_member(event, "step", step->id);
	json_object_set_string_member(event, "title", step->title);
	mtw_wizard_show(wizard, event);
}

static void log_summary(MtwWizard *wizard, const MtwStep *step)
{
	g_autofree char *summary = step->summary != NULL ? step->summary(wizard) : NULL;
	g_autofree char *line = NULL;

	if (summary == NULL)
		return;
	line = g_strdup_printf("step %s: %s", step->id, summary);
	mtw_engine_log(wizard->engine, line);
}

/* A signal in the middle of the questions: nothing is begun. */
static gboolean may_begin(const MtwWizard *wizard, MtwStepId id, GError **error)
{
	if (id > MTW_STEP_CAPTURE || !mtw_wizard_is_interrupted(wizard))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED, "stopped before the capture began");
	return FALSE;
}

/* What goes with the trace is read with the rights of the capture, before the person takes over. */
static void collect(MtwWizard *wizard)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) messages = mtw_engine_collect(wizard->engine, &error);

	if (messages == NULL) {
		mtw_wizard_tell(
			wizard,
			mtw_message_new(
				"collect", MTW_LEVEL_WARNING,
				N_("Some facts about this computer could not be collected."), "",
				"%s", error->message));
		return;
	}
	g_ptr_array_extend_and_steal(wizard->collected, g_steal_pointer(&messages));
	for (guint i = 0; i < wizard->collected->len; i++) {
		const MtwMessage *message = wizard->collected->pdata[i];
		if (message->level != MTW_LEVEL_OK)
			mtw_wizard_show(wizard, mtw_event_message(message));
	}
}

/* An earlier run's facts stay. */
static void keep_text(MtwWizard *wizard, const char *name, const char *text)
{
	if (text[0] != '\0')
		(void)mtw_engine_keep_fact(wizard->engine, name,
					   json_node_init_string(json_node_alloc(), text), NULL);
}

/* The engine sees what only root can read. */
static void add_identifiers(MtwWizard *wizard)
{
	g_autoptr(GPtrArray) identifiers = mtw_engine_identifiers(wizard->engine);

	for (guint i = 0; i < identifiers->len; i++) {
		const MtwIdentifier *identifier = identifiers->pdata[i];
		mtw_redact_facts_add_named(wizard->redact_facts, identifier->kind,
					   identifier->value);
	}
}

static void gather_private(MtwWizard *wizard)
{
	mtw_redact_facts_free(wizard->redact_facts);
	wizard->redact_facts = mtw_redact_facts_gather(wizard->paths, wizard->caller->name);
	add_identifiers(wizard);
}

/* Root sees more of what must be masked; the person's own process would miss it. */
static void gather(MtwWizard *wizard)
{
	/* Of a capture that somebody else began it may have been chosen after the start. */
	keep_text(wizard, "profile", wizard->profile != NULL ? wizard->profile->id : "");
	collect(wizard);
	gather_private(wizard);
}

static gboolean run_step(MtwWizard *wizard, MtwStepId id, MtwStepId *next, GError **error)
{
	const MtwStep *step = steps[id];

	if (step->applicable != NULL && !step->applicable(wizard))
		return TRUE;
	if (!may_begin(wizard, id, error) ||
	    (step->validate != NULL && !step->validate(wizard, error)))
		return FALSE;
	show_step(wizard, step);
	if (!step->run(wizard, next, error))
		return FALSE;
	log_summary(wizard, step);
	return TRUE;
}

static gboolean run_steps(MtwWizard *wizard, MtwStepId from, MtwStepId until, GError **error)
{
	while (from < until) {
		MtwStepId next = from + 1;
		if (!run_step(wizard, from, &next, error))
			return FALSE;
		from = next;
	}
	return TRUE;
}

/*
 * An address that was given to another process, before it had to end. With nobody there it would be sent to as if that had
 * been asked for now.
 */
static void recall_issue(MtwWizard *wizard)
{
	JsonObject *facts = mtw_engine_facts(wizard->engine);

	if (wizard->issue == NULL && !wizard->options->batch && facts != NULL)
		wizard->issue = g_strdup(mtw_json_string(facts, "issue", NULL));
}

/* From the finished capture to the end, as the person. */
static gboolean report(MtwWizard *wizard, GError **error)
{
	/* The signal that ended an unattended capture as it was wished has done its work. */
	if (wizard->options->batch && !wizard->cut_short)
		g_atomic_int_set(&wizard->interrupted, 0);
	if (wizard->have_trace)
		gather(wizard);
	recall_issue(wizard);
	if (wizard->have_trace && !wizard->give_up && !mtw_caller_is_self(wizard->caller))
		return mtw_hand_over(wizard, error);
	return run_steps(wizard, MTW_STEP_DESCRIBE, MTW_N_STEPS, error);
}

/* An error that stopped the wizard, or the worst that did not. */
static gboolean conclude(MtwWizard *wizard, GError *stopped, GError **error)
{
	if (stopped != NULL)
		mtw_wizard_remember(wizard, stopped);
	if (wizard->worst == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&wizard->worst));
	return FALSE;
}

gboolean mtw_wizard_run(MtwWizard *wizard, GError **error)
{
	GError *stopped = NULL;

	if (run_steps(wizard, MTW_STEP_WELCOME, MTW_STEP_DESCRIBE, &stopped))
		report(wizard, &stopped);
	return conclude(wizard, stopped, error);
}

static void replace(char **text, const char *with)
{
	g_free(*text);
	*text = g_strdup(with);
}

/* For another try, which is to be like the first; what was to be done meanwhile is over. */
static void take_running(MtwWizard *wizard, const MtwCaptureOptions *running)
{
	replace(&wizard->device, running->device);
	replace(&wizard->driver, running->driver);
	replace(&wizard->module_options, running->module_options);
	wizard->buffer_kb = running->buffer_kb;
	wizard->load_driver = running->load_driver;
	wizard->consent_edid = running->consent_edid;
	wizard->consent_vbios = running->consent_vbios;
	g_string_append(wizard->notes, running->notes != NULL ? running->notes : "");
}

gboolean mtw_wizard_attach(MtwWizard *wizard, GError **error)
{
	g_autoptr(MtwPciDevice) device = NULL;
	GError *stopped = NULL;

	take_running(wizard, wizard->options->running);
	device = mtw_pci_get(wizard->paths, wizard->device, error);
	if (device == NULL || !mtw_wizard_choose_profile(wizard, device, error))
		return FALSE;
	wizard->attached = TRUE;
	if (run_steps(wizard, MTW_STEP_CAPTURE, MTW_STEP_DESCRIBE, &stopped))
		report(wizard, &stopped);
	return conclude(wizard, stopped, error);
}

gboolean mtw_wizard_report(MtwWizard *wizard, GError **error)
{
	GError *stopped = NULL;

	wizard->have_trace = TRUE;
	if (wizard->redact_facts->values->len == 0)
		gather_private(wizard);
	run_steps(wizard, MTW_STEP_DESCRIBE, MTW_N_STEPS, &stopped);
	return conclude(wizard, stopped, error);
}

gboolean mtw_wizard_pack(MtwWizard *wizard, const char *session, GError **error)
{
	GError *stopped = NULL;
	JsonObject *facts;

	if (!mtw_engine_open_session(wizard->engine, session, error))
		return FALSE;
	facts = mtw_engine_facts(wizard->engine);
	replace(&wizard->device, mtw_json_string(facts, "device", NULL));
	wizard->have_trace = TRUE;
	report(wizard, &stopped);
	return conclude(wizard, stopped, error);
}
