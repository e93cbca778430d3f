/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of the trace layer: CMocka, and the real traces of tests/data/traces. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>
#include <string.h>

#include "trace/reader.h"
#include "trace/stats.h"
#include "trace/text.h"

typedef GString TestText;

static inline void test_text_free(TestText *text)
{
	g_string_free(text, TRUE);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TestText, test_text_free)

/* The path of a file in tests/data/traces. */
static inline char *test_trace_path(const char *name)
{
	const char *data = g_getenv("MTW_TEST_DATA");

	assert_non_null(data);
	return g_build_filename(data, "traces", name, NULL);
}

/* All that is left in @reader, with what came before an error. */
static inline TestText *test_read_all(MtwTraceReader *reader, GError **error)
{
	g_autofree char *block = g_malloc(65536);
	TestText *text = g_string_new(NULL);
	gssize got;

	while ((got = mtw_trace_reader_read(reader, block, 65536, error)) > 0)
		g_string_append_len(text, block, got);
	return text;
}

/* The text of a file in tests/data/traces. */
static inline TestText *test_trace(const char *name)
{
	g_autofree char *path = test_trace_path(name);
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwTraceReader) reader = mtw_trace_reader_open(path, &error);
	TestText *text;

	assert_non_null(reader);
	text = test_read_all(reader, &error);
	assert_null(error);
	return text;
}

/* Takes the next line of @text, from @at on, without its newline. Returns: FALSE at the end */
static inline gboolean test_next_line(const TestText *text, gsize *at, const char **ret_line,
				      gsize *ret_bytes)
{
	const char *newline;

	if (*at >= text->len)
		return FALSE;
	*ret_line = text->str + *at;
	newline = memchr(*ret_line, '\n', text->len - *at);
	*ret_bytes = newline != NULL ? (gsize)(newline - *ret_line) : text->len - *at;
	*at += *ret_bytes + 1;
	return TRUE;
}

/* The memory BARs of the device @vendor:@device as the target, from the PCIDEV lines of @text. */
static inline void test_add_target(MtwStats *stats, const TestText *text, guint vendor,
				   guint device)
{
	MtwRecord record;
	const char *line;
	gsize at = 0, bytes;

	while (test_next_line(text, &at, &line, &bytes)) {
		if (mtw_record_parse(line, bytes, &record) && record.kind == MTW_RECORD_PCIDEV &&
		    record.pcidev.vendor == vendor && record.pcidev.device == device) {
			mtw_stats_add_bars_of(stats, &record.pcidev);
			return;
		}
	}
	fail_msg("no PCIDEV %04x:%04x", vendor, device);
}

/* A whole trace fed into new stats; @vendor 0: no target. Returns: (transfer full) */
static inline MtwStats *test_stats_of(const char *name, guint vendor, guint device)
{
	g_autoptr(TestText) text = test_trace(name);
	MtwStats *stats = mtw_stats_new();

	if (vendor != 0)
		test_add_target(stats, text, vendor, device);
	mtw_stats_feed(stats, text->str, text->len);
	return stats;
}
