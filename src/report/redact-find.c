/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds in one line what has to go: words, patterns near their anchors, shapes in their context. */
#include "report/redact-private.h"

#include "report/redact-form.h"

#include <string.h>

/* A pattern sees so much of the line before its anchor and behind it. */
#define BEFORE_ANCHOR_BYTES 160
#define BEHIND_ANCHOR_BYTES 1024
/* Words so far before a shape say what it is; a list of authors is longer. */
#define CONTEXT_BYTES 64
#define EMAIL_CONTEXT_BYTES 256
#define MASK_MOST_BYTES 40
#define CONTEXT_WORD_MOST_BYTES 24
/* Four numbers below this, and no word that says what they are: a version. */
#define VERSION_NUMBER 20

enum {
	RANK_GUESS,
	RANK_WORD,
	RANK_SHAPE,
	RANK_RULE,
};

typedef struct {
	MtwRedactor *redactor;
	const MtwRedactWindow *window;
	gsize *rule_end; /* [rule]: where its last match ended */
} Find;

static void add(Find *find, gsize start, gsize end, MtwRedactKind kind, int rank, gboolean stays)
{
	MtwRedactCandidate candidate = {
		start, end, kind, (guint8)rank, stays, rank == RANK_GUESS
	};

	/* What is kept can begin before: it protects what is in it. */
	if (end > start && start < find->window->stop && (stays || start >= find->window->begin))
		g_array_append_val(find->redactor->candidates, candidate);
}

static void found_value(Find *find, MtwRedactKind kind, gsize start, gsize end, int rank)
{
	const char *text = find->window->text + start;
	gboolean stays;

	kind = mtw_redact_kind_of(kind, text, end - start);
	stays = mtw_redactor_stays(find->redactor, kind, text, end - start);
	add(find, start, end, kind, rank, stays);
}

/* ---- words ----------------------------------------------------------------------------------- */

static gboolean is_word_char(char c)
{
	return g_ascii_isalnum(c) || ((guchar)c & 0x80) != 0;
}

static gboolean is_edge(const MtwRedactWindow *window, gsize before, gsize after)
{
	/* One below 0 is large too. */
	return before >= window->bytes || after >= window->bytes ||
	       !is_word_char(window->text[before]) || !is_word_char(window->text[after]);
}

static gboolean is_blank_edge(const MtwRedactWindow *window, gsize at)
{
	return at >= window->bytes || g_ascii_isspace(window->text[at]) ||
	       (window->text[at] != '\0' && strchr("\"'`()[]<>,;", window->text[at]) != NULL);
}

/* "files" of "files.corp.example", when the domain is known: it begins at @domain. */
static void found_host_of(Find *find, gsize domain)
{
	const char *text = find->window->text;
	gsize start = domain > 0 ? domain - 1 : 0;

	if (domain < 2 || text[start] != '.')
		return;
	while (start > 0 && (g_ascii_isalnum(text[start - 1]) || text[start - 1] == '-'))
		start--;
	found_value(find, MTW_REDACT_HOST, start, domain - 1, RANK_WORD);
}

static void found_word(Find *find, const MtwRedactWord *word, gsize start, gsize end)
{
	const MtwRedactWindow *window = find->window;

	if (!is_edge(window, start - 1, start) || !is_edge(window, end - 1, end))
		return;
	if (word->alone && (!is_blank_edge(window, start - 1) || !is_blank_edge(window, end) ||
			    memcmp(window->text + start, word->text, word->bytes) != 0))
		return;
	if (word->value == NULL || word->value->kept)
		add(find, start, end, MTW_REDACT_WORD, RANK_WORD, TRUE);
	else
		add(find, start, end, word->value->kind, RANK_WORD, FALSE);
	if (word->value != NULL && word->value->kind == MTW_REDACT_DOMAIN)
		found_host_of(find, start);
}

/* ---- patterns -------------------------------------------------------------------------------- */

static gboolean rule_keeps(const MtwRedactRule *rule, const char *text, gsize bytes)
{
	if (mtw_redact_set_has(rule->keep, text, bytes))
		return TRUE;
	for (char **end = rule->keep_end; end != NULL && *end != NULL; end++) {
		gsize length = strlen(*end);
		if (length <= bytes &&
		    g_ascii_strncasecmp(text + bytes - length, *end, length) == 0)
			return TRUE;
	}
	return FALSE;
}

static void found_by_rule(Find *find, const MtwRedactRule *rule, gsize start, gsize end, int rank)
{
	/* What the rule leaves alone may still have a word of the user in it. */
	if (!rule_keeps(rule, find->window->text + start, end - start))
		found_value(find, rule->kind, start, end, rank);
}

