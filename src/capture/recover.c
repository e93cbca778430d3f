/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/recover.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "capture/judge.h"
#include "capture/salvage.h"
#include "machine/system.h"
#include "trace/facts-json.h"

#include <string.h>
#include <unistd.h>

typedef struct {
	const MtwPaths *paths;
	MtwSession *session;
	MtwMachine machine;
	MtwJournal *journal;
	MtwChangeMaker maker;
	guint try_number; /* of the newest trace; 0: none */
	MtwFd trace;
	gboolean have_ring;
	MtwRingStats ring_stop;
} Recovery;

/* What waits for the next start is not to be undone before it. */
static gboolean is_waiting(const MtwPaths *paths, const MtwSession *session)
{
	g_autofree char *boot_id = mtw_system_boot_id(paths);

	return g_str_equal(mtw_json_string(session->state, "state", ""), MTW_SESSION_WAITING) &&
	       g_str_equal(mtw_json_string(session->state, "boot_id", ""), boot_id);
}

static gboolean is_unfinished(const MtwPaths *paths, const MtwSession *session)
{
	static const char *const unfinished[] = { MTW_SESSION_PREPARING, MTW_SESSION_CAPTURING,
						  MTW_SESSION_RESTORING, NULL };
	const char *state = mtw_json_string(session->state, "state", "");

	if (is_waiting(paths, session))
		return FALSE;
	return !mtw_json_bool(session->state, "restored", TRUE) ||
	       g_strv_contains(unfinished, state);
}

GPtrArray *mtw_recover_pending(const MtwPaths *paths)
{
	g_autoptr(GPtrArray) ids = mtw_session_list(paths);
	GPtrArray *pending = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(MtwSession) session = mtw_session_open(paths, ids->pdata[i], FALSE, NULL);
		if (session != NULL && is_unfinished(paths, session) &&
		    !mtw_session_is_live(session))
			g_ptr_array_add(pending, g_strdup(ids->pdata[i]));
	}
	return pending;
}

static gboolean is_same_boot(const Recovery *recovery)
{
	g_autofree char *boot_id = mtw_system_boot_id(recovery->paths);

	return g_str_equal(boot_id, mtw_json_string(recovery->session->state, "boot_id", ""));
}

static gboolean tracer_is_on(MtwMachine *machine)
{
	g_autofree char *name = machine->tracefs != NULL
					? mtw_tracefs_read(machine->tracefs, "current_tracer", NULL)
					: NULL;

	return g_strcmp0(name, "mmiotrace") == 0;
}

/* A restart of the computer undid nearly everything; for that the journal only has to say so. */
static gboolean note_restart(Recovery *recovery, GError **error)
{
	const GPtrArray *changes = mtw_journal_changes(recovery->journal);

	for (guint i = 0; i < changes->len; i++) {
		MtwChange *change = changes->pdata[i];
		if (change->status == MTW_CHANGE_UNDONE || mtw_change_is_persistent(change))
			continue;
		change->status = MTW_CHANGE_UNDONE;
		if (!mtw_journal_note(recovery->journal, change, error))
			return FALSE;
	}
	mtw_session_log(recovery->session, "the computer was restarted");
	return mtw_changes_undo_all(&recovery->maker, error);
}

/* Stops the tracer of the dead run without losing what it still has (the order of run.c). */
static gboolean save_rest(Recovery *recovery, MtwTracer *tracer, GError **error)
{
	gboolean at_start = TRUE;

	if (!mtw_tracer_open(tracer, &recovery->machine, error) ||
	    !mtw_salvage_drain(tracer, recovery->trace, &at_start, error))
		return FALSE;
	mtw_changes_undo_driver(&recovery->maker);
	if (!mtw_salvage_drain(tracer, recovery->trace, &at_start, error) ||
	    !mtw_tracer_pause(tracer, error) ||
	    !mtw_salvage_drain(tracer, recovery->trace, &at_start, error) ||
	    !mtw_tracer_ring_stats(tracer, &recovery->ring_stop, error))
		return FALSE;
	recovery->have_ring = TRUE;
	return TRUE;
}

