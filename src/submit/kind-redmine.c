/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Redmine: each file is uploaded for a token that is good for one use, then an issue (or an update of one) names the
 * tokens.
 */
#include "submit/kind-json.h"

#include "base/error.h"
#include "base/json.h"

#include <string.h>

#define TOKENS "redmine-tokens"
#define UPLOADED "redmine-uploaded" /* when, in seconds */
#define ISSUE "redmine-issue"
#define NOTED "redmine-noted" /* an update was taken; what became of it may be unknown */
#define TOKEN_MAX_BYTES 200
/* Servers drop what nobody used for a day. */
#define TOKEN_FRESH_SEC (60 * 60)
/* A column of some databases. */
#define TEXT_MAX_BYTES 65000

static char *issue_number(const MtwJob *job)
{
	if (job->issue != NULL)
		return g_strdup(job->issue->number);
	return g_strdup_printf("%" G_GINT64_FORMAT, mtw_json_int(job->facts, ISSUE, 0));
}

static char *issue_url(const MtwJob *job, const char *number)
{
	return g_strdup_printf("%s/issues/%s", job->target->url, number);
}

/* ---- what went wrong ---- */

static gboolean redmine_fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	g_autofree char *what = job->issue != NULL
					? g_strdup_printf("issue %s", job->issue->number)
					: g_strdup_printf("project %s", job->target->project);

	if (reply->status == 404)
		return mtw_kind_fail_hidden(job, what, error);
	/* After all of it was sent, in the language of the account: the number is what can be told. */
	if (reply->status == 422 && mtw_kind_reply_says(reply, "exceeds the maximum allowed"))
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_TOO_BIG, MTW_ERROR_REJECTED,
					 error, "the file is larger than it takes");
	return mtw_http_fail(job->transfer, reply, error);
}

/* ---- before much is sent for nothing ---- */

/* The number of the tracker that the target names. @ret_id: 0: the project's first one */
static gboolean find_tracker(MtwJob *job, gint64 *ret_id, GError **error)
{
	g_autofree char *project = mtw_url_escape(job->target->project);
	g_autoptr(JsonObject) answer = NULL;
	JsonArray *trackers;

	*ret_id = 0;
	answer = mtw_kind_get(job, redmine_fail, error, "/projects/%s.json?include=trackers",
			      project);
	if (answer == NULL)
		return FALSE;
	trackers = mtw_json_array(mtw_json_object(answer, "project"), "trackers");
	for (guint i = 0; trackers != NULL && i < json_array_get_length(trackers); i++) {
		JsonObject *tracker = mtw_json_object_at(trackers, i);
		g_autofree char *id =
			g_strdup_printf("%" G_GINT64_FORMAT, mtw_json_int(tracker, "id", 0));

		if (strcmp(id, job->target->tracker) == 0 ||
		    strcmp(mtw_json_string(tracker, "name", ""), job->target->tracker) == 0)
			*ret_id = mtw_json_int(tracker, "id", 0);
	}
	if (*ret_id > 0 || *job->target->tracker == '\0')
		return TRUE;
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
				 "project %s has no tracker \"%s\"", job->target->project,
				 job->target->tracker);
}

static gboolean is_welcome(MtwJob *job, GError **error)
{
	g_autoptr(JsonObject) issue = NULL;
	gint64 tracker;

	if (job->issue == NULL)
		return find_tracker(job, &tracker, error);
	issue = mtw_kind_get(job, redmine_fail, error, "/issues/%s.json", job->issue->number);
	return issue != NULL;
}

/* ---- uploading ---- */

static gint64 now_sec(void)
{
	return g_get_real_time() / G_USEC_PER_SEC;
}

static gboolean is_token(const char *token)
{
	if (token == NULL || *token == '\0' || strlen(token) > TOKEN_MAX_BYTES)
		return FALSE;
	for (const char *at = token; *at != '\0'; at++)
		if (!g_ascii_isalnum(*at) && strchr("._-", *at) == NULL)
			return FALSE;
	return TRUE;
}

static gboolean upload_fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	/* Nothing else of an upload is checked than its size. */
	if (reply->status == 422)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_TOO_BIG, MTW_ERROR_REJECTED,
					 error, "the file is larger than it takes");
	return redmine_fail(job, reply, error);
}

static gboolean upload_file(MtwJob *job, const MtwJobFile *file, char **ret_reference,
			    GError **error)
{
	g_autofree char *name = mtw_url_escape(file->name);
	g_autofree char *url = mtw_kind_url(job, "/uploads.json?filename=%s", name);
	MtwHttpRequest request = {
		.method = "POST",
		.url = url,
		.form = MTW_BODY_FILE,
		.type = "application/octet-stream",
		.file = { .fd = file->fd, .bytes = file->bytes },
	};
	g_autoptr(JsonObject) answer = mtw_kind_call_object(job, &request, upload_fail, error);
	const char *token;

	if (answer == NULL)
		return FALSE;
	token = mtw_json_string(mtw_json_object(answer, "upload"), "token", NULL);
	if (!is_token(token))
		return mtw_kind_fail_answer(job, "the token of the file", error);
	json_object_set_int_member(job->facts, UPLOADED, now_sec());
	*ret_reference = g_strdup(token);
	return TRUE;
}

