/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CAPTURE: the engine makes the changes and records; here is decided what is done meanwhile and when
 * it ends. Whatever happens, this step is left only after the engine said "done".
 */
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/events.h"
#include "machine/session-type.h"
#include "machine/users.h"
#include "wizard/autostart.h"
#include "wizard/exercise.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>

#define EVENT_WAIT_MSEC 100
#define COUNTERS_USEC G_USEC_PER_SEC
#define ABANDONED_USEC (15 * 60 * G_USEC_PER_SEC)

/* How long an unattended capture goes on when nothing else ends it. */
#define DEFAULT_BATCH_SEC 10

typedef struct {
	MtwWizard *wizard;
	MtwExercise *exercise;
	gboolean announced; /* that the desktop ends */
	gboolean driver_up;
	gboolean exercised; /* everything that was to be done is done */
	gboolean stopping;
	gboolean input_ended;
	gboolean left;	       /* the service goes on without this process */
	gint64 counters_usec;  /* when the counters were shown */
	gint64 end_usec;       /* 0: no time limit */
	gint64 typed_usec;     /* when the person last typed something */
	gboolean watch_person; /* the connection to them goes through the device */
	JsonObject *done;
} Capture;

/*
 * The exercise is ended before the recording: its last accesses belong to the trace, and a program that
 * has the device open would keep its driver from being unloaded.
 */
static void stop(Capture *capture)
{
	if (capture->stopping)
		return;
	capture->stopping = TRUE;
	mtw_exercise_stop(capture->exercise);
	mtw_engine_stop(capture->wizard->engine);
}

static guint duration_sec(const Capture *capture)
{
	const MtwWizardOptions *options = capture->wizard->options;

	if (options->duration_sec != MTW_DURATION_UNSET)
		return options->duration_sec;
	return options->batch && mtw_exercise_is_empty(capture->exercise) ? DEFAULT_BATCH_SEC : 0;
}

static const char how_to_mark[] =
	N_("Use the device now. Type what you are doing and press Enter: it becomes a marker in\n"
	   "the trace. Enter alone (or Ctrl+D, Ctrl+C) ends the capture.\n");

static void on_driver_up(Capture *capture)
{
	const char *const *marks = capture->wizard->options->marks;
	guint seconds = duration_sec(capture);

	if (!capture->wizard->options->batch)
		mtw_wizard_explain(capture->wizard, how_to_mark);
	if (seconds > 0)
		capture->end_usec = g_get_monotonic_time() + (gint64)seconds * G_USEC_PER_SEC;
	for (; marks != NULL && *marks != NULL; marks++) {
		g_autoptr(GError) error = NULL;
		if (!mtw_engine_mark(capture->wizard->engine, *marks, &error))
			mtw_wizard_tell(capture->wizard,
					mtw_message_new("marker", MTW_LEVEL_WARNING,
							N_("A marker could not be set."), "", "%s",
							error->message));
	}
}

/* This process ends with the desktop; the capture does not. */
static void prepare_return(MtwWizard *wizard)
{
	g_autoptr(GError) error = NULL;

	if (!wizard->engine->remote ||
	    mtw_session_type_of_self(wizard->paths) == MTW_SESSION_TYPE_NONE)
		return;
	if (!mtw_autostart_set(wizard->paths, wizard->caller, mtw_engine_session_id(wizard->engine),
			       &error))
		mtw_wizard_tell(wizard,
				mtw_message_new("autostart", MTW_LEVEL_WARNING,
						N_("The capture will not open by itself when "
						   "the desktop is back."),
						N_("Open a terminal then and type "
						   "`mmiotrace-wizard attach`."),
						"%s", error->message));
}

