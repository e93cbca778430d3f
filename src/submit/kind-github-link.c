/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GitHub, whose interface for programs takes no archives: the file goes to the store that the target names, the issue has
 * a link to it. With Auth=none the person writes the issue in the browser.
 */
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "submit/kind-json.h"
#include "submit/kinds.h"
#include "submit/prefill.h"
#include "submit/store.h"

#include <string.h>

#include <glib/gi18n.h>

#define WEB "https://github.com"
#define API "https://api.github.com"
#define API_FOLDER "/api/v3"
#define BODY_MAX_BYTES 65000
#define PAGE_MAX 30
#define PER_PAGE 100
#define NUMBER "github-link-number"

static gboolean check(const MtwTarget *target, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(target->project, "/", -1);

	if (!mtw_kind_check(target, error, "Project", target->project, "Store", target->store,
			    NULL))
		return FALSE;
	if (g_strv_length(parts) == 2 && *parts[0] != '\0' && *parts[1] != '\0')
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "Project must be \"owner/repository\", not \"%s\"", target->project);
	return FALSE;
}

/* ---- addresses ---- */

/* Returns: (transfer full): of the pages */
static char *web_base(const MtwTarget *target)
{
	if (strcmp(target->url, API) == 0)
		return g_strdup(WEB);
	if (g_str_has_suffix(target->url, API_FOLDER))
		return g_strndup(target->url, strlen(target->url) - strlen(API_FOLDER));
	return g_strdup(target->url);
}

static char *api_base(const MtwTarget *target)
{
	g_autofree char *web = web_base(target);

	return strcmp(web, WEB) == 0 ? g_strdup(API) : g_strconcat(web, API_FOLDER, NULL);
}

static char *repository_url(const MtwJob *job, char *(*base)(const MtwTarget *),
			    const char *between)
{
	g_autofree char *start = base(job->target);
	g_autofree char *project = g_uri_escape_string(mtw_kind_project(job), "/", FALSE);

	return g_strdup_printf("%s%s/%s/issues", start, between, project);
}

static char *api_url(const MtwJob *job)
{
	return repository_url(job, api_base, "/repos");
}

static char *page_url(const MtwJob *job)
{
	return repository_url(job, web_base, "");
}

static char *comments_url(const MtwJob *job)
{
	g_autofree char *issues = api_url(job);

	return g_strdup_printf("%s/%s/comments", issues, job->issue->number);
}

/* ---- the file ---- */

static gboolean run_store_phase(MtwJob *side, const MtwPhase *phase, GError **error)
{
	const char *mark = mtw_kind_recall(side, "phases", phase->id);
	gboolean done = g_strcmp0(mark, "done") == 0;

	if (done)
		return TRUE;
	if (mark != NULL && phase->find != NULL && !phase->find(side, &done, error))
		return FALSE;
	if (!done && (!mtw_kind_remember(side, "phases", phase->id, "started", error) ||
		      !phase->run(side, error)))
		return FALSE;
	return mtw_kind_remember(side, "phases", phase->id, "done", error);
}

static gboolean run_store(MtwJob *job, GError **error)
{
	MtwJob *side = job->side_job(job, job->target->store, error);
	const MtwKind *kind = side == NULL ? NULL : mtw_kind_find(side->target->kind);
	const char *url;

	if (side == NULL)
		return FALSE;
	if (kind == NULL || !kind->is_bare_store) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "%s: Store=%s is a tracker or no place on a server", job->target->id,
			    job->target->store);
		return FALSE;
	}
	for (const MtwPhase *const *phase = kind->phases; *phase != NULL; phase++)
		if (!run_store_phase(side, *phase, error))
			return FALSE;
	url = mtw_json_string(side->facts, "url", NULL);
	if (url == NULL)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "the store %s gave no address for the file",
					 job->target->store);
	return mtw_store_remember(job, "file", url, error);
}

