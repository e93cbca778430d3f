/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report/redact: any text, with the rules that are shipped (MTW_DATA_DIR, or data/ below the current
 * folder) and some words. The first byte says what is looked at, and how the text is cut into blocks,
 * which must not matter.
 */
#include "fuzz.h"

#include "report/redact.h"
#include "trace/text.h"

#include <string.h>

#define FILE_NAME "dmesg.txt"

static const char *const words[] = { "ada", "Byron Tower",	"tower-7",
				     "x1",  "corp.example.net", "\303\204da" };
static const MtwRedactKind kinds[] = { MTW_REDACT_USER, MTW_REDACT_NAME,   MTW_REDACT_HOST,
				       MTW_REDACT_WORD, MTW_REDACT_DOMAIN, MTW_REDACT_USER };

static MtwRedactRules *shipped_rules(void)
{
	static MtwRedactRules *rules;
	g_autoptr(MtwPaths) paths = mtw_paths_new_from_environment();
	g_autoptr(GError) error = NULL;

	if (rules == NULL && g_getenv("MTW_DATA_DIR") == NULL)
		mtw_paths_set(paths, MTW_PATH_DATA, "data");
	if (rules == NULL)
		rules = mtw_redact_rules_load(paths, &error);
	if (rules == NULL)
		fprintf(stderr, "%s\n", error->message);
	FUZZ_ASSERT(rules != NULL);
	return rules;
}

static MtwRedactor *new_redactor(void)
{
	MtwRedactor *redactor = mtw_redactor_new(shipped_rules());

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		mtw_redactor_add_word(redactor, kinds[i], words[i]);
	mtw_redactor_keep(redactor, "keepme");
	return redactor;
}

static gboolean to_string(const char *data, gsize bytes, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, data, (gssize)bytes);
	return TRUE;
}

static GString *stream_through(MtwRedactor *redactor, MtwRedactFormat format, MtwRedactTask task,
			       const char *text, gsize bytes, gsize block)
{
	GString *out = g_string_new(NULL);
	MtwRedactSink sink = { to_string, NULL, out };
	g_autoptr(MtwRedactStream) stream =
		mtw_redact_stream_new(redactor, FILE_NAME, format, task, &sink);

	for (gsize at = 0; at < bytes; at += block)
		FUZZ_ASSERT(
			mtw_redact_stream_feed(stream, text + at, MIN(block, bytes - at), NULL));
	FUZZ_ASSERT(mtw_redact_stream_end(stream, NULL));
	return out;
}

/* What is told about the replacements leads from one text to the other. */
static void check_replacements(const MtwRedactResult *result, const char *text, gsize bytes)
{
	gsize at = 0, clean_at = 0;

	for (guint i = 0; i < result->replacements->len; i++) {
		const MtwRedactReplacement *r =
			&g_array_index(result->replacements, MtwRedactReplacement, i);
		FUZZ_ASSERT(r->offset >= at && r->bytes > 0 && r->offset + r->bytes <= bytes);
		FUZZ_ASSERT(r->offset - at == r->clean_offset - clean_at);
		FUZZ_ASSERT(memcmp(text + at, result->text + clean_at, r->offset - at) == 0);
		at = r->offset + r->bytes;
		clean_at = r->clean_offset + r->mask_bytes;
		FUZZ_ASSERT(clean_at <= result->bytes);
	}
	FUZZ_ASSERT(bytes - at == result->bytes - clean_at);
	FUZZ_ASSERT(memcmp(text + at, result->text + clean_at, bytes - at) == 0);
}

static gboolean is_word_char(char c)
{
	return g_ascii_isalnum(c) || ((guchar)c & 0x80) != 0;
}

/* The words that were given, found in the simplest way. */
static void check_words(const MtwRedactResult *result)
{
	for (gsize w = 0; w < G_N_ELEMENTS(words); w++) {
		gsize length = strlen(words[w]);
		for (gsize at = 0; length > 2 && at + length <= result->bytes; at++) {
			gboolean starts = at == 0 || !is_word_char(result->text[at - 1]);
			gboolean ends = at + length == result->bytes ||
					!is_word_char(result->text[at + length]);
			FUZZ_ASSERT(!starts || !ends ||
				    g_ascii_strncasecmp(result->text + at, words[w], length) != 0);
		}
	}
}

