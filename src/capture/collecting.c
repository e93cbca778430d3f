/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the collectors have in common: reading with limits, saying what is missing, handing in
 * files. */
#include "capture/collect-private.h"

#include "config.h"

#include "base/error.h"
#include "base/lines.h"
#include "base/text.h"

#include <string.h>

#define VALUE_MAX_BYTES 4096
/* More than the line that tells of a cut can have. */
#define CUT_LINE_BYTES 128

static void append_item(GString *list, const char *format, va_list args)
{
	if (list->len > 0)
		g_string_append(list, "; ");
	g_string_append_vprintf(list, format, args);
}

void mtw_collecting_misses(MtwCollecting *collecting, const char *format, ...)
{
	va_list args;

	if (collecting->n_missing++ >= MTW_MOST_MISSING)
		return;
	va_start(args, format);
	append_item(collecting->missing, format, args);
	va_end(args);
}

void mtw_collecting_notes(MtwCollecting *collecting, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	append_item(collecting->notes, format, args);
	va_end(args);
}

MtwReadLimits mtw_collecting_limits(const MtwCollecting *collecting, gsize max_bytes)
{
	gint64 end_usec = g_get_monotonic_time() + (gint64)collecting->read_msec * 1000;

	return (MtwReadLimits){ .max_bytes = max_bytes,
				.deadline_usec = MIN(end_usec, collecting->deadline_usec) };
}

char *mtw_collecting_read(MtwCollecting *collecting, const char *path, gsize max_bytes,
			  gsize *ret_bytes)
{
	MtwReadLimits limits = mtw_collecting_limits(collecting, max_bytes);
	g_autoptr(GError) error = NULL;
	gboolean cut = FALSE;
	char *content = mtw_reader_read(collecting->reader, path, &limits, ret_bytes, &cut, &error);

	if (content == NULL)
		mtw_collecting_misses(collecting, "%s", error->message);
	else if (cut)
		mtw_collecting_misses(collecting, "%s: only the first %zu bytes", path, max_bytes);
	collecting->is_cut |= cut;
	return content;
}

char *mtw_collecting_value(MtwCollecting *collecting, const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	MtwReadLimits limits = mtw_collecting_limits(collecting, VALUE_MAX_BYTES);
	g_autoptr(GError) error = NULL;
	g_autofree char *value =
		mtw_reader_read(collecting->reader, path, &limits, NULL, NULL, &error);

	if (value == NULL && !g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND))
		mtw_collecting_misses(collecting, "%s", error->message);
	return value != NULL ? mtw_text_clean_line(g_strchomp(value)) : NULL;
}

static void file_free(gpointer data)
{
	MtwCollectedFile *file = data;

	g_free(file->name);
	g_free(file->bytes);
	g_free(file);
}

static void add_file(MtwCollecting *collecting, const char *name, char *bytes, gsize length)
{
	MtwCollectedFile *file = g_new0(MtwCollectedFile, 1);

	file->name = g_strdup(name);
	file->bytes = bytes;
	file->length = length;
	if (collecting->files == NULL)
		collecting->files = g_ptr_array_new_with_free_func(file_free);
	g_ptr_array_add(collecting->files, file);
}

void mtw_collecting_text(MtwCollecting *collecting, const char *text, gsize bytes)
{
	const MtwCollector *collector = collecting->collector;
	g_autofree char *clean = mtw_lines_clean(text, (gssize)bytes);
	GString *content = g_string_new(clean);

	if (content->len > collector->max_bytes && !collecting->is_cut)
		mtw_collecting_misses(collecting, "the text is larger than %zu bytes",
				      collector->max_bytes);
	if (content->len > collector->max_bytes || collecting->is_cut)
		mtw_collect_cut(content, collector->max_bytes, collector->keep_end);
	add_file(collecting, collector->file, content->str, content->len);
	g_string_free(content, FALSE);
}

void mtw_collecting_file(MtwCollecting *collecting, const char *name, char *bytes, gsize length)
{
	add_file(collecting, name, bytes, length);
}

GString *mtw_collecting_head(const char *what)
{
	GString *text = g_string_new(NULL);

	g_string_printf(text, "Made by mmiotrace-wizard %s: %s\n", MTW_VERSION, what);
	return text;
}

/* The bytes at the end, from a line's beginning. */
static void keep_last(GString *text, gsize room)
{
	gsize from = text->len - MIN(room, text->len);
	const char *newline = from > 0 ? memchr(text->str + from, '\n', room) : NULL;

	g_string_erase(text, 0, newline != NULL ? newline + 1 - text->str : (gssize)from);
}

/* The bytes at the beginning, to a line's end. */
static void keep_first(GString *text, gsize room)
{
	const char *newline = g_strrstr_len(text->str, (gssize)MIN(room, text->len), "\n");

	g_string_truncate(text, newline != NULL ? (gsize)(newline + 1 - text->str) : 0);
}

void mtw_collect_cut(GString *text, gsize max_bytes, gboolean keep_end)
{
	gsize room = max_bytes - MIN(max_bytes, CUT_LINE_BYTES);

	if (keep_end)
		keep_last(text, room);
	else
		keep_first(text, room);
	g_string_append_printf(
		text, "---- cut by mmiotrace-wizard: only the %s %zu bytes are here ----\n",
		keep_end ? "last" : "first", text->len);
}