/* The letter, and where the file is. Returns: (transfer full) */
static char *body(const MtwJob *job)
{
	g_autoptr(GString) link = g_string_new(NULL);

	g_string_append_printf(link, "Archive: %s\n", mtw_store_fact(job, "file"));
	for (guint i = 0; i < job->files->len; i++)
		g_string_append_printf(link, "SHA-256 of %s: %s\n", mtw_job_file(job, i)->name,
				       mtw_job_file(job, i)->sha256);
	return mtw_kind_body(job, link->str, BODY_MAX_BYTES);
}

/* ---- the issue ---- */

static gboolean fail(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	g_autofree char *what = g_strdup_printf("repository %s", mtw_kind_project(job));

	if (reply->status == 404)
		return mtw_kind_fail_hidden(job, what, error);
	if (reply->status == 410)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "%s takes no issues", what);
	return mtw_http_fail(job->transfer, reply, error);
}

static gboolean set_issue(MtwJob *job, JsonObject *issue, GError **error)
{
	gint64 number = mtw_json_int(issue, "number", 0);
	g_autofree char *pages = page_url(job);
	g_autofree char *own = g_strdup_printf("%s/%" G_GINT64_FORMAT, pages, number);

	if (!mtw_kind_set_number(job, NUMBER, number, error))
		return FALSE;
	json_object_set_string_member(job->facts, "url", own);
	return job->save(job, error);
}

static gboolean open_page(MtwJob *job, char *url, GError **error)
{
	json_object_set_string_member(job->facts, "open", url);
	json_object_set_string_member(job->facts, "note",
				      N_("The archive was uploaded, the report is not filed yet: "
					 "finish it on the page."));
	g_free(url);
	return job->save(job, error);
}

static gboolean open_new_issue(MtwJob *job, GError **error)
{
	g_autofree char *pages = page_url(job);
	g_autofree char *template = g_strconcat(pages, "/new?title=@TITLE@&body=@BODY@", NULL);
	g_autofree char *text = body(job);

	return open_page(job, mtw_prefill_url(template, job->letter, text), error);
}

static JsonArray *labels(const MtwTarget *target)
{
	return mtw_json_texts((const char *const *)target->labels);
}

static gboolean run_issue(MtwJob *job, GError **error)
{
	g_autoptr(JsonObject) request = json_object_new();
	g_autoptr(JsonObject) issue = NULL;
	g_autofree char *url = api_url(job);
	g_autofree char *text = body(job);

	if (job->target->auth == MTW_AUTH_NONE)
		return open_new_issue(job, error);
	mtw_json_set_text(request, "title", job->letter->title);
	mtw_json_set_text(request, "body", text);
	if (job->target->labels[0] != NULL)
		json_object_set_array_member(request, "labels", labels(job->target));
	issue = mtw_kind_post(job, url, request, fail, error);
	return issue != NULL && set_issue(job, issue, error);
}

static JsonArray *get_page(MtwJob *job, const char *list, guint page, GError **error)
{
	g_autofree char *url =
		g_strdup_printf("%s%cper_page=%u&page=%u", list,
				strchr(list, '?') != NULL ? '&' : '?', PER_PAGE, page);
	MtwHttpRequest request = { .method = "GET", .url = url };

	return mtw_kind_call_array(job, &request, fail, error);
}

/* Our text in a list of issues or comments. @ret_found: (transfer full) (nullable) */
static gboolean find_ours(MtwJob *job, const char *list, guint max_pages, JsonObject **ret_found,
			  GError **error)
{
	*ret_found = NULL;
	for (guint page = 1; page <= max_pages; page++) {
		g_autoptr(JsonArray) entries = get_page(job, list, page, error);
		if (entries == NULL)
			return FALSE;
		for (guint i = 0; i < json_array_get_length(entries); i++) {
			JsonObject *entry = mtw_json_object_at(entries, i);
			if (!mtw_kind_is_ours(job, mtw_json_string(entry, "body", NULL)))
				continue;
			*ret_found = json_object_ref(entry);
			return TRUE;
		}
		if (json_array_get_length(entries) < PER_PAGE)
			break;
	}
	return TRUE;
}

/* The newest come first: one page is enough for what was made just now. */
static gboolean find_in_issues(MtwJob *job, JsonObject **ret_found, GError **error)
{
	g_autofree char *issues = api_url(job);
	g_autofree char *list = g_strconcat(issues, "?state=all&sort=created&direction=desc", NULL);

	return find_ours(job, list, 1, ret_found, error);
}

