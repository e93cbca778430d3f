/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact-private.h"

#include "base/error.h"
#include "trace/text.h"

#include <string.h>

/* Lines up to this length are seen whole; longer ones piece by piece, each with what is around it. */
#define PIECE_BYTES (64 * 1024)
#define AROUND_BYTES 2048
/* What is collected of a line that comes in parts. */
#define PENDING_MOST_BYTES (AROUND_BYTES + 2 * PIECE_BYTES)

struct _MtwRedactStream {
	MtwRedactor *redactor;
	guint8 *rule_is_on;
	MtwRedactFormat format;
	MtwRedactTask task;
	MtwRedactSink sink;
	GByteArray *pending; /* of a line whose end has not come */
	gsize begin;	     /* in `pending`: what is before was handled */
	gboolean continued;  /* `pending` does not begin with its line */
	gboolean untouched;  /* the line of `pending` is a record */
	const char *run;     /* (nullable) what goes out as it is, not yet written */
	gsize run_bytes;
	guint64 offset; /* of what was handled, in the text that came */
	guint64 clean_offset;
	GString *mask;
	GError *error; /* of the sink */
};

MtwRedactStream *mtw_redact_stream_new(MtwRedactor *redactor, const char *file_name,
				       MtwRedactFormat format, MtwRedactTask task,
				       const MtwRedactSink *sink)
{
	MtwRedactStream *stream = g_new0(MtwRedactStream, 1);
	const GPtrArray *rules = redactor->rules->rules;

	mtw_redactor_compile(redactor);
	stream->redactor = redactor;
	stream->format = format;
	stream->task = task;
	if (sink != NULL)
		stream->sink = *sink;
	stream->pending = g_byte_array_new();
	stream->mask = g_string_new(NULL);
	stream->rule_is_on = g_new0(guint8, rules->len + 1);
	for (guint i = 0; i < rules->len; i++)
		stream->rule_is_on[i] =
			(guint8)mtw_redact_rule_for_file(rules->pdata[i], file_name);
	return stream;
}

void mtw_redact_stream_free(MtwRedactStream *stream)
{
	if (stream == NULL)
		return;
	g_byte_array_unref(stream->pending);
	g_string_free(stream->mask, TRUE);
	g_free(stream->rule_is_on);
	g_clear_error(&stream->error);
	g_free(stream);
}

/* ---- output ---------------------------------------------------------------------------------- */

static void write_out(MtwRedactStream *stream, const char *data, gsize bytes)
{
	if (bytes == 0 || stream->task != MTW_REDACT_CLEAN || stream->sink.write == NULL ||
	    stream->error != NULL)
		return;
	if (!stream->sink.write(data, bytes, stream->sink.user_data, &stream->error) &&
	    stream->error == NULL)
		g_set_error(&stream->error, MTW_ERROR, MTW_ERROR_FAILED, "the output ended");
}

/* Before the text that came goes away. */
static void write_run(MtwRedactStream *stream)
{
	write_out(stream, stream->run, stream->run_bytes);
	stream->run = NULL;
	stream->run_bytes = 0;
}

/* @bytes of the text as they came; what lies side by side is written at once. */
static void emit_same(MtwRedactStream *stream, const char *data, gsize bytes)
{
	if (stream->run == NULL || stream->run + stream->run_bytes != data) {
		write_run(stream);
		stream->run = data;
	}
	stream->run_bytes += bytes;
	stream->offset += bytes;
	stream->clean_offset += bytes;
}

static void emit_mask(MtwRedactStream *stream, gsize value_bytes)
{
	write_run(stream);
	write_out(stream, stream->mask->str, stream->mask->len);
	stream->offset += value_bytes;
	stream->clean_offset += stream->mask->len;
}

static void tell(MtwRedactStream *stream, gsize bytes, MtwRedactKind kind)
{
	gboolean cleaned = stream->task == MTW_REDACT_CLEAN;
	MtwRedactReplacement replacement = {
		.offset = stream->offset,
		.bytes = bytes,
		.clean_offset = cleaned ? stream->clean_offset : 0,
		.mask_bytes = cleaned ? stream->mask->len : 0,
		.kind = kind,
	};

	if (stream->sink.replaced != NULL)
		stream->sink.replaced(&replacement, stream->sink.user_data);
}

