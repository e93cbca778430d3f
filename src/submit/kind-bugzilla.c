/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bugzilla 5 and its relatives: a bug, then the file as an attachment in base64 inside JSON.
 *
 * The API key goes into the body, because stock Bugzilla takes it from there or from the query, and queries stand in
 * logs. A GET has no body, so what has to be read with the key is read by the older JSON-RPC interface, which is a POST:
 * it is switched on wherever REST is. Forks (Mozilla, Harmony, Red Hat) take the key in a header: with Auth=header: or
 * bearer everything is REST.
 */
#include "submit/kind-json.h"

#include "base/error.h"
#include "base/json.h"
#include "base/parse.h"
#include "base/text.h"

#include <string.h>

#define ATTACHED "bugzilla-attached"
#define BUG "bugzilla-bug"
/* Bugzilla counts 65535 characters. */
#define COMMENT_MAX_BYTES 65000
#define DEFAULT_VERSION "unspecified"

/* Of the bug that is added to, else of the one that was filed; 0: none */
static gint64 bug_id(const MtwJob *job)
{
	guint64 number = 0;

	if (job->issue == NULL)
		return mtw_json_int(job->facts, BUG, 0);
	if (!mtw_parse_u64(job->issue->number, 10, &number) || number > G_MAXINT32)
		return 0;
	return (gint64)number;
}

static char *bug_number(const MtwJob *job)
{
	return g_strdup_printf("%" G_GINT64_FORMAT, bug_id(job));
}

static char *bug_url(const MtwJob *job, const char *number)
{
	return g_strdup_printf("%s/show_bug.cgi?id=%s", job->target->url, number);
}

/* ---- what went wrong ---- */

static gboolean fail_code(MtwJob *job, gint64 code, const char *message, GError **error)
{
	static const struct {
		int first, last;
		MtwFailureClass class;
		int error;
	} meanings[] = {
		{ 300, 307, MTW_FAILURE_AUTH, MTW_ERROR_AUTH },
		{ 410, 410, MTW_FAILURE_AUTH, MTW_ERROR_AUTH },
		{ 600, 600, MTW_FAILURE_TOO_BIG, MTW_ERROR_REJECTED },
	};
	g_autofree char *says = mtw_text_clean_line(message);

	for (gsize i = 0; i < G_N_ELEMENTS(meanings); i++)
		if (code >= meanings[i].first && code <= meanings[i].last)
			return mtw_transfer_fail(job->transfer, meanings[i].class,
						 meanings[i].error, error, "%s (error %d)", says,
						 (int)code);
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
				 "%s (error %" G_GINT64_FORMAT ")", says, code);
}

static gboolean bugzilla_fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	g_autoptr(JsonObject) answer = NULL;
	gint64 code;

	/* Answers of a server in front of it, and those that pass, have no code. */
	if (reply->status == 413 || reply->status == 429 || reply->status >= 500)
		return mtw_http_fail(job->transfer, reply, error);
	answer = mtw_kind_reply_object(reply);
	code = mtw_json_int(answer, "code", 0);
	if (code == 0)
		return mtw_http_fail(job->transfer, reply, error);
	return fail_code(job, code, mtw_json_string(answer, "message", ""), error);
}

/* ---- reading ---- */

static gboolean is_key_in_body(const MtwJob *job)
{
	return job->target->auth == MTW_AUTH_JSON && mtw_transfer_secret(job->transfer) != NULL;
}

/* @ret_missing: there is no such interface */
static JsonObject *call_rpc(MtwJob *job, const char *method, JsonObject *params,
			    gboolean *ret_missing, GError **error)
{
	g_autofree char *url = mtw_kind_url(job, "/jsonrpc.cgi");
	g_autofree char *before = g_strdup_printf(
		"{\"version\":\"1.1\",\"id\":1,\"method\":\"%s\",\"params\":[{", method);
	g_autofree char *line = mtw_json_line(params);
	g_autofree char *after = g_strdup_printf("%s]}", line + 1);
	char *text = mtw_kind_secret_text(job, before, after);
	MtwHttpRequest request = {
		.method = "POST",
		.url = url,
		.form = MTW_BODY_TEXT,
		.type = "application/json",
		.text = text,
	};
	g_autoptr(MtwHttpReply) reply = mtw_kind_ask(job, &request, error);
	g_autoptr(JsonObject) answer = NULL;
	JsonObject *problem, *result;

	mtw_kind_text_free(text);
	if (reply == NULL)
		return NULL;
	*ret_missing = reply->status == 404 || reply->status == 405;
	/* Its errors come with any status. */
	answer = *ret_missing ? NULL : mtw_kind_reply_object(reply);
	problem = mtw_json_object(answer, "error");
	result = mtw_json_object(answer, "result");
	if (problem != NULL)
		fail_code(job, mtw_json_int(problem, "code", 0),
			  mtw_json_string(problem, "message", ""), error);
	else if (result != NULL)
		return json_object_ref(result);
	else if (reply->status / 100 == 2)
		mtw_kind_fail_answer(job, "the result", error);
	else
		mtw_http_fail(job->transfer, reply, error);
	return NULL;
}

