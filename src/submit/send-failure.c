/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a failure of a phase means: another try, now or later, or the end of the run. */
#include "submit/send-private.h"

#include "base/error.h"
#include "base/json.h"
#include "submit/backoff.h"

static const MtwFailure *failure_of(const MtwSendJob *job)
{
	return mtw_transfer_failure(job->job.transfer);
}

/* The job that the failure is of: a kind may pass the failure of its side job on as its own. */
static MtwSendJob *failed_job(const MtwSendRun *sending)
{
	MtwFailureClass class = failure_of(sending->main)->class;

	for (guint i = 0; i < sending->sides->len; i++) {
		MtwSendJob *side = sending->sides->pdata[i];
		if (failure_of(side)->class != MTW_FAILURE_NONE &&
		    (class == MTW_FAILURE_NONE || class == failure_of(side)->class))
			return side;
	}
	return sending->main;
}

/* Whether the error came from the server or the way there; else this computer went wrong. */
static gboolean is_of_transfer(const GError *problem)
{
	if (problem->domain != MTW_ERROR)
		return FALSE;
	switch (problem->code) {
	case MTW_ERROR_NETWORK:
	case MTW_ERROR_REJECTED:
	case MTW_ERROR_AUTH:
	case MTW_ERROR_TLS:
	case MTW_ERROR_NOT_FILED:
	case MTW_ERROR_INTERRUPTED:
	case MTW_ERROR_TIMEOUT:
		return TRUE;
	default:
		return FALSE;
	}
}

static void record(MtwSendRun *sending, const MtwFailure *failure, const GError *problem,
		   gint64 next_try_sec)
{
	JsonObject *state = sending->item->state;
	JsonObject *object = json_object_new();

	json_object_set_string_member(object, "class", mtw_failure_class_name(failure->class));
	json_object_set_string_member(object, "error", mtw_error_name(problem));
	json_object_set_int_member(object, "http", failure->http_status);
	json_object_set_int_member(object, "curl", failure->curl_code);
	json_object_set_int_member(object, "retry_after", failure->retry_after_sec);
	mtw_json_set_text(object, "message", problem->message);
	mtw_json_set_text(object, "server_says", failure->server_says);
	json_object_set_int_member(object, "time_sec", g_get_real_time() / G_USEC_PER_SEC);
	json_object_set_object_member(state, "failure", object);
	json_object_set_int_member(state, "next_try_sec", next_try_sec);
}

/* ---- again ---- */

static gint64 wait_msec(const MtwSendRun *sending, const MtwFailure *failure)
{
	guint cap_sec = sending->main->job.target->network.retry_cap_sec;
	gint64 own = mtw_backoff_msec(sending->failures - 1, cap_sec, g_random_double());

	return MAX(own, failure->retry_after_sec * 1000);
}

static void tell_retry(const MtwSendRun *sending, gint64 msec, const GError *problem)
{
	JsonObject *event = json_object_new();

	json_object_set_string_member(event, "event", "retry");
	json_object_set_int_member(event, "in_sec", (msec + 999) / 1000);
	json_object_set_int_member(event, "try", sending->failures);
	json_object_set_int_member(event, "of", sending->main->job.target->network.retries);
	mtw_json_set_text(event, "message", problem->message);
	mtw_send_event(sending->options, event);
}

static gboolean set_interrupted(GError **error)
{
	g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED,
		    "sending was stopped; what was done so far is kept");
	return FALSE;
}

static gboolean wait_for_next(MtwSendRun *sending, const MtwFailure *failure, GError *problem,
			      GError **error)
{
	gint64 msec = wait_msec(sending, failure);
	gint64 next_sec = g_get_real_time() / G_USEC_PER_SEC + (msec + 999) / 1000;

	record(sending, failure, problem, next_sec);
	if (!mtw_item_save_state(sending->item, error))
		return FALSE;
	if (sending->options->one_try || failure->retry_after_sec > MTW_BACKOFF_LONGEST_SEC ||
	    sending->failures > sending->main->job.target->network.retries) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NETWORK, "%s", problem->message);
		return FALSE;
	}
	tell_retry(sending, msec, problem);
	return mtw_backoff_wait(msec, sending->options->cancel) || set_interrupted(error);
}

/* ---- the end ---- */

/* The same would fail again: a person has to do something. */
static gboolean give_up(MtwSendRun *sending, const MtwFailure *failure, GError *problem,
			GError **error)
{
	gboolean there = mtw_send_file_is_there(sending);
	int code = problem->code;

	if (failure->class != MTW_FAILURE_AUTH && code != MTW_ERROR_TLS)
		code = there ? MTW_ERROR_NOT_FILED : MTW_ERROR_REJECTED;
	record(sending, failure, problem, 0);
	if (there)
		mtw_item_set_state(sending->item, MTW_ITEM_UPLOADED);
	else if (failure->class != MTW_FAILURE_AUTH)
		mtw_item_set_state(sending->item, MTW_ITEM_REFUSED);
	if (!mtw_item_save_state(sending->item, error))
		return FALSE;
	g_set_error(error, MTW_ERROR, code, "%s", problem->message);
	return FALSE;
}

static gboolean end_interrupted(MtwSendRun *sending, GError **error)
{
	return mtw_item_save_state(sending->item, error) && set_interrupted(error);
}

/*
 * An answer that was a clear no, or a request that never got there: nothing to look for on the server. In all other
 * cases the phase stays "started".
 */
static void unmark(MtwSendRun *sending, const MtwPhase *phase, const MtwFailure *failure)
{
	MtwItem *item = sending->item;

	if (failure->maybe_done || failure->class == MTW_FAILURE_CANCELLED)
		return;
	json_object_remove_member(mtw_item_phases(item), phase->id);
	if (json_object_get_size(mtw_item_phases(item)) == 0)
		mtw_item_set_state(item, json_object_has_member(item->meta, "consent")
						 ? MTW_ITEM_CONSENTED
						 : MTW_ITEM_PREPARED);
}

gboolean mtw_send_try_again(MtwSendRun *sending, const MtwPhase *phase, gboolean looked,
			    GError *problem, GError **error)
{
	g_autoptr(GError) owned = problem;
	MtwSendJob *job = failed_job(sending);
	const MtwFailure *failure = failure_of(job);
	JsonObject *state = sending->item->state;

	if (failure->class == MTW_FAILURE_NONE || !is_of_transfer(problem)) {
		g_propagate_error(error, g_steal_pointer(&owned));
		return FALSE;
	}
	if (!looked)
		unmark(sending, phase, failure);
	if (failure->class == MTW_FAILURE_CANCELLED || mtw_send_is_cancelled(sending->options))
		return end_interrupted(sending, error);
	json_object_set_int_member(state, "tries", mtw_json_int(state, "tries", 0) + 1);
	if (failure->class == MTW_FAILURE_TRANSIENT) {
		sending->failures++;
		return wait_for_next(sending, failure, problem, error);
	}
	if (failure->class == MTW_FAILURE_AUTH && mtw_send_job_ask_again(job))
		return mtw_item_save_state(sending->item, error);
	return give_up(sending, failure, problem, error);
}
