/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kinds of trackers share besides their calls: see kind-json.h. */
#include "submit/kind-json.h"
#include "submit/transfer-private.h"

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

#include <glib/gi18n.h>
#include <string.h>

#define MARK_DIGITS 8

/* ---- what an answer means ---- */

gboolean mtw_kind_fail_plain(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	return mtw_http_fail(job->transfer, reply, error);
}

gboolean mtw_kind_fail_hidden(MtwJob *job, const char *what, GError **error)
{
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
				 "%s does not exist, or your account may not see it", what);
}

gboolean mtw_kind_fail_answer(MtwJob *job, const char *what, GError **error)
{
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
				 "its answer lacks %s", what);
}

gboolean mtw_kind_fail_unknown(MtwJob *job, const char *what, GError **error)
{
	return mtw_transfer_fail_as(job->transfer, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, TRUE,
				    error, "its answer lacks %s", what);
}

JsonObject *mtw_kind_reply_object(const MtwHttpReply *reply)
{
	return mtw_reply_object(reply, NULL);
}

gboolean mtw_kind_reply_says(const MtwHttpReply *reply, const char *words)
{
	g_autofree char *text = g_ascii_strdown(reply->body->str, reply->body->len);

	return strstr(text, words) != NULL;
}

gboolean mtw_kind_check(const MtwTarget *target, GError **error, ...)
{
	const char *missing = *target->url == '\0' ? "URL" : NULL;
	const char *key;
	va_list args;

	va_start(args, error);
	while ((key = va_arg(args, const char *)) != NULL) {
		const char *value = va_arg(args, const char *);

		if (missing == NULL && *value == '\0')
			missing = key;
	}
	va_end(args);
	if (missing == NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "target %s: the kind %s needs %s=", target->id, target->kind, missing);
	return FALSE;
}

/* ---- texts ---- */

char *mtw_kind_mark(const MtwJob *job)
{
	return g_strndup(job->letter->report_id, MARK_DIGITS);
}

gboolean mtw_kind_is_ours(const MtwJob *job, const char *text)
{
	return text != NULL && strstr(text, job->letter->report_id) != NULL;
}

char *mtw_kind_body(const MtwJob *job, const char *more, gsize max_bytes)
{
	g_autofree char *end =
		g_strdup_printf("%s%s", more != NULL ? "\n" : "", more != NULL ? more : "");
	const char *body = job->letter->body;
	g_autofree char *cut = NULL;

	if (strlen(body) + strlen(end) <= max_bytes)
		return g_strconcat(body, end, NULL);
	/* The report is found by its number, which may stand in what is cut off. */
	g_autofree char *number =
		g_strdup_printf("\n[...]\n\nReport-ID: %s\n%s", job->letter->report_id, end);
	gsize left = max_bytes > strlen(number) ? max_bytes - strlen(number) : 0;

	while (left > 0 && ((guchar)body[left] & 0xc0) == 0x80)
		left--;
	cut = g_strndup(body, left);
	return g_strconcat(cut, number, NULL);
}

const char *mtw_kind_mime_type(const char *file_name)
{
	static const char *const types[][2] = {
		{ ".gz", "application/gzip" },	{ ".xz", "application/x-xz" },
		{ ".zst", "application/zstd" }, { ".txt", "text/plain" },
		{ ".zip", "application/zip" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
		if (g_str_has_suffix(file_name, types[i][0]))
			return types[i][1];
	return "application/octet-stream";
}

const char *mtw_kind_project(const MtwJob *job)
{
	if (job->issue != NULL && *job->issue->project != '\0')
		return job->issue->project;
	return job->target->project;
}

/* ---- facts ---- */

gboolean mtw_kind_remember(MtwJob *job, const char *table, const char *key, const char *value,
			   GError **error)
{
	JsonObject *object = mtw_json_object(job->facts, table);

	if (object == NULL) {
		object = json_object_new();
		json_object_set_object_member(job->facts, table, object);
	}
	json_object_set_string_member(object, key, value);
	return job->save(job, error);
}

const char *mtw_kind_recall(const MtwJob *job, const char *table, const char *key)
{
	return mtw_json_string(mtw_json_object(job->facts, table), key, NULL);
}

void mtw_kind_set_url(MtwJob *job, const char *url, const char *own)
{
	if (url != NULL && mtw_url_is_safe(url) && mtw_url_same_origin(url, job->target->url))
		own = url;
	json_object_set_string_member(job->facts, "url", own);
}

void mtw_kind_check_hidden(MtwJob *job, gboolean is_hidden)
{
	if (job->target->confidential && !is_hidden)
		json_object_set_string_member(
			job->facts, "note",
			N_("The server did not hide the report: whoever sees the project can "
			   "read it."));
}

gboolean mtw_kind_set_number(MtwJob *job, const char *fact, gint64 number, GError **error)
{
	if (number <= 0)
		return mtw_kind_fail_unknown(job, "the number of the report", error);
	json_object_set_int_member(job->facts, fact, number);
	return TRUE;
}

gboolean mtw_kind_upload(MtwJob *job, const char *table, MtwKindUpload upload, GError **error)
{
	for (guint i = 0; i < job->files->len; i++) {
		const MtwJobFile *file = job->files->pdata[i];
		g_autofree char *reference = NULL;

		if (mtw_kind_recall(job, table, file->sha256) == NULL &&
		    (!upload(job, file, &reference, error) ||
		     !mtw_kind_remember(job, table, file->sha256, reference, error)))
			return FALSE;
		job->there_bytes += file->bytes;
	}
	return TRUE;
}

static gboolean is_listed(const MtwJobFile *file, JsonArray *list, const char *name,
			  const char *size)
{
	for (guint i = 0; i < json_array_get_length(list); i++) {
		JsonObject *entry = mtw_json_object_at(list, i);

		if (g_strcmp0(mtw_json_string(entry, name, NULL), file->name) == 0 &&
		    mtw_json_int(entry, size, -1) == (gint64)file->bytes)
			return TRUE;
	}
	return FALSE;
}

gboolean mtw_kind_look_up(MtwJob *job, const char *table, JsonArray *list, const char *name,
			  const char *size, gboolean *ret_all, GError **error)
{
	*ret_all = TRUE;
	for (guint i = 0; i < job->files->len; i++) {
		const MtwJobFile *file = job->files->pdata[i];

		if (mtw_kind_recall(job, table, file->sha256) != NULL)
			continue;
		if (list == NULL || !is_listed(file, list, name, size))
			*ret_all = FALSE;
		else if (!mtw_kind_remember(job, table, file->sha256, file->name, error))
			return FALSE;
	}
	return TRUE;
}

gboolean mtw_kind_take_name(MtwJob *job, JsonObject *user, const char *member, char **ret_name,
			    GError **error)
{
	const char *name = mtw_json_string(user, member, NULL);

	if (name == NULL)
		return mtw_kind_fail_answer(job, "the name of the account", error);
	*ret_name = mtw_text_clean_line(name);
	return TRUE;
}