/* The same question for both interfaces: @method with @params, or GET of @path. Returns: (transfer full) (nullable) */
static JsonObject *read_as_me(MtwJob *job, const char *method, JsonObject *params, const char *path,
			      GError **error)
{
	g_autoptr(GError) rpc_error = NULL;
	gboolean missing = FALSE;
	JsonObject *result;

	if (is_key_in_body(job)) {
		result = call_rpc(job, method, params, &missing, &rpc_error);
		if (result != NULL || !missing) {
			if (result == NULL)
				g_propagate_error(error, g_steal_pointer(&rpc_error));
			return result;
		}
	}
	/* What everyone may see. */
	return mtw_kind_get(job, bugzilla_fail, error, "%s", path);
}

/* ---- a new bug ---- */

static gboolean take_bug(MtwJob *job, gint64 number, GError **error)
{
	g_autofree char *digits = g_strdup_printf("%" G_GINT64_FORMAT, number);
	g_autofree char *url = bug_url(job, digits);

	if (!mtw_kind_set_number(job, BUG, number, error))
		return FALSE;
	mtw_kind_set_url(job, NULL, url);
	return job->save(job, error);
}

/* Whether the first comment of the bug names this report. */
static gboolean is_our_bug(MtwJob *job, gint64 number, gboolean *ret_is, GError **error)
{
	g_autofree char *digits = g_strdup_printf("%" G_GINT64_FORMAT, number);
	g_autofree char *path = g_strdup_printf("/rest/bug/%s/comment", digits);
	g_autoptr(JsonObject) params = json_object_new();
	g_autoptr(JsonObject) answer = NULL;
	JsonArray *ids = json_array_new();
	JsonObject *bugs, *first;

	json_array_add_int_element(ids, number);
	json_object_set_array_member(params, "ids", ids);
	answer = read_as_me(job, "Bug.comments", params, path, error);
	if (answer == NULL)
		return FALSE;
	bugs = mtw_json_object(answer, "bugs");
	first = mtw_json_object_at(mtw_json_array(mtw_json_object(bugs, digits), "comments"), 0);
	*ret_is = mtw_kind_is_ours(job, mtw_json_string(first, "text", NULL));
	return TRUE;
}

static JsonObject *search_bugs(MtwJob *job, GError **error)
{
	static const char *const fields[] = { "id", "summary", "status", "resolution", NULL };
	g_autofree char *mark = mtw_kind_mark(job);
	g_autofree char *path = g_strdup_printf(
		"/rest/bug?summary=%s&limit=20&include_fields=id,summary,status,resolution", mark);
	g_autoptr(JsonObject) params = json_object_new();

	mtw_json_set_text(params, "summary", mark);
	json_object_set_int_member(params, "limit", 20);
	json_object_set_array_member(params, "include_fields", mtw_json_texts(fields));
	return read_as_me(job, "Bug.search", params, path, error);
}

/* @with_refused: also one that was closed as no real report. @ret_number: 0: none */
static gboolean find_bug(MtwJob *job, gboolean with_refused, gint64 *ret_number, GError **error)
{
	g_autofree char *mark = mtw_kind_mark(job);
	g_autoptr(JsonObject) answer = search_bugs(job, error);
	JsonArray *bugs = mtw_json_array(answer, "bugs");

	*ret_number = 0;
	if (answer == NULL)
		return FALSE;
	for (guint i = 0; bugs != NULL && i < json_array_get_length(bugs); i++) {
		JsonObject *bug = mtw_json_object_at(bugs, i);
		const char *resolution = mtw_json_string(bug, "resolution", "");
		gint64 number = mtw_json_int(bug, "id", 0);
		gboolean is_ours = FALSE;

		if (number <= 0 || strstr(mtw_json_string(bug, "summary", ""), mark) == NULL)
			continue;
		if (!with_refused && (g_ascii_strcasecmp(resolution, "INVALID") == 0 ||
				      g_ascii_strcasecmp(resolution, "SPAM") == 0))
			continue;
		if (!is_our_bug(job, number, &is_ours, error))
			return FALSE;
		if (is_ours) {
			*ret_number = number;
			break;
		}
	}
	return TRUE;
}

