/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/verdict.h"

#include "base/text.h"

#include <glib/gi18n.h>
#include <string.h>

/* Above this share of accesses without value and direction the trace says too little. */
#define UNKNOWN_SHARE_PERCENT 5

/* The order is the order of the findings: serious ones first. */
typedef enum {
	FINDING_NO_VERSION,
	FINDING_VERSION,
	FINDING_MOSTLY_FOREIGN,
	FINDING_EMPTY,
	FINDING_UNTOUCHED,
	FINDING_LOST_EVENTS,
	FINDING_MAPPED_BEFORE,
	FINDING_HOLE_UNALIGNED,
	FINDING_HOLE_HUGE_TAIL,
	FINDING_HOLE_GIB_PAGE,
	FINDING_UNKNOWN_SHARE,
	FINDING_KERNEL_MESSAGE,
	FINDING_TRUNCATED,
	FINDING_FOREIGN_LINES,
	FINDING_UNCONFIRMED_LOSS,
	FINDING_AFTER_STOP,
	N_FINDINGS,
} FindingKind;

typedef struct {
	MtwGrade grade; /* at least this bad; MTW_GRADE_GOOD: only worth knowing */
	const char *id;
	const char *sentence;
} FindingRow;

/* clang-format off */
static const FindingRow finding_table[N_FINDINGS] = {
	[FINDING_NO_VERSION] = { MTW_GRADE_BROKEN, "no-version", N_("There is no VERSION line: this is not an mmiotrace log, or its beginning is missing. The programs that read such logs will refuse it.") },
	[FINDING_VERSION] = { MTW_GRADE_BROKEN, "version", N_("The log is written in another version of the format than 20070824, so its lines cannot be trusted to mean what they seem to.") },
	[FINDING_MOSTLY_FOREIGN] = { MTW_GRADE_BROKEN, "mostly-foreign", N_("Most lines are not lines of an mmiotrace log: this is another kind of file, or the log was mixed with other output.") },
	[FINDING_EMPTY] = { MTW_GRADE_EMPTY, "empty", N_("Nothing was recorded: no driver mapped or accessed any device while the trace was made. There is nothing in it to work with.") },
	[FINDING_UNTOUCHED] = { MTW_GRADE_UNTOUCHED, "untouched", N_("The driver did not access the device's memory while the trace was made, so the trace says nothing about this device.") },
	[FINDING_LOST_EVENTS] = { MTW_GRADE_LOST, "lost-events", N_("Events are missing because the kernel's buffer was full. What was recorded is right, but the trace has gaps; a larger buffer avoids them.") },
	[FINDING_MAPPED_BEFORE] = { MTW_GRADE_DOUBTFUL, "mapped-before", N_("A mapping went away that was made before the trace began, so the driver was probably loaded already. The kernel does not record accesses through such mappings; load the driver during the trace.") },
	[FINDING_HOLE_UNALIGNED] = { MTW_GRADE_DOUBTFUL, "hole-unaligned", N_("The driver mapped memory that does not start on a page. The kernel does not record accesses to the first page of such a mapping, so they are missing without a trace.") },
	[FINDING_HOLE_HUGE_TAIL] = { MTW_GRADE_DOUBTFUL, "hole-huge-tail", N_("The driver mapped a large piece of memory whose size is no multiple of 2 MiB. Of what is over, the kernel records only the first 4 KiB; accesses behind it are missing without a trace.") },
	[FINDING_HOLE_GIB_PAGE] = { MTW_GRADE_DOUBTFUL, "hole-gib-page", N_("The driver mapped 1 GiB or more in one piece. The kernel cannot trace pages of this size, so accesses to this mapping may be missing without a trace.") },
	[FINDING_UNKNOWN_SHARE] = { MTW_GRADE_DOUBTFUL, "unknown-share", N_("The kernel could not decode many of the accesses. For these the trace has the address, but neither the value nor whether it was a read or a write.") },
	[FINDING_KERNEL_MESSAGE] = { MTW_GRADE_DOUBTFUL, "kernel-message", N_("The kernel complained about its own tracing while the trace was made, so accesses may be missing.") },
	[FINDING_TRUNCATED] = { MTW_GRADE_DOUBTFUL, "truncated", N_("The last line is cut off in the middle, so the end of the trace is missing.") },
	[FINDING_FOREIGN_LINES] = { MTW_GRADE_DOUBTFUL, "foreign-lines", N_("Some lines are not lines of an mmiotrace log. They are ignored, but records may be damaged where they stand.") },
	[FINDING_UNCONFIRMED_LOSS] = { MTW_GRADE_DOUBTFUL, "unconfirmed-loss", N_("The trace reports lost events without showing where. They may be missing, or they may just be accesses made after recording was switched off, which are no loss.") },
	[FINDING_AFTER_STOP] = { MTW_GRADE_GOOD, "after-stop", N_("The device was still in use when recording was switched off. The kernel calls these accesses lost, but nothing is missing from the recorded time.") },
};

