/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands in the place of a value, and knowing it again. */
#include "report/redact-kind.h"

#include "report/redact-form.h"

#include <arpa/inet.h>
#include <string.h>

#define DOMAIN_END ".example"
#define EMAIL_END "@example.org"
#define FULL_IPV6_BYTES 39
#define UUID_DIGITS 32
/* Numbers in masks stay below 2^24, which is what has room in each form. */
#define NUMBER_MASK 0xffffff

/* A mask that is a word: around its number. The others have the form of the value. */
typedef struct {
	const char *prefix, *suffix;
} Form;

static const Form forms[MTW_N_REDACT_KINDS] = {
	[MTW_REDACT_SERIAL] = { "SERIAL", "" },
	[MTW_REDACT_HOST] = { "host", "" },
	[MTW_REDACT_DOMAIN] = { "domain", DOMAIN_END },
	[MTW_REDACT_USER] = { "user", "" },
	[MTW_REDACT_NAME] = { "name", "" },
	[MTW_REDACT_HOME] = { "/home/home", "" },
	[MTW_REDACT_EMAIL] = { "user", EMAIL_END },
	[MTW_REDACT_SSID] = { "SSID", "" },
	[MTW_REDACT_LABEL] = { "label", "" },
	[MTW_REDACT_VOLUME] = { "volume", "" },
	[MTW_REDACT_SECRET] = { "SECRET", "" },
	[MTW_REDACT_ID] = { "ID", "" },
	[MTW_REDACT_WORD] = { "word", "" },
};

/* ---- knowing them ---------------------------------------------------------------------------- */

/* "example" and "org" of the masks of addresses. */
static gboolean is_end_of_mask(const char *text, gsize bytes)
{
	return (bytes == strlen("org") && memcmp(text, "org", bytes) == 0) ||
	       (bytes == strlen("example") && memcmp(text, "example", bytes) == 0);
}

static gboolean is_mask_of(const Form *form, const char *text, gsize bytes)
{
	gsize prefix = strlen(form->prefix), suffix = strlen(form->suffix), at = prefix;

	if (bytes < prefix + suffix + 1 || memcmp(text, form->prefix, prefix) != 0 ||
	    memcmp(text + bytes - suffix, form->suffix, suffix) != 0 || text[at] == '0')
		return FALSE;
	bytes -= suffix;
	while (at < bytes && g_ascii_isdigit(text[at]))
		at++;
	if (at == prefix)
		return FALSE;
	while (at < bytes && text[at] == 'X')
		at++;
	return at == bytes;
}

gboolean mtw_redact_is_text_mask(const char *text, gsize bytes)
{
	/* What all of them begin and end with; almost nothing else gets behind this. */
	if (bytes < 3 || strchr("SIhdun/slvw", text[0]) == NULL ||
	    (!g_ascii_isdigit(text[bytes - 1]) && strchr("Xge", text[bytes - 1]) == NULL))
		return FALSE;
	for (int i = 0; i < MTW_N_REDACT_KINDS; i++)
		if (forms[i].prefix != NULL && is_mask_of(&forms[i], text, bytes))
			return TRUE;
	return FALSE;
}

gboolean mtw_redact_is_masks(const char *text, gsize bytes)
{
	gboolean any = FALSE;

	if (mtw_redact_is_text_mask(text, bytes))
		return TRUE;
	for (gsize start = 0, end; start < bytes; start = end + 1) {
		for (end = start; end < bytes &&
				  (g_ascii_isalnum(text[end]) || ((guchar)text[end] & 0x80) != 0);)
			end++;
		if (end == start)
			continue;
		any = any || mtw_redact_is_text_mask(text + start, end - start);
		if (!mtw_redact_is_text_mask(text + start, end - start) &&
		    !is_end_of_mask(text + start, end - start))
			return FALSE;
	}
	return any;
}

/* ---- making them ----------------------------------------------------------------------------- */

static gboolean has_upper_hex(const char *text, gsize bytes)
{
	for (gsize i = 0; i < bytes; i++)
		if (text[i] >= 'A' && text[i] <= 'F')
			return TRUE;
	return FALSE;
}

/* The digits of @mask in the places where @text has its own. */
static void mask_mac(GString *out, const MtwRedactMac *mac, guint number, const char *text,
		     gsize bytes)
{
	const char *digits = has_upper_hex(text, bytes) ? "0123456789ABCDEF" : "0123456789abcdef";
	guint8 mask[8] = { 2 };
	gsize nibble = 0;

	if (mac->from_mac)
		memcpy(mask + 3, mac->bytes + 3, 2);
	for (guint i = 0; i < 3; i++)
		mask[mac->count - 1 - i] = (guint8)(number >> (8 * i));
	for (gsize at = 0; at < bytes; at++) {
		if (!g_ascii_isxdigit(text[at])) {
			g_string_append_c(out, text[at]);
			continue;
		}
		g_string_append_c(
			out,
			digits[nibble % 2 == 0 ? mask[nibble / 2] >> 4 : mask[nibble / 2] & 15]);
		nibble++;
	}
}

