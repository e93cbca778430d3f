/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of the kernel's tracing files. */
#include "capture/check-private.h"

#include "base/error.h"
#include "machine/cpu.h"
#include "machine/users.h"

#include <string.h>

/* So many of the enabled events are named; the rest is a number. */
#define EVENTS_NAMED 3

void mtw_check_tracefs(MtwCheck *check)
{
	g_autoptr(GError) error = NULL;

	check->tracefs = mtw_tracefs_find(check->paths, &error);
	if (check->tracefs != NULL)
		mtw_check_say(check, MTW_SENTENCE_TRACEFS, "%s",
			      mtw_tracefs_folder(check->tracefs));
	else if (g_error_matches(error, MTW_ERROR, MTW_ERROR_PERMISSION))
		mtw_check_say(check, MTW_SENTENCE_TRACEFS_FORBIDDEN, NULL);
	else if (mtw_tracefs_mountable(check->paths))
		mtw_check_say(check, MTW_SENTENCE_TRACEFS_MOUNTABLE, "%s",
			      mtw_paths_get(check->paths, MTW_PATH_TRACEFS));
	else
		mtw_check_say(check, MTW_SENTENCE_TRACEFS_MISSING, NULL);
}

void mtw_check_tracer_available(MtwCheck *check)
{
	g_autofree char *tracers = NULL;

	if (check->tracefs == NULL)
		return;
	tracers = mtw_tracefs_read(check->tracefs, "available_tracers", NULL);
	mtw_check_say(check,
		      mtw_tracefs_has_tracer(check->tracefs, "mmiotrace") ? MTW_SENTENCE_TRACER
									  : MTW_SENTENCE_NO_TRACER,
		      "%s", tracers != NULL ? tracers : "");
}

void mtw_check_current_tracer(MtwCheck *check)
{
	g_autofree char *tracer = check->tracefs != NULL
					  ? mtw_tracefs_read(check->tracefs, "current_tracer", NULL)
					  : NULL;

	if (tracer == NULL)
		return;
	if (strcmp(tracer, "nop") == 0)
		mtw_check_say(check, MTW_SENTENCE_TRACER_FREE, NULL);
	else if (strcmp(tracer, "mmiotrace") == 0)
		mtw_check_say(check, MTW_SENTENCE_TRACER_OURS, NULL);
	else
		mtw_check_say(check, MTW_SENTENCE_TRACER_FOREIGN, "%s", tracer);
}

/* Every file whose reader would keep the tracer from changing. NULL-terminated. */
static GPtrArray *reader_files(const MtwTracefs *tracefs)
{
	GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) cpus = mtw_tracefs_cpus(tracefs);

	g_ptr_array_add(files, mtw_tracefs_path(tracefs, "trace_pipe"));
	for (guint i = 0; i < cpus->len; i++) {
		guint cpu = g_array_index(cpus, guint, i);
		g_autofree char *text = g_strdup_printf("per_cpu/cpu%u/trace_pipe", cpu);
		g_autofree char *raw = g_strdup_printf("per_cpu/cpu%u/trace_pipe_raw", cpu);
		g_ptr_array_add(files, mtw_tracefs_path(tracefs, text));
		g_ptr_array_add(files, mtw_tracefs_path(tracefs, raw));
	}
	g_ptr_array_add(files, NULL);
	return files;
}

/* The open attempt alone would not see readers of trace_pipe_raw, the search none in a container.
 */
void mtw_check_trace_reader(MtwCheck *check)
{
	g_autoptr(GPtrArray) files = NULL;
	g_autoptr(GPtrArray) readers = NULL;
	g_autofree char *names = NULL;

	if (check->tracefs == NULL)
		return;
	files = reader_files(check->tracefs);
	readers = mtw_users_of_files(check->paths, (const char *const *)files->pdata);
	names = mtw_users_text(readers);
	mtw_check_say(check,
		      readers->len > 0 || mtw_tracefs_pipe_busy(check->tracefs)
			      ? MTW_SENTENCE_READER
			      : MTW_SENTENCE_NO_READER,
		      "%s", names);
}

/* "sched:sched_switch, irq:irq_handler_entry, ... (1000)" */
static char *events_text(const char *events)
{
	g_auto(GStrv) lines = g_strsplit(events, "\n", -1);
	guint count = g_strv_length(lines);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < count && i < EVENTS_NAMED; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", lines[i]);
	if (count > EVENTS_NAMED)
		g_string_append_printf(text, ", ... (%u)", count);
	return g_string_free(text, FALSE);
}

void mtw_check_trace_events(MtwCheck *check)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *all = NULL;
	g_autofree char *events = NULL;

	if (check->tracefs == NULL)
		return;
	all = mtw_tracefs_read(check->tracefs, "set_event", &error);
	events = events_text(all != NULL ? all : "");
	/* Too long to read: certainly not empty. Not there: a kernel without events. */
	if (g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID))
		mtw_check_say(check, MTW_SENTENCE_EVENTS, "%s", error->message);
	else if (*events == '\0')
		mtw_check_say(check, MTW_SENTENCE_NO_EVENTS, NULL);
	else
		mtw_check_say(check, MTW_SENTENCE_EVENTS, "%s", events);
}

/* Bit @cpu of a mask such as "ff" or "00000001,ffffffff", the highest digit first. */
static gboolean mask_has_cpu(const char *mask, guint cpu)
{
	g_auto(GStrv) groups = g_strsplit(mask, ",", -1);
	g_autofree char *digits = g_strjoinv("", groups);
	gsize length = strlen(digits);
	int digit;

	if (cpu / 4 >= length)
		return FALSE;
	digit = g_ascii_xdigit_value(digits[length - 1 - cpu / 4]);
	return digit >= 0 && (digit >> (cpu % 4) & 1) != 0;
}

void mtw_check_tracing_cpumask(MtwCheck *check)
{
	g_autofree char *mask = check->tracefs != NULL
					? mtw_tracefs_read(check->tracefs, "tracing_cpumask", NULL)
					: NULL;
	g_autoptr(GArray) online = mtw_cpu_list(check->paths, "online", NULL);

	if (mask == NULL || online == NULL || online->len == 0)
		return;
	mtw_check_say(check,
		      mask_has_cpu(mask, g_array_index(online, guint, 0))
			      ? MTW_SENTENCE_CPUMASK
			      : MTW_SENTENCE_CPUMASK_WITHOUT,
		      "%s", mask);
}
