/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One phase after the other. Each is written down before and after, so that a process that takes over knows which
 * one's outcome is unknown, and looks on the server before it does it again.
 */
#include "submit/send-private.h"

#include "base/error.h"
#include "base/json.h"

#include <errno.h>
#include <string.h>

static gboolean is_marked(MtwSendRun *sending, const MtwPhase *phase, const char *mark)
{
	return strcmp(mtw_json_string(mtw_item_phases(sending->item), phase->id, ""), mark) == 0;
}

gboolean mtw_send_file_is_there(MtwSendRun *sending)
{
	for (const MtwPhase *const *phase = sending->phases; *phase != NULL; phase++)
		if ((*phase)->carries_file && is_marked(sending, *phase, MTW_PHASE_DONE))
			return TRUE;
	return FALSE;
}

static gboolean all_are_done(MtwSendRun *sending)
{
	for (const MtwPhase *const *phase = sending->phases; *phase != NULL; phase++)
		if (!is_marked(sending, *phase, MTW_PHASE_DONE))
			return FALSE;
	return TRUE;
}

static gboolean save(MtwSendRun *sending, GError **error)
{
	return sending->main->job.save(&sending->main->job, error);
}

static void set_mark(MtwSendRun *sending, const MtwPhase *phase, const char *mark)
{
	json_object_set_string_member(mtw_item_phases(sending->item), phase->id, mark);
	mtw_item_set_state(sending->item, mtw_send_file_is_there(sending) ? MTW_ITEM_UPLOADED
									  : MTW_ITEM_UPLOADING);
}

/* The receipt is written with the last mark. */
static void set_sent(MtwSendRun *sending)
{
	JsonObject *state = sending->item->state;

	mtw_item_set_state(sending->item, MTW_ITEM_DONE);
	json_object_set_int_member(mtw_item_facts(sending->item), "done",
				   g_get_real_time() / G_USEC_PER_SEC);
	json_object_remove_member(state, "failure");
	json_object_set_int_member(state, "next_try_sec", 0);
}

static gboolean mark_done(MtwSendRun *sending, const MtwPhase *phase, GError **error)
{
	set_mark(sending, phase, MTW_PHASE_DONE);
	if (all_are_done(sending))
		set_sent(sending);
	return save(sending, error);
}

/* A file that was hard-linked can be written to by others, also while it is sent. */
static gboolean check_files(const MtwSendRun *sending, GError **error)
{
	for (guint i = 0; i < sending->files.files->len; i++) {
		const MtwJobFile *file = sending->files.files->pdata[i];
		const struct stat *before = &g_array_index(sending->stats, struct stat, i);
		struct stat now;
		if (fstat(file->fd, &now) != 0) {
			mtw_set_error_errno(error, errno, "%s", file->name);
			return FALSE;
		}
		if (now.st_size != before->st_size ||
		    now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		    now.st_mtim.tv_nsec != before->st_mtim.tv_nsec) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED,
				    "%s was changed while it was being sent", file->name);
			return FALSE;
		}
	}
	return TRUE;
}

static guint64 total_bytes(const MtwSendRun *sending)
{
	guint64 total = 0;

	for (guint i = 0; i < sending->files.files->len; i++)
		total += ((MtwJobFile *)sending->files.files->pdata[i])->bytes;
	return total;
}

static void tell_sending(MtwSendRun *sending, const MtwPhase *phase)
{
	JsonObject *event = json_object_new();

	json_object_set_string_member(event, "event", "sending");
	json_object_set_string_member(event, "state",
				      mtw_item_state_name(mtw_item_state(sending->item)));
	json_object_set_string_member(event, "phase", phase->id);
	mtw_json_set_text(event, "host", sending->main->job.target->host);
	mtw_send_event(sending->options, event);
}

static gboolean run(MtwSendRun *sending, const MtwPhase *phase, GError **error)
{
	gboolean ok;

	set_mark(sending, phase, MTW_PHASE_STARTED);
	if (!save(sending, error))
		return FALSE;
	tell_sending(sending, phase);
	if (phase->carries_file)
		mtw_send_progress_begin(&sending->progress, sending->options, total_bytes(sending));
	ok = check_files(sending, error) && phase->run(&sending->main->job, error) &&
	     (!phase->carries_file || check_files(sending, error));
	mtw_send_progress_end(&sending->progress, ok);
	return ok;
}

/* An earlier try got it there. */
static void tell_found(MtwSendRun *sending, const MtwPhase *phase)
{
	if (!phase->carries_file)
		return;
	mtw_send_progress_begin(&sending->progress, sending->options, total_bytes(sending));
	mtw_send_progress_end(&sending->progress, TRUE);
}

static void begin_jobs(MtwSendRun *sending)
{
	mtw_send_job_begin(sending->main);
	for (guint i = 0; i < sending->sides->len; i++)
		mtw_send_job_begin(sending->sides->pdata[i]);
}

/* @ret_looked: it failed while looking: what the phase did before is as unknown as it was */
static gboolean attempt(MtwSendRun *sending, const MtwPhase *phase, gboolean *ret_looked,
			GError **error)
{
	gboolean done = FALSE;

	*ret_looked = FALSE;
	begin_jobs(sending);
	if (phase->find != NULL && is_marked(sending, phase, MTW_PHASE_STARTED)) {
		*ret_looked = TRUE;
		if (!phase->find(&sending->main->job, &done, error))
			return FALSE;
		*ret_looked = FALSE;
		begin_jobs(sending);
	}
	if (done)
		tell_found(sending, phase);
	return (done || run(sending, phase, error)) && mark_done(sending, phase, error);
}

static gboolean do_phase(MtwSendRun *sending, const MtwPhase *phase, GError **error)
{
	GError *problem = NULL;
	gboolean looked;

	while (!mtw_send_is_cancelled(sending->options)) {
		if (attempt(sending, phase, &looked, &problem)) {
			sending->failures = 0;
			return TRUE;
		}
		if (!mtw_send_try_again(sending, phase, looked, g_steal_pointer(&problem), error))
			return FALSE;
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED,
		    "sending was stopped; what was done so far is kept");
	return FALSE;
}

gboolean mtw_send_phases(MtwSendRun *sending, GError **error)
{
	for (const MtwPhase *const *phase = sending->phases; *phase != NULL; phase++)
		if (!is_marked(sending, *phase, MTW_PHASE_DONE) &&
		    !do_phase(sending, *phase, error))
			return FALSE;
	if (mtw_item_state(sending->item) == MTW_ITEM_DONE)
		return TRUE;
	set_sent(sending);
	return save(sending, error);
}