static gboolean upload_run(MtwJob *job, GError **error)
{
	return is_welcome(job, error) && mtw_kind_upload(job, TOKENS, upload_file, error);
}

static JsonArray *uploads(const MtwJob *job)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < job->files->len; i++) {
		const MtwJobFile *file = job->files->pdata[i];
		JsonObject *upload = json_object_new();

		mtw_json_set_text(upload, "token", mtw_kind_recall(job, TOKENS, file->sha256));
		mtw_json_set_text(upload, "filename", file->name);
		mtw_json_set_text(upload, "content_type", mtw_kind_mime_type(file->name));
		json_array_add_object_element(array, upload);
	}
	return array;
}

/* The refusal is in the language of the account, so that only its age tells whether it can be about the tokens. */
static gboolean are_tokens_refused(const MtwJob *job, const MtwHttpReply *reply)
{
	gint64 age_sec = now_sec() - mtw_json_int(job->facts, UPLOADED, 0);

	return reply->status == 422 && (mtw_kind_reply_says(reply, "could not be saved") ||
					age_sec < 0 || age_sec > TOKEN_FRESH_SEC);
}

/*
 * Sends @issue with the tokens. They are good once, and servers drop those that nobody used: refused ones are replaced by
 * uploading again, once. Returns: (transfer full) (nullable)
 */
static MtwHttpReply *send_issue(MtwJob *job, const char *method, const char *url, JsonObject *issue,
				GError **error)
{
	g_autoptr(JsonObject) body = json_object_new();

	json_object_set_object_member(body, "issue", json_object_ref(issue));
	for (int try = 0;; try++) {
		g_autofree char *line = NULL;
		g_autoptr(MtwHttpReply) reply = NULL;
		MtwHttpRequest request = {
			.method = method,
			.url = url,
			.form = MTW_BODY_TEXT,
			.type = "application/json",
		};

		json_object_set_array_member(issue, "uploads", uploads(job));
		request.text = line = mtw_json_line(body);
		reply = mtw_kind_ask(job, &request, error);
		if (reply == NULL)
			return NULL;
		if (reply->status / 100 == 2)
			return g_steal_pointer(&reply);
		if (try > 0 || !are_tokens_refused(job, reply)) {
			redmine_fail(job, reply, error);
			return NULL;
		}
		json_object_remove_member(job->facts, TOKENS);
		if (!upload_run(job, error))
			return NULL;
	}
}

/* ---- a new issue ---- */

static gboolean take_issue(MtwJob *job, JsonObject *issue, GError **error)
{
	gint64 number = mtw_json_int(issue, "id", 0);
	g_autofree char *digits = g_strdup_printf("%" G_GINT64_FORMAT, number);
	g_autofree char *url = issue_url(job, digits);

	if (!mtw_kind_set_number(job, ISSUE, number, error))
		return FALSE;
	mtw_kind_set_url(job, NULL, url);
	mtw_kind_check_hidden(job, mtw_json_bool(issue, "is_private", FALSE));
	return job->save(job, error);
}

static gboolean issue_run(MtwJob *job, GError **error)
{
	g_autofree char *url = mtw_kind_url(job, "/issues.json");
	g_autofree char *description = mtw_kind_body(job, NULL, TEXT_MAX_BYTES);
	g_autoptr(JsonObject) issue = json_object_new();
	g_autoptr(MtwHttpReply) reply = NULL;
	g_autoptr(JsonObject) answer = NULL;
	gint64 tracker;

	if (!find_tracker(job, &tracker, error))
		return FALSE;
	if (tracker > 0)
		json_object_set_int_member(issue, "tracker_id", tracker);
	mtw_json_set_text(issue, "project_id", job->target->project);
	mtw_json_set_text(issue, "subject", job->letter->title);
	mtw_json_set_text(issue, "description", description);
	if (job->target->confidential)
		json_object_set_boolean_member(issue, "is_private", TRUE);
	reply = send_issue(job, "POST", url, issue, error);
	if (reply == NULL)
		return FALSE;
	answer = mtw_http_json(job->transfer, reply, error);
	return answer != NULL && take_issue(job, mtw_json_object(answer, "issue"), error);
}

