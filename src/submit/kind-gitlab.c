/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GitLab, API v4: the file is uploaded to the project, then an issue (or a note) links to it. Nothing of that can be
 * repeated without making a second one, so what the upload answered is written down before anything else.
 */
#include "submit/kind-json.h"

#include "base/error.h"
#include "base/json.h"

#include <string.h>

#define UPLOADS "gitlab-uploads"
#define DESCRIPTION_MAX_BYTES (1000 * 1000)
#define UPLOAD_URL_MAX_BYTES 512
/* Web servers take some 8 KiB of an address. */
#define PREFILLED_MAX_BYTES 6000

static char *project_path(const MtwJob *job)
{
	return mtw_url_escape(mtw_kind_project(job));
}

static char *links(const MtwJob *job)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < job->files->len; i++) {
		const MtwJobFile *file = job->files->pdata[i];
		const char *url = mtw_kind_recall(job, UPLOADS, file->sha256);

		if (url != NULL)
			g_string_append_printf(text, "[%s](%s)\n", file->name, url);
	}
	return g_string_free(text, FALSE);
}

static char *issue_url(const MtwJob *job, const char *number)
{
	return g_strdup_printf("%s/%s/-/issues/%s", job->target->url, mtw_kind_project(job),
			       number);
}

/* ---- what went wrong ---- */

/* The page for a new issue with everything filled in; of the letter what fits. */
static char *prefilled_page(const MtwJob *job)
{
	g_autofree char *title = mtw_url_escape(job->letter->title);
	g_autofree char *more = links(job);
	char *page = NULL;

	for (gsize most = PREFILLED_MAX_BYTES; most > 0; most -= 500) {
		g_autofree char *body = mtw_kind_body(job, more, most);
		g_autofree char *escaped = mtw_url_escape(body);

		g_free(page);
		page = g_strdup_printf("%s/%s/-/issues/new?issue%%5Btitle%%5D=%s"
				       "&issue%%5Bdescription%%5D=%s",
				       job->target->url, mtw_kind_project(job), title, escaped);
		if (strlen(page) <= PREFILLED_MAX_BYTES)
			break;
	}
	return page;
}

/* A captcha or the spam check: only a person in a browser gets past it. */
static gboolean fail_person(MtwJob *job, GError **error)
{
	g_autofree char *page =
		job->issue != NULL ? g_strdup(job->issue->url) : prefilled_page(job);

	json_object_set_string_member(job->facts, "open", page);
	if (!job->save(job, error))
		return FALSE;
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERSON, MTW_ERROR_REJECTED, error,
				 "it takes this for spam, or wants a captcha solved");
}

static gboolean is_spam_check(const MtwHttpReply *reply)
{
	return reply->status / 100 == 4 && (mtw_kind_reply_says(reply, "recognized as spam") ||
					    mtw_kind_reply_says(reply, "needs_captcha_response") ||
					    mtw_kind_reply_says(reply, "captcha_site_key"));
}

static gboolean gitlab_fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	g_autofree char *what = job->issue != NULL
					? g_strdup_printf("issue %s", job->issue->number)
					: g_strdup_printf("project %s", mtw_kind_project(job));

	if (reply->status == 404)
		return mtw_kind_fail_hidden(job, what, error);
	if (reply->status == 403 && mtw_kind_reply_says(reply, "insufficient_scope"))
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_AUTH, MTW_ERROR_AUTH, error,
					 "the token lacks the scope \"api\"");
	return mtw_http_fail(job->transfer, reply, error);
}

static gboolean upload_fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	if ((reply->status == 400 || reply->status == 422) &&
	    (mtw_kind_reply_says(reply, "too big") || mtw_kind_reply_says(reply, "too large")))
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_TOO_BIG, MTW_ERROR_REJECTED,
					 error, "the file is larger than it takes");
	return gitlab_fail(job, reply, error);
}

static gboolean issue_fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	if (is_spam_check(reply))
		return fail_person(job, error);
	return gitlab_fail(job, reply, error);
}

/* ---- uploading ---- */

/* What is put into the text of the issue: it must not become other text than a link. */
static gboolean is_upload_url(const char *url)
{
	if (url == NULL || !g_str_has_prefix(url, "/uploads/") ||
	    strlen(url) > UPLOAD_URL_MAX_BYTES || strstr(url, "..") != NULL ||
	    strstr(url, "//") != NULL)
		return FALSE;
	for (const char *at = url; *at != '\0'; at++)
		if (!g_ascii_isalnum(*at) && strchr("/._-", *at) == NULL)
			return FALSE;
	return TRUE;
}