static gboolean bug_run(MtwJob *job, GError **error)
{
	const MtwTarget *target = job->target;
	g_autofree char *url = mtw_kind_url(job, "/rest/bug");
	g_autofree char *description = mtw_kind_body(job, NULL, COMMENT_MAX_BYTES);
	g_autoptr(JsonObject) body = json_object_new();
	g_autoptr(JsonObject) answer = NULL;
	gint64 number;

	/* An earlier try may have filed it without its file, which was too large. */
	if (find_bug(job, FALSE, &number, NULL) && number > 0)
		return take_bug(job, number, error);
	mtw_json_set_text(body, "product", target->product);
	mtw_json_set_text(body, "component", target->component);
	mtw_json_set_text(body, "version",
			  *target->version != '\0' ? target->version : DEFAULT_VERSION);
	mtw_json_set_text(body, "summary", job->letter->title);
	mtw_json_set_text(body, "description", description);
	answer = mtw_kind_post(job, url, body, bugzilla_fail, error);
	return answer != NULL && take_bug(job, mtw_json_int(answer, "id", 0), error);
}

static gboolean bug_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	gint64 number;

	*ret_done = FALSE;
	if (!find_bug(job, TRUE, &number, error))
		return FALSE;
	if (number == 0)
		return TRUE;
	*ret_done = TRUE;
	return take_bug(job, number, error);
}

/* ---- attachments ---- */

/* The members besides the file; the letter is the comment of the first one in a bug that was there. */
static JsonObject *attachment_members(MtwJob *job, const MtwJobFile *file)
{
	JsonObject *body = json_object_new();
	JsonArray *ids = json_array_new();
	g_autofree char *number = bug_number(job);
	g_autofree char *comment = NULL;

	json_array_add_int_element(ids, bug_id(job));
	json_object_set_array_member(body, "ids", ids);
	mtw_json_set_text(body, "file_name", file->name);
	mtw_json_set_text(body, "summary", file->name);
	mtw_json_set_text(body, "content_type", mtw_kind_mime_type(file->name));
	if (job->issue != NULL && file == job->files->pdata[0])
		comment = mtw_kind_body(job, NULL, COMMENT_MAX_BYTES);
	mtw_json_set_text(body, "comment", comment != NULL ? comment : "");
	json_object_set_boolean_member(body, "is_patch", FALSE);
	json_object_set_boolean_member(body, "is_private", FALSE);
	return body;
}

static gboolean attach_file(MtwJob *job, const MtwJobFile *file, char **ret_reference,
			    GError **error)
{
	g_autofree char *number = bug_number(job);
	g_autofree char *url = mtw_kind_url(job, "/rest/bug/%s/attachment", number);
	g_autoptr(JsonObject) members = attachment_members(job, file);
	g_autofree char *line = mtw_json_line(members);
	g_autofree char *after = g_strdup_printf("\",%s", line + 1);
	char *before = mtw_kind_secret_text(job, "{", "\"data\":\"");
	MtwHttpRequest request = {
		.method = "POST",
		.url = url,
		.form = MTW_BODY_BASE64,
		.type = "application/json",
		.before = before,
		.after = after,
		.file = { .fd = file->fd, .bytes = file->bytes },
	};
	g_autoptr(JsonObject) answer = mtw_kind_call_object(job, &request, bugzilla_fail, error);

	mtw_kind_text_free(before);
	if (answer == NULL)
		return FALSE;
	/* "ids":[N] or "attachments":{"N":{...}}, by the version */
	if (!json_object_has_member(answer, "ids") &&
	    !json_object_has_member(answer, "attachments"))
		return mtw_kind_fail_unknown(job, "the number of the attachment", error);
	*ret_reference = g_strdup(file->name);
	return TRUE;
}

/* The bug that is added to: better to know before much is sent for nothing. */
static gboolean bug_exists(MtwJob *job, const char *number, GError **error)
{
	static const char *const fields[] = { "id", NULL };
	g_autofree char *path = g_strdup_printf("/rest/bug/%s?include_fields=id", number);
	g_autoptr(JsonObject) params = json_object_new();
	g_autoptr(JsonObject) answer = NULL;
	JsonArray *ids = json_array_new();

	json_array_add_int_element(ids, bug_id(job));
	json_object_set_array_member(params, "ids", ids);
	json_object_set_array_member(params, "include_fields", mtw_json_texts(fields));
	answer = read_as_me(job, "Bug.get", params, path, error);
	return answer != NULL;
}

static gboolean attach_run(MtwJob *job, GError **error)
{
	g_autofree char *number = bug_number(job);
	g_autofree char *url = bug_url(job, number);

	if (job->issue != NULL && !bug_exists(job, number, error))
		return FALSE;
	if (!mtw_kind_upload(job, ATTACHED, attach_file, error))
		return FALSE;
	mtw_kind_set_url(job, NULL, url);
	return job->save(job, error);
}

