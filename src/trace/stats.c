/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/stats.h"

#include "trace/text.h"

#include <string.h>

#define LINE_MAX_BYTES 65536
#define VERSION_SUPPORTED 20070824

/* Bits of a BAR in PCIDEV (KERNEL: PCI_REGION_FLAG_MASK, and the meaning of the lowest). */
#define BAR_FLAGS G_GUINT64_CONSTANT(0xf)
#define BAR_IS_IO G_GUINT64_CONSTANT(0x1)
#define BAR_ROM_INDEX 6
/* The smallest memory BAR. The I/O ranges of old IDE controllers are smaller and lack BAR_IS_IO. */
#define BAR_MIN_BYTES 16

struct _MtwStats {
	MtwCounts counts;
	gboolean stopping;
	gboolean seen_record;	   /* some record of the ring buffer */
	guint64 lost_since_record; /* LOST lines after the latest record */
	gsize partial_bytes;	   /* in `partial`; counted on, but not kept, in an oversize line */
	gboolean oversize;	   /* the current line has already been counted in pieces */
	char partial[LINE_MAX_BYTES]; /* the beginning of a line whose end has not come yet */
};

MtwStats *mtw_stats_new(void)
{
	return g_new0(MtwStats, 1);
}

void mtw_stats_free(MtwStats *stats)
{
	g_free(stats);
}

void mtw_stats_add_bar(MtwStats *stats, guint index, guint64 start, guint64 length_bytes)
{
	MtwCounts *counts = &stats->counts;

	if (length_bytes == 0 || counts->n_bars == MTW_STATS_MAX_BARS)
		return;
	counts->bars[counts->n_bars].index = index;
	counts->bars[counts->n_bars].start = start;
	counts->bars[counts->n_bars].length = length_bytes;
	counts->n_bars++;
}

void mtw_stats_add_bars_of(MtwStats *stats, const MtwPcidev *device)
{
	for (guint i = 0; i < MTW_PCIDEV_BARS; i++) {
		guint64 start = device->bars[i] & ~BAR_FLAGS;
		/* In the ROM's register the lowest bit means "enabled". */
		gboolean io = i != BAR_ROM_INDEX && (device->bars[i] & BAR_IS_IO) != 0;

		/* 0: the BAR has no address. */
		if (!io && start != 0 && device->sizes[i] >= BAR_MIN_BYTES)
			mtw_stats_add_bar(stats, i, start, device->sizes[i]);
	}
}

static MtwBarCount *bar_of(MtwCounts *counts, guint64 address)
{
	for (guint i = 0; i < counts->n_bars; i++)
		if (address - counts->bars[i].start < counts->bars[i].length)
			return &counts->bars[i];
	return NULL;
}

/* Whether [address, address + length) and a BAR have a byte in common; a length of 0 is a point. */
static gboolean overlaps_bar(const MtwCounts *counts, guint64 address, guint64 length)
{
	for (guint i = 0; i < counts->n_bars; i++) {
		const MtwBarCount *bar = &counts->bars[i];
		if (address - bar->start < bar->length || bar->start - address < length)
			return TRUE;
	}
	return FALSE;
}

static void add_hole(MtwCounts *counts, const MtwRecord *map)
{
	MtwHole *slot = &counts->holes[counts->n_holes];

	if (counts->n_holes == MTW_STATS_MAX_HOLES)
		return;
	for (guint i = 0; i < counts->n_holes; i++)
		if (counts->holes[i].address == map->address &&
		    counts->holes[i].length == map->length)
			return;
	if (mtw_hole_of_map(map, slot))
		counts->n_holes++;
}

static void count_map(MtwCounts *counts, const MtwRecord *map)
{
	gboolean on_target = overlaps_bar(counts, map->address, map->length);

	counts->events++;
	counts->target_maps += on_target;
	if (on_target || counts->n_bars == 0)
		add_hole(counts, map);
}

static inline void count_access(MtwCounts *counts, const MtwRecord *access)
{
	MtwBarCount *bar = bar_of(counts, access->address);

	counts->events++;
	if (bar == NULL)
		counts->elsewhere++;
	else if (access->kind == MTW_RECORD_READ)
		bar->reads++;
	else if (access->kind == MTW_RECORD_WRITE)
		bar->writes++;
	else
		bar->unknown++;
}

/* Times can go back a little (records of several CPUs) or a lot (several sessions in one file). */
static inline void count_time(MtwStats *stats, const MtwRecord *record)
{
	MtwCounts *counts = &stats->counts;
	guint64 usec = record->sec * G_USEC_PER_SEC + record->usec;

	if (!stats->seen_record || usec < counts->first_usec)
		counts->first_usec = usec;
	if (usec > counts->last_usec)
		counts->last_usec = usec;
}