static gboolean restore(Recovery *recovery, GError **error)
{
	recovery->machine.tracefs = mtw_tracefs_find(recovery->paths, NULL);
	if (recovery->trace >= 0 && tracer_is_on(&recovery->machine)) {
		g_autoptr(MtwTracer) tracer = mtw_tracer_new_builtin();
		g_autoptr(GError) why = NULL;
		if (!save_rest(recovery, tracer, &why))
			mtw_session_log(recovery->session, "the rest of the trace is lost: %s",
					why->message);
	}
	return mtw_changes_undo_all(&recovery->maker, error) &&
	       mtw_judge_driver_restored(recovery->paths, recovery->session->state, error);
}

static gboolean judge(Recovery *recovery, GError **error)
{
	JsonObject *state = recovery->session->state;
	g_autoptr(MtwStats) stats = mtw_stats_new();
	g_autoptr(MtwVerdict) verdict = NULL;
	MtwRingStats start;
	MtwLoss loss;

	mtw_stats_add_bars_json(stats, mtw_json_array(state, "bars"));
	if (!mtw_salvage_count(recovery->trace, stats, error))
		return FALSE;
	if (recovery->have_ring &&
	    mtw_ring_stats_from_json(mtw_json_object(state, "ring_start"), &start))
		loss = mtw_loss_judge(mtw_stats_counts(stats), &start, &recovery->ring_stop);
	else
		loss = mtw_loss_estimate(mtw_stats_counts(stats));
	verdict = mtw_verdict_new(mtw_stats_counts(stats), &loss, TRUE, NULL);
	json_object_unref(mtw_judge_keep(recovery->session, recovery->try_number, verdict,
					 mtw_stats_counts(stats)));
	return TRUE;
}

static gboolean open_trace(Recovery *recovery, GError **error)
{
	recovery->try_number = mtw_salvage_newest(recovery->session);
	if (recovery->try_number == 0)
		return TRUE;
	recovery->trace = mtw_salvage_open(recovery->session, recovery->try_number, error);
	return recovery->trace >= 0;
}

static gboolean has_trace(const MtwSession *session)
{
	g_autofree char *path = mtw_session_path(session, "trace.txt");

	return access(path, F_OK) == 0;
}

static gboolean recover(Recovery *recovery, GError **error)
{
	g_autoptr(GError) why = NULL;
	gboolean restored;

	recovery->journal = mtw_journal_open(recovery->session->folder, error);
	if (recovery->journal == NULL)
		return FALSE;
	recovery->maker.journal = recovery->journal;
	/* The machine comes first: a trace that cannot be opened must not keep it from being restored. */
	if (!open_trace(recovery, &why)) {
		mtw_session_log(recovery->session, "the trace cannot be saved: %s", why->message);
		g_clear_error(&why);
	}
	restored =
		is_same_boot(recovery) ? restore(recovery, error) : note_restart(recovery, error);
	if (recovery->trace >= 0 && !judge(recovery, &why))
		mtw_session_log(recovery->session, "the trace cannot be judged: %s", why->message);
	json_object_set_boolean_member(recovery->session->state, "restored", restored);
	return mtw_session_set_state(recovery->session,
				     has_trace(recovery->session) ? MTW_SESSION_RECOVERED
								  : MTW_SESSION_FAILED,
				     restored ? error : NULL) &&
	       restored;
}

gboolean mtw_recover_session(const MtwPaths *paths, const char *id, MtwChangeWatcher watcher,
			     gpointer user_data, GError **error)
{
	g_auto(MtwFd) lock = mtw_capture_lock(paths, error);
	g_autoptr(MtwSession) session = NULL;
	Recovery recovery = { .paths = paths, .machine = { .paths = paths }, .trace = -1 };
	gboolean restored;

	if (lock < 0)
		return FALSE;
	session = mtw_session_open(paths, id, TRUE, error);
	if (session == NULL)
		return FALSE;
	if (!is_unfinished(paths, session))
		return TRUE;
	mtw_session_release(session);
	mtw_session_log(session, "recovering");
	recovery.session = session;
	recovery.maker = (MtwChangeMaker){ .machine = &recovery.machine,
					   .watcher = watcher,
					   .user_data = user_data };
	restored = recover(&recovery, error);
	mtw_fd_clear(&recovery.trace);
	g_clear_pointer(&recovery.journal, mtw_journal_free);
	mtw_machine_clear(&recovery.machine);
	return restored;
}