static gboolean attach_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	static const char *const fields[] = { "id", "file_name", "size", NULL };
	g_autofree char *number = bug_number(job);
	g_autofree char *url = bug_url(job, number);
	/* Without the field "data": that would be the files themselves. */
	g_autofree char *path =
		g_strdup_printf("/rest/bug/%s/attachment?include_fields=id,file_name,size", number);
	g_autoptr(JsonObject) params = json_object_new();
	g_autoptr(JsonObject) answer = NULL;
	JsonArray *ids = json_array_new();

	json_array_add_int_element(ids, bug_id(job));
	json_object_set_array_member(params, "ids", ids);
	json_object_set_array_member(params, "include_fields", mtw_json_texts(fields));
	answer = read_as_me(job, "Bug.attachments", params, path, error);
	if (answer == NULL)
		return FALSE;
	mtw_kind_set_url(job, NULL, url);
	return mtw_kind_look_up(job, ATTACHED,
				mtw_json_array(mtw_json_object(answer, "bugs"), number),
				"file_name", "size", ret_done, error);
}

/* ---- questions ---- */

static gboolean bugzilla_check(const MtwTarget *target, GError **error)
{
	return mtw_kind_check(target, error, "Product", target->product, "Component",
			      target->component, NULL);
}

/* The parameters are texts of digits. */
static guint64 parameter(JsonObject *parameters, const char *name, guint64 unit)
{
	guint64 number = 0;

	if (!mtw_parse_u64(mtw_json_string(parameters, name, "0"), 10, &number))
		return 0;
	return number < G_MAXINT64 / unit ? number * unit : 0;
}

static JsonObject *ask_parameters(MtwJob *job, GError **error)
{
	static const char *const fields[] = { "maxattachmentsize", "maxlocalattachment", NULL };
	g_autoptr(JsonObject) params = json_object_new();

	json_object_set_array_member(params, "include_fields", mtw_json_texts(fields));
	return read_as_me(job, "Bugzilla.parameters", params, "/rest/parameters", error);
}

/* The limit is that of the file, not of its base64. It is told to those who are logged in. */
static gboolean bugzilla_limit(MtwJob *job, guint64 *ret_max_bytes, GError **error)
{
	g_autoptr(JsonObject) answer = ask_parameters(job, error);
	JsonObject *parameters = mtw_json_object(answer, "parameters");

	if (answer == NULL)
		return FALSE;
	*ret_max_bytes = MAX(parameter(parameters, "maxattachmentsize", 1024),
			     parameter(parameters, "maxlocalattachment", 1024 * 1024));
	return TRUE;
}

/* Stock Bugzilla does not tell whose key it is, only whether it takes it. */
static gboolean ask_key(MtwJob *job, char **ret_name, GError **error)
{
	g_autoptr(JsonObject) answer = ask_parameters(job, error);
	JsonObject *parameters = mtw_json_object(answer, "parameters");

	if (answer == NULL)
		return FALSE;
	if (mtw_json_string(parameters, "maxattachmentsize", NULL) == NULL)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "it does not tell whether it takes the API key");
	*ret_name = NULL;
	return TRUE;
}

static gboolean bugzilla_whoami(MtwJob *job, char **ret_name, GError **error)
{
	g_autoptr(JsonObject) answer = NULL;
	const char *name;

	if (is_key_in_body(job))
		return ask_key(job, ret_name, error);
	answer = mtw_kind_get(job, bugzilla_fail, error, "/rest/whoami");
	if (answer == NULL)
		return FALSE;
	name = mtw_json_string(answer, "name", NULL);
	if (name == NULL)
		return mtw_kind_fail_answer(job, "the name of the account", error);
	*ret_name = mtw_text_clean_line(name);
	return TRUE;
}

static gboolean bugzilla_search(MtwJob *job, char **ret_url, GError **error)
{
	g_autofree char *digits = NULL;
	gint64 number;

	*ret_url = NULL;
	if (!find_bug(job, FALSE, &number, error))
		return FALSE;
	digits = g_strdup_printf("%" G_GINT64_FORMAT, number);
	if (number > 0)
		*ret_url = bug_url(job, digits);
	return TRUE;
}

static const MtwPhase bug_phase = { .id = "issue", .run = bug_run, .find = bug_find };
static const MtwPhase attach_phase = {
	.id = "attach",
	.carries_file = TRUE,
	.run = attach_run,
	.find = attach_find,
};

static const MtwPhase *const phases[] = { &bug_phase, &attach_phase, NULL };
static const MtwPhase *const issue_phases[] = { &attach_phase, NULL };

const MtwKind mtw_kind_bugzilla = {
	.id = "bugzilla",
	.title = "Bugzilla",
	.needs_network = TRUE,
	.check = bugzilla_check,
	.limit = bugzilla_limit,
	.whoami = bugzilla_whoami,
	.search = bugzilla_search,
	.phases = phases,
	.issue_phases = issue_phases,
};