static void clean(MtwRedactStream *stream, const MtwRedactCandidate *candidate, const char *text,
		  gsize bytes)
{
	const MtwRedactValue *value =
		mtw_redactor_value(stream->redactor, candidate->kind, text, bytes, TRUE);

	if (value == NULL) {
		emit_same(stream, text, bytes);
		return;
	}
	g_string_truncate(stream->mask, 0);
	mtw_redact_mask(stream->mask, value->kind, value->number, text, bytes);
	tell(stream, bytes, value->kind);
	emit_mask(stream, bytes);
}

static void learn(MtwRedactStream *stream, const MtwRedactCandidate *candidate, const char *text,
		  gsize bytes)
{
	MtwRedactValue *value =
		mtw_redactor_value(stream->redactor, candidate->kind, text, bytes, TRUE);

	if (value != NULL && !candidate->here_only)
		mtw_redactor_search_found(stream->redactor, value);
}

static void take_out(MtwRedactStream *stream, const MtwRedactCandidate *candidate, const char *text,
		     gsize bytes)
{
	MtwRedactKind kind = mtw_redact_kind_of(candidate->kind, text, bytes);

	switch (stream->task) {
	case MTW_REDACT_CLEAN:
		clean(stream, candidate, text, bytes);
		return;
	case MTW_REDACT_LEARN:
		learn(stream, candidate, text, bytes);
		break;
	case MTW_REDACT_SCAN:
		if (!mtw_redactor_stays(stream->redactor, kind, text, bytes))
			tell(stream, bytes, kind);
		break;
	}
	emit_same(stream, text, bytes);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static gboolean begins(const char *line, gsize bytes, const char *word)
{
	gsize length = strlen(word);

	return bytes >= length && memcmp(line, word, length) == 0;
}

/* Where the text of a MARK begins; after the time. */
static gsize mark_text(const char *line, gsize bytes)
{
	gsize at = strlen("MARK ");

	while (at < bytes && (g_ascii_isdigit(line[at]) || line[at] == '.'))
		at++;
	return at < bytes && line[at] == ' ' ? at + 1 : at;
}

/* From where on a line of a trace may be cleaned; @bytes: nowhere. */
static gsize trace_line_text(const char *line, gsize bytes)
{
	static const char *const records[] = { "MAP ",	   "UNMAP ", "UNKNOWN ", "PCIDEV ",
					       "VERSION ", "R ",     "W " };
	MtwRecord record;

	if (bytes >= 2 && (line[0] == 'R' || line[0] == 'W') && line[1] == ' ')
		return bytes;
	for (gsize i = 0; i < G_N_ELEMENTS(records); i++)
		if (begins(line, bytes, records[i]))
			return bytes;
	mtw_record_parse(line, bytes, &record);
	if (record.kind == MTW_RECORD_LOST || record.kind == MTW_RECORD_GAP)
		return bytes;
	return begins(line, bytes, "MARK ") ? mark_text(line, bytes) : 0;
}

/*
 * One piece, which begins at @begin. What is before it and behind @stop is only looked at.
 * Returns: where the next one begins
 */
static gsize handle_piece(MtwRedactStream *stream, const char *line, gsize bytes, gsize begin,
			  gsize stop, gboolean line_start, gboolean line_end)
{
	gsize from = begin > AROUND_BYTES ? begin - AROUND_BYTES : 0;
	gsize to = bytes - stop > AROUND_BYTES ? stop + AROUND_BYTES : bytes;
	MtwRedactWindow window = {
		.text = line + from,
		.bytes = to - from,
		.begin = begin - from,
		.stop = stop - from,
		.line_start = line_start && from == 0,
		.line_end = line_end && to == bytes,
		.rule_is_on = stream->rule_is_on,
	};
	const GArray *found;

	if (stream->task == MTW_REDACT_CLEAN)
		mtw_redactor_find_stable(stream->redactor, &window);
	else
		mtw_redactor_find(stream->redactor, &window);
	found = stream->task == MTW_REDACT_CLEAN ? stream->redactor->settled
						 : stream->redactor->candidates;
	for (guint i = 0; i < found->len; i++) {
		const MtwRedactCandidate *candidate = &g_array_index(found, MtwRedactCandidate, i);
		gsize start = candidate->start + from;
		emit_same(stream, line + begin, start - begin);
		begin = candidate->end + from;
		take_out(stream, candidate, line + start, begin - start);
	}
	if (stop > begin)
		emit_same(stream, line + begin, stop - begin);
	return MAX(begin, stop);
}

/* As much of the line as can be handled now. Returns: where to go on */
static gsize handle(MtwRedactStream *stream, const char *line, gsize bytes, gsize begin,
		    gboolean line_start, gboolean line_end)
{
	while (begin < bytes && stream->error == NULL) {
		gboolean last = bytes - begin <= PIECE_BYTES + AROUND_BYTES;
		if (last && !line_end)
			break;
		begin = handle_piece(stream, line, bytes, begin, last ? bytes : begin + PIECE_BYTES,
				     line_start, line_end);
	}
	return begin;
}

static void handle_whole_line(MtwRedactStream *stream, const char *line, gsize bytes)
{
	gsize text = stream->format == MTW_REDACT_TRACE ? trace_line_text(line, bytes) : 0;

	if (text > 0)
		emit_same(stream, line, text);
	handle(stream, line + text, bytes - text, 0, TRUE, TRUE);
}

/* ---- input ----------------------------------------------------------------------------------- */

static void start_pending_line(MtwRedactStream *stream)
{
	gsize text = 0;

	if (stream->format == MTW_REDACT_TRACE && !stream->continued) {
		text = trace_line_text((const char *)stream->pending->data, stream->pending->len);
		stream->untouched = text == stream->pending->len;
		emit_same(stream, (const char *)stream->pending->data, text);
		write_run(stream);
		g_byte_array_remove_range(stream->pending, 0, (guint)text);
	}
}

/* The line goes on; what was handled is dropped but for what the next piece must see. */
static void handle_pending_part(MtwRedactStream *stream)
{
	gsize begin, keep;

	if (!stream->continued)
		start_pending_line(stream);
	if (stream->untouched) {
		emit_same(stream, (const char *)stream->pending->data, stream->pending->len);
		write_run(stream);
		g_byte_array_set_size(stream->pending, 0);
		stream->continued = TRUE;
		return;
	}
	begin = handle(stream, (const char *)stream->pending->data, stream->pending->len,
		       stream->begin, !stream->continued, FALSE);
	write_run(stream);
	keep = MIN(begin, AROUND_BYTES);
	g_byte_array_remove_range(stream->pending, 0, (guint)(begin - keep));
	stream->begin = keep;
	stream->continued = TRUE;
}

static void handle_pending_end(MtwRedactStream *stream)
{
	const char *line = (const char *)stream->pending->data;

	if (!stream->continued)
		handle_whole_line(stream, line, stream->pending->len);
	else if (stream->untouched)
		emit_same(stream, line, stream->pending->len);
	else
		handle(stream, line, stream->pending->len, stream->begin, FALSE, TRUE);
	write_run(stream);
	g_byte_array_set_size(stream->pending, 0);
	stream->begin = 0;
	stream->continued = FALSE;
	stream->untouched = FALSE;
}

static gboolean has_line(const MtwRedactStream *stream)
{
	return stream->pending->len > 0 || stream->continued;
}

/* A part of a line, without its end. */
static void add_pending(MtwRedactStream *stream, const char *data, gsize bytes)
{
	while (bytes > 0 && stream->error == NULL) {
		gsize room = PENDING_MOST_BYTES - stream->pending->len;
		gsize taken = MIN(room, bytes);
		g_byte_array_append(stream->pending, (const guint8 *)data, (guint)taken);
		data += taken;
		bytes -= taken;
		if (stream->pending->len == PENDING_MOST_BYTES)
			handle_pending_part(stream);
	}
}

gboolean mtw_redact_stream_feed(MtwRedactStream *stream, const char *data, gsize bytes,
				GError **error)
{
	while (bytes > 0 && stream->error == NULL) {
		const char *newline = memchr(data, '\n', bytes);
		gsize line = newline != NULL ? (gsize)(newline - data) : bytes;
		if (newline == NULL) {
			add_pending(stream, data, line);
			break;
		}
		if (has_line(stream)) {
			add_pending(stream, data, line);
			handle_pending_end(stream);
		} else {
			handle_whole_line(stream, data, line);
		}
		emit_same(stream, newline, 1);
		data += line + 1;
		bytes -= line + 1;
	}
	write_run(stream);
	if (stream->error == NULL)
		return TRUE;
	g_propagate_error(error, g_error_copy(stream->error));
	return FALSE;
}

gboolean mtw_redact_stream_end(MtwRedactStream *stream, GError **error)
{
	if (has_line(stream) && stream->error == NULL)
		handle_pending_end(stream);
	if (stream->error == NULL)
		return TRUE;
	g_propagate_error(error, g_error_copy(stream->error));
	return FALSE;
}

/* ---- whole texts ----------------------------------------------------------------------------- */

static void run(MtwRedactor *redactor, const char *file_name, MtwRedactTask task,
		const MtwRedactSink *sink, const char *text, gsize bytes)
{
	g_autoptr(MtwRedactStream) stream =
		mtw_redact_stream_new(redactor, file_name, MTW_REDACT_TEXT, task, sink);

	/* The sinks here do not fail. */
	mtw_redact_stream_feed(stream, text, bytes, NULL);
	mtw_redact_stream_end(stream, NULL);
}

void mtw_redactor_learn(MtwRedactor *redactor, const char *file_name, const char *text, gsize bytes)
{
	run(redactor, file_name, MTW_REDACT_LEARN, NULL, text, bytes);
}

typedef struct {
	GString *text;
	MtwRedactResult *result;
} Collected;

static gboolean collect_text(const char *data, gsize bytes, gpointer user_data, GError **error)
{
	Collected *collected = user_data;

	(void)error;
	g_string_append_len(collected->text, data, (gssize)bytes);
	return TRUE;
}

static void collect_replacement(const MtwRedactReplacement *replacement, gpointer user_data)
{
	Collected *collected = user_data;

	g_array_append_val(collected->result->replacements, *replacement);
	collected->result->counts[replacement->kind]++;
}

MtwRedactResult *mtw_redactor_file(MtwRedactor *redactor, const char *file_name, const char *text,
				   gsize bytes)
{
	MtwRedactResult *result = g_new0(MtwRedactResult, 1);
	Collected collected = { g_string_sized_new(bytes + 1), result };
	MtwRedactSink sink = { collect_text, collect_replacement, &collected };

	result->replacements = g_array_new(FALSE, FALSE, sizeof(MtwRedactReplacement));
	mtw_redactor_learn(redactor, file_name, text, bytes);
	run(redactor, file_name, MTW_REDACT_CLEAN, &sink, text, bytes);
	result->bytes = collected.text->len;
	result->text = g_string_free(collected.text, FALSE);
	return result;
}

void mtw_redact_result_free(MtwRedactResult *result)
{
	if (result == NULL)
		return;
	g_free(result->text);
	g_array_unref(result->replacements);
	g_free(result);
}

static void collect_left(const MtwRedactReplacement *replacement, gpointer user_data)
{
	g_array_append_val((GArray *)user_data, *replacement);
}

GArray *mtw_redactor_scan(MtwRedactor *redactor, const char *file_name, const char *text,
			  gsize bytes)
{
	GArray *left = g_array_new(FALSE, FALSE, sizeof(MtwRedactReplacement));
	MtwRedactSink sink = { NULL, collect_left, left };

	run(redactor, file_name, MTW_REDACT_SCAN, &sink, text, bytes);
	return left;
}
