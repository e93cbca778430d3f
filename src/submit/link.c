/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/text.h"
#include "submit/link-private.h"

#include <string.h>

#define SHOWN_BYTES 200

/* As many digits as fit into the 64 bits of any tracker. */
#define NUMBER_DIGITS 18

/* The address, and where in its path what stands. */
typedef struct {
	MtwUrl url;
	char *origin;
	char **segments; /* of the path, without the empty ones */
	guint n_segments;
	guint base; /* so many segments are the folder that the tracker lives in */
	guint project, n_project;
	char *number; /* (nullable) */
} Address;

static void address_clear(Address *address)
{
	mtw_url_clear(&address->url);
	g_free(address->origin);
	g_strfreev(address->segments);
	g_free(address->number);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Address, address_clear)

void mtw_link_free(MtwLink *link)
{
	if (link == NULL)
		return;
	g_free(link->kind);
	g_free(link->base);
	g_free(link->project);
	g_free(link->number);
	g_free(link->url);
	g_free(link);
}

static char **split_path(const char *path)
{
	g_auto(GStrv) all = g_strsplit(path, "/", -1);
	GPtrArray *segments = g_ptr_array_new();

	for (char **segment = all; *segment != NULL; segment++)
		if (**segment != '\0')
			g_ptr_array_add(segments, g_strdup(*segment));
	g_ptr_array_add(segments, NULL);
	return (char **)g_ptr_array_free(segments, FALSE);
}

static gboolean split_address(const char *text, Address *ret_address)
{
	if (!mtw_url_is_safe(text) || !mtw_url_split(text, &ret_address->url))
		return FALSE;
	ret_address->origin = mtw_url_origin(&ret_address->url);
	ret_address->segments = split_path(ret_address->url.path);
	ret_address->n_segments = g_strv_length(ret_address->segments);
	return TRUE;
}

static gboolean is_number(const char *text)
{
	gsize length = strspn(text, "0123456789");

	return length > 0 && length <= NUMBER_DIGITS && text[length] == '\0';
}

static const char *segment_at(const Address *address, guint index)
{
	return index < address->n_segments ? address->segments[index] : "";
}

static gboolean segment_is(const Address *address, guint index, const char *text)
{
	return g_str_equal(segment_at(address, index), text);
}

/* The number that stands at @index of the path. */
static gboolean take_number(Address *address, guint index)
{
	const char *text = segment_at(address, index);

	if (!is_number(text))
		return FALSE;
	g_free(address->number);
	address->number = g_strdup(text);
	return TRUE;
}

/* "id=12" of the query. */
static gboolean take_query_number(Address *address)
{
	g_auto(GStrv) words = g_strsplit_set(address->url.query, "&;", -1);

	for (char **word = words; *word != NULL; word++) {
		if (!g_str_has_prefix(*word, "id=") || !is_number(*word + 3))
			continue;
		g_free(address->number);
		address->number = g_strdup(*word + 3);
		return TRUE;
	}
	return FALSE;
}

static void set_project(Address *address, guint first, guint n_segments)
{
	address->project = first;
	address->n_project = n_segments;
}

/*
 * The forms of addresses. @known: whether address->base is that of a target; else the form finds it out itself.
 */

/* GROUP/PROJECT/-/issues/12, .../-/work_items/12, .../-/issues/incident/12; of old without the "-". */
static gboolean is_gitlab(Address *address, gboolean known)
{
	guint first = known ? address->base : 0;

	for (guint i = first + 2; i < address->n_segments; i++) {
		guint at = i;
		if (segment_is(address, at, "-"))
			at++;
		else if (!known)
			continue;
		if (!segment_is(address, at, "issues") && !segment_is(address, at, "work_items"))
			continue;
		at += segment_is(address, at + 1, "incident") ? 2 : 1;
		if (!take_number(address, at))
			continue;
		address->base = first;
		set_project(address, first, i - first);
		return TRUE;
	}
	return FALSE;
}

/* FOLDER/show_bug.cgi?id=12; where a Bugzilla is known to be, also FOLDER/12. */
static gboolean is_bugzilla(Address *address, gboolean known)
{
	guint last = address->n_segments;

	if (known && address->n_segments == address->base + 1 &&
	    take_number(address, address->base))
		return TRUE;
	if (last == 0 || !segment_is(address, last - 1, "show_bug.cgi"))
		return FALSE;
	if (known && address->base != last - 1)
		return FALSE;
	address->base = last - 1;
	return take_query_number(address);
}

/* FOLDER/Ticket/Display.html?id=12, and the same for people without an account. */
static gboolean is_rt(Address *address, gboolean known)
{
	guint base = known ? address->base : MAX(address->n_segments, 2) - 2;

	if (!segment_is(address, base, "Ticket") && !segment_is(address, base, "SelfService"))
		return FALSE;
	address->base = base;
	return segment_is(address, base + 1, "Display.html") && take_query_number(address);
}

