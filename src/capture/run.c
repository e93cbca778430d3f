/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/run.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/binding.h"
#include "capture/events.h"
#include "capture/judge.h"
#include "capture/run-desktop.h"
#include "capture/run-facts.h"
#include "capture/undo.h"
#include "machine/inhibit.h"
#include "machine/kmsg.h"
#include "machine/system.h"
#include "trace/facts-json.h"

#include <glib/gi18n.h>
#include <unistd.h>

#define WATCH_USEC (200 * 1000)
#define BINDING_MSEC 2000
#define RESERVE_MAX_BYTES (64 * 1024 * 1024)

/* What belongs to one execution only. */
typedef struct {
	MtwRun *run;
	MtwMachine machine;
	MtwPlan *plan;
	MtwJournal *journal;
	MtwChangeMaker maker;
	guint64 kmsg_start;
	gboolean announced; /* that the desktop ends */
	gboolean traced;    /* there is a trace file with a header */
	MtwCounts counts;
	MtwRingStats ring_stop;
	GError *error; /* the first thing that went wrong */
} Execution;

static void emit(MtwRun *run, JsonObject *event)
{
	g_async_queue_push(run->events, event);
}

static void emit_message(MtwRun *run, MtwMessage *message)
{
	mtw_session_log(run->session, "%s: %s %s", mtw_level_name(message->level),
			message->sentence, message->detail);
	emit(run, mtw_event_message(message));
	mtw_message_free(message);
}

static void set_state(MtwRun *run, const char *state, const char *session_state)
{
	(void)mtw_session_set_state(run->session, session_state, NULL);
	emit(run, mtw_event_state(state, run->session->id, run->try_number));
}

/* Remembers the first error only: what follows from it matters less. */
static void remember(Execution *execution, GError *error)
{
	mtw_session_log(execution->run->session, "error: %s", error->message);
	if (execution->error == NULL)
		execution->error = error;
	else
		g_error_free(error);
}

static void on_change(const MtwChange *change, const char *action, const GError *error,
		      gpointer user_data)
{
	MtwRun *run = user_data;

	mtw_session_log(run->session, "%s %s %s: \"%s\" to \"%s\": %s", action,
			mtw_change_kind_name(change->kind), change->subject,
			action[0] == 'a' ? change->before : change->after,
			action[0] == 'a' ? change->after : change->before,
			error != NULL ? error->message : "ok");
	emit(run, mtw_event_change(change, action, error));
}

static gboolean mark(MtwRun *run, const char *text, GError **error)
{
	g_autofree char *clean = mtw_text_clean_marker(text, -1);

	if (!mtw_tracer_mark(run->tracer, clean, error))
		return FALSE;
	mtw_session_log(run->session, "marker: %s", clean);
	emit(run, mtw_event_marker(clean));
	return TRUE;
}

static void mark_or_remember(Execution *execution, const char *text)
{
	GError *error = NULL;

	if (!mark(execution->run, text, &error))
		remember(execution, error);
}

static char *trace_path(const MtwRun *run)
{
	g_autofree char *name = g_strdup_printf("trace-%u.txt", run->try_number);

	return mtw_session_path(run->session, name);
}

static gboolean make_change(Execution *execution, guint index, GError **error)
{
	MtwChange *change = execution->plan->changes->pdata[index];

	execution->plan->changes->pdata[index] = NULL;
	return mtw_changes_make(&execution->maker, change, error);
}

static gboolean starts_driver(const MtwChange *change)
{
	return change->kind == MTW_CHANGE_LOAD || change->kind == MTW_CHANGE_BIND;
}

/* All changes up to and with the tracer. The driver's start comes when the recorder runs. */
static gboolean prepare(Execution *execution, GError **error)
{
	for (guint i = 0; i < execution->plan->changes->len; i++) {
		const MtwChange *change = execution->plan->changes->pdata[i];
		if (starts_driver(change))
			continue;
		if (change->kind == MTW_CHANGE_UNIT && !execution->announced &&
		    !mtw_run_announce_desktop(execution->run, execution->plan, error))
			return FALSE;
		execution->announced |= change->kind == MTW_CHANGE_UNIT;
		if (g_atomic_int_get(&execution->run->stop)) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED,
				    "stopped before the capture began");
			return FALSE;
		}
		/* If the machine hangs while it traces, what was written before is on the disk. */
		if (change->kind == MTW_CHANGE_TRACER)
			sync();
		if (!make_change(execution, i, error))
			return FALSE;
	}
	return TRUE;
}

