/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text to record. The hot loop of everything that reads a trace: a cursor walks over the line once,
 * by hand, because sscanf alone takes several times as long.
 */
#include "trace/text.h"

#include <string.h>

/* The largest second whose microseconds fit 64 bits. */
#define SEC_MAX (G_MAXUINT64 / G_USEC_PER_SEC - 1)

typedef struct {
	const char *at;
	const char *end;
} Cursor;

/* The value of a lower-case hexadecimal digit plus one; 0 for any other byte. */
static const guint8 hex_digits[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

static inline gboolean take_char(Cursor *cursor, char wanted)
{
	if (cursor->at == cursor->end || *cursor->at != wanted)
		return FALSE;
	cursor->at++;
	return TRUE;
}

static inline gboolean take_text(Cursor *cursor, const char *wanted, gsize bytes)
{
	if ((gsize)(cursor->end - cursor->at) < bytes || memcmp(cursor->at, wanted, bytes) != 0)
		return FALSE;
	cursor->at += bytes;
	return TRUE;
}

#define TAKE_LITERAL(cursor, literal) take_text(cursor, literal, sizeof(literal) - 1)

static inline gboolean at_end(const Cursor *cursor)
{
	return cursor->at == cursor->end;
}

/* A number as %u, %lu print it: no sign, no leading zeros, fits 64 bits. */
static inline gboolean take_decimal(Cursor *cursor, guint64 *ret_value)
{
	const char *start = cursor->at;
	const char *at = start;
	guint64 value = 0;

	for (; at != cursor->end && (guint8)(*at - '0') <= 9; at++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (guint64)(*at - '0'), &value))
			return FALSE;
	if (at == start || (*start == '0' && at != start + 1))
		return FALSE;
	cursor->at = at;
	*ret_value = value;
	return TRUE;
}

/* Exactly @digits digits of %0Nx. */
static inline gboolean take_hex_fixed(Cursor *cursor, guint digits, guint64 *ret_value)
{
	guint64 value = 0;

	if ((gsize)(cursor->end - cursor->at) < digits)
		return FALSE;
	for (guint i = 0; i < digits; i++) {
		guint8 digit = hex_digits[(guint8)cursor->at[i]];
		if (digit == 0)
			return FALSE;
		value = value << 4 | (guint64)(digit - 1);
	}
	cursor->at += digits;
	*ret_value = value;
	return TRUE;
}

/* A number as %llx prints it. */
static inline gboolean take_hex(Cursor *cursor, guint64 *ret_value)
{
	const char *start = cursor->at;
	const char *at = start;
	guint64 value = 0;

	for (; at != cursor->end && hex_digits[(guint8)*at] != 0; at++)
		value = value << 4 | (guint64)(hex_digits[(guint8)*at] - 1);
	if (at == start || at - start > 16 || (*start == '0' && at != start + 1))
		return FALSE;
	cursor->at = at;
	*ret_value = value;
	return TRUE;
}

/* " 0x" and a number. */
static inline gboolean take_hex_field(Cursor *cursor, guint64 *ret_value)
{
	return TAKE_LITERAL(cursor, " 0x") && take_hex(cursor, ret_value);
}

/* "%u.%06lu" */
static inline gboolean take_time(Cursor *cursor, MtwRecord *record)
{
	guint32 usec = 0;

	if (!take_decimal(cursor, &record->sec) || record->sec > SEC_MAX ||
	    !take_char(cursor, '.') || cursor->end - cursor->at < 6)
		return FALSE;
	for (int i = 0; i < 6; i++) {
		guint8 digit = (guint8)(cursor->at[i] - '0');
		if (digit > 9)
			return FALSE;
		usec = usec * 10 + digit;
	}
	cursor->at += 6;
	record->usec = usec;
	return TRUE;
}

/* " %d" */
static inline gboolean take_map_id(Cursor *cursor, MtwRecord *record)
{
	gboolean negative;
	guint64 value;

	if (!take_char(cursor, ' '))
		return FALSE;
	negative = take_char(cursor, '-');
	if (!take_decimal(cursor, &value) || value > G_MAXINT64 || (negative && value == 0))
		return FALSE;
	record->map_id = negative ? -(gint64)value : (gint64)value;
	return TRUE;
}

