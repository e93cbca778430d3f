/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words that are searched for: which ones, and in which spellings. */
#include "report/redact-private.h"

#include "report/redact-form.h"

#include <glib/gi18n.h>
#include <string.h>

#define WORD_MOST_BYTES 256
#define WORDS_MOST 4096
/* Shorter words are only seen between blanks. */
#define ALONE_BYTES 3
/* Shorter numbers stand everywhere. */
#define NUMBER_MIN_DIGITS 5
#define BLANKS_MIN_BYTES 5
/* Serial numbers and secrets that no other text is likely to be. */
#define TELLING_DIGITS 10
#define TELLING_BYTES 6
#define UUID_DIGITS 32

/* ---- common words ---------------------------------------------------------------------------- */

static gboolean is_number(const char *text, gsize bytes)
{
	for (gsize i = 0; i < bytes; i++)
		if (!g_ascii_isdigit(text[i]))
			return FALSE;
	return TRUE;
}

gboolean mtw_redact_is_common(const MtwRedactRules *rules, const char *text, gsize bytes)
{
	if (is_number(text, bytes))
		return bytes < NUMBER_MIN_DIGITS;
	/* "Basic data partition": each of them. A single letter is too common. */
	for (gsize start = 0, end; start < bytes; start = end + 1) {
		for (end = start; end < bytes && text[end] != ' ';)
			end++;
		if (end - start > 1 && !is_number(text + start, end - start) &&
		    !mtw_redact_set_has(rules->common, text + start, end - start))
			return FALSE;
	}
	return TRUE;
}

/* ---- spellings ------------------------------------------------------------------------------- */

/* Another spelling of a value is the same value. */
static void add_key(MtwRedactor *redactor, MtwRedactValue *value, const char *text, gsize bytes)
{
	MtwRedactKind kind = mtw_redact_kind_of(value->kind, text, bytes);
	g_autofree char *key = mtw_redact_key(kind, text, bytes);

	if (!g_hash_table_contains(redactor->by_key, key))
		g_hash_table_insert(redactor->by_key, g_steal_pointer(&key), value);
}

static gboolean add_word(MtwRedactor *redactor, MtwRedactValue *value, const char *text,
			 gsize bytes)
{
	MtwRedactWord *word;

	if (bytes == 0 || bytes > WORD_MOST_BYTES || redactor->words->len >= WORDS_MOST)
		return FALSE;
	word = g_new0(MtwRedactWord, 1);
	word->text = g_memdup2(text, bytes);
	word->bytes = bytes;
	word->value = value;
	word->alone = bytes < ALONE_BYTES;
	if (value != NULL)
		add_key(redactor, value, text, bytes);
	g_ptr_array_add(redactor->words, word);
	redactor->stale = TRUE;
	return TRUE;
}

static void add_string(MtwRedactor *redactor, MtwRedactValue *value, const GString *text)
{
	add_word(redactor, value, text->str, text->len);
}

/* @from replaced by @to, when it is there. */
static void add_replaced(MtwRedactor *redactor, MtwRedactValue *value, const char *text,
			 const char *from, const char *to)
{
	g_autoptr(GString) other = NULL;

	if (strstr(text, from) == NULL)
		return;
	other = g_string_new(text);
	g_string_replace(other, from, to, 0);
	add_string(redactor, value, other);
}

/* The case of letters that are not ASCII is not ignored in the search: both cases are words. */
static void add_cases(MtwRedactor *redactor, MtwRedactValue *value, const char *text)
{
	g_autofree char *lower = NULL, *upper = NULL;

	if (g_str_is_ascii(text) || !g_utf8_validate(text, -1, NULL))
		return;
	lower = g_utf8_strdown(text, -1);
	upper = g_utf8_strup(text, -1);
	add_word(redactor, value, lower, strlen(lower));
	add_word(redactor, value, upper, strlen(upper));
}

/* As systemd, the kernel (mounts), web addresses and people write a name with blanks or dashes. */
static void add_text_spellings(MtwRedactor *redactor, MtwRedactValue *value, const char *text,
			       gsize bytes)
{
	static const char *const blanks[] = { "\\x20", "\\040", "%20", "_", "-", ".", "" };

	add_replaced(redactor, value, text, "-", MTW_REDACT_DASH_ESCAPE);
	add_cases(redactor, value, text);
	for (gsize i = 0; bytes >= BLANKS_MIN_BYTES && i < G_N_ELEMENTS(blanks); i++)
		add_replaced(redactor, value, text, " ", blanks[i]);
}

/* The digits alone: names of interfaces, of journals. */
static gboolean add_digits(MtwRedactor *redactor, MtwRedactValue *value, const char *text,
			   gsize bytes)
{
	g_autoptr(GString) digits = g_string_new(NULL);

	for (gsize at = 0; at < bytes; at++) {
		gsize dash = mtw_redact_dash(text, bytes, at);
		if (dash > 0)
			at += dash - 1;
		else if (g_ascii_isalnum(text[at]))
			g_string_append_c(digits, text[at]);
	}
	return add_word(redactor, value, digits->str, digits->len);
}

