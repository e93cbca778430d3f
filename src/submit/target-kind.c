/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What addresses and credentials go with a kind; of a kind that is not in the table, those of the web. */
#include "base/error.h"
#include "submit/kind.h"
#include "submit/link-private.h"
#include "submit/target-private.h"

#include <string.h>

#define WAY(auth) (1u << (auth))
#define WEB_WAYS                                                                                 \
	(WAY(MTW_AUTH_NONE) | WAY(MTW_AUTH_BEARER) | WAY(MTW_AUTH_HEADER) | WAY(MTW_AUTH_JSON) | \
	 WAY(MTW_AUTH_BASIC))
#define SSH_WAYS (WAY(MTW_AUTH_SSH) | WAY(MTW_AUTH_BASIC))
#define MAIL_WAYS (WAY(MTW_AUTH_SMTP) | WAY(MTW_AUTH_NONE))
#define NO_WAY WAY(MTW_AUTH_NONE)

typedef struct {
	const char *id;
	const char *schemes;
	MtwAuth auth; /* when the file does not say */
	const char *auth_name;
	guint ways; /* bits: what Auth may be */
	MtwMarkup markup;
	const char *place; /* that stands for the host when there is no address */
} KindFacts;

#define WEB "https http"
#define NOWHERE "this computer"

/* clang-format off */
static const KindFacts table[] = {
	{ "gitlab", WEB, MTW_AUTH_BEARER, "", WEB_WAYS, MTW_MARKUP_MARKDOWN, NOWHERE },
	{ "gitea", WEB, MTW_AUTH_BEARER, "", WEB_WAYS, MTW_MARKUP_MARKDOWN, NOWHERE },
	{ "github-link", WEB, MTW_AUTH_BEARER, "", WEB_WAYS, MTW_MARKUP_MARKDOWN, NOWHERE },
	{ "bugzilla", WEB, MTW_AUTH_JSON, "Bugzilla_api_key", WEB_WAYS, MTW_MARKUP_PLAIN, NOWHERE },
	{ "redmine", WEB, MTW_AUTH_HEADER, "X-Redmine-API-Key", WEB_WAYS, MTW_MARKUP_REDMINE, NOWHERE },
	{ "rt", WEB, MTW_AUTH_HEADER, "Authorization", WEB_WAYS, MTW_MARKUP_PLAIN, NOWHERE },
	{ "launchpad", WEB, MTW_AUTH_NONE, "", NO_WAY, MTW_MARKUP_PLAIN, NOWHERE },
	{ "put", WEB, MTW_AUTH_NONE, "", WEB_WAYS, MTW_MARKUP_PLAIN, NOWHERE },
	{ "webdav", WEB, MTW_AUTH_BASIC, "", WEB_WAYS, MTW_MARKUP_PLAIN, NOWHERE },
	{ "tus", WEB, MTW_AUTH_NONE, "", WEB_WAYS, MTW_MARKUP_PLAIN, NOWHERE },
	/* The presigned address itself is the secret; no header has it. */
	{ "s3-presigned", WEB, MTW_AUTH_BEARER, "", WAY(MTW_AUTH_BEARER), MTW_MARKUP_PLAIN, NOWHERE },
	{ "sftp", "sftp", MTW_AUTH_SSH, "", SSH_WAYS, MTW_MARKUP_PLAIN, NOWHERE },
	{ "smtp", "smtp smtps", MTW_AUTH_SMTP, "", MAIL_WAYS, MTW_MARKUP_PLAIN, "your mail program" },
	{ "browser", WEB, MTW_AUTH_NONE, "", NO_WAY, MTW_MARKUP_MARKDOWN, "your browser" },
	{ "file", "", MTW_AUTH_NONE, "", NO_WAY, MTW_MARKUP_PLAIN, NOWHERE },
};
/* clang-format on */

static const KindFacts *facts_of(const MtwTarget *target)
{
	static const KindFacts other = {
		"", WEB, MTW_AUTH_NONE, "", WEB_WAYS, MTW_MARKUP_PLAIN, NOWHERE,
	};

	for (gsize i = 0; i < G_N_ELEMENTS(table); i++)
		if (g_str_equal(table[i].id, target->kind))
			return &table[i];
	return &other;
}

MtwMarkup mtw_target_markup(const MtwTarget *target)
{
	return facts_of(target)->markup;
}

