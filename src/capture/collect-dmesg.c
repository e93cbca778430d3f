/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dmesg.txt: the kernel's log with two lines put in where the capture was.
 *
 * The log's times are of the scheduler's clock, which is not CLOCK_MONOTONIC: a network's time
 * makes them part by seconds in weeks. The scheduler's debug file has both clocks of one moment.
 */
#include "capture/collect-private.h"

#include "base/parse.h"
#include "machine/kmsg.h"

#include <string.h>

#define CLOCKS_MAX_BYTES 2048
/* A log that begins later than this does not begin with the start of the kernel. */
#define BOOT_USEC G_USEC_PER_SEC

/* "[   12.345678] text", also "[   12.345678][  T123] text" of some kernels. */
static gboolean line_time(const char *line, gint64 *ret_usec)
{
	g_auto(GStrv) parts = NULL;
	g_autofree char *number = NULL;
	const char *close = *line == '[' ? strchr(line, ']') : NULL;
	guint64 sec, usec;

	if (close == NULL || close - line > 32)
		return FALSE;
	number = g_strndup(line + 1, (gsize)(close - line - 1));
	parts = g_strsplit(g_strstrip(number), ".", 2);
	if (g_strv_length(parts) != 2 || strlen(parts[1]) != 6 ||
	    !mtw_parse_u64(parts[0], 10, &sec) || !mtw_parse_u64(parts[1], 10, &usec) ||
	    sec > G_MAXINT64 / G_USEC_PER_SEC - 1)
		return FALSE;
	*ret_usec = (gint64)(sec * G_USEC_PER_SEC + usec);
	return TRUE;
}

/* "cpu_clk      : 5140.900123": milliseconds. */
static gboolean clock_usec(const char *text, const char *key, gint64 *ret_usec)
{
	const char *at = strstr(text, key);
	g_autofree char *number = NULL;
	g_auto(GStrv) parts = NULL;
	guint64 msec, nsec;

	if (at == NULL)
		return FALSE;
	at += strlen(key);
	at += strspn(at, " \t:");
	number = g_strndup(at, strspn(at, "0123456789."));
	parts = g_strsplit(number, ".", 2);
	if (g_strv_length(parts) != 2 || strlen(parts[1]) != 6 ||
	    !mtw_parse_u64(parts[0], 10, &msec) || !mtw_parse_u64(parts[1], 10, &nsec) ||
	    msec > G_MAXINT64 / 1000 - 1000)
		return FALSE;
	*ret_usec = (gint64)(msec * 1000 + nsec / 1000);
	return TRUE;
}

gboolean mtw_sched_clock_offset(const char *text, gint64 *ret_usec)
{
	gint64 monotonic_usec, log_usec;

	if (!clock_usec(text, "\nktime ", &monotonic_usec) ||
	    !clock_usec(text, "\ncpu_clk ", &log_usec))
		return FALSE;
	*ret_usec = log_usec - monotonic_usec;
	return TRUE;
}

/* FALSE: not to be had, which is no loss on a machine that was started today. */
static gboolean read_offset(MtwCollecting *collecting, gint64 *ret_usec)
{
	const MtwPaths *paths = collecting->options.paths;
	g_autofree char *now = mtw_paths_build(paths, MTW_PATH_DEBUGFS, "sched", "debug", NULL);
	g_autofree char *before = mtw_paths_build(paths, MTW_PATH_PROCFS, "sched_debug", NULL);
	const char *const files[] = { now, before };

	for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
		MtwReadLimits limits = mtw_collecting_limits(collecting, CLOCKS_MAX_BYTES);
		g_autofree char *text = NULL;
		limits.only_these = TRUE;
		text = mtw_reader_read(collecting->reader, files[i], &limits, NULL, NULL, NULL);
		if (text != NULL && mtw_sched_clock_offset(text, ret_usec))
			return TRUE;
	}
	return FALSE;
}

