/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All files of a report into a folder: under free names, first as NAME.part where the target wants it, the letter last. */
#include "submit/store-http.h"

#include "base/error.h"

#include <string.h>

/*
 * Whether all names get digits: as soon as one of them is there, or nobody may look. Decided once, before the first byte.
 */
static gboolean decide_names(MtwJob *job, const char *folder, GError **error)
{
	g_autofree char *letter = mtw_store_letter_name(job);
	gboolean tagged = FALSE;

	if (mtw_store_fact(job, "names") != NULL)
		return TRUE;
	for (guint i = 0; i <= job->files->len && !tagged; i++) {
		const char *name = i < job->files->len ? mtw_job_file(job, i)->name : letter;
		g_autofree char *url = mtw_store_url(folder, name);
		MtwStoreFound found;
		if (!mtw_store_look(job, url, &found, error))
			return FALSE;
		tagged = found.exists || !found.is_known;
	}
	return mtw_store_remember(job, "names", tagged ? "with-id" : "plain", error);
}

static gboolean names_tagged(const MtwJob *job)
{
	return g_strcmp0(mtw_store_fact(job, "names"), "with-id") == 0;
}

static char *final_url(const MtwJob *job, const char *folder, const char *name)
{
	g_autofree char *chosen = mtw_store_name(job, name, names_tagged(job));

	return mtw_store_url(folder, chosen);
}

/* Straight to its name. */
static gboolean send_straight(MtwJob *job, guint index, const char *folder, GError **error)
{
	gboolean tagged = names_tagged(job), taken;
	g_autofree char *chosen = mtw_store_name(job, mtw_job_file(job, index)->name, tagged);
	g_autofree char *url = mtw_store_url(folder, chosen);
	MtwStorePlace place = tagged ? MTW_STORE_OURS : MTW_STORE_NEW;

	if (g_strcmp0(mtw_store_fact(job, "begun"), chosen) == 0)
		place = MTW_STORE_BEGUN;
	else if (!mtw_store_remember(job, "begun", chosen, error))
		return FALSE;
	if (!mtw_store_put(job, index, url, place, &taken, error))
		return FALSE;
	if (!taken)
		return TRUE;
	return mtw_store_remember(job, "names", "with-id", error) &&
	       send_straight(job, index, folder, error);
}

static MtwHttpReply *move(MtwJob *job, const char *from, const char *to, const char *overwrite,
			  GError **error)
{
	g_autofree char *destination = g_strdup_printf("Destination: %s", to);
	const char *headers[] = { destination, overwrite, NULL };
	MtwHttpRequest request = {
		.method = "MOVE", .url = from, .headers = headers, .any_status = TRUE
	};

	return mtw_http_send(job->transfer, &request, error);
}

/* NAME.part gets its name. @ret_taken: somebody else has it */
static gboolean finish_part(MtwJob *job, const MtwJobFile *file, const char *part_url,
			    const char *url, gboolean *ret_taken, GError **error)
{
	const char *overwrite = names_tagged(job) ? "Overwrite: T" : "Overwrite: F";
	g_autoptr(MtwHttpReply) reply = move(job, part_url, url, overwrite, error);

	if (reply == NULL)
		return FALSE;
	if (reply->status == 412) {
		*ret_taken = TRUE;
		return TRUE;
	}
	if (reply->status == 405 || reply->status == 501)
		return mtw_transfer_fail(
			job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
			"it cannot rename %s (status %ld): the target file wants PartFile=false",
			file->name, reply->status);
	return reply->status / 100 == 2 || mtw_http_fail(job->transfer, reply, error);
}

/* An earlier MOVE whose answer was lost: the part is gone and the file is there. */
static gboolean was_moved(MtwJob *job, const MtwJobFile *file, const char *part_url,
			  const char *url, gboolean *ret_moved, GError **error)
{
	MtwStoreFound part, whole;

	*ret_moved = FALSE;
	if (g_strcmp0(mtw_store_fact(job, "moving"), file->name) != 0)
		return TRUE;
	if (!mtw_store_look(job, part_url, &part, error) ||
	    !mtw_store_look(job, url, &whole, error))
		return FALSE;
	*ret_moved = part.is_known && !part.exists && whole.has_bytes && whole.bytes == file->bytes;
	return TRUE;
}

static gboolean send_as_part(MtwJob *job, guint index, const char *folder, GError **error)
{
	const MtwJobFile *file = mtw_job_file(job, index);
	g_autofree char *part_name = mtw_store_part_name(file);
	g_autofree char *part_url = mtw_store_url(folder, part_name);
	g_autofree char *url = final_url(job, folder, file->name);
	gboolean done, taken = FALSE;

	if (!was_moved(job, file, part_url, url, &done, error))
		return FALSE;
	if (done)
		return TRUE;
	if (!mtw_store_put(job, index, part_url, MTW_STORE_BEGUN, &taken, error) ||
	    !mtw_store_remember(job, "moving", file->name, error) ||
	    !finish_part(job, file, part_url, url, &taken, error))
		return FALSE;
	if (!taken)
		return TRUE;
	g_free(url);
	if (!mtw_store_remember(job, "names", "with-id", error))
		return FALSE;
	url = final_url(job, folder, file->name);
	return finish_part(job, file, part_url, url, &taken, error);
}

static gboolean run_upload(MtwJob *job, GError **error)
{
	g_autofree char *folder = mtw_store_folder(job->target);

	if (!decide_names(job, folder, error))
		return FALSE;
	for (guint i = mtw_store_sent(job); i < job->files->len; i++) {
		gboolean ok = job->target->parts ? send_as_part(job, i, folder, error)
						 : send_straight(job, i, folder, error);
		if (!ok || !mtw_store_set_sent(job, i + 1, error))
			return FALSE;
	}
	g_autofree char *url = final_url(job, folder, mtw_job_file(job, 0)->name);
	json_object_set_string_member(job->facts, "url", url);
	return job->save(job, error);
}

static gboolean run_letter(MtwJob *job, GError **error)
{
	g_autofree char *folder = mtw_store_folder(job->target);
	g_autofree char *name = mtw_store_letter_name(job);
	g_autofree char *url = final_url(job, folder, name);
	g_autofree char *text = mtw_store_letter(job);
	MtwHttpRequest request = {
		.method = "PUT",
		.url = url,
		.form = MTW_BODY_TEXT,
		.type = "text/plain; charset=utf-8",
		.text = text,
	};
	g_autoptr(MtwHttpReply) reply = mtw_http_send(job->transfer, &request, error);

	return reply != NULL;
}

gboolean mtw_store_whoami(MtwJob *job, char **ret_name, GError **error)
{
	g_autofree char *folder = mtw_store_folder(job->target);
	g_autofree char *url = g_strconcat(folder, "/", NULL);
	MtwHttpRequest request = { .method = "HEAD", .url = url, .any_status = TRUE };
	g_autoptr(MtwHttpReply) reply = mtw_http_send(job->transfer, &request, error);

	if (reply == NULL)
		return FALSE;
	if (reply->status == 401)
		return mtw_http_fail(job->transfer, reply, error);
	*ret_name = g_strdup(job->target->user);
	return TRUE;
}

const MtwPhase mtw_store_upload_phase = {
	.id = "upload",
	.carries_file = TRUE,
	.run = run_upload,
};

const MtwPhase mtw_store_letter_phase = {
	.id = "letter",
	.run = run_letter,
};
