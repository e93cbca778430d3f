/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/loss.h"

#include <string.h>

static guint64 saturating_sub(guint64 a, guint64 b)
{
	return a > b ? a - b : 0;
}

/* The number of the line "<field>: <number>", to the end of the line. */
static gboolean read_field(const char *line, gsize bytes, const char *field, guint64 *ret_value)
{
	gsize field_bytes = strlen(field);
	guint64 value = 0;

	if (bytes < field_bytes + 3 || memcmp(line, field, field_bytes) != 0 ||
	    memcmp(line + field_bytes, ": ", 2) != 0)
		return FALSE;
	for (gsize i = field_bytes + 2; i < bytes; i++)
		if (!g_ascii_isdigit(line[i]) || !g_uint64_checked_mul(&value, value, 10) ||
		    !g_uint64_checked_add(&value, value, (guint64)(line[i] - '0')))
			return FALSE;
	*ret_value = value;
	return TRUE;
}

static gboolean add_line(MtwRingStats *stats, const char *line, gsize bytes)
{
	guint64 value;

	if (read_field(line, bytes, "overrun", &value))
		stats->overrun += value;
	else if (read_field(line, bytes, "dropped events", &value))
		stats->dropped_events += value;
	else if (read_field(line, bytes, "entries", &value))
		stats->entries += value;
	else
		return FALSE;
	return TRUE;
}

gboolean mtw_ring_stats_add(MtwRingStats *stats, const char *text, gsize bytes)
{
	const char *end = text + bytes;
	gboolean found = FALSE;

	while (text != end) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		const char *line_end = newline != NULL ? newline : end;

		found |= add_line(stats, text, (gsize)(line_end - text));
		text = line_end + (newline != NULL);
	}
	return found;
}

/* What the ring lost between the two; when it was reset in between, what it lost since then. */
static guint64 lost_in_ring(const MtwRingStats *start, const MtwRingStats *stop)
{
	guint64 before = start->overrun + start->dropped_events;
	guint64 after = stop->overrun + stop->dropped_events;

	return after >= before ? after - before : after;
}

MtwLoss mtw_loss_judge(const MtwCounts *counts, const MtwRingStats *start, const MtwRingStats *stop)
{
	/*
	 * Accesses made while another program had switched recording off are in no statistics, only
	 * in LOST lines, so these count too as long as we had not stopped.
	 */
	guint64 marks = saturating_sub(counts->lost_marks - counts->lost_marks_after_stop,
				       counts->lost_marks_head);
	guint64 lost = MAX(lost_in_ring(start, stop), MAX(marks, counts->lost_gaps));

	return (MtwLoss){
		.lost = lost + stop->entries,
		.after_stop = saturating_sub(counts->lost_marks, lost),
		.exact = TRUE,
	};
}

MtwLoss mtw_loss_estimate(const MtwCounts *counts)
{
	guint64 lost = counts->lost_gaps;
	guint64 after_stop;

	/* Without GAPs, or without their numbers, the LOST lines are all there is. */
	if (counts->lost_gaps == 0 || counts->gaps_unknown > 0)
		lost = MAX(lost, counts->lost_marks - counts->lost_marks_tail);
	after_stop = saturating_sub(counts->lost_marks, lost);
	return (MtwLoss){
		.lost = lost,
		.after_stop = after_stop,
		.unconfirmed = after_stop > 0 || (counts->lost_gaps == 0 && counts->lost_marks > 0),
	};
}