/* FOLDER/OWNER/REPOSITORY/issues/12 */
static gboolean is_gitea(Address *address, gboolean known)
{
	guint base = known ? address->base : MAX(address->n_segments, 4) - 4;

	if (!segment_is(address, base + 2, "issues") || !take_number(address, base + 3))
		return FALSE;
	address->base = base;
	set_project(address, base, 2);
	return TRUE;
}

static gboolean is_github(Address *address, gboolean known)
{
	if (!known && !g_str_equal(address->url.host, "github.com") &&
	    !g_str_equal(address->url.host, "www.github.com"))
		return FALSE;
	return is_gitea(address, TRUE);
}

/* FOLDER/issues/12 */
static gboolean is_redmine(Address *address, gboolean known)
{
	guint base = known ? address->base : MAX(address->n_segments, 2) - 2;

	if (!segment_is(address, base, "issues") || !take_number(address, base + 1))
		return FALSE;
	address->base = base;
	return TRUE;
}

#define LAUNCHPAD "https://launchpad.net"

static gboolean is_launchpad_host(const char *host)
{
	return g_str_equal(host, "launchpad.net") || g_str_has_suffix(host, ".launchpad.net");
}

/* PROJECT/+bug/12, ubuntu/+source/PACKAGE/+bug/12, bugs/12 */
static gboolean is_launchpad(Address *address, gboolean known)
{
	if (!known && !is_launchpad_host(address->url.host))
		return FALSE;
	address->base = 0;
	if (segment_is(address, 0, "bugs"))
		return take_number(address, 1);
	for (guint i = 1; i < address->n_segments; i++) {
		if (!segment_is(address, i, "+bug"))
			continue;
		set_project(address, 0, i);
		return take_number(address, i + 1);
	}
	return FALSE;
}

/* In this order, the ones that can be told with certainty first. */
static const struct {
	const char *kind;
	gboolean (*fits)(Address *address, gboolean known);
	const char
		*base; /* (nullable): there is only one of it, whatever host its addresses name */
} forms[] = {
	{ "launchpad", is_launchpad, LAUNCHPAD },
	{ "github-link", is_github, NULL },
	{ "gitlab", is_gitlab, NULL },
	{ "bugzilla", is_bugzilla, NULL },
	{ "rt", is_rt, NULL },
	{ "gitea", is_gitea, NULL },
	{ "redmine", is_redmine, NULL },
};

/* Segments @first to @last of the path, with "/" between them. */
static char *join_segments(const Address *address, guint first, guint n_segments)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = first; i < first + n_segments; i++)
		g_string_append_printf(text, "%s%s", i > first ? "/" : "", address->segments[i]);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/* Where the number is in the query, it stays. */
static char *clean_url(const Address *address)
{
	g_autofree char *path = join_segments(address, 0, address->n_segments);
	const char *last = segment_at(address, address->n_segments - 1);

	if (g_str_has_suffix(last, ".cgi") || g_str_has_suffix(last, ".html"))
		return g_strdup_printf("%s/%s?id=%s", address->origin, path, address->number);
	return g_strdup_printf("%s/%s", address->origin, path);
}

static MtwLink *make_link(const Address *address, gsize form)
{
	g_autofree char *folder = join_segments(address, 0, address->base);
	MtwLink *link = g_new0(MtwLink, 1);

	link->kind = g_strdup(forms[form].kind);
	if (forms[form].base != NULL)
		link->base = g_strdup(forms[form].base);
	else
		link->base =
			g_strconcat(address->origin, folder[0] != '\0' ? "/" : "", folder, NULL);
	link->project = join_segments(address, address->project, address->n_project);
	link->number = g_strdup(address->number);
	link->url = clean_url(address);
	return link;
}

#define GITHUB "https://github.com"
#define GITHUB_API "https://api.github.com"
#define GITHUB_FOLDER "/api/v3"

/* Where the pages of a target's server are: not always where its interface for programs is. Returns: (transfer full) */
static char *pages_of(const MtwTarget *target)
{
	g_auto(MtwUrl) url = { 0 };

	if (g_str_equal(target->kind, "launchpad") && mtw_url_split(target->url, &url) &&
	    is_launchpad_host(url.host))
		return g_strdup(LAUNCHPAD);
	if (!g_str_equal(target->kind, "github-link"))
		return g_strdup(target->url);
	if (g_str_equal(target->url, GITHUB_API))
		return g_strdup(GITHUB);
	if (g_str_has_suffix(target->url, GITHUB_FOLDER))
		return g_strndup(target->url, strlen(target->url) - strlen(GITHUB_FOLDER));
	return g_strdup(target->url);
}

