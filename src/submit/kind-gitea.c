/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gitea and Forgejo: an issue, then its files. Only who opened an issue (or may write to the project) can put files on
 * it, so into another's issue goes a comment that has the files.
 */
#include "submit/kind-json.h"

#include "base/error.h"
#include "base/json.h"

#include <string.h>

#define ATTACHED "gitea-attached"
#define ISSUE "gitea-issue"
#define COMMENT "gitea-comment"
#define TEXT_MAX_BYTES 65000

/* "/api/v1/repos/OWNER/NAME" */
static char *repository(const MtwJob *job)
{
	g_auto(GStrv) parts = g_strsplit(mtw_kind_project(job), "/", 2);
	g_autofree char *owner = mtw_url_escape(parts[0] != NULL ? parts[0] : "");
	g_autofree char *name =
		mtw_url_escape(parts[0] != NULL && parts[1] != NULL ? parts[1] : "");

	return g_strdup_printf("/api/v1/repos/%s/%s", owner, name);
}

static char *issue_number(const MtwJob *job)
{
	if (job->issue != NULL)
		return g_strdup(job->issue->number);
	return g_strdup_printf("%" G_GINT64_FORMAT, mtw_json_int(job->facts, ISSUE, 0));
}

static char *issue_url(const MtwJob *job, const char *number)
{
	return g_strdup_printf("%s/%s/issues/%s", job->target->url, mtw_kind_project(job), number);
}

/* ---- what went wrong ---- */

static gboolean gitea_fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	g_autofree char *what = g_strdup_printf("project %s", mtw_kind_project(job));

	if (reply->status == 404)
		return mtw_kind_fail_hidden(job, what, error);
	if (reply->status == 423)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "project %s is archived", mtw_kind_project(job));
	return mtw_http_fail(job->transfer, reply, error);
}

static gboolean attach_fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	if (reply->status == 404)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "it takes no files here");
	if (reply->status == 422)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "it does not take files of this type");
	return gitea_fail(job, reply, error);
}

/* ---- what the server takes ---- */

/* As the server decides: by the last extension, or the type it sees in the content. */
static gboolean is_allowed(const char *allowed, const char *file_name)
{
	g_auto(GStrv) entries = g_strsplit_set(allowed, ",|", -1);
	const char *extension = strrchr(file_name, '.');
	const char *type = mtw_kind_mime_type(file_name);
	gboolean any = TRUE;

	if (strcmp(type, "application/gzip") == 0)
		type = "application/x-gzip";
	for (guint i = 0; entries[i] != NULL; i++) {
		const char *entry = g_strstrip(entries[i]);

		if (*entry == '\0')
			continue;
		any = FALSE;
		if (strcmp(entry, "*/*") == 0 || g_ascii_strcasecmp(entry, type) == 0 ||
		    strcmp(entry, "application/*") == 0 ||
		    (extension != NULL && g_ascii_strcasecmp(entry, extension) == 0))
			return TRUE;
	}
	return any;
}

static gboolean check_types(MtwJob *job, const char *allowed, GError **error)
{
	for (guint i = 0; job->files != NULL && i < job->files->len; i++) {
		const MtwJobFile *file = job->files->pdata[i];

		if (is_allowed(allowed, file->name))
			continue;
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "it does not take files of this type: %s",
					 file->name);
	}
	return TRUE;
}

/* @ret_max_bytes: 0: it does not say. Errors: it takes no files, or none of this type */
static gboolean ask_settings(MtwJob *job, guint64 *ret_max_bytes, GError **error)
{
	g_autofree char *url = mtw_kind_url(job, "/api/v1/settings/attachment");
	MtwHttpRequest request = { .method = "GET", .url = url };
	g_autoptr(MtwHttpReply) reply = mtw_kind_ask(job, &request, error);
	g_autoptr(JsonObject) settings = NULL;
	gint64 max_mib;

	*ret_max_bytes = 0;
	if (reply == NULL)
		return FALSE;
	/* Versions that cannot be asked. */
	if (reply->status == 404)
		return TRUE;
	if (reply->status / 100 != 2)
		return mtw_http_fail(job->transfer, reply, error);
	settings = mtw_http_json(job->transfer, reply, error);
	if (settings == NULL)
		return FALSE;
	if (!mtw_json_bool(settings, "enabled", TRUE))
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "it takes no files");
	max_mib = mtw_json_int(settings, "max_size", 0);
	if (max_mib > 0 && max_mib < G_MAXINT32)
		*ret_max_bytes = (guint64)max_mib * 1024 * 1024;
	return check_types(job, mtw_json_string(settings, "allowed_types", ""), error);
}

