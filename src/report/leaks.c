/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/leaks.h"

#include "report/archive.h"
#include "report/report.h"
#include "trace/reader.h"

#include <glib/gi18n.h>
#include <string.h>

#define MEMBER_MAX_BYTES (64 * 1024 * 1024)
#define BLOCK_BYTES (256 * 1024)

typedef struct {
	guint64 total;
	guint counts[MTW_N_REDACT_KINDS];
} Leaks;

static void on_leak(const MtwRedactReplacement *replacement, gpointer user_data)
{
	Leaks *leaks = user_data;

	leaks->total++;
	leaks->counts[replacement->kind]++;
}

static gboolean scan_trace(MtwRedactor *redactor, const char *archive, Leaks *leaks, GError **error)
{
	const MtwRedactSink sink = { .replaced = on_leak, .user_data = leaks };
	g_autoptr(MtwTraceReader) reader = mtw_trace_reader_open(archive, error);
	g_autoptr(MtwRedactStream) stream = NULL;
	g_autofree char *block = g_malloc(BLOCK_BYTES);
	gssize got;

	if (reader == NULL)
		return FALSE;
	stream = mtw_redact_stream_new(redactor, MTW_REPORT_TRACE, MTW_REDACT_TRACE,
				       MTW_REDACT_SCAN, &sink);
	while ((got = mtw_trace_reader_read(reader, block, BLOCK_BYTES, error)) > 0)
		if (!mtw_redact_stream_feed(stream, block, (gsize)got, error))
			return FALSE;
	return got == 0 && mtw_redact_stream_end(stream, error);
}

static gboolean scan_text(MtwRedactor *redactor, const char *archive, const char *name,
			  Leaks *leaks, GError **error)
{
	g_autoptr(GArray) found = NULL;
	g_autofree char *text = NULL;
	gsize bytes = 0;

	text = mtw_archive_read_member(archive, name, MEMBER_MAX_BYTES, &bytes, error);
	if (text == NULL)
		return FALSE;
	found = mtw_redactor_scan(redactor, name, text, bytes);
	for (guint i = 0; i < found->len; i++)
		on_leak(&g_array_index(found, MtwRedactReplacement, i), leaks);
	return TRUE;
}

static void tell(GPtrArray *messages, const char *name, const Leaks *leaks)
{
	g_autoptr(GString) detail = g_string_new(name);

	if (messages == NULL || leaks->total == 0)
		return;
	for (int kind = 0; kind < MTW_N_REDACT_KINDS; kind++)
		if (leaks->counts[kind] > 0)
			g_string_append_printf(detail, ", %s: %u", mtw_redact_kind_name(kind),
					       leaks->counts[kind]);
	g_ptr_array_add(messages,
			mtw_message_new("leak", MTW_LEVEL_WARNING,
					N_("Private values stand in a file of the archive."), "",
					"%s", detail->str));
}

static gboolean is_binary(const char *name)
{
	return g_str_has_suffix(name, ".bin") || g_str_has_suffix(name, ".rom");
}

gboolean mtw_leaks_count(MtwRedactor *redactor, const char *archive, GPtrArray *messages,
			 guint64 *ret_leaks, GError **error)
{
	g_autoptr(GPtrArray) members = mtw_archive_sizes(archive, error);

	*ret_leaks = 0;
	if (members == NULL)
		return FALSE;
	for (guint i = 0; i < members->len; i++) {
		const MtwMemberFacts *member = members->pdata[i];
		Leaks leaks = { 0 };
		gboolean good = TRUE;
		if (is_binary(member->name))
			continue;
		if (strcmp(member->name, MTW_REPORT_TRACE) == 0)
			good = scan_trace(redactor, archive, &leaks, error);
		else
			good = scan_text(redactor, archive, member->name, &leaks, error);
		if (!good)
			return FALSE;
		tell(messages, member->name, &leaks);
		*ret_leaks += leaks.total;
	}
	return TRUE;
}
