/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of keys that are no plain text or number. */
#include "base/error.h"
#include "base/file.h"
#include "base/lines.h"
#include "submit/letter.h"
#include "submit/link-private.h"
#include "submit/target-private.h"

#include <string.h>

#define BODY_MAX_BYTES (64 * 1024)
#define SHA256_BYTES 32

static gboolean is_scheme(const char *scheme)
{
	static const char *const schemes[] = { "https", "http", "sftp", "smtp", "smtps", NULL };

	return g_strv_contains(schemes, scheme);
}

/* What is wrong with it is told without repeating it: there could be a secret in it. */
gboolean mtw_target_read_url(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	g_auto(MtwUrl) url = { 0 };
	gsize length = strlen(value->text);

	if (!mtw_url_split(value->text, &url) || url.has_user)
		return mtw_target_fail(
			value, error, "URL is an address like https://example.org, without a user");
	if (!is_scheme(url.scheme))
		return mtw_target_fail(value, error,
				       "URL: %s: is not taken; there are https, http, sftp, smtp "
				       "and smtps",
				       url.scheme);
	if (url.has_fragment)
		return mtw_target_fail(value, error, "URL has no \"#\" in it");
	while (length > 0 && value->text[length - 1] == '/')
		length--;
	g_free(target->url);
	target->url = g_strndup(value->text, length);
	g_free(target->host);
	target->host = g_strdup(url.host);
	return TRUE;
}

/* The name of a header, or of a member of a JSON object. */
static gboolean is_auth_name(const char *text)
{
	for (const char *at = text; *at != '\0'; at++)
		if (!g_ascii_isalnum(*at) && *at != '-' && *at != '_')
			return FALSE;
	return text[0] != '\0';
}

gboolean mtw_target_read_auth(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	static const struct {
		const char *name;
		MtwAuth auth;
		gboolean has_name;
	} ways[] = {
		{ "none", MTW_AUTH_NONE, FALSE },    { "bearer", MTW_AUTH_BEARER, FALSE },
		{ "header", MTW_AUTH_HEADER, TRUE }, { "json", MTW_AUTH_JSON, TRUE },
		{ "basic", MTW_AUTH_BASIC, FALSE },  { "ssh", MTW_AUTH_SSH, FALSE },
		{ "smtp", MTW_AUTH_SMTP, FALSE },
	};
	g_auto(GStrv) parts = g_strsplit(value->text, ":", 2);

	for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
		if (!g_str_equal(parts[0], ways[i].name) || (parts[1] != NULL) != ways[i].has_name)
			continue;
		if (ways[i].has_name && !is_auth_name(parts[1]))
			break;
		target->auth = ways[i].auth;
		g_free(target->auth_name);
		target->auth_name = g_strdup(parts[1] != NULL ? parts[1] : "");
		return TRUE;
	}
	return mtw_target_fail(value, error,
			       "Auth is none, bearer, header:NAME, json:NAME, basic, ssh or smtp");
}

gboolean mtw_target_read_visibility(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	for (int i = MTW_VISIBILITY_UNKNOWN; i <= MTW_VISIBILITY_RESTRICTED; i++)
		if (g_str_equal(mtw_visibility_name((MtwVisibility)i), value->text)) {
			target->visibility = (MtwVisibility)i;
			return TRUE;
		}
	return mtw_target_fail(value, error, "Visibility is public, restricted or unknown");
}

#define FALLBACK "fallback:"

/* One item of OnTooBig. */
static gboolean add_too_big(MtwTarget *target, const char *item)
{
	MtwTooBig what;

	if (g_str_equal(item, "recompress"))
		what = MTW_TOO_BIG_RECOMPRESS;
	else if (g_str_equal(item, "split"))
		what = MTW_TOO_BIG_SPLIT;
	else if (g_str_equal(item, "save"))
		what = MTW_TOO_BIG_SAVE;
	else if (g_str_has_prefix(item, FALLBACK) && mtw_target_id_is_good(item + strlen(FALLBACK)))
		what = MTW_TOO_BIG_FALLBACK;
	else
		return FALSE;
	for (guint i = 0; i < target->too_big->len; i++)
		if (g_array_index(target->too_big, MtwTooBig, i) == what)
			return FALSE;
	if (what == MTW_TOO_BIG_FALLBACK) {
		g_free(target->fallback);
		target->fallback = g_strdup(item + strlen(FALLBACK));
	}
	g_array_append_val(target->too_big, what);
	return TRUE;
}

gboolean mtw_target_read_too_big(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	g_array_set_size(target->too_big, 0);
	for (char **item = value->list; *item != NULL; item++)
		if (!add_too_big(target, *item))
			return mtw_target_fail(value, error,
					       "OnTooBig is a list of recompress, split, "
					       "fallback:TARGET and save, each once");
	return TRUE;
}

gboolean mtw_target_read_duplicate(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	target->search_duplicates = g_str_equal(value->text, "search");
	return target->search_duplicates || g_str_equal(value->text, "none") ||
	       mtw_target_fail(value, error, "Duplicate is search or none");
}