/* Before an issue is opened that would stay without its file. */
static gboolean is_welcome(MtwJob *job, GError **error)
{
	guint64 max_bytes;

	if (!ask_settings(job, &max_bytes, error))
		return FALSE;
	for (guint i = 0; max_bytes > 0 && i < job->files->len; i++) {
		const MtwJobFile *file = job->files->pdata[i];

		if (file->bytes > max_bytes)
			return mtw_transfer_fail(job->transfer, MTW_FAILURE_TOO_BIG,
						 MTW_ERROR_REJECTED, error,
						 "it takes files of at most %" G_GUINT64_FORMAT
						 " bytes, %s has %" G_GUINT64_FORMAT,
						 max_bytes, file->name, file->bytes);
	}
	return TRUE;
}

/* ---- a new issue ---- */

static gboolean take_issue(MtwJob *job, JsonObject *issue, GError **error)
{
	gint64 number = mtw_json_int(issue, "number", 0);
	g_autofree char *digits = g_strdup_printf("%" G_GINT64_FORMAT, number);
	g_autofree char *own = issue_url(job, digits);

	if (!mtw_kind_set_number(job, ISSUE, number, error))
		return FALSE;
	mtw_kind_set_url(job, mtw_json_string(issue, "html_url", NULL), own);
	return job->save(job, error);
}

static gboolean is_wanted(const MtwJob *job, const char *label)
{
	return label != NULL && g_strv_contains((const char *const *)job->target->labels, label);
}

/* Labels have numbers here. One that the project does not have is no reason to fail. */
static gboolean find_labels(MtwJob *job, JsonArray *ids, GError **error)
{
	g_autofree char *path = repository(job);
	g_autoptr(JsonArray) labels = NULL;

	if (job->target->labels[0] == NULL)
		return TRUE;
	labels = mtw_kind_get_array(job, gitea_fail, error, "%s/labels?limit=50", path);
	if (labels == NULL)
		return FALSE;
	for (guint i = 0; i < json_array_get_length(labels); i++) {
		JsonObject *label = mtw_json_object_at(labels, i);

		if (is_wanted(job, mtw_json_string(label, "name", NULL)))
			json_array_add_int_element(ids, mtw_json_int(label, "id", 0));
	}
	return TRUE;
}

static gboolean issue_run(MtwJob *job, GError **error)
{
	g_autofree char *path = repository(job);
	g_autofree char *url = mtw_kind_url(job, "%s/issues", path);
	g_autofree char *text = mtw_kind_body(job, NULL, TEXT_MAX_BYTES);
	g_autoptr(JsonObject) body = json_object_new();
	g_autoptr(JsonArray) labels = json_array_new();
	g_autoptr(JsonObject) issue = NULL;

	if (!is_welcome(job, error) || !find_labels(job, labels, error))
		return FALSE;
	mtw_json_set_text(body, "title", job->letter->title);
	mtw_json_set_text(body, "body", text);
	if (json_array_get_length(labels) > 0)
		json_object_set_array_member(body, "labels", json_array_ref(labels));
	issue = mtw_kind_post(job, url, body, gitea_fail, error);
	return issue != NULL && take_issue(job, issue, error);
}

static gboolean list_issues(MtwJob *job, const char *query, JsonObject **ret_issue, GError **error)
{
	g_autofree char *path = repository(job);
	g_autoptr(JsonArray) list = mtw_kind_get_array(
		job, gitea_fail, error, "%s/issues?state=all&type=issues&limit=20%s", path, query);

	if (list == NULL)
		return FALSE;
	for (guint i = 0; i < json_array_get_length(list) && *ret_issue == NULL; i++) {
		JsonObject *issue = mtw_json_object_at(list, i);

		if (mtw_kind_is_ours(job, mtw_json_string(issue, "body", NULL)))
			*ret_issue = json_object_ref(issue);
	}
	return TRUE;
}

static gboolean find_issue(MtwJob *job, JsonObject **ret_issue, GError **error)
{
	g_autofree char *mark = mtw_kind_mark(job);
	g_autofree char *query = g_strdup_printf("&q=%s", mark);

	if (!list_issues(job, query, ret_issue, error))
		return FALSE;
	/* The index is filled in the background: the newest ones without it. */
	return *ret_issue != NULL || list_issues(job, "", ret_issue, error);
}

static gboolean issue_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	g_autoptr(JsonObject) issue = NULL;

	*ret_done = FALSE;
	if (!find_issue(job, &issue, error))
		return FALSE;
	if (issue == NULL)
		return TRUE;
	*ret_done = TRUE;
	return take_issue(job, issue, error);
}

/* ---- a comment in an issue ---- */

static char *comments_path(const MtwJob *job)
{
	g_autofree char *path = repository(job);

	return g_strdup_printf("%s/issues/%s/comments", path, job->issue->number);
}

static gboolean take_comment(MtwJob *job, JsonObject *comment, GError **error)
{
	gint64 number = mtw_json_int(comment, "id", 0);
	g_autofree char *issue = issue_url(job, job->issue->number);
	g_autofree char *own = g_strdup_printf("%s#issuecomment-%" G_GINT64_FORMAT, issue, number);

	if (!mtw_kind_set_number(job, COMMENT, number, error))
		return FALSE;
	mtw_kind_set_url(job, mtw_json_string(comment, "html_url", NULL), own);
	return job->save(job, error);
}

