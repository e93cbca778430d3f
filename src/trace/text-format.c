/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record to text, by hand: the text of a trace that was recorded raw is made here, some ten million
 * records at a time.
 */
#include "trace/text.h"

#include <string.h>

typedef struct {
	char *at;
	char *end;
	gboolean full;
} Writer;

static inline void put_bytes(Writer *writer, const char *bytes, gsize count)
{
	if ((gsize)(writer->end - writer->at) < count) {
		writer->full = TRUE;
		return;
	}
	if (count > 0)
		memcpy(writer->at, bytes, count);
	writer->at += count;
}

#define PUT_LITERAL(writer, literal) put_bytes(writer, literal, sizeof(literal) - 1)

/* The last @digits digits of @value, in front of @end; further ones when @value has them. */
static inline char *digits_before(char *end, guint64 value, guint digits)
{
	while (digits > 0 || value != 0) {
		*--end = (char)('0' + value % 10);
		value /= 10;
		digits -= digits > 0;
	}
	return end;
}

/* "%0*lu" */
static void put_decimal(Writer *writer, guint64 value, guint min_digits)
{
	char text[24];
	char *end = text + sizeof text;
	char *start = digits_before(end, value, min_digits);

	put_bytes(writer, start, (gsize)(end - start));
}

/* "%0*lx" */
static void put_hex(Writer *writer, guint64 value, guint min_digits)
{
	static const char hex[] = "0123456789abcdef";
	char text[16];
	guint digits = value != 0 ? (67 - (guint)__builtin_clzll(value)) / 4 : 0;

	if (digits < min_digits)
		digits = min_digits;
	for (guint i = digits; i > 0; i--, value >>= 4)
		text[i - 1] = hex[value & 0xf];
	put_bytes(writer, text, digits);
}

static void put_hex_field(Writer *writer, guint64 value)
{
	PUT_LITERAL(writer, " 0x");
	put_hex(writer, value, 1);
}

static void put_time(Writer *writer, const MtwRecord *record)
{
	put_decimal(writer, record->sec, 1);
	PUT_LITERAL(writer, ".");
	put_decimal(writer, record->usec, 6);
}

static void put_map_id(Writer *writer, const MtwRecord *record)
{
	guint64 magnitude = (guint64)record->map_id;

	PUT_LITERAL(writer, " ");
	if (record->map_id < 0) {
		PUT_LITERAL(writer, "-");
		magnitude = -magnitude;
	}
	put_decimal(writer, magnitude, 1);
}

static void put_tail(Writer *writer, const MtwRecord *record)
{
	put_hex_field(writer, record->pc);
	PUT_LITERAL(writer, " ");
	put_decimal(writer, record->pid, 1);
}

static void put_access(Writer *writer, const char *letter, const MtwRecord *record)
{
	put_bytes(writer, letter, 1);
	PUT_LITERAL(writer, " ");
	put_decimal(writer, record->width, 1);
	PUT_LITERAL(writer, " ");
	put_time(writer, record);
	put_map_id(writer, record);
	put_hex_field(writer, record->address);
	put_hex_field(writer, record->value);
	put_tail(writer, record);
}

static void put_unknown(Writer *writer, const MtwRecord *record)
{
	PUT_LITERAL(writer, "UNKNOWN ");
	put_time(writer, record);
	put_map_id(writer, record);
	put_hex_field(writer, record->address);
	for (gsize i = 0; i < G_N_ELEMENTS(record->opcode); i++) {
		put_bytes(writer, i == 0 ? " " : ",", 1);
		put_hex(writer, record->opcode[i], 2);
	}
	put_tail(writer, record);
}

static void put_map(Writer *writer, const MtwRecord *record)
{
	PUT_LITERAL(writer, "MAP ");
	put_time(writer, record);
	put_map_id(writer, record);
	put_hex_field(writer, record->address);
	put_hex_field(writer, record->virtual_address);
	put_hex_field(writer, record->length);
	put_tail(writer, record);
}

static void put_unmap(Writer *writer, const MtwRecord *record)
{
	PUT_LITERAL(writer, "UNMAP ");
	put_time(writer, record);
	put_map_id(writer, record);
	put_tail(writer, record);
}

static void put_mark(Writer *writer, const MtwRecord *record)
{
	PUT_LITERAL(writer, "MARK ");
	put_time(writer, record);
	PUT_LITERAL(writer, " ");
	put_bytes(writer, record->text, record->text_bytes);
}

static void put_lost(Writer *writer, const MtwRecord *record)
{
	PUT_LITERAL(writer, "MARK 0.000000 Lost ");
	put_decimal(writer, record->value, 1);
	PUT_LITERAL(writer, " events.");
}

static void put_gap(Writer *writer, const MtwRecord *record)
{
	PUT_LITERAL(writer, "CPU:");
	put_decimal(writer, record->cpu, 1);
	PUT_LITERAL(writer, " [LOST ");
	if (record->value != 0) {
		put_decimal(writer, record->value, 1);
		PUT_LITERAL(writer, " ");
	}
	PUT_LITERAL(writer, "EVENTS]");
}

static void put_version(Writer *writer, const MtwRecord *record)
{
	PUT_LITERAL(writer, "VERSION ");
	put_decimal(writer, record->value, 1);
}

static void put_pci_numbers(Writer *writer, const guint64 *numbers)
{
	for (int i = 0; i < MTW_PCIDEV_BARS; i++) {
		PUT_LITERAL(writer, " ");
		put_hex(writer, numbers[i], 1);
	}
}

static void put_pcidev(Writer *writer, const MtwPcidev *pcidev)
{
	PUT_LITERAL(writer, "PCIDEV ");
	put_hex(writer, pcidev->bus, 2);
	put_hex(writer, pcidev->devfn, 2);
	PUT_LITERAL(writer, " ");
	put_hex(writer, pcidev->vendor, 4);
	put_hex(writer, pcidev->device, 4);
	PUT_LITERAL(writer, " ");
	put_hex(writer, pcidev->irq, 1);
	put_pci_numbers(writer, pcidev->bars);
	put_pci_numbers(writer, pcidev->sizes);
	PUT_LITERAL(writer, " ");
	put_bytes(writer, pcidev->driver, pcidev->driver_bytes);
}

static void put_record(Writer *writer, const MtwRecord *record)
{
	switch (record->kind) {
	case MTW_RECORD_VERSION:
		put_version(writer, record);
		break;
	case MTW_RECORD_PCIDEV:
		put_pcidev(writer, &record->pcidev);
		break;
	case MTW_RECORD_MAP:
		put_map(writer, record);
		break;
	case MTW_RECORD_UNMAP:
		put_unmap(writer, record);
		break;
	case MTW_RECORD_READ:
		put_access(writer, "R", record);
		break;
	case MTW_RECORD_WRITE:
		put_access(writer, "W", record);
		break;
	case MTW_RECORD_UNKNOWN:
		put_unknown(writer, record);
		break;
	case MTW_RECORD_MARK:
		put_mark(writer, record);
		break;
	case MTW_RECORD_LOST:
		put_lost(writer, record);
		break;
	case MTW_RECORD_GAP:
		put_gap(writer, record);
		break;
	case MTW_RECORD_FOREIGN:
	case MTW_N_RECORD_KINDS:
		put_bytes(writer, record->text, record->text_bytes);
		break;
	}
}

gsize mtw_record_format(const MtwRecord *record, char *buffer, gsize bytes)
{
	Writer writer = { .at = buffer, .end = buffer + bytes };

	put_record(&writer, record);
	PUT_LITERAL(&writer, "\n");
	return writer.full ? 0 : (gsize)(writer.at - buffer);
}