/* " 0x%lx %d": PC and PID, and then nothing more. */
static inline gboolean take_tail(Cursor *cursor, MtwRecord *record)
{
	return take_hex_field(cursor, &record->pc) && take_char(cursor, ' ') &&
	       take_decimal(cursor, &record->pid) && at_end(cursor);
}

static inline gboolean take_width(Cursor *cursor, MtwRecord *record)
{
	if (at_end(cursor))
		return FALSE;
	record->width = (guint8)(*cursor->at++ - '0');
	return record->width == 1 || record->width == 2 || record->width == 4 || record->width == 8;
}

static MtwRecordKind parse_access(Cursor cursor, MtwRecordKind kind, MtwRecord *record)
{
	if (take_char(&cursor, ' ') && take_width(&cursor, record) && take_char(&cursor, ' ') &&
	    take_time(&cursor, record) && take_map_id(&cursor, record) &&
	    take_hex_field(&cursor, &record->address) && take_hex_field(&cursor, &record->value) &&
	    take_tail(&cursor, record))
		return kind;
	return MTW_RECORD_FOREIGN;
}

/* " %02x,%02x,%02x" */
static gboolean take_opcode(Cursor *cursor, MtwRecord *record)
{
	for (gsize i = 0; i < G_N_ELEMENTS(record->opcode); i++) {
		guint64 byte;
		if (!take_char(cursor, i == 0 ? ' ' : ',') || !take_hex_fixed(cursor, 2, &byte))
			return FALSE;
		record->opcode[i] = (guint8)byte;
	}
	return TRUE;
}

static MtwRecordKind parse_unknown(Cursor cursor, MtwRecord *record)
{
	if (TAKE_LITERAL(&cursor, "NKNOWN ") && take_time(&cursor, record) &&
	    take_map_id(&cursor, record) && take_hex_field(&cursor, &record->address) &&
	    take_opcode(&cursor, record) && take_tail(&cursor, record))
		return MTW_RECORD_UNKNOWN;
	return MTW_RECORD_FOREIGN;
}

static MtwRecordKind parse_unmap(Cursor cursor, MtwRecord *record)
{
	if (TAKE_LITERAL(&cursor, "NMAP ") && take_time(&cursor, record) &&
	    take_map_id(&cursor, record) && take_tail(&cursor, record))
		return MTW_RECORD_UNMAP;
	return MTW_RECORD_FOREIGN;
}

static MtwRecordKind parse_map(Cursor cursor, MtwRecord *record)
{
	if (TAKE_LITERAL(&cursor, "AP ") && take_time(&cursor, record) &&
	    take_map_id(&cursor, record) && take_hex_field(&cursor, &record->address) &&
	    take_hex_field(&cursor, &record->virtual_address) &&
	    take_hex_field(&cursor, &record->length) && take_tail(&cursor, record))
		return MTW_RECORD_MAP;
	return MTW_RECORD_FOREIGN;
}

/* The kernel's own "Lost N events." has the fixed time 0.000000, which a person's marker never has.
 */
static gboolean is_lost(const MtwRecord *record, Cursor text, guint64 *ret_number)
{
	return record->sec == 0 && record->usec == 0 && TAKE_LITERAL(&text, "Lost ") &&
	       take_decimal(&text, ret_number) && TAKE_LITERAL(&text, " events.") && at_end(&text);
}

static MtwRecordKind parse_mark(Cursor cursor, MtwRecord *record)
{
	if (!TAKE_LITERAL(&cursor, "ARK ") || !take_time(&cursor, record) ||
	    !take_char(&cursor, ' '))
		return MTW_RECORD_FOREIGN;
	if (is_lost(record, cursor, &record->value))
		return MTW_RECORD_LOST;
	record->value = 0;
	record->text = cursor.at;
	record->text_bytes = (gsize)(cursor.end - cursor.at);
	return MTW_RECORD_MARK;
}

static MtwRecordKind parse_version(Cursor cursor, MtwRecord *record)
{
	if (TAKE_LITERAL(&cursor, "ERSION ") && take_decimal(&cursor, &record->value) &&
	    at_end(&cursor))
		return MTW_RECORD_VERSION;
	return MTW_RECORD_FOREIGN;
}