static const struct {
	const char *name;
	const char *sentence;
} grade_table[MTW_N_GRADES] = {
	[MTW_GRADE_GOOD] = { "good", N_("The trace is complete.") },
	[MTW_GRADE_DOUBTFUL] = { "doubtful", N_("The trace is usable, but something may be missing from it.") },
	[MTW_GRADE_LOST] = { "lost", N_("The trace has gaps: events were lost.") },
	[MTW_GRADE_UNTOUCHED] = { "untouched", N_("The trace has no access to the device.") },
	[MTW_GRADE_EMPTY] = { "empty", N_("The trace is empty.") },
	[MTW_GRADE_BROKEN] = { "broken", N_("This is not a usable mmiotrace log.") },
};
/* clang-format on */

static void finding_free(gpointer data)
{
	MtwFinding *finding = data;

	g_free(finding->detail);
	g_free(finding);
}

/* Adds a finding; takes @detail. */
static void add(MtwVerdict *verdict, FindingKind kind, char *detail)
{
	const FindingRow *row = &finding_table[kind];
	MtwFinding *finding = g_new0(MtwFinding, 1);

	finding->id = row->id;
	finding->serious = row->grade > MTW_GRADE_DOUBTFUL;
	finding->sentence = row->sentence;
	finding->detail = detail;
	g_ptr_array_add(verdict->findings, finding);
	verdict->grade = MAX(verdict->grade, row->grade);
}

static char *number_text(guint64 number)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT, number);
}

static guint64 accesses_of(const MtwCounts *counts)
{
	return counts->kinds[MTW_RECORD_READ] + counts->kinds[MTW_RECORD_WRITE] +
	       counts->kinds[MTW_RECORD_UNKNOWN];
}

static gboolean mostly_foreign(const MtwCounts *counts)
{
	return counts->kinds[MTW_RECORD_FOREIGN] > counts->lines / 2;
}

static void judge_format(MtwVerdict *verdict, const MtwCounts *counts)
{
	/* No byte at all is an empty trace, not a broken one. */
	if (counts->headers == 0 && counts->bytes > 0)
		add(verdict, FINDING_NO_VERSION, g_strdup(""));
	if (counts->headers > 0 && !counts->version_supported)
		add(verdict, FINDING_VERSION, g_strdup(""));
	if (mostly_foreign(counts))
		add(verdict, FINDING_MOSTLY_FOREIGN,
		    g_strdup_printf("%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
				    counts->kinds[MTW_RECORD_FOREIGN], counts->lines));
}

static void judge_content(MtwVerdict *verdict, const MtwCounts *counts, gboolean target_known)
{
	guint64 accesses = accesses_of(counts);
	gboolean untouched = target_known ? accesses == counts->elsewhere : accesses == 0;
	guint64 maps = target_known ? counts->target_maps : counts->kinds[MTW_RECORD_MAP];

	if (accesses + counts->kinds[MTW_RECORD_MAP] == 0)
		add(verdict, FINDING_EMPTY, g_strdup(""));
	if (target_known && untouched)
		add(verdict, FINDING_UNTOUCHED, g_strdup(""));
	if (verdict->loss.lost > 0)
		add(verdict, FINDING_LOST_EVENTS, number_text(verdict->loss.lost));
	if (untouched && maps == 0 && counts->unmaps_before > 0)
		add(verdict, FINDING_MAPPED_BEFORE, number_text(counts->unmaps_before));
}

