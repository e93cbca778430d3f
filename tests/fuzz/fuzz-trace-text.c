/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace/text: any bytes as one line. What is accepted comes back byte by byte. */
#include "fuzz.h"

#include "trace/text.h"

#include <string.h>

/* In a buffer of exactly @size, so that the sanitizer sees a byte too many. */
static char *format(const MtwRecord *record, gsize size, gsize *ret_bytes)
{
	char *text = malloc(size);

	*ret_bytes = mtw_record_format(record, text, size);
	FUZZ_ASSERT(*ret_bytes <= size);
	return text;
}

static gsize room_for(const MtwRecord *record)
{
	return MTW_RECORD_TEXT_BYTES + record->text_bytes + record->pcidev.driver_bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *line = (const char *)data;
	MtwRecord record, again;
	gsize bytes, bytes_again, too_small;
	gboolean known = mtw_record_parse(line, size, &record);
	char *text = format(&record, room_for(&record), &bytes);
	char *text_again, *cut;

	FUZZ_ASSERT(known == (record.kind != MTW_RECORD_FOREIGN));
	FUZZ_ASSERT(bytes > 0);
	/* The same but for the end of the line. */
	FUZZ_ASSERT(bytes - 1 <= size && memcmp(text, line, bytes - 1) == 0);

	FUZZ_ASSERT(mtw_record_parse(text, bytes, &again) == known);
	FUZZ_ASSERT(again.kind == record.kind);
	text_again = format(&again, room_for(&again), &bytes_again);
	FUZZ_ASSERT(bytes_again == bytes && memcmp(text, text_again, bytes) == 0);

	cut = format(&record, bytes - 1, &too_small);
	FUZZ_ASSERT(too_small == 0);
	free(cut);
	free(text_again);
	free(text);
	return 0;
}
