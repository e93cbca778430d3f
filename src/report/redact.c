/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Over so many values (nobody has them) the others share a mask. */
#define VALUES_MOST 100000
/* The same for longer ones: what is taken out then is no name but garbage. */
#define VALUE_MOST_BYTES 1024
/* Steps of one attempt of a pattern; the shipped ones need some hundred. */
#define MATCH_LIMIT 20000
#define DEPTH_LIMIT 2000
#define JIT_STACK_BYTES (32 * 1024)
#define JIT_STACK_MOST_BYTES (512 * 1024)

static void value_free(gpointer data)
{
	MtwRedactValue *value = data;

	if (value == NULL)
		return;
	g_free(value->text);
	g_free(value);
}

static void word_free(gpointer data)
{
	MtwRedactWord *word = data;

	g_free(word->text);
	g_free(word);
}

static void make_matching(MtwRedactor *redactor)
{
	guint32 captures = 0;

	for (guint i = 0; i < redactor->rules->rules->len; i++) {
		const MtwRedactRule *rule = redactor->rules->rules->pdata[i];
		guint32 count = 0;
		if (rule->code != NULL)
			pcre2_pattern_info(rule->code, PCRE2_INFO_CAPTURECOUNT, &count);
		captures = MAX(captures, count);
	}
	redactor->match = pcre2_match_data_create(captures + 1, NULL);
	redactor->limits = pcre2_match_context_create(NULL);
	redactor->stack = pcre2_jit_stack_create(JIT_STACK_BYTES, JIT_STACK_MOST_BYTES, NULL);
	pcre2_set_match_limit(redactor->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(redactor->limits, DEPTH_LIMIT);
	if (redactor->stack != NULL)
		pcre2_jit_stack_assign(redactor->limits, NULL, redactor->stack);
}

MtwRedactor *mtw_redactor_new(MtwRedactRules *rules)
{
	MtwRedactor *redactor = g_new0(MtwRedactor, 1);

	redactor->rules = mtw_redact_rules_ref(rules);
	redactor->values = g_ptr_array_new_with_free_func(value_free);
	redactor->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	redactor->kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	redactor->words = g_ptr_array_new_with_free_func(word_free);
	redactor->messages = mtw_messages_new();
	redactor->shapes = g_array_new(FALSE, FALSE, sizeof(MtwShapeMatch));
	redactor->candidates = g_array_new(FALSE, FALSE, sizeof(MtwRedactCandidate));
	redactor->settled = g_array_new(FALSE, FALSE, sizeof(MtwRedactCandidate));
	redactor->masks = g_array_new(FALSE, FALSE, sizeof(MtwRedactMask));
	redactor->cleaned = g_string_new(NULL);
	make_matching(redactor);
	return redactor;
}

void mtw_redactor_free(MtwRedactor *redactor)
{
	if (redactor == NULL)
		return;
	for (int kind = 0; kind < MTW_N_REDACT_KINDS; kind++)
		value_free(redactor->rest[kind]);
	g_ptr_array_unref(redactor->words);
	g_hash_table_unref(redactor->by_key);
	g_hash_table_unref(redactor->kept);
	g_ptr_array_unref(redactor->values);
	g_ptr_array_unref(redactor->messages);
	g_array_unref(redactor->shapes);
	g_array_unref(redactor->candidates);
	g_array_unref(redactor->settled);
	g_array_unref(redactor->masks);
	g_string_free(redactor->cleaned, TRUE);
	mtw_matcher_free(redactor->matcher);
	pcre2_match_data_free(redactor->match);
	pcre2_match_context_free(redactor->limits);
	pcre2_jit_stack_free(redactor->stack);
	mtw_redact_rules_unref(redactor->rules);
	g_free(redactor);
}

void mtw_redactor_swap(MtwRedactor *a, MtwRedactor *b)
{
	MtwRedactor other = *a;

	*a = *b;
	*b = other;
}

const GPtrArray *mtw_redactor_messages(const MtwRedactor *redactor)
{
	return redactor->messages;
}

void mtw_redactor_say(MtwRedactor *redactor, const char *id, const char *sentence, const char *hint,
		      MtwRedactKind kind, const char *detail)
{
	g_ptr_array_add(redactor->messages,
			mtw_message_new(id, MTW_LEVEL_WARNING, sentence, hint, "%s: %s",
					mtw_redact_kind_name(kind), detail));
}

/* ---- values ---------------------------------------------------------------------------------- */

gboolean mtw_redactor_stays(MtwRedactor *redactor, MtwRedactKind kind, const char *text,
			    gsize bytes)
{
	g_autofree char *key = NULL;

	if (mtw_redact_is_public(kind, text, bytes) ||
	    mtw_redact_set_has(redactor->rules->empty, text, bytes))
		return TRUE;
	if (g_hash_table_size(redactor->kept) == 0)
		return FALSE;
	key = mtw_redact_key(kind, text, bytes);
	return g_hash_table_contains(redactor->kept, key);
}

MtwRedactValue *mtw_redact_value_new(MtwRedactKind kind, guint number, const char *text,
				     gsize bytes)
{
	MtwRedactValue *value = g_new0(MtwRedactValue, 1);

	value->kind = kind;
	value->number = number;
	value->text = g_malloc(bytes + 1);
	memcpy(value->text, text, bytes);
	value->text[bytes] = '\0';
	value->bytes = bytes;
	return value;
}

/* One mask for all that is over the limit. */
static MtwRedactValue *rest_of(MtwRedactor *redactor, MtwRedactKind kind)
{
	if (redactor->rest[kind] != NULL)
		return redactor->rest[kind];
	redactor->rest[kind] = mtw_redact_value_new(kind, ++redactor->numbers[kind], "", 0);
	mtw_redactor_say(redactor, "redact-too-many",
			 N_("There are too many private values, or too long ones: several have the "
			    "same mask."),
			 "", kind, "");
	return redactor->rest[kind];
}

MtwRedactValue *mtw_redactor_user_of(const MtwRedactor *redactor, const char *email, gsize bytes)
{
	const char *at = memchr(email, '@', bytes);
	g_autofree char *key = NULL;
	MtwRedactValue *user;

	if (at == NULL)
		return NULL;
	key = mtw_redact_key(MTW_REDACT_USER, email, (gsize)(at - email));
	user = g_hash_table_lookup(redactor->by_key, key);
	return user != NULL && user->kind == MTW_REDACT_USER ? user : NULL;
}

/* The mask of alice@corp.example has the number of alice, when that is a user; once. */
static guint new_number(MtwRedactor *redactor, MtwRedactKind kind, const char *text, gsize bytes)
{
	MtwRedactValue *user = NULL;

	if (kind == MTW_REDACT_EMAIL)
		user = mtw_redactor_user_of(redactor, text, bytes);
	if (user != NULL && !user->has_email) {
		user->has_email = TRUE;
		return user->number;
	}
	return ++redactor->numbers[kind == MTW_REDACT_EMAIL ? MTW_REDACT_USER : kind];
}

MtwRedactValue *mtw_redactor_value(MtwRedactor *redactor, MtwRedactKind kind, const char *text,
				   gsize bytes, gboolean learn)
{
	g_autofree char *key = NULL;
	MtwRedactValue *value;

	kind = mtw_redact_kind_of(kind, text, bytes);
	if (mtw_redactor_stays(redactor, kind, text, bytes))
		return NULL;
	key = mtw_redact_key(kind, text, bytes);
	value = g_hash_table_lookup(redactor->by_key, key);
	if (value != NULL || !learn)
		return value;
	if (redactor->values->len >= VALUES_MOST || bytes > VALUE_MOST_BYTES)
		return rest_of(redactor, kind);
	value = mtw_redact_value_new(kind, new_number(redactor, kind, text, bytes), text, bytes);
	g_ptr_array_add(redactor->values, value);
	g_hash_table_insert(redactor->by_key, g_steal_pointer(&key), value);
	return value;
}

/* ---- what the caller knows ------------------------------------------------------------------- */

gboolean mtw_redactor_add_word(MtwRedactor *redactor, MtwRedactKind kind, const char *word)
{
	g_autofree char *trimmed = g_strstrip(g_strdup(word));
	gsize bytes = strlen(trimmed);
	MtwRedactValue *value;

	kind = mtw_redact_kind_of(kind, trimmed, bytes);
	if (mtw_redactor_stays(redactor, kind, trimmed, bytes))
		return FALSE;
	if (mtw_redact_is_common(redactor->rules, trimmed, bytes)) {
		mtw_redactor_say(redactor, "redact-common-word",
				 N_("A name is so common a word that it is not masked."),
				 N_("Look for it in the files before you send them."), kind,
				 trimmed);
		return FALSE;
	}
	value = mtw_redactor_value(redactor, kind, trimmed, bytes, TRUE);
	return value != NULL && mtw_redactor_search(redactor, value);
}

void mtw_redactor_add_facts(MtwRedactor *redactor, const MtwRedactFacts *facts)
{
	for (guint i = 0; i < facts->keep->len; i++)
		mtw_redactor_keep(redactor, facts->keep->pdata[i]);
	for (guint i = 0; i < facts->values->len; i++) {
		const MtwRedactFact *fact = facts->values->pdata[i];
		mtw_redactor_add_word(redactor, fact->kind, fact->value);
	}
}

static void keep_as(MtwRedactor *redactor, MtwRedactKind kind, const char *text, gsize bytes)
{
	char *key;
	MtwRedactValue *value;

	kind = mtw_redact_kind_of(kind, text, bytes);
	key = mtw_redact_key(kind, text, bytes);
	value = g_hash_table_lookup(redactor->by_key, key);
	if (value != NULL)
		value->kept = TRUE;
	g_hash_table_replace(redactor->kept, key, g_strdup(text));
}

void mtw_redactor_keep(MtwRedactor *redactor, const char *value)
{
	g_autofree char *trimmed = g_strstrip(g_strdup(value));
	gsize bytes = strlen(trimmed);

	if (bytes == 0)
		return;
	/* Bare digits can be a MAC or a UUID for a rule, and a word for another. */
	keep_as(redactor, MTW_REDACT_WORD, trimmed, bytes);
	keep_as(redactor, MTW_REDACT_MAC, trimmed, bytes);
	keep_as(redactor, MTW_REDACT_UUID, trimmed, bytes);
	mtw_redactor_add_spellings(redactor, NULL, trimmed, bytes);
}