static void judge_holes(MtwVerdict *verdict, const MtwCounts *counts)
{
	static const FindingKind kinds[] = {
		[MTW_HOLE_UNALIGNED] = FINDING_HOLE_UNALIGNED,
		[MTW_HOLE_HUGE_TAIL] = FINDING_HOLE_HUGE_TAIL,
		[MTW_HOLE_GIB_PAGE] = FINDING_HOLE_GIB_PAGE,
	};

	for (guint i = 0; i < counts->n_holes; i++) {
		const MtwHole *hole = &counts->holes[i];
		add(verdict, kinds[hole->kind],
		    g_strdup_printf("0x%" G_GINT64_MODIFIER "x+0x%" G_GINT64_MODIFIER "x",
				    hole->address, hole->length));
	}
}

static void judge_doubts(MtwVerdict *verdict, const MtwCounts *counts, const char *const *doubts)
{
	guint64 accesses = accesses_of(counts);
	guint64 unknown = counts->kinds[MTW_RECORD_UNKNOWN];

	if (unknown * 100 > accesses * UNKNOWN_SHARE_PERCENT)
		add(verdict, FINDING_UNKNOWN_SHARE,
		    g_strdup_printf("%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT, unknown, accesses));
	for (gsize i = 0; doubts != NULL && doubts[i] != NULL; i++)
		add(verdict, FINDING_KERNEL_MESSAGE, mtw_text_clean_line(doubts[i]));
	if (counts->unclosed_bytes > 0)
		add(verdict, FINDING_TRUNCATED, g_strdup(""));
	if (counts->kinds[MTW_RECORD_FOREIGN] > 0 && !mostly_foreign(counts))
		add(verdict, FINDING_FOREIGN_LINES, number_text(counts->kinds[MTW_RECORD_FOREIGN]));
	if (verdict->loss.unconfirmed)
		add(verdict, FINDING_UNCONFIRMED_LOSS,
		    number_text(counts->lost_marks - MIN(counts->lost_marks, counts->lost_gaps)));
	if (verdict->loss.exact && verdict->loss.after_stop > 0)
		add(verdict, FINDING_AFTER_STOP, number_text(verdict->loss.after_stop));
}

MtwVerdict *mtw_verdict_new(const MtwCounts *counts, const MtwLoss *loss, gboolean target_known,
			    const char *const *doubts)
{
	MtwVerdict *verdict = g_new0(MtwVerdict, 1);

	verdict->loss = *loss;
	verdict->findings = g_ptr_array_new_with_free_func(finding_free);
	judge_format(verdict, counts);
	judge_content(verdict, counts, target_known);
	judge_holes(verdict, counts);
	judge_doubts(verdict, counts, doubts);
	return verdict;
}

void mtw_verdict_free(MtwVerdict *verdict)
{
	if (verdict == NULL)
		return;
	g_ptr_array_unref(verdict->findings);
	g_free(verdict);
}

const char *mtw_grade_name(MtwGrade grade)
{
	return grade_table[grade].name;
}

const char *mtw_grade_sentence(MtwGrade grade)
{
	return grade_table[grade].sentence;
}

gboolean mtw_doubt_matches(const char *message)
{
	static const char *const complaints[] = {
		"unexpected secondary hit",
		"recursive probe hit",
		"unexpected fault",
		"unexpected debug trap",
		"unexpected post handler",
		"unexpected page level",
		"double-arm",
		"page already armed",
		"arming at 0x",
		"arming 0x", /* before 4.6 */
		"no pte for",
		"Unable to set page fault",
		"kmalloc failed in ioremap",
		"multiple CPUs still online",
		"multiple CPUs are online",
		"MMIO tracing disabled",
	};

	if (strstr(message, "mmiotrace") == NULL && strstr(message, "kmmio") == NULL)
		return FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(complaints); i++)
		if (strstr(message, complaints[i]) != NULL)
			return TRUE;
	return FALSE;
}