/* What MAP UNMAP R W UNKNOWN MARK have in common: they were in the ring buffer. */
static inline void count_ring_record(MtwStats *stats, const MtwRecord *record)
{
	count_time(stats, record);
	stats->seen_record = TRUE;
	stats->counts.lost_marks_tail -= stats->lost_since_record;
	stats->lost_since_record = 0;
}

static void count_lost(MtwStats *stats, guint64 number)
{
	MtwCounts *counts = &stats->counts;

	counts->lost_marks += number;
	counts->lost_marks_tail += number;
	stats->lost_since_record += number;
	if (!stats->seen_record)
		counts->lost_marks_head += number;
	if (stats->stopping)
		counts->lost_marks_after_stop += number;
}

static void count_gap(MtwCounts *counts, guint64 number)
{
	counts->lost_gaps += number != 0 ? number : 1;
	counts->gaps_unknown += number == 0;
}

static void count_version(MtwStats *stats, guint64 version)
{
	MtwCounts *counts = &stats->counts;
	gboolean supported = version == VERSION_SUPPORTED;

	counts->version_supported =
		supported && (counts->headers == 0 || counts->version_supported);
	counts->headers++;
	/* The pipe was opened anew: what came at the end of the one before stays a tail. */
	stats->lost_since_record = 0;
}

static void count_record(MtwStats *stats, const MtwRecord *record)
{
	MtwCounts *counts = &stats->counts;

	switch (record->kind) {
	case MTW_RECORD_READ:
		counts->reads_by_width[record->width]++;
		count_access(counts, record);
		count_ring_record(stats, record);
		break;
	case MTW_RECORD_WRITE:
		counts->writes_by_width[record->width]++;
		count_access(counts, record);
		count_ring_record(stats, record);
		break;
	case MTW_RECORD_UNKNOWN:
		count_access(counts, record);
		count_ring_record(stats, record);
		break;
	case MTW_RECORD_MAP:
		count_map(counts, record);
		count_ring_record(stats, record);
		break;
	case MTW_RECORD_UNMAP:
		counts->events++;
		counts->unmaps_before += record->map_id == -1;
		count_ring_record(stats, record);
		break;
	case MTW_RECORD_MARK:
		count_ring_record(stats, record);
		break;
	case MTW_RECORD_LOST:
		count_lost(stats, record->value);
		break;
	case MTW_RECORD_GAP:
		count_gap(counts, record->value);
		break;
	case MTW_RECORD_VERSION:
		count_version(stats, record->value);
		break;
	case MTW_RECORD_PCIDEV:
	case MTW_RECORD_FOREIGN:
	case MTW_N_RECORD_KINDS:
		break;
	}
}

static void take_line(MtwStats *stats, const char *line, gsize bytes)
{
	MtwRecord record;

	mtw_record_parse(line, bytes, &record);
	stats->counts.lines++;
	stats->counts.kinds[record.kind]++;
	count_record(stats, &record);
}

static void take_foreign_piece(MtwStats *stats)
{
	stats->counts.lines++;
	stats->counts.kinds[MTW_RECORD_FOREIGN]++;
}

/* Adds a part, without newline, to the line that has begun. */
static void begin_line(MtwStats *stats, const char *part, gsize bytes)
{
	stats->counts.unclosed_bytes += bytes;
	while (bytes > 0) {
		gsize fitting;

		if (stats->partial_bytes == LINE_MAX_BYTES) {
			take_foreign_piece(stats);
			stats->oversize = TRUE;
			stats->partial_bytes = 0;
		}
		fitting = MIN(bytes, LINE_MAX_BYTES - stats->partial_bytes);
		if (!stats->oversize)
			memcpy(stats->partial + stats->partial_bytes, part, fitting);
		stats->partial_bytes += fitting;
		part += fitting;
		bytes -= fitting;
	}
}

static void end_line(MtwStats *stats)
{
	if (stats->oversize)
		take_foreign_piece(stats);
	else
		take_line(stats, stats->partial, stats->partial_bytes);
	stats->partial_bytes = 0;
	stats->oversize = FALSE;
	stats->counts.unclosed_bytes = 0;
}

void mtw_stats_feed(MtwStats *stats, const char *block, gsize bytes)
{
	const char *end = block + bytes;

	stats->counts.bytes += bytes;
	while (block != end) {
		const char *newline = memchr(block, '\n', (gsize)(end - block));
		gsize part = (gsize)((newline != NULL ? newline : end) - block);
		gboolean whole = newline != NULL && stats->counts.unclosed_bytes == 0;

		if (whole && part <= LINE_MAX_BYTES) {
			take_line(stats, block, part);
		} else {
			begin_line(stats, block, part);
			if (newline != NULL)
				end_line(stats);
		}
		block += part + (newline != NULL);
	}
}

void mtw_stats_stopping(MtwStats *stats)
{
	stats->stopping = TRUE;
}

const MtwCounts *mtw_stats_counts(const MtwStats *stats)
{
	return &stats->counts;
}