static guint64 reserve_bytes(const char *path)
{
	guint64 free_bytes = 0;

	if (!mtw_space_free(path, &free_bytes, NULL))
		return 0;
	return MIN(free_bytes / 10, RESERVE_MAX_BYTES);
}

static MtwRecorder *new_recorder(Execution *execution, GError **error)
{
	MtwRun *run = execution->run;
	g_autofree char *path = trace_path(run);
	MtwStats *stats;
	int fd = mtw_file_create(path, 0600, error);

	if (fd < 0)
		return NULL;
	stats = mtw_stats_new();
	mtw_stats_add_bars_json(stats, mtw_json_array(run->session->state, "bars"));
	return mtw_recorder_new(run->tracer, fd, stats, reserve_bytes(path));
}

static gboolean check_header(MtwRecorder *recorder, GError **error)
{
	MtwCounts counts;

	mtw_recorder_drain(recorder);
	if (mtw_recorder_failed(recorder, error))
		return FALSE;
	mtw_recorder_counts(recorder, &counts);
	if (counts.version_supported)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE,
		    "the kernel's log does not begin with the header of a known version");
	return FALSE;
}

static gboolean begin_recording(Execution *execution, GError **error)
{
	MtwRun *run = execution->run;
	MtwRecorder *recorder;

	if (!mtw_tracer_open(run->tracer, &execution->machine, error) ||
	    !mtw_tracer_ring_stats(run->tracer, &run->ring_start, error))
		return FALSE;
	recorder = new_recorder(execution, error);
	if (recorder == NULL)
		return FALSE;
	if (!check_header(recorder, error)) {
		mtw_recorder_free(recorder);
		return FALSE;
	}
	g_mutex_lock(&run->lock);
	run->recorder = recorder;
	run->start_usec = g_get_monotonic_time();
	run->marking = TRUE;
	g_mutex_unlock(&run->lock);
	execution->traced = TRUE;
	json_object_set_object_member(run->session->state, "ring_start",
				      mtw_ring_stats_to_json(&run->ring_start));
	mtw_recorder_start(recorder);
	return mark(run, "capture start", error);
}

/* The name of the driver is known only now when its module was not loaded before. */
static void look_at_binding(Execution *execution)
{
	g_autofree char *driver = mtw_binding_wait(
		execution->run->paths, execution->plan->device->address, NULL, BINDING_MSEC);

	if (driver != NULL)
		mtw_json_set_text(execution->run->session->state, "driver", driver);
	else
		emit_message(
			execution->run,
			mtw_message_new("not-bound", MTW_LEVEL_WARNING,
					N_("The driver is loaded but did not take the device."),
					N_("Look at the kernel's messages (dmesg) for its reason."),
					"%s", execution->plan->device->address));
}

/* The device's own module comes first; what depends on it follows for the desktop's sake. */
static gboolean start_driver_change(Execution *execution, guint index, gboolean is_first,
				    GError **error)
{
	if (is_first)
		mark_or_remember(execution, "driver load");
	if (!make_change(execution, index, error))
		return FALSE;
	if (is_first)
		look_at_binding(execution);
	return TRUE;
}

/* Loads or binds. That it fails is a result too: the trace shows how far the driver came. */
static void start_driver(Execution *execution)
{
	gboolean is_first = TRUE;
	GError *error = NULL;

	for (guint i = 0; i < execution->plan->changes->len; i++) {
		const MtwChange *change = execution->plan->changes->pdata[i];
		if (change == NULL || g_atomic_int_get(&execution->run->stop))
			continue;
		if (!start_driver_change(execution, i, is_first, &error)) {
			remember(execution, error);
			return;
		}
		is_first = FALSE;
	}
	if (!mtw_run_return_desktop(execution->run, execution->plan, &execution->maker, &error))
		remember(execution, error);
	emit(execution->run, mtw_event_new("driver-up"));
}

