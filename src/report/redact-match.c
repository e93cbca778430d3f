/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact-match.h"

#include <string.h>

/* States of the table; each needs four bytes for each class of characters (some 60). */
#define STATES_MOST (64 * 1024)
#define NO_OUTPUT G_MAXUINT32
/* In a step of the table: something ends in the state that it leads to. */
#define HAS_OUTPUT 0x80000000u

typedef struct {
	char *text; /* in lower case */
	gsize bytes;
	guint id;
} Text;

/* What ends in a state; a list. */
typedef struct {
	guint id;
	guint32 bytes;
	guint32 next; /* index, or NO_OUTPUT */
} Output;

struct _MtwMatcher {
	GArray *texts; /* of Text */
	gsize total_bytes;
	guint8 class_of[256]; /* 0: stands in no text */
	guint classes;
	guint32 *next;	/* [state * classes + class]: state * classes, and HAS_OUTPUT */
	guint32 *first; /* [state]: index in outputs, or NO_OUTPUT */
	GArray *outputs;
};

static void clear_text(gpointer text)
{
	g_free(((Text *)text)->text);
}

MtwMatcher *mtw_matcher_new(void)
{
	MtwMatcher *matcher = g_new0(MtwMatcher, 1);

	matcher->texts = g_array_new(FALSE, FALSE, sizeof(Text));
	g_array_set_clear_func(matcher->texts, clear_text);
	matcher->outputs = g_array_new(FALSE, FALSE, sizeof(Output));
	return matcher;
}

void mtw_matcher_free(MtwMatcher *matcher)
{
	if (matcher == NULL)
		return;
	g_array_unref(matcher->texts);
	g_array_unref(matcher->outputs);
	g_free(matcher->next);
	g_free(matcher->first);
	g_free(matcher);
}

gboolean mtw_matcher_add(MtwMatcher *matcher, const char *text, gsize bytes, guint id)
{
	Text added = { NULL, bytes, id };

	if (bytes == 0 || matcher->total_bytes + bytes >= STATES_MOST)
		return FALSE;
	added.text = g_malloc(bytes);
	for (gsize i = 0; i < bytes; i++)
		added.text[i] = g_ascii_tolower(text[i]);
	g_array_append_val(matcher->texts, added);
	matcher->total_bytes += bytes;
	return TRUE;
}

/* A class for each character that stands in a text; both cases of a letter share one. */
static void make_classes(MtwMatcher *matcher)
{
	memset(matcher->class_of, 0, sizeof matcher->class_of);
	matcher->classes = 1;
	for (guint i = 0; i < matcher->texts->len; i++) {
		const Text *text = &g_array_index(matcher->texts, Text, i);
		for (gsize at = 0; at < text->bytes; at++) {
			guchar c = (guchar)text->text[at];
			if (matcher->class_of[c] == 0)
				matcher->class_of[c] = (guint8)matcher->classes++;
		}
	}
	for (int c = 'A'; c <= 'Z'; c++)
		matcher->class_of[c] = matcher->class_of[c - 'A' + 'a'];
}

static void add_output(MtwMatcher *matcher, guint32 state, const Text *text)
{
	Output output = { text->id, (guint32)text->bytes, matcher->first[state] };

	matcher->first[state] = matcher->outputs->len;
	g_array_append_val(matcher->outputs, output);
}

/* Returns: the number of states */
static guint32 make_trie(MtwMatcher *matcher)
{
	guint32 states = 1;

	for (guint i = 0; i < matcher->texts->len; i++) {
		const Text *text = &g_array_index(matcher->texts, Text, i);
		guint32 state = 0;
		for (gsize at = 0; at < text->bytes; at++) {
			guint32 *next = &matcher->next[state * matcher->classes +
						       matcher->class_of[(guchar)text->text[at]]];
			if (*next == 0)
				*next = states++;
			state = *next;
		}
		add_output(matcher, state, text);
	}
	return states;
}

/* What ends in the state that is fallen back to ends in @state too. */
static void join_outputs(MtwMatcher *matcher, guint32 state, guint32 fallback)
{
	guint32 at = matcher->first[state];

	if (at == NO_OUTPUT) {
		matcher->first[state] = matcher->first[fallback];
		return;
	}
	while (g_array_index(matcher->outputs, Output, at).next != NO_OUTPUT)
		at = g_array_index(matcher->outputs, Output, at).next;
	g_array_index(matcher->outputs, Output, at).next = matcher->first[fallback];
}

/* One state in the order of their depth: its missing steps become those of its fallback. */
static guint32 complete_state(MtwMatcher *matcher, guint32 state, guint32 *fallbacks,
			      guint32 *queue, guint32 queued)
{
	for (guint c = 0; c < matcher->classes; c++) {
		guint32 *next = &matcher->next[state * matcher->classes + c];
		guint32 other =
			state == 0 ? 0 : matcher->next[fallbacks[state] * matcher->classes + c];
		if (*next == 0) {
			*next = other;
			continue;
		}
		fallbacks[*next] = other;
		join_outputs(matcher, *next, other);
		queue[queued++] = *next;
	}
	return queued;
}

void mtw_matcher_compile(MtwMatcher *matcher)
{
	gsize most = matcher->total_bytes + 1;
	g_autofree guint32 *fallbacks = g_new0(guint32, most);
	g_autofree guint32 *queue = g_new0(guint32, most);
	guint32 queued = 1, states;

	make_classes(matcher);
	matcher->next = g_new0(guint32, most * matcher->classes);
	matcher->first = g_new(guint32, most);
	memset(matcher->first, 0xff, most * sizeof *matcher->first);
	states = make_trie(matcher);
	for (guint32 i = 0; i < queued; i++)
		queued = complete_state(matcher, queue[i], fallbacks, queue, queued);
	for (gsize i = 0; i < (gsize)states * matcher->classes; i++) {
		guint32 to = matcher->next[i];
		matcher->next[i] =
			to * matcher->classes | (matcher->first[to] != NO_OUTPUT ? HAS_OUTPUT : 0);
	}
}

static void tell(const MtwMatcher *matcher, guint32 output, gsize end, MtwMatcherFound found,
		 gpointer user_data)
{
	while (output != NO_OUTPUT) {
		const Output *at = &g_array_index(matcher->outputs, Output, output);
		found(at->id, end - at->bytes, end, user_data);
		output = at->next;
	}
}

void mtw_matcher_run(const MtwMatcher *matcher, const char *text, gsize bytes,
		     MtwMatcherFound found, gpointer user_data)
{
	const guint32 *next = matcher->next;
	guint32 state = 0;

	for (gsize at = 0; at < bytes; at++) {
		state = next[state + matcher->class_of[(guchar)text[at]]];
		if ((state & HAS_OUTPUT) == 0)
			continue;
		state &= ~HAS_OUTPUT;
		tell(matcher, matcher->first[state / matcher->classes], at + 1, found, user_data);
	}
}