static gboolean is_any_live(const MtwPaths *paths)
{
	g_autoptr(GPtrArray) ids = mtw_session_list(paths);

	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(MtwSession) session = mtw_session_open(paths, ids->pdata[i], FALSE, NULL);
		if (session != NULL && mtw_session_is_live(session))
			return TRUE;
	}
	return FALSE;
}

gboolean mtw_recover_needed_without_session(const MtwPaths *paths)
{
	MtwMachine machine = { .paths = paths, .tracefs = mtw_tracefs_find(paths, NULL) };
	g_autoptr(GPtrArray) pending = mtw_recover_pending(paths);
	gboolean on = tracer_is_on(&machine);

	mtw_machine_clear(&machine);
	return on && pending->len == 0 && !is_any_live(paths);
}

static gboolean undo(MtwChangeKind kind, const char *subject, const char *before, const char *after,
		     const MtwChangeMaker *maker, GError **error)
{
	g_autoptr(MtwChange) change = mtw_change_new(kind, subject, before, after);
	g_autoptr(GError) why = NULL;

	mtw_change_undo(change, maker->machine, &why);
	if (maker->watcher != NULL)
		maker->watcher(change, "undo", why, maker->user_data);
	if (why != NULL)
		g_propagate_error(error, g_steal_pointer(&why));
	return change->status == MTW_CHANGE_UNDONE;
}

gboolean mtw_recover_without_session(const MtwPaths *paths, MtwChangeWatcher watcher,
				     gpointer user_data, GError **error)
{
	g_auto(MtwFd) lock = mtw_capture_lock(paths, error);
	MtwMachine machine = { .paths = paths, .tracefs = NULL };
	MtwChangeMaker maker = { .machine = &machine, .watcher = watcher, .user_data = user_data };
	g_autofree char *present_path =
		mtw_paths_build(paths, MTW_PATH_SYSFS, "devices/system/cpu/present", NULL);
	g_autofree char *present = lock >= 0 ? mtw_file_read_line(present_path, error) : NULL;
	gboolean done;

	if (present == NULL)
		return FALSE;
	done = undo(MTW_CHANGE_TRACER, "current_tracer", "nop", "mmiotrace", &maker, error) &&
	       undo(MTW_CHANGE_CPUS, "cpus", present, "", &maker, error) &&
	       undo(MTW_CHANGE_BUFFER, "per_cpu/cpu0/buffer_size_kb", "1408", "", &maker, error) &&
	       undo(MTW_CHANGE_RECORDING, "tracing_on", "1", "0", &maker, error);
	mtw_machine_clear(&machine);
	return done;
}

/* Before anything else: recovering a session takes the lock itself. */
static gboolean is_nobody_capturing(const MtwPaths *paths, GError **error)
{
	g_auto(MtwFd) lock = mtw_capture_lock(paths, error);

	return lock >= 0;
}

gboolean mtw_recover_reset(const MtwPaths *paths, MtwChangeWatcher watcher, gpointer user_data,
			   GError **error)
{
	g_autoptr(GPtrArray) pending = NULL;
	GError *first = NULL;

	if (!is_nobody_capturing(paths, error))
		return FALSE;
	pending = mtw_recover_pending(paths);
	/* The newest run's changes are on top of the older ones. */
	for (guint i = pending->len; i > 0; i--)
		mtw_recover_session(paths, pending->pdata[i - 1], watcher, user_data,
				    first == NULL ? &first : NULL);
	if (first != NULL) {
		g_propagate_error(error, first);
		return FALSE;
	}
	return !mtw_recover_needed_without_session(paths) ||
	       mtw_recover_without_session(paths, watcher, user_data, error);
}