/* Not by %f: the decimal point would be a comma in many languages. */
static void append_seconds(GString *text, gint64 usec)
{
	guint64 positive = (guint64)ABS(usec);

	g_string_append_printf(text, "%s%" G_GUINT64_FORMAT ".%06" G_GUINT64_FORMAT,
			       usec < 0 ? "-" : "", positive / G_USEC_PER_SEC,
			       positive % G_USEC_PER_SEC);
}

static void append_marker(GString *text, const char *what, gint64 *usec)
{
	if (*usec <= 0)
		return;
	g_string_append_printf(text, "---- capture %s at ", what);
	append_seconds(text, *usec);
	g_string_append(text, " (line added by mmiotrace-wizard) ----\n");
	*usec = 0;
}

/* The marker goes before the first line that is later. */
static void append_due(GString *text, gint64 line_usec, gint64 *start_usec, gint64 *end_usec)
{
	if (*start_usec > 0 && line_usec >= *start_usec)
		append_marker(text, "starts", start_usec);
	if (*start_usec <= 0 && *end_usec > 0 && line_usec > *end_usec)
		append_marker(text, "ends", end_usec);
}

GString *mtw_dmesg_mark(const char *log, gint64 start_usec, gint64 end_usec)
{
	GString *text = g_string_sized_new(strlen(log) + 512);

	while (*log != '\0') {
		const char *newline = strchr(log, '\n');
		gsize bytes = newline != NULL ? (gsize)(newline + 1 - log) : strlen(log);
		gint64 line_usec;
		if ((start_usec > 0 || end_usec > 0) && line_time(log, &line_usec))
			append_due(text, line_usec, &start_usec, &end_usec);
		g_string_append_len(text, log, (gssize)bytes);
		log += bytes;
	}
	append_marker(text, "starts", &start_usec);
	append_marker(text, "ends", &end_usec);
	return text;
}

static GString *dmesg_head(MtwCollecting *collecting, gint64 *ret_offset_usec)
{
	GString *head = mtw_collecting_head("the kernel's log.");

	*ret_offset_usec = 0;
	if (collecting->options.session_start_usec == 0)
		return head;
	g_string_append(head,
			"The two lines that begin with \"---- capture\" are not the kernel's: "
			"they were put in to show the time of the capture.\n");
	if (read_offset(collecting, ret_offset_usec)) {
		g_string_append(head, "The clock of this log minus the clock of the trace: ");
		append_seconds(head, *ret_offset_usec);
		g_string_append(head, " seconds.\n\n");
	} else {
		g_string_append(head, "They stand by the clock of the trace, which can differ from "
				      "the clock of this log by a little.\n\n");
	}
	return head;
}

static gint64 in_log(guint64 session_usec, gint64 offset_usec)
{
	return session_usec != 0 && session_usec < G_MAXINT64 / 2
		       ? (gint64)session_usec + offset_usec
		       : 0;
}

void mtw_collect_dmesg(MtwCollecting *collecting)
{
	const MtwCollectOptions *options = &collecting->options;
	g_autoptr(GError) error = NULL;
	g_autofree char *log = mtw_kmsg_read(options->paths, 0, NULL, &error);
	g_autoptr(GString) text = NULL;
	g_autoptr(GString) marked = NULL;
	gint64 offset_usec, first_usec;

	if (log == NULL) {
		mtw_collecting_misses(collecting, "%s", error->message);
		return;
	}
	if (line_time(log, &first_usec) && first_usec > BOOT_USEC)
		mtw_collecting_misses(collecting,
				      "the log begins %" G_GINT64_FORMAT " seconds after the "
				      "start: the kernel had no room for older lines",
				      first_usec / G_USEC_PER_SEC);
	text = dmesg_head(collecting, &offset_usec);
	marked = mtw_dmesg_mark(log, in_log(options->session_start_usec, offset_usec),
				in_log(options->session_end_usec, offset_usec));
	g_string_append_len(text, marked->str, (gssize)marked->len);
	mtw_collecting_text(collecting, text->str, text->len);
}