static gboolean find_issue(MtwJob *job, gboolean *ret_done, GError **error)
{
	g_autoptr(JsonObject) found = NULL;

	*ret_done = FALSE;
	if (job->target->auth == MTW_AUTH_NONE)
		return TRUE;
	if (!find_in_issues(job, &found, error))
		return FALSE;
	*ret_done = found != NULL;
	return found == NULL || set_issue(job, found, error);
}

static gboolean search(MtwJob *job, char **ret_url, GError **error)
{
	g_autoptr(JsonObject) found = NULL;
	g_autofree char *pages = page_url(job);

	*ret_url = NULL;
	if (job->target->auth == MTW_AUTH_NONE)
		return TRUE;
	if (!find_in_issues(job, &found, error))
		return FALSE;
	if (found != NULL)
		*ret_url = g_strdup_printf("%s/%" G_GINT64_FORMAT, pages,
					   mtw_json_int(found, "number", 0));
	return TRUE;
}

/* ---- an issue that is there ---- */

static gboolean set_comment(MtwJob *job, JsonObject *comment, GError **error)
{
	gint64 id = mtw_json_int(comment, "id", 0);
	g_autofree char *pages = page_url(job);
	g_autofree char *own = g_strdup_printf("%s/%s#issuecomment-%" G_GINT64_FORMAT, pages,
					       job->issue->number, id);

	if (id <= 0)
		return mtw_kind_fail_unknown(job, "the number of the comment", error);
	json_object_set_string_member(job->facts, "url", own);
	return job->save(job, error);
}

static gboolean run_comment(MtwJob *job, GError **error)
{
	g_autoptr(JsonObject) request = json_object_new();
	g_autoptr(JsonObject) comment = NULL;
	g_autofree char *url = comments_url(job);
	g_autofree char *text = body(job);

	if (job->target->auth == MTW_AUTH_NONE)
		return open_page(job, g_strdup(job->issue->url), error);
	mtw_json_set_text(request, "body", text);
	comment = mtw_kind_post(job, url, request, fail, error);
	return comment != NULL && set_comment(job, comment, error);
}

static gboolean find_comment(MtwJob *job, gboolean *ret_done, GError **error)
{
	g_autoptr(JsonObject) found = NULL;
	g_autofree char *url = comments_url(job);

	*ret_done = FALSE;
	if (job->target->auth == MTW_AUTH_NONE)
		return TRUE;
	if (!find_ours(job, url, PAGE_MAX, &found, error))
		return FALSE;
	*ret_done = found != NULL;
	return found == NULL || set_comment(job, found, error);
}

static gboolean whoami(MtwJob *job, char **ret_name, GError **error)
{
	g_autofree char *base = api_base(job->target);
	g_autofree char *url = g_strconcat(base, "/user", NULL);
	MtwHttpRequest request = { .method = "GET", .url = url };
	g_autoptr(JsonObject) user = NULL;

	*ret_name = NULL;
	if (job->target->auth == MTW_AUTH_NONE)
		return TRUE;
	user = mtw_kind_call_object(job, &request, fail, error);
	if (user == NULL)
		return FALSE;
	*ret_name = mtw_text_clean_line(mtw_json_string(user, "login", ""));
	return TRUE;
}

static const MtwPhase store_phase = {
	.id = "store",
	.carries_file = TRUE,
	.run = run_store,
};

static const MtwPhase issue_phase = {
	.id = "issue",
	.run = run_issue,
	.find = find_issue,
};

static const MtwPhase comment_phase = {
	.id = "comment",
	.run = run_comment,
	.find = find_comment,
};

static const MtwPhase *const phases[] = { &store_phase, &issue_phase, NULL };
static const MtwPhase *const issue_phases[] = { &store_phase, &comment_phase, NULL };

const MtwKind mtw_kind_github_link = {
	.id = "github-link",
	.title = N_("GitHub (link to the file)"),
	.needs_network = TRUE,
	.check = check,
	.whoami = whoami,
	.search = search,
	.phases = phases,
	.issue_phases = issue_phases,
};
