/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A presigned address of an S3 store, made by the one who asked for the report: whoever knows it may put one object there
 * until it expires. It is a secret and comes as the target's credentials; the target's URL names its server.
 */
#include "base/error.h"
#include "submit/kinds.h"
#include "submit/store.h"

#include <string.h>

#include <glib/gi18n.h>

static gboolean check(const MtwTarget *target, GError **error)
{
	static const char *const schemes[] = { "https", "http", NULL };

	return mtw_store_check(target, schemes, error);
}

static gboolean fail_address(MtwJob *job, const char *why, GError **error)
{
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_AUTH, MTW_ERROR_AUTH, error,
				 "%s: ask for a new address", why);
}

/* The presigned address. (transfer none) (nullable): never in a message */
static const char *address(MtwJob *job, GError **error)
{
	const MtwSecret *secret = mtw_transfer_secret(job->transfer);
	const char *url = secret == NULL ? NULL : mtw_secret_text(secret);

	if (url == NULL)
		fail_address(job, "the presigned address is missing", error);
	else if (!mtw_url_is_safe(url) || strchr(url, '?') == NULL)
		fail_address(job, "what was given is no presigned address", error);
	else if (!mtw_url_same_origin(url, job->target->url))
		fail_address(job,
			     "the presigned address is of another server than the target's URL",
			     error);
	else
		return url;
	return NULL;
}

static gboolean fail_put(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	if (reply->status != 403 && reply->status != 401)
		return mtw_http_fail(job->transfer, reply, error);
	if (strstr(reply->body->str, "expired") != NULL)
		return fail_address(job, "the presigned address has expired", error);
	return fail_address(job, "the server does not take the presigned address", error);
}

static gboolean run_upload(MtwJob *job, GError **error)
{
	const MtwJobFile *file = mtw_job_file(job, 0);
	const char *url = address(job, error);
	MtwHttpRequest request = {
		.method = "PUT",
		.url = url,
		.form = MTW_BODY_FILE,
		.file = { file->fd, 0, file->bytes },
		.no_auth = TRUE,
		.any_status = TRUE,
	};
	g_autoptr(MtwHttpReply) reply = NULL;

	if (url == NULL)
		return FALSE;
	if (job->files->len > 1)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "a presigned address takes one file, these are %u",
					 job->files->len);
	reply = mtw_http_send(job->transfer, &request, error);
	if (reply == NULL)
		return FALSE;
	if (reply->status / 100 != 2)
		return fail_put(job, reply, error);
	g_autofree char *shown = g_strndup(url, strcspn(url, "?"));
	json_object_set_string_member(job->facts, "url", shown);
	json_object_set_string_member(
		job->facts, "note",
		N_("The file is there; tell the one who gave you the address what it is about."));
	return job->save(job, error);
}

static const MtwPhase upload_phase = {
	.id = "upload",
	.carries_file = TRUE,
	.run = run_upload,
};

static const MtwPhase *const phases[] = { &upload_phase, NULL };

const MtwKind mtw_kind_s3_presigned = {
	.id = "s3-presigned",
	.title = N_("Presigned address (S3)"),
	.needs_network = TRUE,
	.is_bare_store = TRUE,
	.check = check,
	.phases = phases,
};