static gsize *rule_end(Find *find, guint index)
{
	if (find->rule_end == NULL)
		find->rule_end = g_new0(gsize, find->redactor->rules->rules->len);
	return &find->rule_end[index];
}

/* SECRET1 is not the word before a secret. */
static gboolean is_in_mask(const MtwRedactWindow *window, gsize start, gsize end)
{
	gsize first = start > MASK_MOST_BYTES ? start - MASK_MOST_BYTES : 0;
	gsize last = MIN(window->bytes, end + MASK_MOST_BYTES);

	while (start > first && is_word_char(window->text[start - 1]))
		start--;
	while (end < last && is_word_char(window->text[end]))
		end++;
	return mtw_redact_is_text_mask(window->text + start, end - start);
}

static void found_anchor(Find *find, guint index, gsize start, gsize end)
{
	const MtwRedactWindow *window = find->window;
	const MtwRedactRule *rule = find->redactor->rules->rules->pdata[index];
	gsize *last = rule_end(find, index);
	gsize from = start > BEFORE_ANCHOR_BYTES ? start - BEFORE_ANCHOR_BYTES : 0;
	gsize to = MIN(window->bytes, end + BEHIND_ANCHOR_BYTES);
	const PCRE2_SIZE *found = pcre2_get_ovector_pointer(find->redactor->match);
	guint32 options = window->line_start ? 0 : PCRE2_NOTBOL;
	int result;

	if (!window->rule_is_on[index] || start < *last || is_in_mask(window, start, end))
		return;
	if (to < window->bytes || !window->line_end)
		options |= PCRE2_NOTEOL;
	pcre2_set_offset_limit(find->redactor->limits, end);
	result = pcre2_match(rule->code, (PCRE2_SPTR)window->text, to, MAX(from, *last), options,
			     find->redactor->match, find->redactor->limits);
	if (result == PCRE2_ERROR_NOMATCH)
		return;
	if (result < 0) {
		/* Too hard for the limits: nobody knows what is there, so all of it goes. */
		*last = to;
		add(find, end, to, rule->kind, RANK_RULE, FALSE);
		return;
	}
	*last = MAX(*last, found[1]);
	found += 2 * rule->group;
	if (found[0] != PCRE2_UNSET && found[0] < found[1] && found[1] <= to)
		found_by_rule(find, rule, found[0], found[1], RANK_RULE);
}

