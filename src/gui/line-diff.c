/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/line-diff.h"

#include <string.h>

/* Of the table for the words that both lines have. */
#define MAX_CELLS (256 * 1024)
/* Changes with less between them are one. */
#define MIN_GAP_BYTES 3

typedef struct {
	const char *text;
	gsize bytes;
} Word;

/* One side. */
typedef struct {
	const char *line;
	GArray *words;	  /* (element-type Word) */
	guint begin, end; /* of what is left after the common words at both ends */
} Side;

/* ---- words ----------------------------------------------------------------------------------- */

/* A character that is not ASCII is never cut. */
static gboolean is_of_word(char c)
{
	return g_ascii_isalnum(c) || (guchar)c >= 0x80;
}

static GArray *split(const char *line)
{
	GArray *words = g_array_new(FALSE, FALSE, sizeof(Word));

	while (*line != '\0') {
		Word word = { .text = line };
		while (is_of_word(line[word.bytes]))
			word.bytes++;
		word.bytes = MAX(word.bytes, 1);
		g_array_append_val(words, word);
		line += word.bytes;
	}
	return words;
}

static const Word *word_at(const Side *side, guint index)
{
	return &g_array_index(side->words, Word, index);
}

static gboolean equal(const Side *a, guint i, const Side *b, guint j)
{
	const Word *x = word_at(a, i), *y = word_at(b, j);

	return x->bytes == y->bytes && memcmp(x->text, y->text, x->bytes) == 0;
}

/* Where a word begins, or where the line ends. */
static gsize offset_of(const Side *side, guint index)
{
	if (index == side->words->len)
		return strlen(side->line);
	return (gsize)(word_at(side, index)->text - side->line);
}

static void strip(Side *a, Side *b)
{
	while (a->begin < a->end && b->begin < b->end && equal(a, a->begin, b, b->begin)) {
		a->begin++;
		b->begin++;
	}
	while (a->begin < a->end && b->begin < b->end && equal(a, a->end - 1, b, b->end - 1)) {
		a->end--;
		b->end--;
	}
}

/* ---- places ---------------------------------------------------------------------------------- */

static gboolean has_space(const char *text, gsize bytes)
{
	return memchr(text, ' ', bytes) != NULL || memchr(text, '\t', bytes) != NULL;
}

static void add(GArray *changes, const Side *a, guint a_begin, guint a_end, const Side *b,
		guint b_begin, guint b_end)
{
	MtwLineChange change = { .before = offset_of(a, a_begin), .after = offset_of(b, b_begin) };
	MtwLineChange *last =
		changes->len > 0 ? &g_array_index(changes, MtwLineChange, changes->len - 1) : NULL;
	gsize gap;

	if (a_begin == a_end && b_begin == b_end)
		return;
	change.before_bytes = offset_of(a, a_end) - change.before;
	change.after_bytes = offset_of(b, b_end) - change.after;
	gap = last != NULL ? change.before - last->before - last->before_bytes : 0;
	if (last == NULL || gap >= MIN_GAP_BYTES || has_space(a->line + change.before - gap, gap)) {
		g_array_append_val(changes, change);
		return;
	}
	last->before_bytes = change.before + change.before_bytes - last->before;
	last->after_bytes = change.after + change.after_bytes - last->after;
}

/* ---- the longest row of words that both have ------------------------------------------------- */

/* cells[i * columns + j]: its length from the words i and j on. Returns: (transfer full) */
static guint *fill_table(const Side *a, const Side *b, guint rows, guint columns)
{
	guint *cells = g_new0(guint, (gsize)rows * columns);

	for (guint i = rows - 1; i > 0; i--) {
		for (guint j = columns - 1; j > 0; j--) {
			guint *cell = &cells[(gsize)(i - 1) * columns + j - 1];
			if (equal(a, a->begin + i - 1, b, b->begin + j - 1))
				*cell = cell[columns + 1] + 1;
			else
				*cell = MAX(cell[columns], cell[1]);
		}
	}
	return cells;
}

static void walk_table(GArray *changes, const Side *a, const Side *b, const guint *cells,
		       guint columns)
{
	guint i = a->begin, j = b->begin, i_begin = i, j_begin = j;

	while (i < a->end && j < b->end) {
		const guint *cell = &cells[(gsize)(i - a->begin) * columns + j - b->begin];
		if (equal(a, i, b, j)) {
			add(changes, a, i_begin, i, b, j_begin, j);
			i_begin = ++i;
			j_begin = ++j;
		} else if (cell[columns] >= cell[1]) {
			i++;
		} else {
			j++;
		}
	}
	add(changes, a, i_begin, a->end, b, j_begin, b->end);
}

static void compare(GArray *changes, const Side *a, const Side *b)
{
	guint rows = a->end - a->begin + 1, columns = b->end - b->begin + 1;
	g_autofree guint *cells = NULL;

	if ((guint64)rows * columns > MAX_CELLS) {
		add(changes, a, a->begin, a->end, b, b->begin, b->end);
		return;
	}
	cells = fill_table(a, b, rows, columns);
	walk_table(changes, a, b, cells, columns);
}

GArray *mtw_line_diff(const char *before, const char *after)
{
	g_autoptr(GArray) before_words = split(before);
	g_autoptr(GArray) after_words = split(after);
	Side a = { .line = before, .words = before_words, .end = before_words->len };
	Side b = { .line = after, .words = after_words, .end = after_words->len };
	GArray *changes = g_array_new(FALSE, FALSE, sizeof(MtwLineChange));

	strip(&a, &b);
	compare(changes, &a, &b);
	return changes;
}