static void take_event(Capture *capture)
{
	JsonObject *event = mtw_engine_next_event(capture->wizard->engine, EVENT_WAIT_MSEC);
	const char *name;
	gboolean up;

	if (event == NULL)
		return;
	name = mtw_json_string(event, "event", "");
	up = g_str_equal(name, "driver-up");
	if (g_str_equal(name, "done"))
		capture->done = json_object_ref(event);
	if (g_str_equal(name, "countdown") && !capture->announced) {
		capture->announced = TRUE;
		prepare_return(capture->wizard);
	}
	mtw_wizard_show(capture->wizard, event);
	if (up) {
		capture->driver_up = TRUE;
		on_driver_up(capture);
	}
}

static void show_counters(Capture *capture)
{
	gint64 now = g_get_monotonic_time();
	JsonObject *counters;

	if (now - capture->counters_usec < COUNTERS_USEC)
		return;
	counters = mtw_engine_counters(capture->wizard->engine);
	if (counters == NULL)
		return;
	capture->counters_usec = now;
	json_object_set_string_member(counters, "event", "counters");
	mtw_wizard_show(capture->wizard, counters);
}

/* What a person typed: nothing = stop, n/s/a number = on with the scenario, everything else = a marker. */
static void take_line(Capture *capture, const char *line)
{
	g_autofree char *marker = mtw_text_clean_marker(line, -1);
	g_autoptr(GError) error = NULL;

	if (marker[0] == '\0')
		stop(capture);
	else if (mtw_exercise_waits_for_user(capture->exercise) && g_str_equal(marker, "n"))
		mtw_exercise_advance(capture->exercise, FALSE);
	else if (mtw_exercise_waits_for_user(capture->exercise) && g_str_equal(marker, "s"))
		mtw_exercise_advance(capture->exercise, TRUE);
	else if (mtw_exercise_jump(capture->exercise, marker))
		return;
	else if (!mtw_engine_mark(capture->wizard->engine, marker, &error))
		mtw_wizard_tell(capture->wizard, mtw_message_new("marker", MTW_LEVEL_WARNING,
								 N_("A marker could not be set."),
								 "", "%s", error->message));
}

static gboolean is_screen_gone(const MtwWizard *wizard)
{
	const MtwViewOps *ops = wizard->view->ops;

	return ops->is_gone != NULL && ops->is_gone(wizard->view);
}

static void take_input(Capture *capture)
{
	const MtwViewOps *ops = capture->wizard->view->ops;
	g_autofree char *line = NULL;

	if (capture->wizard->options->batch || capture->input_ended || capture->stopping ||
	    !ops->capture_line(capture->wizard->view, &line))
		return;
	capture->input_ended = line == NULL;
	if (line != NULL)
		take_line(capture, line);
	else if (is_screen_gone(capture->wizard))
		mtw_wizard_leave(capture->wizard);
	else
		stop(capture);
}

/*
 * A network that does not come back takes the person's terminal with it, and nothing says so: the other end of the
 * connection is waited for without an end.
 */
static gboolean is_abandoned(const Capture *capture)
{
	return capture->watch_person && capture->driver_up &&
	       g_get_monotonic_time() - capture->typed_usec > ABANDONED_USEC;
}

static void tell_abandoned(Capture *capture)
{
	mtw_wizard_tell(capture->wizard,
			mtw_message_new("abandoned", MTW_LEVEL_WARNING,
					N_("Nothing was typed for a quarter of an hour, and the "
					   "network goes through this device: the capture ends."),
					N_("To trace longer, give --duration."), NULL));
}

static gboolean carries_the_network(MtwWizard *wizard)
{
	g_autoptr(MtwPciDevice) device = mtw_pci_get(wizard->paths, wizard->device, NULL);
	g_autoptr(MtwDeviceUse) use =
		device != NULL ? mtw_device_use_get(wizard->paths, device) : NULL;

	return use != NULL && use->default_route;
}

/* Ends the capture when it is time. */
static void check_end(Capture *capture)
{
	const MtwWizardOptions *options = capture->wizard->options;

	if (capture->stopping)
		return;
	if (g_atomic_int_get(&capture->wizard->leaving)) {
		capture->left = TRUE;
	} else if (mtw_wizard_is_interrupted(capture->wizard)) {
		/* For a person, and with --duration 0, this is the usual way to stop. */
		capture->wizard->cut_short = options->batch && options->duration_sec != 0;
		stop(capture);
	} else if (capture->end_usec != 0 && g_get_monotonic_time() >= capture->end_usec) {
		stop(capture);
	} else if (is_abandoned(capture)) {
		tell_abandoned(capture);
		stop(capture);
	}
}