static gboolean upload_file(MtwJob *job, const MtwJobFile *file, char **ret_reference,
			    GError **error)
{
	g_autofree char *project = project_path(job);
	g_autofree char *url = mtw_kind_url(job, "/api/v4/projects/%s/uploads", project);
	g_autoptr(JsonObject) answer =
		mtw_kind_post_file(job, url, "file", file, upload_fail, error);
	const char *path;

	if (answer == NULL)
		return FALSE;
	path = mtw_json_string(answer, "url", NULL);
	if (!is_upload_url(path))
		return mtw_kind_fail_answer(job, "a usable address of the file", error);
	*ret_reference = g_strdup(path);
	return TRUE;
}

/* The issue that is added to: better to know before much is sent for nothing. */
static gboolean issue_exists(MtwJob *job, GError **error)
{
	g_autofree char *project = project_path(job);
	g_autoptr(JsonObject) issue =
		mtw_kind_get(job, gitlab_fail, error, "/api/v4/projects/%s/issues/%s", project,
			     job->issue->number);

	return issue != NULL;
}

static gboolean upload_run(MtwJob *job, GError **error)
{
	if (job->issue != NULL && !issue_exists(job, error))
		return FALSE;
	return mtw_kind_upload(job, UPLOADS, upload_file, error);
}

/* ---- a new issue ---- */

static gboolean take_issue(MtwJob *job, JsonObject *issue, GError **error)
{
	gint64 number = mtw_json_int(issue, "iid", 0);
	g_autofree char *digits = g_strdup_printf("%" G_GINT64_FORMAT, number);
	g_autofree char *own = issue_url(job, digits);

	if (!mtw_kind_set_number(job, "gitlab-iid", number, error))
		return FALSE;
	mtw_kind_set_url(job, mtw_json_string(issue, "web_url", NULL), own);
	mtw_kind_check_hidden(job, mtw_json_bool(issue, "confidential", FALSE));
	return job->save(job, error);
}

static gboolean issue_run(MtwJob *job, GError **error)
{
	g_autofree char *project = project_path(job);
	g_autofree char *url = mtw_kind_url(job, "/api/v4/projects/%s/issues", project);
	g_autofree char *more = links(job);
	g_autofree char *description = mtw_kind_body(job, more, DESCRIPTION_MAX_BYTES);
	g_autofree char *labels = g_strjoinv(",", job->target->labels);
	g_autoptr(JsonObject) body = json_object_new();
	g_autoptr(JsonObject) issue = NULL;

	mtw_json_set_text(body, "title", job->letter->title);
	mtw_json_set_text(body, "description", description);
	if (*labels != '\0')
		mtw_json_set_text(body, "labels", labels);
	if (job->target->confidential)
		json_object_set_boolean_member(body, "confidential", TRUE);
	issue = mtw_kind_post(job, url, body, issue_fail, error);
	return issue != NULL && take_issue(job, issue, error);
}

static gboolean has_label(JsonObject *issue, const char *word)
{
	JsonArray *labels = mtw_json_array(issue, "labels");

	for (guint i = 0; labels != NULL && i < json_array_get_length(labels); i++) {
		JsonNode *node = json_array_get_element(labels, i);
		const char *label = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;

		if (label != NULL && g_ascii_strcasecmp(label, word) == 0)
			return TRUE;
	}
	return FALSE;
}

/*
 * @query: of the list of issues; @with_refused: also one that was turned down
 * @ret_issue: (transfer full) (nullable): with this report's number in its text
 */
static gboolean list_issues(MtwJob *job, const char *query, gboolean with_refused,
			    JsonObject **ret_issue, GError **error)
{
	g_autofree char *project = project_path(job);
	g_autoptr(JsonArray) list = mtw_kind_get_array(
		job, gitlab_fail, error, "/api/v4/projects/%s/issues?state=all&per_page=20&%s",
		project, query);

	if (list == NULL)
		return FALSE;
	for (guint i = 0; i < json_array_get_length(list) && *ret_issue == NULL; i++) {
		JsonObject *issue = mtw_json_object_at(list, i);

		if (mtw_kind_is_ours(job, mtw_json_string(issue, "description", NULL)) &&
		    (with_refused || !has_label(issue, "spam")))
			*ret_issue = json_object_ref(issue);
	}
	return TRUE;
}

static gboolean find_issue(MtwJob *job, gboolean with_refused, JsonObject **ret_issue,
			   GError **error)
{
	g_autofree char *mark = mtw_kind_mark(job);
	g_autofree char *query =
		g_strdup_printf("scope=all&in=title%%2Cdescription&search=%s", mark);

	if (!list_issues(job, query, with_refused, ret_issue, error))
		return FALSE;
	/* An index that is behind does not know the newest. */
	return *ret_issue != NULL ||
	       list_issues(job, "scope=created_by_me&order_by=created_at&sort=desc", with_refused,
			   ret_issue, error);
}

