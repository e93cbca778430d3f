/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job with its transfer and its credentials, which are looked for only when the target needs some. */
#include "submit/send-private.h"

#include "base/error.h"

/* Who mistypes a token twice looks it up. */
#define ASK_MAX 2

gboolean mtw_send_is_cancelled(const MtwSendOptions *options)
{
	return options->cancel != NULL && g_atomic_int_get(options->cancel) != 0;
}

void mtw_send_event(const MtwSendOptions *options, JsonObject *event)
{
	if (options->event != NULL)
		options->event(event, options->user_data);
	json_object_unref(event);
}

/* Whether nothing can be sent without. */
static gboolean needs_secret(const MtwTarget *target)
{
	switch (target->auth) {
	case MTW_AUTH_BEARER:
	case MTW_AUTH_HEADER:
	case MTW_AUTH_JSON:
	case MTW_AUTH_BASIC:
		return TRUE;
	case MTW_AUTH_SMTP:
		return *target->user != '\0';
	case MTW_AUTH_NONE:
	case MTW_AUTH_SSH:
		break;
	}
	return FALSE;
}

/* Also what is not needed can be given: the passphrase of a key. */
static gboolean can_use_secret(const MtwTarget *target)
{
	return needs_secret(target) || target->auth == MTW_AUTH_SSH;
}

/* Returns: (transfer full) (nullable) */
static MtwSecret *ask(const MtwSendJob *job, gboolean refused)
{
	if (job->options->ask_secret == NULL)
		return NULL;
	return job->options->ask_secret(job->job.target, refused, job->options->user_data);
}

/* @ret_secret: (transfer full) (nullable) */
static gboolean find_secret(const MtwSendJob *job, MtwSecret **ret_secret, GError **error)
{
	static const MtwCredentialSource nothing_named = { .token_fd = -1 };
	const MtwTarget *target = job->job.target;
	MtwCredentialOrigin origin;

	*ret_secret = NULL;
	if (!can_use_secret(target))
		return TRUE;
	if (!mtw_credential_find(target,
				 job->credentials != NULL ? job->credentials : &nothing_named,
				 ret_secret, &origin, error))
		return FALSE;
	if (*ret_secret != NULL || !needs_secret(target))
		return TRUE;
	*ret_secret = ask(job, FALSE);
	if (*ret_secret != NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_AUTH, "no token or password for %s (%s) was found",
		    target->id, target->host);
	return FALSE;
}

static void report_progress(guint64 done, guint64 total, gpointer user_data)
{
	MtwSendJob *job = user_data;

	if (job->progress != NULL)
		mtw_send_progress_tell(job->progress, job->job.there_bytes, done, total);
}

MtwSendJob *mtw_send_job_new(const MtwTarget *target, const MtwSendOptions *options,
			     const MtwCredentialSource *credentials, MtwSendProgress *progress,
			     GError **error)
{
	g_autoptr(MtwSendJob) job = g_new0(MtwSendJob, 1);
	g_autoptr(MtwSecret) secret = NULL;
	MtwTransferHooks hooks = { options->cancel, report_progress, job };

	job->job.target = target;
	job->job.owner = job;
	job->options = options;
	job->credentials = credentials;
	job->progress = progress;
	if (!find_secret(job, &secret, error) ||
	    (secret != NULL && !mtw_secret_is_usable(secret, error)))
		return NULL;
	job->job.transfer = mtw_transfer_new(target, secret, &hooks);
	return g_steal_pointer(&job);
}

void mtw_send_job_free(MtwSendJob *job)
{
	if (job == NULL)
		return;
	g_clear_pointer(&job->job.transfer, mtw_transfer_free);
	g_clear_pointer(&job->own_target, mtw_target_free);
	g_free(job);
}

gboolean mtw_send_job_ask_again(MtwSendJob *job)
{
	g_autoptr(MtwSecret) secret = NULL;

	if (job->asked >= ASK_MAX || !can_use_secret(job->job.target))
		return FALSE;
	job->asked++;
	secret = ask(job, TRUE);
	if (secret == NULL || !mtw_secret_is_usable(secret, NULL))
		return FALSE;
	mtw_transfer_set_secret(job->job.transfer, secret);
	return TRUE;
}

void mtw_send_job_begin(MtwSendJob *job)
{
	job->job.there_bytes = 0;
	/* The transfer's own, which a kind's code may look at but not change. */
	mtw_failure_clear((MtwFailure *)mtw_transfer_failure(job->job.transfer));
}