static const char all_done[] =
	N_("All steps are done. Enter alone ends the capture; more markers are welcome.\n");

static void exercise_turn(Capture *capture)
{
	if (!capture->driver_up || capture->stopping || capture->exercised)
		return;
	if (mtw_exercise_turn(capture->exercise))
		return;
	capture->exercised = TRUE;
	if (mtw_exercise_is_empty(capture->exercise))
		return;
	if (capture->wizard->options->batch)
		stop(capture);
	else
		mtw_wizard_explain(capture->wizard, all_done);
}

static void attend(Capture *capture)
{
	while (capture->done == NULL && !capture->left) {
		take_event(capture);
		show_counters(capture);
		take_input(capture);
		exercise_turn(capture);
		check_end(capture);
	}
}

static guint64 used_buffer_kb(MtwWizard *wizard)
{
	return (guint64)MAX(mtw_json_int(mtw_engine_facts(wizard->engine), "buffer_kb", 0), 0);
}

static void take_result(MtwWizard *wizard, JsonObject *done)
{
	JsonObject *error = mtw_json_object(done, "error");
	JsonObject *verdict = mtw_json_object(done, "verdict");

	g_clear_pointer(&wizard->verdict, json_object_unref);
	if (verdict != NULL)
		wizard->verdict = json_object_ref(verdict);
	wizard->have_trace |= mtw_json_bool(done, "trace", FALSE);
	/* Tries of another process, whose capture this one came back to, and the size that it left to the engine. */
	wizard->retries = MAX(wizard->retries, (guint)MAX(mtw_json_int(done, "try", 1), 1) - 1);
	if (wizard->buffer_kb == 0)
		wizard->buffer_kb = used_buffer_kb(wizard);
	if (error != NULL)
		mtw_wizard_remember(wizard, mtw_error_from_json(error));
}

static gboolean leave(GError **error)
{
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
		    "this program has to end, but the service goes on with the capture; "
		    "`mmiotrace-wizard attach` comes back to it");
	return FALSE;
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	MtwCaptureOptions options = mtw_wizard_capture_options(wizard);
	Capture capture = { .wizard = wizard, .typed_usec = g_get_monotonic_time() };

	(void)next;
	/* Before the capture takes the network away. */
	capture.watch_person = !wizard->options->batch && !wizard->engine->remote &&
			       wizard->options->duration_sec == MTW_DURATION_UNSET &&
			       carries_the_network(wizard);
	if (!wizard->attached && !mtw_engine_start(wizard->engine, &options, error))
		return FALSE;
	wizard->attached = FALSE;
	wizard->captured = TRUE;
	capture.exercise = mtw_exercise_new(wizard);
	attend(&capture);
	mtw_exercise_stop(capture.exercise);
	mtw_exercise_free(capture.exercise);
	if (capture.left)
		return leave(error);
	mtw_autostart_clear(wizard->caller);
	take_result(wizard, capture.done);
	if (wizard->cut_short)
		mtw_wizard_remember(wizard,
				    g_error_new(MTW_ERROR, MTW_ERROR_INTERRUPTED,
						"a signal ended the capture before its time"));
	/* Ctrl-C was how the person ended the capture; the questions go on. */
	if (!wizard->options->batch)
		g_atomic_int_set(&wizard->interrupted, 0);
	json_object_unref(capture.done);
	if (wizard->have_trace)
		return TRUE;
	if (wizard->worst != NULL)
		g_propagate_error(error, g_steal_pointer(&wizard->worst));
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "no trace was made");
	return FALSE;
}

const MtwStep mtw_step_capture = {
	.id = "capture",
	.title = N_("Capture"),
	.run = run,
};
