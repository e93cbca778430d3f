/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a Request Tracker has of a report: its ticket, its files whole or cut. */
#include "submit/kind-rt-private.h"

#include "base/error.h"
#include "base/json.h"
#include "base/parse.h"

#include <string.h>

#define FILES "rt-files"
/* A ticket's texts that are read to see whether they name this report. */
#define TEXTS_MAX 5
#define TEXT_READ_MAX_BYTES (256 * 1024)

/* RT's own scheme: "Authorization: token 1-14-abc". */
void mtw_rt_use_token(MtwJob *job)
{
	const MtwSecret *secret = mtw_transfer_secret(job->transfer);
	const char *text = secret != NULL ? mtw_secret_text(secret) : NULL;
	g_autoptr(MtwSecret) whole = NULL;
	char *header;

	if (job->target->auth != MTW_AUTH_HEADER || text == NULL ||
	    g_ascii_strcasecmp(job->target->auth_name, "Authorization") != 0 ||
	    strchr(text, ' ') != NULL)
		return;
	header = g_strconcat("token ", text, NULL);
	whole = mtw_secret_new(header, strlen(header));
	mtw_kind_text_free(header);
	mtw_transfer_set_secret(job->transfer, whole);
}

char *mtw_rt_ticket(const MtwJob *job)
{
	if (job->issue != NULL)
		return g_strdup(job->issue->number);
	return g_strdup(mtw_json_string(job->facts, MTW_RT_TICKET, ""));
}

/* Numbers come as text or as numbers. 0: none */
guint64 mtw_rt_number(JsonObject *object, const char *name)
{
	const char *text = mtw_json_string(object, name, NULL);
	gint64 number = mtw_json_int(object, name, 0);
	guint64 parsed;

	if (text != NULL)
		return mtw_parse_u64(text, 10, &parsed) ? parsed : 0;
	return number > 0 ? (guint64)number : 0;
}

gboolean mtw_rt_fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	g_autofree char *what = job->issue != NULL
					? g_strdup_printf("ticket %s", job->issue->number)
					: g_strdup_printf("queue %s", job->target->queue);

	if (reply->status == 404 || reply->status == 403)
		return mtw_kind_fail_hidden(job, what, error);
	return mtw_http_fail(job->transfer, reply, error);
}

/* ---- files ---- */

static JsonObject *list_attachments(MtwJob *job, const char *number, GError **error)
{
	mtw_rt_use_token(job);
	return mtw_kind_get(job, mtw_rt_fail, error,
			    MTW_RT_API "/ticket/%s/attachments?per_page=100&orderby=id&order=DESC"
				       "&fields=Filename,ContentType,ContentLength",
			    number);
}

typedef enum {
	UNSEEN, /* comments are not shown to everyone who may write them */
	CUT,
	WHOLE,
} Stored;

/* A cut file keeps its name; of a dropped one a note stays, with ".txt" behind the name. */
static Stored look_for(JsonArray *items, const MtwJobFile *file)
{
	g_autofree char *note = g_strconcat(file->name, ".txt", NULL);
	Stored stored = UNSEEN;

	for (guint i = 0; items != NULL && i < json_array_get_length(items); i++) {
		JsonObject *item = mtw_json_object_at(items, i);
		const char *name = mtw_json_string(item, "Filename", "");
		gboolean same = strcmp(name, file->name) == 0;

		if (same && mtw_rt_number(item, "ContentLength") == file->bytes)
			return WHOLE;
		if (same || strcmp(name, note) == 0)
			stored = CUT;
	}
	return stored;
}

gboolean mtw_rt_look_up(MtwJob *job, gboolean *ret_all, const MtwJobFile **ret_cut, GError **error)
{
	g_autofree char *number = mtw_rt_ticket(job);
	g_autoptr(JsonObject) answer = list_attachments(job, number, error);
	JsonArray *items = mtw_json_array(answer, "items");

	*ret_all = TRUE;
	*ret_cut = NULL;
	if (answer == NULL)
		return FALSE;
	for (guint i = 0; i < job->files->len; i++) {
		const MtwJobFile *file = job->files->pdata[i];
		Stored stored = look_for(items, file);

		if (mtw_rt_is_there(job, file))
			continue;
		if (stored != WHOLE)
			*ret_all = FALSE;
		else if (!mtw_kind_remember(job, FILES, file->sha256, file->name, error))
			return FALSE;
		if (stored == CUT)
			*ret_cut = file;
	}
	return TRUE;
}