static gboolean note_run(MtwJob *job, GError **error)
{
	g_autofree char *path = comments_path(job);
	g_autofree char *url = mtw_kind_url(job, "%s", path);
	g_autofree char *text = mtw_kind_body(job, NULL, TEXT_MAX_BYTES);
	g_autoptr(JsonObject) body = json_object_new();
	g_autoptr(JsonObject) comment = NULL;

	if (!is_welcome(job, error))
		return FALSE;
	mtw_json_set_text(body, "body", text);
	comment = mtw_kind_post(job, url, body, gitea_fail, error);
	return comment != NULL && take_comment(job, comment, error);
}

static gboolean note_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	g_autofree char *path = comments_path(job);
	g_autoptr(JsonArray) list = mtw_kind_get_array(job, gitea_fail, error, "%s", path);

	*ret_done = FALSE;
	if (list == NULL)
		return FALSE;
	for (guint i = 0; i < json_array_get_length(list); i++) {
		JsonObject *comment = mtw_json_object_at(list, i);

		if (!mtw_kind_is_ours(job, mtw_json_string(comment, "body", NULL)))
			continue;
		*ret_done = TRUE;
		return take_comment(job, comment, error);
	}
	return TRUE;
}

/* ---- the files ---- */

static char *assets_path(const MtwJob *job)
{
	g_autofree char *path = repository(job);
	g_autofree char *number = issue_number(job);

	if (job->issue == NULL)
		return g_strdup_printf("%s/issues/%s/assets", path, number);
	return g_strdup_printf("%s/issues/comments/%" G_GINT64_FORMAT "/assets", path,
			       mtw_json_int(job->facts, COMMENT, 0));
}

static gboolean attach_file(MtwJob *job, const MtwJobFile *file, char **ret_reference,
			    GError **error)
{
	g_autofree char *path = assets_path(job);
	g_autofree char *name = mtw_url_escape(file->name);
	g_autofree char *url = mtw_kind_url(job, "%s?name=%s", path, name);
	g_autoptr(JsonObject) answer =
		mtw_kind_post_file(job, url, "attachment", file, attach_fail, error);

	if (answer == NULL)
		return FALSE;
	if (mtw_json_int(answer, "size", -1) != (gint64)file->bytes)
		return mtw_kind_fail_answer(job, "the size of the file that was sent", error);
	*ret_reference = g_strdup(file->name);
	return TRUE;
}

static gboolean attach_run(MtwJob *job, GError **error)
{
	return mtw_kind_upload(job, ATTACHED, attach_file, error);
}

static gboolean attach_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	g_autofree char *path = assets_path(job);
	g_autoptr(JsonArray) list = mtw_kind_get_array(job, gitea_fail, error, "%s", path);

	*ret_done = FALSE;
	return list != NULL &&
	       mtw_kind_look_up(job, ATTACHED, list, "name", "size", ret_done, error);
}

/* ---- questions ---- */

static gboolean gitea_check(const MtwTarget *target, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(target->project, "/", -1);

	if (!mtw_kind_check(target, error, "Project", target->project, NULL))
		return FALSE;
	if (g_strv_length(parts) == 2 && *parts[0] != '\0' && *parts[1] != '\0')
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "target %s: Project=%s is not \"owner/repository\"", target->id,
		    target->project);
	return FALSE;
}

static gboolean gitea_whoami(MtwJob *job, char **ret_name, GError **error)
{
	g_autoptr(JsonObject) user = mtw_kind_get(job, mtw_kind_fail_plain, error, "/api/v1/user");

	return user != NULL && mtw_kind_take_name(job, user, "login", ret_name, error);
}

static gboolean gitea_search(MtwJob *job, char **ret_url, GError **error)
{
	g_autoptr(JsonObject) issue = NULL;
	g_autofree char *digits = NULL;

	*ret_url = NULL;
	if (!find_issue(job, &issue, error))
		return FALSE;
	digits = g_strdup_printf("%" G_GINT64_FORMAT, mtw_json_int(issue, "number", 0));
	if (mtw_json_int(issue, "number", 0) > 0)
		*ret_url = issue_url(job, digits);
	return TRUE;
}

static const MtwPhase issue_phase = { .id = "issue", .run = issue_run, .find = issue_find };
static const MtwPhase note_phase = { .id = "note", .run = note_run, .find = note_find };
static const MtwPhase attach_phase = {
	.id = "attach",
	.carries_file = TRUE,
	.run = attach_run,
	.find = attach_find,
};

static const MtwPhase *const phases[] = { &issue_phase, &attach_phase, NULL };
static const MtwPhase *const issue_phases[] = { &note_phase, &attach_phase, NULL };

const MtwKind mtw_kind_gitea = {
	.id = "gitea",
	.title = "Gitea or Forgejo",
	.needs_network = TRUE,
	.check = gitea_check,
	.limit = ask_settings,
	.whoami = gitea_whoami,
	.search = gitea_search,
	.phases = phases,
	.issue_phases = issue_phases,
};