/* The same place: an address with http:// that a person typed is also the target's with https://. */
static gboolean same_place(const MtwUrl *of_target, const MtwUrl *of_link)
{
	if (!g_str_equal(of_target->host, of_link->host))
		return FALSE;
	if (g_str_equal(of_target->scheme, "https") && g_str_equal(of_target->port, "443") &&
	    g_str_equal(of_link->scheme, "http") && g_str_equal(of_link->port, "80"))
		return TRUE;
	return g_str_equal(of_target->scheme, of_link->scheme) &&
	       g_str_equal(of_target->port, of_link->port);
}

/* Returns: how many segments of the address are the folder @pages, or -1: it is elsewhere */
static gint segments_below(const Address *address, const char *pages)
{
	g_auto(MtwUrl) url = { 0 };
	g_auto(GStrv) segments = NULL;
	guint count = 0;

	if (!mtw_url_split(pages, &url) || !same_place(&url, &address->url))
		return -1;
	segments = split_path(url.path);
	for (; segments[count] != NULL; count++)
		if (!segment_is(address, count, segments[count]))
			return -1;
	return (gint)count;
}

/* The link as one of @target's kind, when it can be. Returns: (transfer full) (nullable) */
static MtwLink *link_for_target(Address *address, const MtwTarget *target)
{
	g_autofree char *pages = pages_of(target);
	gint segments = segments_below(address, pages);
	g_auto(MtwUrl) url = { 0 };
	MtwLink *link;

	for (gsize i = 0; segments >= 0 && i < G_N_ELEMENTS(forms); i++) {
		address->base = (guint)segments;
		set_project(address, 0, 0);
		if (!g_str_equal(forms[i].kind, target->kind) || !forms[i].fits(address, TRUE))
			continue;
		/* The target's way to the server, which may be the safer one. */
		mtw_url_split(pages, &url);
		g_free(address->origin);
		address->origin = mtw_url_origin(&url);
		link = make_link(address, i);
		g_free(link->base);
		link->base = g_steal_pointer(&pages);
		return link;
	}
	return NULL;
}

/* Of several, the one that lives in the deepest folder. */
static MtwLink *link_by_targets(Address *address, const GPtrArray *targets)
{
	g_autoptr(MtwLink) best = NULL;

	for (guint i = 0; targets != NULL && i < targets->len; i++) {
		MtwLink *link = link_for_target(address, targets->pdata[i]);
		if (link == NULL)
			continue;
		if (best != NULL && strlen(best->base) >= strlen(link->base)) {
			mtw_link_free(link);
			continue;
		}
		mtw_link_free(best);
		best = link;
	}
	return g_steal_pointer(&best);
}

static MtwLink *link_by_form(Address *address)
{
	for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
		address->base = 0;
		set_project(address, 0, 0);
		if (forms[i].fits(address, FALSE))
			return make_link(address, i);
	}
	return NULL;
}

/* What was typed is not repeated when there is a password in it, or it is very long. */
static void set_no_link(const char *text, GError **error)
{
	g_autofree char *clean = mtw_text_clean_line(text);
	gboolean shown = strchr(text, '@') == NULL && strlen(text) <= SHOWN_BYTES;

	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "%s%s%s is not the address of an issue; one is like "
		    "https://gitlab.freedesktop.org/drm/nouveau/-/issues/123 or "
		    "https://bugzilla.kernel.org/show_bug.cgi?id=123",
		    shown ? "\"" : "", shown ? clean : "this", shown ? "\"" : "");
}

MtwLink *mtw_link_parse(const char *text, const GPtrArray *targets, GError **error)
{
	g_autofree char *trimmed = g_strstrip(g_strdup(text));
	g_auto(Address) address = { 0 };
	g_autoptr(MtwLink) link = NULL;

	if (split_address(trimmed, &address))
		link = link_by_targets(&address, targets);
	if (link == NULL && address.n_segments > 0)
		link = link_by_form(&address);
	if (link == NULL)
		set_no_link(trimmed, error);
	return g_steal_pointer(&link);
}

/* How well @target is the place of @link; 0: not at all. */
static guint target_worth(const MtwTarget *target, const MtwLink *link)
{
	g_autofree char *pages = pages_of(target);

	if (!g_str_equal(target->kind, link->kind) || !g_str_equal(pages, link->base))
		return 0;
	return 1 + (target->enabled ? 1 : 0) +
	       (g_ascii_strcasecmp(target->project, link->project) == 0 ? 2 : 0);
}

MtwTarget *mtw_link_target(const MtwLink *link, const GPtrArray *targets)
{
	MtwTarget *best = NULL;
	guint best_worth = 0;

	for (guint i = 0; targets != NULL && i < targets->len; i++) {
		guint worth = target_worth(targets->pdata[i], link);
		if (worth <= best_worth)
			continue;
		best_worth = worth;
		best = targets->pdata[i];
	}
	return best;
}