static gboolean issue_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	g_autoptr(JsonObject) issue = NULL;

	*ret_done = FALSE;
	if (!find_issue(job, TRUE, &issue, error))
		return FALSE;
	if (issue == NULL)
		return TRUE;
	*ret_done = TRUE;
	return take_issue(job, issue, error);
}

/* ---- a note in an issue ---- */

static char *notes_path(MtwJob *job)
{
	g_autofree char *project = project_path(job);

	return g_strdup_printf("/api/v4/projects/%s/issues/%s/notes", project, job->issue->number);
}

static gboolean take_note(MtwJob *job, JsonObject *note, GError **error)
{
	gint64 number = mtw_json_int(note, "id", 0);
	g_autofree char *issue = issue_url(job, job->issue->number);
	g_autofree char *own = g_strdup_printf("%s#note_%" G_GINT64_FORMAT, issue, number);

	if (!mtw_kind_set_number(job, "gitlab-note", number, error))
		return FALSE;
	mtw_kind_set_url(job, NULL, own);
	return job->save(job, error);
}

static gboolean note_run(MtwJob *job, GError **error)
{
	g_autofree char *path = notes_path(job);
	g_autofree char *url = mtw_kind_url(job, "%s", path);
	g_autofree char *more = links(job);
	g_autofree char *text = mtw_kind_body(job, more, DESCRIPTION_MAX_BYTES);
	g_autoptr(JsonObject) body = json_object_new();
	g_autoptr(JsonObject) note = NULL;

	mtw_json_set_text(body, "body", text);
	note = mtw_kind_post(job, url, body, issue_fail, error);
	return note != NULL && take_note(job, note, error);
}

static gboolean note_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	g_autofree char *path = notes_path(job);
	g_autoptr(JsonArray) list = mtw_kind_get_array(
		job, gitlab_fail, error, "%s?order_by=created_at&sort=desc&per_page=50", path);

	*ret_done = FALSE;
	if (list == NULL)
		return FALSE;
	for (guint i = 0; i < json_array_get_length(list); i++) {
		JsonObject *note = mtw_json_object_at(list, i);

		if (!mtw_kind_is_ours(job, mtw_json_string(note, "body", NULL)))
			continue;
		*ret_done = TRUE;
		return take_note(job, note, error);
	}
	return TRUE;
}

/* ---- questions ---- */

static gboolean gitlab_check(const MtwTarget *target, GError **error)
{
	return mtw_kind_check(target, error, "Project", target->project, NULL);
}

static gboolean gitlab_whoami(MtwJob *job, char **ret_name, GError **error)
{
	g_autoptr(JsonObject) user = mtw_kind_get(job, mtw_kind_fail_plain, error, "/api/v4/user");

	return user != NULL && mtw_kind_take_name(job, user, "username", ret_name, error);
}

static gboolean gitlab_search(MtwJob *job, char **ret_url, GError **error)
{
	g_autoptr(JsonObject) issue = NULL;
	g_autofree char *digits = NULL, *own = NULL;
	const char *url;

	*ret_url = NULL;
	if (!find_issue(job, FALSE, &issue, error))
		return FALSE;
	if (issue == NULL || mtw_json_int(issue, "iid", 0) <= 0)
		return TRUE;
	digits = g_strdup_printf("%" G_GINT64_FORMAT, mtw_json_int(issue, "iid", 0));
	own = issue_url(job, digits);
	url = mtw_json_string(issue, "web_url", "");
	*ret_url = g_strdup(
		mtw_url_is_safe(url) && mtw_url_same_origin(url, job->target->url) ? url : own);
	return TRUE;
}

static const MtwPhase upload_phase = { .id = "upload", .carries_file = TRUE, .run = upload_run };
static const MtwPhase issue_phase = { .id = "issue", .run = issue_run, .find = issue_find };
static const MtwPhase note_phase = { .id = "note", .run = note_run, .find = note_find };

static const MtwPhase *const phases[] = { &upload_phase, &issue_phase, NULL };
static const MtwPhase *const issue_phases[] = { &upload_phase, &note_phase, NULL };

/* No limit to ask for: it is one of the settings that only administrators see. */
const MtwKind mtw_kind_gitlab = {
	.id = "gitlab",
	.title = "GitLab",
	.needs_network = TRUE,
	.check = gitlab_check,
	.whoami = gitlab_whoami,
	.search = gitlab_search,
	.phases = phases,
	.issue_phases = issue_phases,
};