static gboolean go_on(Execution *execution, GError **error)
{
	return !mtw_recorder_failed(execution->run->recorder, error) &&
	       mtw_tracer_watch(execution->run->tracer, &execution->machine, error);
}

static void capture(Execution *execution)
{
	GError *error = NULL;

	start_driver(execution);
	while (execution->error == NULL && !g_atomic_int_get(&execution->run->stop)) {
		if (!go_on(execution, &error)) {
			remember(execution, error);
			break;
		}
		g_usleep(WATCH_USEC);
	}
}

static void end_recording(Execution *execution)
{
	MtwRun *run = execution->run;
	MtwRecorder *recorder = run->recorder;
	GError *error = NULL;

	mark_or_remember(execution, "capture stop");
	if (!mtw_recorder_pause(recorder, &error))
		remember(execution, g_steal_pointer(&error));
	mtw_recorder_drain(recorder);
	if (!mtw_tracer_ring_stats(run->tracer, &execution->ring_stop, &error))
		remember(execution, g_steal_pointer(&error));
	g_mutex_lock(&run->lock);
	run->marking = FALSE;
	run->recorder = NULL;
	g_mutex_unlock(&run->lock);
	if (!mtw_recorder_finish(recorder, &error))
		remember(execution, g_steal_pointer(&error));
	mtw_recorder_counts(recorder, &execution->counts);
	mtw_recorder_free(recorder);
}

static gboolean restore(Execution *execution)
{
	MtwRun *run = execution->run;
	g_autoptr(GError) error = NULL;
	gboolean restored;

	set_state(run, "restoring", MTW_SESSION_RESTORING);
	mtw_tracer_close(run->tracer);
	restored = mtw_changes_undo_all(&execution->maker, &error) &&
		   mtw_judge_driver_restored(run->paths, run->session->state, &error);
	json_object_set_boolean_member(run->session->state, "restored", restored);
	if (!restored) {
		mtw_session_log(run->session, "not restored: %s", error->message);
		g_clear_error(&execution->error);
		execution->error = g_steal_pointer(&error);
	}
	return restored;
}

static JsonObject *judge(Execution *execution)
{
	MtwRun *run = execution->run;
	MtwLoss loss = mtw_loss_judge(&execution->counts, &run->ring_start, &execution->ring_stop);
	g_auto(GStrv) doubts = mtw_judge_doubts(run->paths, execution->kmsg_start);
	g_autoptr(MtwVerdict) verdict =
		mtw_verdict_new(&execution->counts, &loss, TRUE, (const char *const *)doubts);

	return mtw_judge_keep(run->session, run->try_number, verdict, &execution->counts);
}

static void finish(Execution *execution, gboolean restored, JsonObject *verdict)
{
	MtwRun *run = execution->run;
	JsonObject *done = mtw_event_new("done");

	json_object_set_string_member(done, "session", run->session->id);
	json_object_set_int_member(done, "try", run->try_number);
	json_object_set_boolean_member(done, "restored", restored);
	json_object_set_boolean_member(done, "trace", execution->traced);
	if (verdict != NULL)
		json_object_set_object_member(done, "verdict", verdict);
	if (execution->error != NULL) {
		json_object_set_object_member(done, "error", mtw_error_to_json(execution->error));
		json_object_set_object_member(run->session->state, "error",
					      mtw_error_to_json(execution->error));
	} else {
		json_object_remove_member(run->session->state, "error");
	}
	set_state(run, "done", execution->traced ? MTW_SESSION_CAPTURED : MTW_SESSION_FAILED);
	emit(run, done);
}

static gboolean decide(Execution *execution, GError **error)
{
	MtwRun *run = execution->run;

	execution->machine.tracefs = mtw_tracefs_find(run->paths, NULL);
	execution->plan = mtw_plan_new(&execution->machine, run->tracer, &run->options, error);
	if (execution->plan == NULL || !mtw_run_write_facts(run, execution->plan, error))
		return FALSE;
	execution->journal = mtw_journal_open(run->session->folder, error);
	execution->maker.journal = execution->journal;
	return execution->journal != NULL;
}

