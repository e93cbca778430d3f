/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an answer that is no success means: in a sentence, as a class, and when to come back. */
#include "submit/transfer-private.h"

#include "base/json.h"
#include "base/parse.h"
#include "base/text.h"

#include <string.h>

#define SENTENCE_MAX_CHARS 300
#define DEPTH_MAX 4
/* Larger numbers are a point in time (2001), not a time to wait. */
#define EPOCH_LIKE_SEC 1000000000

/* ---- a sentence ---- */

static void add_text(GString *sentence, const char *name, const char *text)
{
	if (text[0] == '\0' || sentence->len > SENTENCE_MAX_CHARS * 4)
		return;
	if (sentence->len > 0)
		g_string_append(sentence, "; ");
	if (name != NULL)
		g_string_append_printf(sentence, "%s: ", name);
	g_string_append(sentence, text);
}

/* Texts, lists of texts, and objects of them ({"title":["is too long"]}); numbers and the like say nothing. */
static void add_node(GString *sentence, const char *name, JsonNode *node, int depth)
{
	if (node == NULL || depth > DEPTH_MAX)
		return;
	if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING) {
		add_text(sentence, name, json_node_get_string(node));
	} else if (JSON_NODE_HOLDS_ARRAY(node)) {
		JsonArray *array = json_node_get_array(node);
		for (guint i = 0; i < json_array_get_length(array); i++)
			add_node(sentence, name, json_array_get_element(array, i), depth + 1);
	} else if (JSON_NODE_HOLDS_OBJECT(node)) {
		JsonObject *object = json_node_get_object(node);
		g_autoptr(GList) names = json_object_get_members(object);
		for (GList *at = names; at != NULL; at = at->next)
			add_node(sentence, at->data, json_object_get_member(object, at->data),
				 depth + 1);
	}
}

/* The members where trackers put their reason, the most telling first. */
static gboolean from_object(const MtwHttpReply *reply, GString *sentence)
{
	static const char *const names[] = { "message", "error_description",
					     "errors",	"error",
					     "detail",	"title" };
	g_autoptr(JsonObject) object = mtw_reply_object(reply, NULL);

	for (gsize i = 0; object != NULL && i < G_N_ELEMENTS(names) && sentence->len == 0; i++)
		add_node(sentence, NULL, json_object_get_member(object, names[i]), 0);
	return object != NULL;
}

static gboolean from_array(const MtwHttpReply *reply, GString *sentence)
{
	g_autoptr(JsonArray) array = mtw_reply_array(reply, NULL);

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++)
		add_node(sentence, NULL, json_array_get_element(array, i), 1);
	return array != NULL;
}

/* Of a page only its title, of an XML answer only its message. */
static gboolean from_markup(const MtwHttpReply *reply, GString *sentence)
{
	static const char *const tags[][2] = { { "<message>", "</message>" },
					       { "<s:message>", "</s:message>" },
					       { "<title>", "</title>" } };
	g_autofree char *lower = g_ascii_strdown(reply->body->str, -1);

	if (lower[strspn(lower, " \t\r\n")] != '<')
		return FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(tags) && sentence->len == 0; i++) {
		const char *begin = strstr(lower, tags[i][0]);
		const char *end = begin != NULL ? strstr(begin, tags[i][1]) : NULL;
		if (end == NULL)
			continue;
		begin += strlen(tags[i][0]);
		g_string_append_len(sentence, reply->body->str + (begin - lower), end - begin);
	}
	return TRUE;
}

static void from_text(const MtwHttpReply *reply, GString *sentence)
{
	const char *type = mtw_http_header(reply, "content-type");

	if (type != NULL && g_ascii_strncasecmp(type, "text/plain", 10) == 0)
		g_string_append(sentence, reply->body->str);
}

/* Clean, in one line, single spaces, not too long. Returns: (transfer full) (nullable) */
static char *finish(const char *text)
{
	g_autofree char *clean = mtw_text_clean_line(text);
	g_auto(GStrv) words = g_strsplit_set(clean, " \t", -1);
	g_autoptr(GString) joined = g_string_new(NULL);

	for (char **word = words; *word != NULL; word++)
		if (**word != '\0')
			g_string_append_printf(joined, "%s%s", joined->len > 0 ? " " : "", *word);
	if (joined->len == 0)
		return NULL;
	if (g_utf8_strlen(joined->str, -1) <= SENTENCE_MAX_CHARS)
		return g_strdup(joined->str);
	*g_utf8_offset_to_pointer(joined->str, SENTENCE_MAX_CHARS - 3) = '\0';
	return g_strconcat(joined->str, "...", NULL);
}

char *mtw_reply_sentence(const MtwHttpReply *reply)
{
	g_autoptr(GString) sentence = g_string_new(NULL);

	if (!from_object(reply, sentence) && !from_array(reply, sentence) &&
	    !from_markup(reply, sentence))
		from_text(reply, sentence);
	return finish(sentence->str);
}

/* ---- when to come back ---- */

/* "120" or a date. Returns: seconds from now, -1: neither */
static gint64 parse_wait(const char *text, gint64 now_sec)
{
	guint64 value;
	time_t date;

	if (mtw_parse_u64(text, 10, &value))
		return value >= EPOCH_LIKE_SEC ? (gint64)MIN(value, G_MAXINT64) - now_sec
					       : (gint64)value;
	/* libcurl would read a lone number as a date, too. */
	if (text[strspn(text, "-+.0123456789 ")] == '\0')
		return -1;
	date = curl_getdate(text, NULL);
	return date < 0 ? -1 : (gint64)date - now_sec;
}

gint64 mtw_reply_wait_sec(const MtwHttpReply *reply, gint64 now_sec)
{
	/* All GitLab answers tell when their count begins anew: it is no request to wait unless the count is used up. */
	static const char *const names[] = { "retry-after", "ratelimit-reset",
					     "x-ratelimit-reset" };
	gboolean limited = reply->status == 429 || reply->status == 403;
	gint64 wait_sec = -1;

	for (gsize i = 0; i < (limited ? G_N_ELEMENTS(names) : 1); i++) {
		const char *text = mtw_http_header(reply, names[i]);
		gint64 wanted_sec = text != NULL ? parse_wait(text, now_sec) : -1;
		if (wanted_sec <= MTW_FAILURE_WAIT_MAX_SEC)
			wait_sec = MAX(wait_sec, wanted_sec);
	}
	return wait_sec;
}

/* ---- the class ---- */

/* GitHub says 403 to who asks too often. */
static gboolean is_rate_limit(const MtwHttpReply *reply)
{
	const char *left = mtw_http_header(reply, "x-ratelimit-remaining");

	return mtw_http_header(reply, "retry-after") != NULL ||
	       (left != NULL && strcmp(left, "0") == 0);
}

MtwFailureClass mtw_reply_class(const MtwHttpReply *reply)
{
	switch (reply->status) {
	case 403:
		return is_rate_limit(reply) ? MTW_FAILURE_TRANSIENT : MTW_FAILURE_AUTH;
	case 401:
		return MTW_FAILURE_AUTH;
	case 413:
		return MTW_FAILURE_TOO_BIG;
	case 407: /* of the proxy */
	case 408:
	case 425:
	case 429:
		return MTW_FAILURE_TRANSIENT;
	case 501:
	case 505:
		return MTW_FAILURE_PERMANENT;
	default:
		return reply->status >= 500 && reply->status <= 599 ? MTW_FAILURE_TRANSIENT
								    : MTW_FAILURE_PERMANENT;
	}
}