gboolean mtw_target_read_types(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	for (char **item = value->list; *item != NULL; item++)
		if ((*item)[0] != '.' || strpbrk(*item, "/ *?") != NULL)
			return mtw_target_fail(value, error,
					       "FileTypes are ends of file names, like .tar.gz");
	g_strfreev(target->file_types);
	target->file_types = g_strdupv(value->list);
	return TRUE;
}

gboolean mtw_target_read_match(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	const char *bad = mtw_target_match_check(value->list);

	if (bad != NULL)
		return mtw_target_fail(value, error,
				       "Match: \"%s\" is not like pci:10de:*:03* or driver:nouveau",
				       bad);
	g_strfreev(target->match);
	target->match = g_strdupv(value->list);
	return TRUE;
}

gboolean mtw_target_read_title(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	g_autofree char *place = g_strdup_printf("%s:%u", value->layer->file->name, value->line);

	if (!mtw_letter_check_template(value->text, place, error))
		return FALSE;
	g_free(target->title);
	target->title = g_strdup(value->text);
	return TRUE;
}

static char *read_body_file(const MtwTargetValue *value, GError **error)
{
	g_autofree char *path = g_build_filename(value->layer->folder, value->text, NULL);
	g_autoptr(GError) cause = NULL;
	gsize bytes = 0;
	g_autofree char *text = mtw_file_read(path, BODY_MAX_BYTES, &bytes, &cause);
	g_autofree char *clean = NULL;

	if (text == NULL) {
		mtw_target_fail(value, error, "BodyFile: %s", cause->message);
		return NULL;
	}
	clean = mtw_lines_clean(text, (gssize)bytes);
	if (!g_str_equal(clean, text) || strlen(text) != bytes || bytes == 0) {
		mtw_target_fail(value, error, "BodyFile: %s is not plain text in UTF-8", path);
		return NULL;
	}
	return mtw_letter_check_template(clean, path, error) ? g_steal_pointer(&clean) : NULL;
}

gboolean mtw_target_read_body(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	char *text;

	if (value->text[0] == '.' || strchr(value->text, '/') != NULL)
		return mtw_target_fail(value, error,
				       "BodyFile is the name of a file in the same folder");
	if (value->layer->folder == NULL)
		return mtw_target_fail(value, error, "BodyFile: there is no folder for it");
	text = read_body_file(value, error);
	if (text == NULL)
		return FALSE;
	g_free(target->body);
	target->body = text;
	return TRUE;
}

gboolean mtw_target_read_tls(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	target->network.tls13 = g_str_equal(value->text, "1.3");
	return target->network.tls13 || g_str_equal(value->text, "1.2") ||
	       mtw_target_fail(value, error, "TLSMin is 1.2 or 1.3");
}

/* BASE64 of a SHA-256, with or without the "=" at its end. */
static gboolean is_sha256(const char *text)
{
	g_autofree char *padded =
		g_str_has_suffix(text, "=") ? g_strdup(text) : g_strconcat(text, "=", NULL);
	g_autofree guchar *data = NULL;
	gsize bytes = 0;

	for (const char *at = padded; at[1] != '\0'; at++)
		if (!g_ascii_isalnum(*at) && *at != '+' && *at != '/')
			return FALSE;
	data = g_base64_decode(padded, &bytes);
	return bytes == SHA256_BYTES;
}

#define PIN "sha256//"
#define SHA256 "SHA256:"

gboolean mtw_target_read_pin(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	for (char **item = value->list; *item != NULL; item++)
		if (!g_str_has_prefix(*item, PIN) || !is_sha256(*item + strlen(PIN)))
			return mtw_target_fail(value, error,
					       "PinnedPubkey is like sha256//BASE64; several with "
					       "\";\" between them");
	g_free(target->network.pinned_pubkey);
	target->network.pinned_pubkey = g_strjoinv(";", value->list);
	return TRUE;
}

gboolean mtw_target_read_host_key(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	const char *text = value->text;

	if (g_str_has_prefix(text, SHA256))
		text += strlen(SHA256);
	if (!is_sha256(text))
		return mtw_target_fail(
			value, error,
			"HostKeySHA256 is what `ssh-keygen -l` prints behind SHA256:");
	g_free(target->network.host_key_sha256);
	target->network.host_key_sha256 = g_strdelimit(g_strdup(text), "=", '\0');
	return TRUE;
}

gboolean mtw_target_read_redirect(const MtwTargetValue *value, MtwTarget *target, GError **error)
{
	for (char **item = value->list; *item != NULL; item++) {
		g_autofree char *address = g_strdup_printf("https://%s", *item);
		g_auto(MtwUrl) url = { 0 };
		if (!mtw_url_split(address, &url) || strpbrk(*item, "/?#@") != NULL)
			return mtw_target_fail(value, error,
					       "AllowRedirectHosts are names of hosts, like "
					       "uploads.example.org or uploads.example.org:8443");
	}
	g_strfreev(target->network.redirect_hosts);
	target->network.redirect_hosts = g_strdupv(value->list);
	return TRUE;
}