static void mask_ipv4(GString *out, guint number)
{
	static const char *const ranges[] = { "192.0.2", "198.51.100", "203.0.113" };
	guint index = number - 1;

	if (index / 254 < G_N_ELEMENTS(ranges))
		g_string_append_printf(out, "%s.%u", ranges[index / 254], index % 254 + 1);
	else
		g_string_append_printf(out, "198.%u.%u.%u", 18 + (number >> 16 & 1),
				       number >> 8 & 255, number & 255);
}

/* All digits of all groups, as the kernel prints it with %pI6. */
static void append_full_ipv6(GString *out, const guint8 *address)
{
	for (guint i = 0; i < 16; i += 2)
		g_string_append_printf(out, "%s%02x%02x", i > 0 ? ":" : "", address[i],
				       address[i + 1]);
}

static void mask_ipv6(GString *out, const guint8 *original, guint number, gsize bytes)
{
	guint8 mask[16] = { 0x20, 1, 0x0d, 0xb8 };
	guint8 mac[6];
	char text[INET6_ADDRSTRLEN];

	if (mtw_redact_ipv6_class(original) == MTW_IPV6_MAPPED) {
		g_string_append(out, "::ffff:");
		mask_ipv4(out, number);
		return;
	}
	if (mtw_redact_ipv6_class(original) == MTW_IPV6_LINK)
		memcpy(mask, (const guint8[]){ 0xfe, 0x80, 0, 0 }, 4);
	if (mtw_redact_ipv6_class(original) == MTW_IPV6_SOLICITED)
		memcpy(mask, original, 13);
	if (mtw_redact_ipv6_mac(original, mac))
		memcpy(mask + 11, (const guint8[]){ 0xff, 0xfe }, 2);
	for (guint i = 0; i < 3; i++)
		mask[15 - i] |= (guint8)(number >> (8 * i));
	if (bytes == FULL_IPV6_BYTES)
		append_full_ipv6(out, mask);
	else
		g_string_append(out, inet_ntop(AF_INET6, mask, text, sizeof text));
}

static void mask_uuid(GString *out, guint number, const char *text, gsize bytes)
{
	gsize count = mtw_redact_count_alnum(text, bytes), index = 0;
	g_autofree char *digits = g_strdup_printf("%0*x", (int)MIN(count, 4096), number);

	if (has_upper_hex(text, bytes)) {
		g_autofree char *upper = g_ascii_strup(digits, -1);
		memcpy(digits, upper, strlen(digits));
	}
	if (count == UUID_DIGITS) {
		digits[12] = '4';
		digits[16] = '8';
	}
	for (gsize at = 0; at < bytes; at++) {
		gsize dash = mtw_redact_dash(text, bytes, at);
		if (dash > 0) {
			g_string_append_len(out, text + at, (gssize)dash);
			at += dash - 1;
		} else if (g_ascii_isalnum(text[at])) {
			g_string_append_c(out, index < strlen(digits) ? digits[index] : '0');
			index++;
		} else {
			g_string_append_c(out, text[at]);
		}
	}
}

static void mask_text(GString *out, MtwRedactKind kind, guint number, gsize bytes)
{
	gsize before = out->len;

	g_string_append_printf(out, "%s%u%s", forms[kind].prefix, number, forms[kind].suffix);
	if (kind != MTW_REDACT_SERIAL)
		return;
	while (out->len - before < bytes)
		g_string_append_c(out, 'X');
}

void mtw_redact_mask(GString *out, MtwRedactKind kind, guint number, const char *text, gsize bytes)
{
	MtwRedactMac mac;
	guint8 address[16];

	number &= NUMBER_MASK;
	switch (kind) {
	case MTW_REDACT_MAC:
	case MTW_REDACT_IPV4:
	case MTW_REDACT_IPV6:
		if (kind == MTW_REDACT_MAC && mtw_redact_read_mac(text, bytes, &mac))
			mask_mac(out, &mac, number, text, bytes);
		else if (mtw_redact_read_ipv6(text, bytes, address))
			mask_ipv6(out, address, number, bytes);
		else
			mask_ipv4(out, number);
		break;
	case MTW_REDACT_UUID:
		mask_uuid(out, number, text, bytes);
		break;
	default:
		mask_text(out, kind, number, bytes);
		break;
	}
}