void mtw_target_set_kind_defaults(MtwTarget *target, gboolean has_auth)
{
	const KindFacts *facts = facts_of(target);

	if (target->host == NULL)
		target->host = g_strdup(facts->place);
	if (has_auth)
		return;
	target->auth = facts->auth;
	g_free(target->auth_name);
	target->auth_name = g_strdup(facts->auth_name);
}

static gboolean has_word(const char *words, const char *word)
{
	g_auto(GStrv) list = g_strsplit(words, " ", -1);

	return g_strv_contains((const char *const *)list, word);
}

/* Without TLS everybody on the way can read and change what is sent: not with credentials, and not by accident. */
static gboolean check_plain(const MtwTarget *target, const MtwUrl *url, const MtwTargetValue *value,
			    GError **error)
{
	if (!g_str_equal(url->scheme, "http") || mtw_url_host_is_loopback(url))
		return TRUE;
	if (!target->network.plain_http)
		return mtw_target_fail(value, error,
				       "URL: http:// is not encrypted; use https://, or say "
				       "PlainHTTP=true in [Network]");
	if (target->auth != MTW_AUTH_NONE)
		return mtw_target_fail(value, error,
				       "URL: http:// is not encrypted: no credentials go there "
				       "(Auth=none)");
	return TRUE;
}

static gboolean check_url(const MtwTarget *target, const GPtrArray *layers, GError **error)
{
	const KindFacts *facts = facts_of(target);
	g_auto(MtwTargetValue) value = { 0 };
	g_auto(MtwUrl) url = { 0 };

	if (!mtw_target_value_find(layers, "Target", "URL", &value))
		return TRUE;
	if (!mtw_url_split(value.text, &url) || !has_word(facts->schemes, url.scheme))
		return mtw_target_fail(&value, error,
				       "URL: an address with %s:// is not for Kind=%s", url.scheme,
				       target->kind);
	if (url.has_query && !g_str_equal(target->kind, "browser"))
		return mtw_target_fail(&value, error, "URL has no \"?\" in it");
	return check_plain(target, &url, &value, error);
}

static gboolean check_auth(const MtwTarget *target, const GPtrArray *layers, GError **error)
{
	g_auto(MtwTargetValue) value = { 0 };

	if ((facts_of(target)->ways & WAY(target->auth)) != 0 ||
	    !mtw_target_value_find(layers, "Target", "Auth", &value))
		return TRUE;
	return mtw_target_fail(&value, error, "Auth=%s is not for Kind=%s", value.text,
			       target->kind);
}

/* The kinds that there are, for a message. */
static char *kind_names(void)
{
	const MtwKind *const *kinds = mtw_kind_list();
	g_autoptr(GString) names = g_string_new(NULL);

	for (gsize i = 0; kinds[i] != NULL; i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", kinds[i]->id);
	return g_string_free(g_steal_pointer(&names), FALSE);
}

/* The strongest file, its first line: for what is missing. */
static void whole_file(const GPtrArray *layers, MtwTargetValue *ret_value)
{
	ret_value->layer = layers->pdata[layers->len - 1];
	ret_value->line = 1;
}

static gboolean check_known(const MtwTarget *target, const GPtrArray *layers,
			    const MtwKind **ret_kind, GError **error)
{
	g_auto(MtwTargetValue) value = { 0 };
	g_autofree char *names = kind_names();

	*ret_kind = mtw_kind_find(target->kind);
	if (*ret_kind != NULL)
		return TRUE;
	if (mtw_target_value_find(layers, "Target", "Kind", &value))
		return mtw_target_fail(&value, error, "Kind: there is no kind \"%s\"; there are %s",
				       target->kind, names);
	whole_file(layers, &value);
	return mtw_target_fail(&value, error, "[Target]: Kind is missing; there are %s", names);
}

gboolean mtw_target_check_kind(const MtwTarget *target, const GPtrArray *layers, GError **error)
{
	g_auto(MtwTargetValue) file = { 0 };
	g_autoptr(GError) cause = NULL;
	const MtwKind *kind;

	if (!check_known(target, layers, &kind, error) || !check_url(target, layers, error) ||
	    !check_auth(target, layers, error))
		return FALSE;
	if (kind->check == NULL || kind->check(target, &cause))
		return TRUE;
	whole_file(layers, &file);
	return mtw_target_fail(&file, error, "%s", cause->message);
}