gboolean mtw_rt_is_there(const MtwJob *job, const MtwJobFile *file)
{
	return mtw_kind_recall(job, FILES, file->sha256) != NULL;
}

gboolean mtw_rt_verify(MtwJob *job, GError **error)
{
	const MtwJobFile *cut;
	gboolean all;

	if (!mtw_rt_look_up(job, &all, &cut, error))
		return FALSE;
	/* What cannot be seen was taken with a yes. */
	if (cut == NULL)
		return TRUE;
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_TOO_BIG, MTW_ERROR_REJECTED, error,
				 "it said yes, but did not keep all of %s", cut->name);
}

/* ---- the ticket ---- */

/* @ret_is: one of the first texts names this report */
static gboolean is_our_ticket(MtwJob *job, const char *number, gboolean *ret_is, GError **error)
{
	g_autoptr(JsonObject) list = list_attachments(job, number, error);
	JsonArray *items = mtw_json_array(list, "items");
	guint n_items = items != NULL ? json_array_get_length(items) : 0;
	guint n_texts = 0;

	*ret_is = FALSE;
	if (list == NULL)
		return FALSE;
	/* The list is the newest first. */
	for (guint i = n_items; i > 0 && n_texts < TEXTS_MAX && !*ret_is; i--) {
		JsonObject *item = mtw_json_object_at(items, i - 1);
		g_autoptr(JsonObject) text = NULL;
		g_autofree guchar *content = NULL;
		gsize bytes;

		if (strcmp(mtw_json_string(item, "ContentType", ""), "text/plain") != 0 ||
		    *mtw_json_string(item, "Filename", "") != '\0' ||
		    mtw_rt_number(item, "ContentLength") > TEXT_READ_MAX_BYTES)
			continue;
		n_texts++;
		text = mtw_kind_get(job, mtw_rt_fail, error,
				    MTW_RT_API "/attachment/%" G_GUINT64_FORMAT,
				    mtw_rt_number(item, "id"));
		if (text == NULL)
			return FALSE;
		content = g_base64_decode(mtw_json_string(text, "Content", ""), &bytes);
		*ret_is =
			g_strstr_len((const char *)content, bytes, job->letter->report_id) != NULL;
	}
	return TRUE;
}

/* @with_refused: also one that was turned down. @ret_number: 0: none */
gboolean mtw_rt_find(MtwJob *job, gboolean with_refused, guint64 *ret_number, GError **error)
{
	g_autofree char *mark = mtw_kind_mark(job);
	g_autoptr(JsonObject) answer = NULL;
	JsonArray *items;

	*ret_number = 0;
	mtw_rt_use_token(job);
	answer = mtw_kind_get(job, mtw_rt_fail, error,
			      MTW_RT_API "/tickets?query=Subject%%20LIKE%%20'%s'&fields=Status"
					 "&per_page=20",
			      mark);
	if (answer == NULL)
		return FALSE;
	items = mtw_json_array(answer, "items");
	for (guint i = 0; items != NULL && i < json_array_get_length(items); i++) {
		JsonObject *item = mtw_json_object_at(items, i);
		const char *status = mtw_json_string(item, "Status", "");
		guint64 number = mtw_rt_number(item, "id");
		g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, number);
		gboolean is_ours;

		if (number == 0 || strcmp(status, "deleted") == 0 ||
		    (!with_refused && strcmp(status, "rejected") == 0))
			continue;
		if (!is_our_ticket(job, digits, &is_ours, error))
			return FALSE;
		if (is_ours) {
			*ret_number = number;
			break;
		}
	}
	return TRUE;
}
