/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses. They are taken apart by libcurl, which will be the one to use them: two programs that read the same
 * address in two ways are how a token ends up with a stranger.
 */
#include "submit/link-private.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <string.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(CURLU, curl_url_cleanup)

void mtw_url_clear(MtwUrl *url)
{
	g_clear_pointer(&url->scheme, g_free);
	g_clear_pointer(&url->host, g_free);
	g_clear_pointer(&url->port, g_free);
	g_clear_pointer(&url->path, g_free);
	g_clear_pointer(&url->query, g_free);
}

/* Nothing that is not seen, and nothing that somebody would have to escape. */
static gboolean is_plain(const char *text)
{
	for (; *text != '\0'; text++)
		if (!g_ascii_isgraph(*text) || strchr("\"<>\\^`{|}", *text) != NULL)
			return FALSE;
	return TRUE;
}

/* Two slashes, not one or three, which libcurl takes too. */
static gboolean has_authority(const char *text)
{
	const char *rest = strstr(text, "://");

	return rest != NULL && rest > text && rest[3] != '/' && rest[3] != '\0' &&
	       (gsize)(rest - text) == strcspn(text, ":/?#");
}

static gboolean is_host(const char *host)
{
	gsize length = strlen(host);

	if (host[0] == '[')
		return length > 2 && strspn(host + 1, "0123456789abcdef:.") == length - 2 &&
		       host[length - 1] == ']';
	for (; *host != '\0'; host++)
		if (!g_ascii_isalnum(*host) && strchr("._-", *host) == NULL)
			return FALSE;
	return length > 0;
}

/* Returns: (transfer full): "" when the address has no such part */
static char *part(CURLU *handle, CURLUPart which, guint flags)
{
	char *text = NULL;
	char *copy;

	if (curl_url_get(handle, which, &text, flags) != CURLUE_OK)
		return g_strdup("");
	copy = g_strdup(text);
	curl_free(text);
	return copy;
}

static char *lower_part(CURLU *handle, CURLUPart which)
{
	g_autofree char *text = part(handle, which, 0);

	return g_ascii_strdown(text, -1);
}

static gboolean has_user(CURLU *handle)
{
	g_autofree char *user = part(handle, CURLUPART_USER, 0);
	g_autofree char *password = part(handle, CURLUPART_PASSWORD, 0);
	g_autofree char *options = part(handle, CURLUPART_OPTIONS, 0);

	return user[0] != '\0' || password[0] != '\0' || options[0] != '\0';
}

/* "https://@host" has one too, an empty one. */
static gboolean has_at(const char *text)
{
	const char *authority = strstr(text, "://") + 3;

	return memchr(authority, '@', strcspn(authority, "/?#")) != NULL;
}

gboolean mtw_url_split(const char *text, MtwUrl *ret_url)
{
	g_autoptr(CURLU) handle = NULL;
	g_auto(MtwUrl) url = { 0 };

	if (!is_plain(text) || !has_authority(text))
		return FALSE;
	handle = curl_url();
	if (handle == NULL ||
	    curl_url_set(handle, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
		return FALSE;
	url.scheme = lower_part(handle, CURLUPART_SCHEME);
	url.host = lower_part(handle, CURLUPART_HOST);
	url.port = part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);
	url.path = part(handle, CURLUPART_PATH, 0);
	url.query = part(handle, CURLUPART_QUERY, 0);
	url.has_user = has_user(handle) || has_at(text);
	url.has_fragment = strchr(text, '#') != NULL;
	url.has_query = memchr(text, '?', strcspn(text, "#")) != NULL;
	if (!is_host(url.host))
		return FALSE;
	*ret_url = url;
	url = (MtwUrl){ 0 };
	return TRUE;
}

char *mtw_url_origin(const MtwUrl *url)
{
	static const char *const usual[][2] = { { "http", "80" }, { "https", "443" } };

	for (gsize i = 0; i < G_N_ELEMENTS(usual); i++)
		if (g_str_equal(url->scheme, usual[i][0]) && g_str_equal(url->port, usual[i][1]))
			return g_strdup_printf("%s://%s", url->scheme, url->host);
	if (url->port[0] == '\0')
		return g_strdup_printf("%s://%s", url->scheme, url->host);
	return g_strdup_printf("%s://%s:%s", url->scheme, url->host, url->port);
}

gboolean mtw_url_host_is_loopback(const MtwUrl *url)
{
	struct in_addr v4;

	if (inet_pton(AF_INET, url->host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return g_str_equal(url->host, "localhost") || g_str_equal(url->host, "[::1]");
}

gboolean mtw_url_is_safe(const char *text)
{
	g_auto(MtwUrl) url = { 0 };

	return mtw_url_split(text, &url) && !url.has_user &&
	       (g_str_equal(url.scheme, "https") || g_str_equal(url.scheme, "http"));
}

gboolean mtw_url_same_origin(const char *a, const char *b)
{
	g_auto(MtwUrl) left = { 0 };
	g_auto(MtwUrl) right = { 0 };

	return mtw_url_split(a, &left) && mtw_url_split(b, &right) &&
	       g_str_equal(left.scheme, right.scheme) && g_str_equal(left.host, right.host) &&
	       g_str_equal(left.port, right.port);
}

gboolean mtw_url_is_loopback(const char *text)
{
	g_auto(MtwUrl) url = { 0 };

	return mtw_url_split(text, &url) && mtw_url_host_is_loopback(&url);
}