static void make_trace(Execution *execution)
{
	GError *error = NULL;

	set_state(execution->run, "preparing", MTW_SESSION_PREPARING);
	mtw_session_reserve(execution->run->session);
	if (decide(execution, &error) && prepare(execution, &error) &&
	    begin_recording(execution, &error)) {
		set_state(execution->run, "capturing", MTW_SESSION_CAPTURING);
		capture(execution);
		set_state(execution->run, "stopping", MTW_SESSION_CAPTURING);
	}
	if (error != NULL)
		remember(execution, error);
}

/* The way back, from wherever make_trace got to. Returns: whether the machine is as before */
static gboolean wind_down(Execution *execution)
{
	GError *error = NULL;

	mtw_session_release(execution->run->session);
	if (execution->journal == NULL)
		return TRUE;
	if (execution->run->recorder != NULL)
		mtw_run_collect_live(execution->run, execution->plan);
	if (!mtw_run_end_desktop_again(execution->run, execution->plan, &execution->maker, &error))
		remember(execution, error);
	mtw_changes_undo_driver(&execution->maker);
	if (execution->run->recorder != NULL)
		end_recording(execution);
	return restore(execution);
}

gpointer mtw_run_execute(gpointer data)
{
	MtwRun *run = data;
	g_auto(MtwFd) awake = mtw_inhibit_sleep(run->paths, "A driver is being traced");
	Execution execution = { .run = run, .machine = { .paths = run->paths } };
	JsonObject *verdict = NULL;
	gboolean restored;

	execution.maker = (MtwChangeMaker){ .machine = &execution.machine,
					    .watcher = on_change,
					    .user_data = run };
	g_free(mtw_kmsg_read(run->paths, G_MAXUINT64, &execution.kmsg_start, NULL));
	make_trace(&execution);
	restored = wind_down(&execution);
	if (execution.traced)
		verdict = judge(&execution);
	finish(&execution, restored, verdict);
	g_clear_pointer(&execution.journal, mtw_journal_free);
	g_clear_pointer(&execution.plan, mtw_plan_free);
	g_clear_error(&execution.error);
	mtw_machine_clear(&execution.machine);
	return NULL;
}

gboolean mtw_run_mark(MtwRun *run, const char *text, GError **error)
{
	gboolean marked = FALSE;

	g_mutex_lock(&run->lock);
	if (run->marking)
		marked = mark(run, text, error);
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "nothing is being recorded");
	g_mutex_unlock(&run->lock);
	return marked;
}

gboolean mtw_run_counters(MtwRun *run, MtwCounters *ret_counters)
{
	gboolean recording;

	g_mutex_lock(&run->lock);
	recording = run->recorder != NULL;
	if (recording) {
		MtwRingStats now = run->ring_start;
		mtw_recorder_counts(run->recorder, &ret_counters->counts);
		(void)mtw_tracer_ring_stats(run->tracer, &now, NULL);
		/* What is not read yet is not lost: the recorder is on its way. */
		now.entries = 0;
		ret_counters->lost =
			mtw_loss_judge(&ret_counters->counts, &run->ring_start, &now).lost;
		ret_counters->seconds =
			(double)(g_get_monotonic_time() - run->start_usec) / G_USEC_PER_SEC;
	}
	g_mutex_unlock(&run->lock);
	return recording;
}

MtwRun *mtw_run_new(const MtwPaths *paths, MtwSession *session, const MtwCaptureOptions *options,
		    guint try_number, GAsyncQueue *events)
{
	MtwRun *run = g_new0(MtwRun, 1);

	run->paths = paths;
	run->session = session;
	run->tracer = mtw_tracer_new_builtin();
	run->options = *options;
	run->options.device = g_strdup(options->device);
	run->options.driver = g_strdup(options->driver);
	run->options.module_options = g_strdup(options->module_options);
	run->options.issue = NULL; /* the session has it */
	run->options.collectors = (const char *const *)g_strdupv((char **)options->collectors);
	run->try_number = try_number;
	run->events = events;
	g_mutex_init(&run->lock);
	return run;
}

void mtw_run_free(MtwRun *run)
{
	if (run == NULL)
		return;
	mtw_tracer_free(run->tracer);
	g_free((char *)run->options.device);
	g_free((char *)run->options.driver);
	g_free((char *)run->options.module_options);
	g_strfreev((char **)run->options.collectors);
	g_mutex_clear(&run->lock);
	g_free(run);
}
