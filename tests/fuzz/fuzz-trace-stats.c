/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/stats, loss, verdict: any bytes as a trace. The first byte says how it is cut into blocks,
 * which must not matter.
 */
#include "fuzz.h"

#include "trace/verdict.h"

#include <string.h>

static MtwStats *new_stats(void)
{
	MtwStats *stats = mtw_stats_new();

	mtw_stats_add_bar(stats, 0, 0xfeb40000, 0x20000);
	mtw_stats_add_bar(stats, 2, 0xfea00000, 0x100000);
	return stats;
}

static void feed_in_pieces(MtwStats *stats, const char *text, gsize bytes, guint32 seed)
{
	while (bytes > 0) {
		gsize piece = MIN(bytes, 1 + (seed >> 16) % 97);

		mtw_stats_feed(stats, text, piece);
		text += piece;
		bytes -= piece;
		seed = seed * 1103515245 + 12345;
	}
}

static void check_sums(const MtwCounts *counts)
{
	guint64 accesses = counts->kinds[MTW_RECORD_READ] + counts->kinds[MTW_RECORD_WRITE] +
			   counts->kinds[MTW_RECORD_UNKNOWN];
	guint64 lines = 0, in_bars = 0;

	for (int kind = 0; kind < MTW_N_RECORD_KINDS; kind++)
		lines += counts->kinds[kind];
	for (guint i = 0; i < counts->n_bars; i++)
		in_bars += counts->bars[i].reads + counts->bars[i].writes + counts->bars[i].unknown;
	FUZZ_ASSERT(lines == counts->lines);
	FUZZ_ASSERT(in_bars + counts->elsewhere == accesses);
	FUZZ_ASSERT(counts->events ==
		    accesses + counts->kinds[MTW_RECORD_MAP] + counts->kinds[MTW_RECORD_UNMAP]);
	FUZZ_ASSERT(counts->headers == counts->kinds[MTW_RECORD_VERSION]);
	FUZZ_ASSERT(counts->first_usec <= counts->last_usec);
	FUZZ_ASSERT(counts->n_holes <= MTW_STATS_MAX_HOLES);
	FUZZ_ASSERT(counts->unclosed_bytes <= counts->bytes);
}

static void check_verdict(const MtwCounts *counts, const MtwLoss *loss)
{
	g_autoptr(MtwVerdict) verdict = mtw_verdict_new(counts, loss, TRUE, NULL);
	gboolean serious = TRUE;

	for (guint i = 0; i < verdict->findings->len; i++) {
		const MtwFinding *finding = g_ptr_array_index(verdict->findings, i);

		FUZZ_ASSERT(serious || !finding->serious);
		serious = finding->serious;
		FUZZ_ASSERT(finding->detail != NULL);
	}
	FUZZ_ASSERT(verdict->grade == MTW_GRADE_GOOD || verdict->findings->len > 0);
	FUZZ_ASSERT((verdict->grade >= MTW_GRADE_LOST) ==
		    (verdict->findings->len > 0 &&
		     ((MtwFinding *)g_ptr_array_index(verdict->findings, 0))->serious));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(MtwStats) whole = new_stats();
	g_autoptr(MtwStats) pieces = new_stats();
	const char *text = (const char *)data;
	MtwRingStats start = { 0 }, stop = { 0 };
	MtwLoss loss;

	if (size == 0)
		return 0;
	mtw_stats_feed(whole, text + 1, size - 1);
	feed_in_pieces(pieces, text + 1, size - 1, (guint32)data[0] << 16);
	FUZZ_ASSERT(memcmp(mtw_stats_counts(whole), mtw_stats_counts(pieces), sizeof(MtwCounts)) ==
		    0);
	check_sums(mtw_stats_counts(whole));

	loss = mtw_loss_estimate(mtw_stats_counts(whole));
	check_verdict(mtw_stats_counts(whole), &loss);
	mtw_ring_stats_add(&stop, text, size);
	loss = mtw_loss_judge(mtw_stats_counts(whole), &start, &stop);
	check_verdict(mtw_stats_counts(whole), &loss);
	return 0;
}
