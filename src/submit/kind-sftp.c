/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder on an SSH server: NAME.part, gone on with where it was, renamed when it is whole. */
#include "base/error.h"
#include "submit/kinds.h"
#include "submit/sftp.h"
#include "submit/store.h"

#include <string.h>

#include <glib/gi18n.h>

static gboolean check(const MtwTarget *target, GError **error)
{
	static const char *const schemes[] = { "sftp", NULL };

	return mtw_store_check(target, schemes, error);
}

/* As for put: names get the report's digits as soon as one of them is taken. */
static gboolean decide_names(MtwJob *job, GError **error)
{
	g_autofree char *letter = mtw_store_letter_name(job);
	gboolean taken = FALSE;
	guint64 bytes;

	if (mtw_store_fact(job, "names") != NULL)
		return TRUE;
	for (guint i = 0; i <= job->files->len && !taken; i++) {
		const char *name = i < job->files->len ? mtw_job_file(job, i)->name : letter;
		if (!mtw_sftp_look(job, name, &taken, &bytes, error))
			return FALSE;
	}
	return mtw_store_remember(job, "names", taken ? "with-id" : "plain", error);
}

static gboolean names_tagged(const MtwJob *job)
{
	return g_strcmp0(mtw_store_fact(job, "names"), "with-id") == 0;
}

static char *chosen_name(const MtwJob *job, const char *name)
{
	return mtw_store_name(job, name, names_tagged(job));
}

/* All of NAME.part. What this job began is gone on with. */
static gboolean send_part(MtwJob *job, guint index, const char *part, GError **error)
{
	const MtwJobFile *file = mtw_job_file(job, index);
	gboolean exists = FALSE;
	guint64 have = 0;

	if (g_strcmp0(mtw_store_fact(job, "part"), part) != 0) {
		if (!mtw_store_remember(job, "part", part, error))
			return FALSE;
	} else if (!mtw_sftp_look(job, part, &exists, &have, error)) {
		return FALSE;
	}
	if (have > file->bytes)
		have = 0;
	if (exists && have == file->bytes)
		return TRUE;
	mtw_store_show(job, index, have);
	if (!mtw_sftp_put(job, part, file, have, error) ||
	    !mtw_sftp_look(job, part, &exists, &have, error))
		return FALSE;
	return have == file->bytes ||
	       mtw_transfer_fail(job->transfer, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, error,
				 "it has %" G_GUINT64_FORMAT
				 " bytes of %s instead of %" G_GUINT64_FORMAT,
				 have, file->name, file->bytes);
}

/* An earlier rename whose answer was lost: the part is gone and the file is there. */
static gboolean was_renamed(MtwJob *job, const MtwJobFile *file, const char *part,
			    gboolean *ret_renamed, GError **error)
{
	g_autofree char *name = chosen_name(job, file->name);
	gboolean has_part, has_whole;
	guint64 bytes;

	*ret_renamed = FALSE;
	if (g_strcmp0(mtw_store_fact(job, "moving"), file->name) != 0)
		return TRUE;
	if (!mtw_sftp_look(job, part, &has_part, &bytes, error) ||
	    !mtw_sftp_look(job, name, &has_whole, &bytes, error))
		return FALSE;
	*ret_renamed = !has_part && has_whole && bytes == file->bytes;
	return TRUE;
}

static gboolean finish_part(MtwJob *job, const MtwJobFile *file, const char *part, GError **error)
{
	g_autofree char *name = chosen_name(job, file->name);
	g_autofree char *tagged = mtw_store_name(job, file->name, TRUE);
	gboolean taken;

	if (!mtw_sftp_rename(job, part, name, &taken, error))
		return FALSE;
	if (!taken)
		return TRUE;
	if (!names_tagged(job)) {
		if (!mtw_store_remember(job, "names", "with-id", error) ||
		    !mtw_sftp_rename(job, part, tagged, &taken, error))
			return FALSE;
		if (!taken)
			return TRUE;
	}
	/* Our digits: an older upload of the same report. */
	return mtw_sftp_remove(job, tagged, error) &&
	       mtw_sftp_rename(job, part, tagged, &taken, error);
}

static gboolean send_file(MtwJob *job, guint index, GError **error)
{
	const MtwJobFile *file = mtw_job_file(job, index);
	g_autofree char *part = mtw_store_part_name(file);
	gboolean done;

	if (!was_renamed(job, file, part, &done, error))
		return FALSE;
	return done || (send_part(job, index, part, error) &&
			mtw_store_remember(job, "moving", file->name, error) &&
			finish_part(job, file, part, error));
}

static gboolean run_upload(MtwJob *job, GError **error)
{
	g_autofree char *folder = mtw_store_folder(job->target);

	if (!decide_names(job, error))
		return FALSE;
	for (guint i = mtw_store_sent(job); i < job->files->len; i++)
		if (!send_file(job, i, error) || !mtw_store_set_sent(job, i + 1, error))
			return FALSE;
	g_autofree char *name = chosen_name(job, mtw_job_file(job, 0)->name);
	g_autofree char *url = mtw_store_url(folder, name);
	json_object_set_string_member(job->facts, "url", url);
	return job->save(job, error);
}

static gboolean run_letter(MtwJob *job, GError **error)
{
	g_autofree char *plain = mtw_store_letter_name(job);
	g_autofree char *name = chosen_name(job, plain);
	g_autofree char *text = mtw_store_letter(job);

	return mtw_sftp_put_text(job, name, text, error);
}

static gboolean whoami(MtwJob *job, char **ret_name, GError **error)
{
	const char *user = job->target->user;

	if (!mtw_sftp_log_in(job, error))
		return FALSE;
	*ret_name = g_strdup(*user != '\0' ? user : g_get_user_name());
	return TRUE;
}

static const MtwPhase upload_phase = {
	.id = "upload",
	.carries_file = TRUE,
	.run = run_upload,
};

static const MtwPhase letter_phase = {
	.id = "letter",
	.run = run_letter,
};

static const MtwPhase *const phases[] = { &upload_phase, &letter_phase, NULL };

const MtwKind mtw_kind_sftp = {
	.id = "sftp",
	.title = N_("SFTP folder"),
	.needs_network = TRUE,
	.is_bare_store = TRUE,
	.check = check,
	.whoami = whoami,
	.phases = phases,
};