static void check_same(const MtwRedactResult *result, const char *text, gsize bytes)
{
	FUZZ_ASSERT(result->bytes == bytes && memcmp(result->text, text, bytes) == 0);
}

/* What is cleaned has nothing left, and is not changed again. */
static void check_text(const char *text, gsize bytes, gsize block)
{
	g_autoptr(MtwRedactor) redactor = new_redactor();
	g_autoptr(MtwRedactResult) once = mtw_redactor_file(redactor, FILE_NAME, text, bytes);
	g_autoptr(GArray) left = mtw_redactor_scan(redactor, FILE_NAME, once->text, once->bytes);
	g_autoptr(GString) streamed = NULL;
	g_autoptr(MtwRedactResult) twice = NULL;

	check_replacements(once, text, bytes);
	check_words(once);
	FUZZ_ASSERT(left->len == 0);
	streamed = stream_through(redactor, MTW_REDACT_TEXT, MTW_REDACT_CLEAN, text, bytes, block);
	check_same(once, streamed->str, streamed->len);
	twice = mtw_redactor_file(redactor, FILE_NAME, once->text, once->bytes);
	check_same(twice, once->text, once->bytes);
}

/* A later run with the map gives the same. */
static void check_map(const char *text, gsize bytes)
{
	g_autoptr(MtwRedactor) redactor = new_redactor();
	g_autoptr(MtwRedactor) again = mtw_redactor_new(shipped_rules());
	g_autoptr(MtwRedactResult) once = mtw_redactor_file(redactor, FILE_NAME, text, bytes);
	g_autofree char *map = mtw_redactor_map_json(redactor), *map_again = NULL;
	g_autoptr(MtwRedactResult) loaded = NULL;

	FUZZ_ASSERT(mtw_redactor_load_map(again, map, -1, NULL));
	loaded = mtw_redactor_file(again, FILE_NAME, text, bytes);
	check_same(loaded, once->text, once->bytes);
	map_again = mtw_redactor_map_json(again);
	FUZZ_ASSERT(strcmp(map, map_again) == 0);
}

/* Records are what they were; the lines are as many. */
static void check_trace(const char *text, gsize bytes, gsize block)
{
	g_autoptr(MtwRedactor) redactor = new_redactor();
	g_autoptr(GString) nothing =
		stream_through(redactor, MTW_REDACT_TRACE, MTW_REDACT_LEARN, text, bytes, block);
	g_autoptr(GString) clean =
		stream_through(redactor, MTW_REDACT_TRACE, MTW_REDACT_CLEAN, text, bytes, block);
	const char *end = text + bytes, *clean_line = clean->str;

	FUZZ_ASSERT(nothing->len == 0);
	for (const char *line = text; line < end;) {
		const char *stop = memchr(line, '\n', (gsize)(end - line));
		gsize length = stop != NULL ? (gsize)(stop - line) : (gsize)(end - line);
		gsize clean_left = (gsize)(clean->str + clean->len - clean_line);
		const char *clean_stop = memchr(clean_line, '\n', clean_left);
		MtwRecord record;
		if (mtw_record_parse(line, length, &record) && record.kind != MTW_RECORD_MARK)
			FUZZ_ASSERT(clean_left >= length && memcmp(line, clean_line, length) == 0);
		FUZZ_ASSERT((stop == NULL) == (clean_stop == NULL));
		if (stop == NULL)
			break;
		line = stop + 1;
		clean_line = clean_stop + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *copy = NULL;
	gsize block;

	if (size < 1)
		return 0;
	/* A copy of its own, so that a byte read behind its end is seen. */
	copy = g_malloc(size);
	memcpy(copy, data + 1, size - 1);
	block = data[0] / 4 + 1;
	switch (data[0] % 4) {
	case 2:
		check_trace(copy, size - 1, block);
		break;
	case 3:
		check_map(copy, size - 1);
		break;
	default:
		check_text(copy, size - 1, block);
		break;
	}
	return 0;
}