gboolean mtw_redactor_add_spellings(MtwRedactor *redactor, MtwRedactValue *value, const char *text,
				    gsize bytes)
{
	MtwRedactKind kind =
		value != NULL ? value->kind : mtw_redact_kind_of(MTW_REDACT_WORD, text, bytes);
	MtwRedactMac mac;

	if (kind == MTW_REDACT_MAC)
		return !mtw_redact_read_mac(text, bytes, &mac) || mac.count != 6 ||
		       add_digits(redactor, value, text, bytes);
	if (kind == MTW_REDACT_UUID && mtw_redact_count_alnum(text, bytes) == UUID_DIGITS &&
	    !add_digits(redactor, value, text, bytes))
		return FALSE;
	if (kind == MTW_REDACT_IPV6)
		return TRUE;
	if (memchr(text, '\0', bytes) != NULL || memchr(text, '\n', bytes) != NULL)
		return FALSE;
	if (!add_word(redactor, value, text, bytes))
		return FALSE;
	add_text_spellings(redactor, value, text, bytes);
	return TRUE;
}

/* ---- values that are found once are searched for everywhere ----------------------------------- */

static gboolean has_letter(const char *text, gsize bytes)
{
	for (gsize i = 0; i < bytes; i++)
		if (g_ascii_isalpha(text[i]) || ((guchar)text[i] & 0x80) != 0)
			return TRUE;
	return FALSE;
}

static gboolean is_letters(const char *text, gsize bytes)
{
	for (gsize i = 0; i < bytes; i++)
		if (!g_ascii_isalpha(text[i]))
			return FALSE;
	return TRUE;
}

static gboolean has_digit(const char *text, gsize bytes)
{
	for (gsize i = 0; i < bytes; i++)
		if (g_ascii_isdigit(text[i]))
			return TRUE;
	return FALSE;
}

/* Whether a value that a rule found can be known again without the rule. */
static gboolean is_telling(MtwRedactKind kind, const char *text, gsize bytes)
{
	switch (kind) {
	case MTW_REDACT_MAC:
	case MTW_REDACT_IPV4:
	case MTW_REDACT_IPV6:
	case MTW_REDACT_UUID:
	case MTW_REDACT_EMAIL:
		return TRUE;
	case MTW_REDACT_SERIAL:
	case MTW_REDACT_SECRET:
	case MTW_REDACT_ID:
		if (is_number(text, bytes))
			return bytes >= TELLING_DIGITS;
		return bytes >= TELLING_BYTES &&
		       (has_digit(text, bytes) || bytes >= 2 * TELLING_BYTES);
	default:
		/* A plain word: only the caller knows that it is a name in every place. */
		return bytes >= TELLING_BYTES && has_letter(text, bytes) &&
		       !is_letters(text, bytes);
	}
}

gboolean mtw_redactor_search(MtwRedactor *redactor, MtwRedactValue *value)
{
	if (value->searched)
		return TRUE;
	value->searched = mtw_redactor_add_spellings(redactor, value, value->text, value->bytes);
	return value->searched;
}

void mtw_redactor_search_found(MtwRedactor *redactor, MtwRedactValue *value)
{
	if (value->searched || value->tried || value->bytes == 0)
		return;
	value->tried = TRUE;
	if (is_telling(value->kind, value->text, value->bytes) &&
	    !mtw_redact_is_common(redactor->rules, value->text, value->bytes))
		mtw_redactor_search(redactor, value);
}

/* ---- the matcher ----------------------------------------------------------------------------- */

static void add_anchors(MtwRedactor *redactor)
{
	for (guint i = 0; i < redactor->rules->rules->len; i++) {
		const MtwRedactRule *rule = redactor->rules->rules->pdata[i];
		for (char **anchor = rule->anchors; anchor != NULL && *anchor != NULL; anchor++)
			mtw_matcher_add(redactor->matcher, *anchor, strlen(*anchor),
					MTW_REDACT_ANCHOR_ID + i);
	}
}

void mtw_redactor_compile(MtwRedactor *redactor)
{
	gboolean full = FALSE;

	if (redactor->matcher != NULL && !redactor->stale)
		return;
	g_clear_pointer(&redactor->matcher, mtw_matcher_free);
	redactor->stale = FALSE;
	redactor->matcher = mtw_matcher_new();
	add_anchors(redactor);
	for (guint i = 0; i < redactor->words->len; i++) {
		const MtwRedactWord *word = redactor->words->pdata[i];
		full = !mtw_matcher_add(redactor->matcher, word->text, word->bytes, i) || full;
	}
	mtw_matcher_compile(redactor->matcher);
	if (full)
		mtw_redactor_say(redactor, "redact-too-many-words",
				 N_("There are more private words than can be searched for."),
				 N_("Look through the files before you send them."),
				 MTW_REDACT_WORD, "");
}