/* @with_refused: also one that was turned down. @ret_issue: (transfer full) (nullable) */
static gboolean find_issue(MtwJob *job, gboolean with_refused, JsonObject **ret_issue,
			   GError **error)
{
	g_autofree char *project = mtw_url_escape(job->target->project);
	g_autofree char *mark = mtw_kind_mark(job);
	g_autoptr(JsonObject) answer = mtw_kind_get(
		job, redmine_fail, error,
		"/issues.json?project_id=%s&subject=~%s&status_id=*&sort=id:desc&limit=20", project,
		mark);
	JsonArray *issues = mtw_json_array(answer, "issues");

	if (answer == NULL)
		return FALSE;
	for (guint i = 0; issues != NULL && i < json_array_get_length(issues); i++) {
		JsonObject *issue = mtw_json_object_at(issues, i);
		const char *status = mtw_json_string(mtw_json_object(issue, "status"), "name", "");

		if (!mtw_kind_is_ours(job, mtw_json_string(issue, "description", NULL)))
			continue;
		if (!with_refused && (g_ascii_strcasecmp(status, "Rejected") == 0 ||
				      g_ascii_strcasecmp(status, "Spam") == 0))
			continue;
		*ret_issue = json_object_ref(issue);
		break;
	}
	return TRUE;
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

/* ---- an update of an issue ---- */

static gboolean has_attachment(JsonArray *attachments, const MtwJobFile *file)
{
	for (guint i = 0; attachments != NULL && i < json_array_get_length(attachments); i++) {
		JsonObject *attachment = mtw_json_object_at(attachments, i);

		if (strcmp(mtw_json_string(attachment, "filename", ""), file->name) == 0 &&
		    mtw_json_int(attachment, "filesize", -1) == (gint64)file->bytes)
			return TRUE;
	}
	return FALSE;
}

static gboolean has_note(MtwJob *job, JsonArray *journals)
{
	for (guint i = 0; journals != NULL && i < json_array_get_length(journals); i++)
		if (mtw_kind_is_ours(
			    job, mtw_json_string(mtw_json_object_at(journals, i), "notes", NULL)))
			return TRUE;
	return FALSE;
}

/* Note and files come in one update: both are there, or none. */
static gboolean note_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	g_autofree char *number = issue_number(job);
	g_autofree char *url = issue_url(job, number);
	g_autoptr(JsonObject) answer = mtw_kind_get(
		job, redmine_fail, error, "/issues/%s.json?include=attachments,journals", number);
	JsonObject *issue = mtw_json_object(answer, "issue");
	JsonArray *attachments = mtw_json_array(issue, "attachments");

	*ret_done = FALSE;
	if (answer == NULL)
		return FALSE;
	if (!has_note(job, mtw_json_array(issue, "journals")))
		return TRUE;
	for (guint i = 0; i < job->files->len; i++)
		if (!has_attachment(attachments, job->files->pdata[i]))
			return TRUE;
	*ret_done = TRUE;
	mtw_kind_set_url(job, NULL, url);
	return job->save(job, error);
}

static gboolean note_run(MtwJob *job, GError **error)
{
	g_autofree char *number = issue_number(job);
	g_autofree char *url = mtw_kind_url(job, "/issues/%s.json", number);
	g_autofree char *notes = mtw_kind_body(job, NULL, TEXT_MAX_BYTES);
	g_autoptr(JsonObject) issue = json_object_new();
	g_autoptr(MtwHttpReply) reply = NULL;
	gboolean done;

	if (!mtw_json_bool(job->facts, NOTED, FALSE)) {
		mtw_json_set_text(issue, "notes", notes);
		reply = send_issue(job, "PUT", url, issue, error);
		json_object_set_boolean_member(job->facts, NOTED, reply != NULL);
		if (reply == NULL || !job->save(job, error))
			return FALSE;
	}
	if (!note_find(job, &done, error))
		return FALSE;
	if (done)
		return TRUE;
	/* What an account may not change is passed over with a yes. */
	json_object_remove_member(job->facts, NOTED);
	return job->save(job, error) &&
	       mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
				 "your account may not add to issue %s", number);
}

/* ---- questions ---- */

static gboolean redmine_check(const MtwTarget *target, GError **error)
{
	return mtw_kind_check(target, error, "Project", target->project, NULL);
}

static gboolean redmine_whoami(MtwJob *job, char **ret_name, GError **error)
{
	g_autoptr(JsonObject) answer =
		mtw_kind_get(job, mtw_kind_fail_plain, error, "/users/current.json");

	return answer != NULL &&
	       mtw_kind_take_name(job, mtw_json_object(answer, "user"), "login", ret_name, error);
}

static gboolean redmine_search(MtwJob *job, char **ret_url, GError **error)
{
	g_autoptr(JsonObject) issue = NULL;
	g_autofree char *digits = NULL;

	*ret_url = NULL;
	if (!find_issue(job, FALSE, &issue, error))
		return FALSE;
	digits = g_strdup_printf("%" G_GINT64_FORMAT, mtw_json_int(issue, "id", 0));
	if (mtw_json_int(issue, "id", 0) > 0)
		*ret_url = issue_url(job, digits);
	return TRUE;
}

static const MtwPhase upload_phase = { .id = "upload", .carries_file = TRUE, .run = upload_run };
static const MtwPhase issue_phase = { .id = "issue", .run = issue_run, .find = issue_find };
static const MtwPhase note_phase = { .id = "note", .run = note_run, .find = note_find };

static const MtwPhase *const phases[] = { &upload_phase, &issue_phase, NULL };
static const MtwPhase *const issue_phases[] = { &upload_phase, &note_phase, NULL };

/* No limit to ask for: it is told only with the refusal. */
const MtwKind mtw_kind_redmine = {
	.id = "redmine",
	.title = "Redmine",
	.needs_network = TRUE,
	.check = redmine_check,
	.whoami = redmine_whoami,
	.search = redmine_search,
	.phases = phases,
	.issue_phases = issue_phases,
};
