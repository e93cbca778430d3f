/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass of the stats over a trace, as the program makes it for a verdict.
 *
 *     bench-trace-stats FILE          reads the file and prints the counts
 *     bench-trace-stats --feed FILE   the text is in memory before; prints the MB/s of the pass
 * alone
 */
#include "trace/reader.h"
#include "trace/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (1024 * 1024)
#define MEGA 1e6

/* The e1000 of the capture that the log is made of. */
static MtwStats *new_stats(void)
{
	MtwStats *stats = mtw_stats_new();

	mtw_stats_add_bar(stats, 0, 0xfeb40000, 0x20000);
	return stats;
}

static void print_counts(const MtwStats *stats)
{
	const MtwCounts *counts = mtw_stats_counts(stats);
	MtwLoss loss = mtw_loss_estimate(counts);
	g_autoptr(MtwVerdict) verdict = mtw_verdict_new(counts, &loss, TRUE, NULL);

	printf("lines=%" G_GUINT64_FORMAT " R=%" G_GUINT64_FORMAT " W=%" G_GUINT64_FORMAT
	       " bar0=%" G_GUINT64_FORMAT " lost=%" G_GUINT64_FORMAT "\n",
	       counts->lines, counts->kinds[MTW_RECORD_READ], counts->kinds[MTW_RECORD_WRITE],
	       counts->bars[0].reads + counts->bars[0].writes, verdict->loss.lost);
}

static gboolean pass_over_file(const char *path, GError **error)
{
	g_autoptr(MtwTraceReader) reader = mtw_trace_reader_open(path, error);
	g_autoptr(MtwStats) stats = new_stats();
	g_autofree char *block = g_malloc(BLOCK_BYTES);
	gssize got;

	if (reader == NULL)
		return FALSE;
	while ((got = mtw_trace_reader_read(reader, block, BLOCK_BYTES, error)) > 0)
		mtw_stats_feed(stats, block, (gsize)got);
	if (got == 0)
		print_counts(stats);
	return got == 0;
}

static gboolean pass_over_memory(const char *path, GError **error)
{
	g_autoptr(MtwStats) stats = new_stats();
	g_autofree char *text = NULL;
	gint64 start_usec, taken_usec;
	gsize bytes;

	if (!g_file_get_contents(path, &text, &bytes, error))
		return FALSE;
	start_usec = g_get_monotonic_time();
	mtw_stats_feed(stats, text, bytes);
	taken_usec = g_get_monotonic_time() - start_usec;
	printf("%.0f\n", (double)bytes / MEGA / ((double)taken_usec / G_USEC_PER_SEC));
	return TRUE;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	gboolean done = FALSE;

	if (argc == 3 && strcmp(argv[1], "--feed") == 0)
		done = pass_over_memory(argv[2], &error);
	else if (argc == 2)
		done = pass_over_file(argv[1], &error);
	if (!done)
		fprintf(stderr, "%s\n", error != NULL ? error->message : "which file?");
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
