/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is found in a line is replaced, and the line is looked at again: "token SECRET1" may be a match
 * where the value was none. What is found then goes too, together with the masks it touches, until
 * nothing is found. So a cleaned text is never changed again.
 */
#include "report/redact-private.h"

/* Each joins parts of the line, so that few are ever needed. */
#define ROUNDS_MOST 8

/* The line with its masks, to redactor->cleaned; where they are, to redactor->masks. */
static void put_masks(MtwRedactor *redactor, const MtwRedactWindow *window)
{
	GString *cleaned = redactor->cleaned;
	gsize at = 0;

	g_string_truncate(cleaned, 0);
	g_array_set_size(redactor->masks, 0);
	for (guint i = 0; i < redactor->settled->len; i++) {
		const MtwRedactCandidate *candidate =
			&g_array_index(redactor->settled, MtwRedactCandidate, i);
		const char *text = window->text + candidate->start;
		gsize bytes = candidate->end - candidate->start;
		const MtwRedactValue *value =
			mtw_redactor_value(redactor, candidate->kind, text, bytes, TRUE);
		MtwRedactMask mask = { .start = candidate->start, .end = candidate->end };
		if (value == NULL)
			continue;
		g_string_append_len(cleaned, window->text + at, (gssize)(mask.start - at));
		mask.clean_start = cleaned->len;
		mtw_redact_mask(cleaned, value->kind, value->number, text, bytes);
		mask.clean_end = cleaned->len;
		at = mask.end;
		g_array_append_val(redactor->masks, mask);
	}
	g_string_append_len(cleaned, window->text + at, (gssize)(window->bytes - at));
}

/* Where a place of the cleaned line was; inside of a mask: its value's start, or end. */
static gsize place_before(const MtwRedactor *redactor, gsize at, gboolean is_end)
{
	gsize before = at;

	for (guint i = 0; i < redactor->masks->len; i++) {
		const MtwRedactMask *mask = &g_array_index(redactor->masks, MtwRedactMask, i);
		if (mask->clean_start >= at + !is_end)
			break;
		if (is_end ? at <= mask->clean_end : at < mask->clean_end)
			return is_end ? mask->end : mask->start;
		before = mask->end + (at - mask->clean_end);
	}
	return before;
}

/* Returns: FALSE when nothing was found */
static gboolean find_again(MtwRedactor *redactor, const MtwRedactWindow *window)
{
	MtwRedactWindow again = *window;
	gboolean found = FALSE;

	put_masks(redactor, window);
	again.text = redactor->cleaned->str;
	again.bytes = redactor->cleaned->len;
	again.stop = redactor->cleaned->len - (window->bytes - window->stop);
	mtw_redactor_find(redactor, &again);
	for (guint i = 0; i < redactor->candidates->len; i++) {
		MtwRedactCandidate candidate =
			g_array_index(redactor->candidates, MtwRedactCandidate, i);
		const char *text = again.text + candidate.start;
		gsize bytes = candidate.end - candidate.start;
		if (mtw_redactor_stays(redactor, mtw_redact_kind_of(candidate.kind, text, bytes),
				       text, bytes))
			continue;
		candidate.start = place_before(redactor, candidate.start, FALSE);
		candidate.end = place_before(redactor, candidate.end, TRUE);
		candidate.here_only = TRUE;
		g_array_append_val(redactor->settled, candidate);
		found = TRUE;
	}
	return found;
}

/* From the first value to the end of the last one. */
static void join_all(GArray *settled)
{
	MtwRedactCandidate *first = &g_array_index(settled, MtwRedactCandidate, 0);

	first->end = g_array_index(settled, MtwRedactCandidate, settled->len - 1).end;
	first->here_only = TRUE;
	g_array_set_size(settled, 1);
}

void mtw_redactor_find_stable(MtwRedactor *redactor, const MtwRedactWindow *window)
{
	guint round = 0;

	mtw_redactor_find(redactor, window);
	g_array_set_size(redactor->settled, 0);
	if (redactor->candidates->len == 0)
		return;
	g_array_append_vals(redactor->settled, redactor->candidates->data,
			    redactor->candidates->len);
	while (round++ < ROUNDS_MOST && find_again(redactor, window))
		mtw_redact_settle(redactor->settled);
	if (round > ROUNDS_MOST)
		join_all(redactor->settled);
}