static void found_text(guint id, gsize start, gsize end, gpointer user_data)
{
	Find *find = user_data;

	if (id >= MTW_REDACT_ANCHOR_ID)
		found_anchor(find, id - MTW_REDACT_ANCHOR_ID, start, end);
	else
		found_word(find, find->redactor->words->pdata[id], start, end);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

typedef enum {
	CONTEXT_SILENT,
	CONTEXT_YES, /* a word of After */
	CONTEXT_NO,  /* a word of NotAfter */
} Context;

static Context context_of_word(const MtwRedactRule *rule, const char *word, gsize bytes)
{
	if (bytes > CONTEXT_WORD_MOST_BYTES)
		return CONTEXT_SILENT;
	if (mtw_redact_set_has(rule->after, word, bytes))
		return CONTEXT_YES;
	return mtw_redact_set_has(rule->not_after, word, bytes) ? CONTEXT_NO : CONTEXT_SILENT;
}

/* The nearest word before that is in one of the lists decides; then the one right behind. */
static Context context_of(const MtwRedactRule *rule, const MtwRedactWindow *window, gsize start,
			  gsize end)
{
	const char *text = window->text;
	gsize most = rule->shape == MTW_SHAPE_EMAIL ? EMAIL_CONTEXT_BYTES : CONTEXT_BYTES;
	gsize first = start > most ? start - most : 0, at = start;
	Context context = CONTEXT_SILENT;

	if (rule->after == NULL && rule->not_after == NULL)
		return CONTEXT_SILENT;
	while (at > first && context == CONTEXT_SILENT) {
		gsize word_end = at;
		while (at > first && g_ascii_isalpha(text[at - 1]))
			at--;
		context = context_of_word(rule, text + at, word_end - at);
		at -= at == word_end;
	}
	if (context != CONTEXT_SILENT)
		return context;
	if (end >= window->bytes || text[end] != ' ')
		return CONTEXT_SILENT;
	first = at = end + 1;
	while (at < window->bytes && at < first + CONTEXT_BYTES && g_ascii_isalpha(text[at]))
		at++;
	context = context_of_word(rule, text + first, at - first);
	return context == CONTEXT_NO ? context : CONTEXT_SILENT;
}

typedef enum {
	FIT_NO,
	FIT_GUESS,
	FIT_YES,
} Fit;

/* Four numbers can be the version of a firmware. */
static Fit ipv4_fit(Context context, const char *text, gsize bytes)
{
	guint8 address[4];

	if (!mtw_redact_read_ipv4(text, bytes, address) || context == CONTEXT_YES ||
	    mtw_shape_ipv4_is_private(address))
		return FIT_YES;
	if (context == CONTEXT_NO)
		return FIT_NO;
	for (guint i = 0; i < sizeof address; i++)
		if (address[i] >= VERSION_NUMBER || address[0] == 10)
			return FIT_GUESS;
	return FIT_NO;
}

/* Whether the shape is what the rule is about, and not something else that looks like it. */
static Fit shape_fit(const MtwRedactRule *rule, const MtwRedactWindow *window,
		     const MtwShapeMatch *shape)
{
	Context context = context_of(rule, window, shape->start, shape->end);

	if (shape->shape == MTW_SHAPE_IPV4)
		return ipv4_fit(context, window->text + shape->start, shape->end - shape->start);
	return context == CONTEXT_NO ? FIT_NO : FIT_YES;
}

static void found_shape(Find *find, const MtwShapeMatch *shape)
{
	const GPtrArray *rules = find->redactor->rules->rules;

	for (guint i = 0; i < rules->len; i++) {
		const MtwRedactRule *rule = rules->pdata[i];
		Fit fit = FIT_NO;
		if (rule->shape == shape->shape && find->window->rule_is_on[i])
			fit = shape_fit(rule, find->window, shape);
		if (fit != FIT_NO)
			found_by_rule(find, rule, shape->start, shape->end,
				      fit == FIT_YES ? RANK_SHAPE : RANK_GUESS);
	}
}

static void find_shapes(Find *find)
{
	GArray *shapes = find->redactor->shapes;

	g_array_set_size(shapes, 0);
	mtw_shape_scan(find->window->text, find->window->bytes, shapes);
	for (guint i = 0; i < shapes->len; i++)
		found_shape(find, &g_array_index(shapes, MtwShapeMatch, i));
}

/* ---- overlaps -------------------------------------------------------------------------------- */

static int compare(gconstpointer a, gconstpointer b)
{
	const MtwRedactCandidate *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	if (left->stays != right->stays)
		return left->stays ? -1 : 1;
	if (left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return right->rank - left->rank;
}

/* Takes out what stays, and what is inside of it. */
static void remove_kept(GArray *candidates)
{
	gsize kept_end = 0;
	guint left = 0;

	for (guint i = 0; i < candidates->len; i++) {
		MtwRedactCandidate candidate = g_array_index(candidates, MtwRedactCandidate, i);
		if (candidate.stays)
			kept_end = MAX(kept_end, candidate.end);
		else if (candidate.end > kept_end)
			g_array_index(candidates, MtwRedactCandidate, left++) = candidate;
	}
	g_array_set_size(candidates, left);
}

void mtw_redact_settle(GArray *candidates)
{
	guint left = 0;
	gsize longest = 0;

	g_array_sort(candidates, compare);
	remove_kept(candidates);
	for (guint i = 0; i < candidates->len; i++) {
		MtwRedactCandidate next = g_array_index(candidates, MtwRedactCandidate, i), *last;
		gsize bytes = next.end - next.start;
		last = left > 0 ? &g_array_index(candidates, MtwRedactCandidate, left - 1) : NULL;
		if (last == NULL || next.start >= last->end) {
			g_array_index(candidates, MtwRedactCandidate, left++) = next;
			longest = bytes;
		} else if (next.end > last->end) {
			/* Each has a part of its own: neither part may stay. */
			last->end = next.end;
			last->here_only = TRUE;
			if (bytes > longest)
				last->kind = next.kind;
			longest = MAX(longest, bytes);
		}
	}
	g_array_set_size(candidates, left);
}

void mtw_redactor_find(MtwRedactor *redactor, const MtwRedactWindow *window)
{
	Find find = { redactor, window, NULL };

	g_array_set_size(redactor->candidates, 0);
	mtw_matcher_run(redactor->matcher, window->text, window->bytes, found_text, &find);
	find_shapes(&find);
	g_free(find.rule_end);
	if (redactor->candidates->len > 0)
		mtw_redact_settle(redactor->candidates);
}
