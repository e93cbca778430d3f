/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/prefill.h"

#include "base/error.h"

#include <string.h>

#define URL_MAX_BYTES 6000

#define TITLE "@TITLE@"
#define BODY "@BODY@"

typedef struct {
	const char *end; /* of the page's path */
	const char *query;
} Form;

/* The fields of trackers' pages; the first that fits. */
static const Form forms[] = {
	{ "/-/issues/new", "issue%5Btitle%5D=" TITLE "&issue%5Bdescription%5D=" BODY }, /* GitLab */
	{ "/enter_bug.cgi", "short_desc=" TITLE "&comment=" BODY }, /* Bugzilla */
	{ "/issues/new", "title=" TITLE "&body=" BODY },	    /* GitHub, Gitea */
};

static gboolean has_places(const char *template)
{
	return strstr(template, TITLE) != NULL || strstr(template, BODY) != NULL;
}

/* Of a page whose form we know. Returns: (transfer full): with places, or as it is */
static char *with_form(const char *page)
{
	gsize path_bytes = strcspn(page, "?");
	g_autofree char *path = g_strndup(page, path_bytes);
	const char *query = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(forms) && query == NULL; i++)
		if (g_str_has_suffix(path, forms[i].end))
			query = forms[i].query;
	/* Redmine's has the end of GitHub's. */
	if (query != NULL && strstr(path, "/projects/") != NULL && strstr(path, "/-/") == NULL)
		query = "issue%5Bsubject%5D=" TITLE "&issue%5Bdescription%5D=" BODY;
	if (query == NULL || has_places(page))
		return g_strdup(page);
	return g_strdup_printf("%s%c%s", page, page[path_bytes] == '?' ? '&' : '?', query);
}

/* Without the places; what is left is an address. */
static char *fill(const char *template, const char *title, const char *body)
{
	g_autofree char *escaped_title = g_uri_escape_string(title, NULL, FALSE);
	g_autofree char *escaped_body = g_uri_escape_string(body, NULL, FALSE);
	g_autoptr(GString) url = g_string_new(template);

	g_string_replace(url, TITLE, escaped_title, 0);
	g_string_replace(url, BODY, escaped_body, 0);
	return g_string_free(g_steal_pointer(&url), FALSE);
}

gboolean mtw_prefill_check(const char *template, GError **error)
{
	g_autofree char *url = fill(template, "", "");

	if (mtw_url_is_safe(url) && strchr(url, '@') == NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "URL must be the page for a new report, with %s and %s in it where they belong",
		    TITLE, BODY);
	return FALSE;
}

/* Where the last line of the first @bytes begins, so that it can go. */
static gsize without_last_line(const char *text, gsize bytes)
{
	while (bytes > 0 && text[bytes - 1] == '\n')
		bytes--;
	while (bytes > 0 && text[bytes - 1] != '\n')
		bytes--;
	return bytes;
}

char *mtw_prefill_url(const char *page, const MtwLetter *letter, const char *body)
{
	const char *text = body != NULL ? body : letter->body;
	gsize bytes = strlen(text);
	g_autofree char *template = with_form(page);
	g_autofree char *url = fill(template, letter->title, text);

	while (strlen(url) > URL_MAX_BYTES && bytes > 0) {
		bytes = without_last_line(text, bytes);
		g_autofree char *shorter = g_strdup_printf("%.*s[...]\n\nReport-ID: %s\n",
							   (int)bytes, text, letter->report_id);
		g_free(url);
		url = fill(template, letter->title, shorter);
	}
	return g_steal_pointer(&url);
}