/* "%02x%02x %04x%04x %x": bus, devfn, vendor, device, interrupt */
static gboolean take_pci_ids(Cursor *cursor, MtwPcidev *pcidev)
{
	guint64 bus, devfn, vendor, device, irq;

	if (!take_hex_fixed(cursor, 2, &bus) || !take_hex_fixed(cursor, 2, &devfn) ||
	    !take_char(cursor, ' ') || !take_hex_fixed(cursor, 4, &vendor) ||
	    !take_hex_fixed(cursor, 4, &device) || !take_char(cursor, ' ') ||
	    !take_hex(cursor, &irq) || irq > G_MAXUINT32)
		return FALSE;
	pcidev->bus = (guint8)bus;
	pcidev->devfn = (guint8)devfn;
	pcidev->vendor = (guint16)vendor;
	pcidev->device = (guint16)device;
	pcidev->irq = (guint32)irq;
	return TRUE;
}

static gboolean take_pci_numbers(Cursor *cursor, guint64 *numbers)
{
	for (int i = 0; i < MTW_PCIDEV_BARS; i++)
		if (!take_char(cursor, ' ') || !take_hex(cursor, &numbers[i]))
			return FALSE;
	return TRUE;
}

static MtwRecordKind parse_pcidev(Cursor cursor, MtwRecord *record)
{
	MtwPcidev *pcidev = &record->pcidev;

	if (!TAKE_LITERAL(&cursor, "CIDEV ") || !take_pci_ids(&cursor, pcidev) ||
	    !take_pci_numbers(&cursor, pcidev->bars) || !take_pci_numbers(&cursor, pcidev->sizes) ||
	    !take_char(&cursor, ' '))
		return MTW_RECORD_FOREIGN;
	/* The rest, not one word: a driver's name may have spaces. */
	pcidev->driver = cursor.at;
	pcidev->driver_bytes = (gsize)(cursor.end - cursor.at);
	return MTW_RECORD_PCIDEV;
}

static MtwRecordKind parse_gap(Cursor cursor, MtwRecord *record)
{
	guint64 cpu;

	if (!TAKE_LITERAL(&cursor, "PU:") || !take_decimal(&cursor, &cpu) || cpu > G_MAXUINT32 ||
	    !TAKE_LITERAL(&cursor, " [LOST "))
		return MTW_RECORD_FOREIGN;
	record->cpu = (guint32)cpu;
	if (take_decimal(&cursor, &record->value) &&
	    (record->value == 0 || !take_char(&cursor, ' ')))
		return MTW_RECORD_FOREIGN;
	if (!TAKE_LITERAL(&cursor, "EVENTS]") || !at_end(&cursor))
		return MTW_RECORD_FOREIGN;
	return MTW_RECORD_GAP;
}

static MtwRecordKind parse_kind(Cursor cursor, MtwRecord *record)
{
	if (at_end(&cursor))
		return MTW_RECORD_FOREIGN;
	switch (*cursor.at++) {
	case 'R':
		return parse_access(cursor, MTW_RECORD_READ, record);
	case 'W':
		return parse_access(cursor, MTW_RECORD_WRITE, record);
	case 'U':
		if (cursor.end - cursor.at > 1 && cursor.at[1] == 'K')
			return parse_unknown(cursor, record);
		return parse_unmap(cursor, record);
	case 'M':
		if (cursor.end - cursor.at > 1 && cursor.at[1] == 'P')
			return parse_map(cursor, record);
		return parse_mark(cursor, record);
	case 'V':
		return parse_version(cursor, record);
	case 'P':
		return parse_pcidev(cursor, record);
	case 'C':
		return parse_gap(cursor, record);
	default:
		return MTW_RECORD_FOREIGN;
	}
}

/*
 * The line without its end. All of "\r\r\n" goes: what is left never ends in '\r', so that writing
 * it with '\n' and reading it again gives the same.
 */
static gsize without_line_end(const char *line, gsize bytes)
{
	if (bytes > 0 && line[bytes - 1] == '\n')
		bytes--;
	while (bytes > 0 && line[bytes - 1] == '\r')
		bytes--;
	return bytes;
}

gboolean mtw_record_parse(const char *line, gsize bytes, MtwRecord *ret_record)
{
	gsize length = without_line_end(line, bytes);
	Cursor cursor = { .at = line, .end = line + length };

	*ret_record = (MtwRecord){ .kind = MTW_RECORD_FOREIGN };
	ret_record->kind = parse_kind(cursor, ret_record);
	if (ret_record->kind != MTW_RECORD_FOREIGN)
		return TRUE;
	*ret_record = (MtwRecord){ .kind = MTW_RECORD_FOREIGN, .text = line, .text_bytes = length };
	return FALSE;
}
