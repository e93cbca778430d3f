/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact-kind.h"

#include "base/parse.h"
#include "report/redact-form.h"

#include <arpa/inet.h>
#include <string.h>

#define DOMAIN_END ".example"
#define EMAIL_END "@example.org"
#define FULL_IPV6_BYTES 39
#define UUID_DIGITS 32
/* Numbers in masks stay below 2^24, which is what has room in each form. */
#define NUMBER_MASK 0xffffff
#define UUID_MIN_DIGITS 8

static const char *const names[MTW_N_REDACT_KINDS] = {
	[MTW_REDACT_MAC] = "mac",	[MTW_REDACT_IPV4] = "ipv4",
	[MTW_REDACT_IPV6] = "ipv6",	[MTW_REDACT_UUID] = "uuid",
	[MTW_REDACT_SERIAL] = "serial", [MTW_REDACT_HOST] = "host",
	[MTW_REDACT_DOMAIN] = "domain", [MTW_REDACT_USER] = "user",
	[MTW_REDACT_NAME] = "name",	[MTW_REDACT_HOME] = "home",
	[MTW_REDACT_EMAIL] = "email",	[MTW_REDACT_SSID] = "ssid",
	[MTW_REDACT_LABEL] = "label",	[MTW_REDACT_VOLUME] = "volume",
	[MTW_REDACT_SECRET] = "secret", [MTW_REDACT_ID] = "id",
	[MTW_REDACT_WORD] = "word",
};

const char *mtw_redact_kind_name(MtwRedactKind kind)
{
	return names[kind];
}

gboolean mtw_redact_kind_from_name(const char *name, MtwRedactKind *ret_kind)
{
	for (int kind = 0; kind < MTW_N_REDACT_KINDS; kind++) {
		if (g_str_equal(names[kind], name)) {
			*ret_kind = (MtwRedactKind)kind;
			return TRUE;
		}
	}
	return FALSE;
}

static MtwRedactKind kind_of_ipv6(const guint8 *address)
{
	guint8 mac[6];

	if (mtw_redact_ipv6_class(address) == MTW_IPV6_MAPPED)
		return MTW_REDACT_IPV4;
	return mtw_redact_ipv6_mac(address, mac) ? MTW_REDACT_MAC : MTW_REDACT_IPV6;
}

/* What stays of @kind when the text has none of the forms that are known. */
static MtwRedactKind kind_of_text(MtwRedactKind kind, const char *text, gsize bytes)
{
	switch (kind) {
	case MTW_REDACT_MAC:
	case MTW_REDACT_IPV4:
	case MTW_REDACT_IPV6:
		return MTW_REDACT_ID;
	case MTW_REDACT_UUID:
		return mtw_redact_count_alnum(text, bytes) >= UUID_MIN_DIGITS ? kind
									      : MTW_REDACT_ID;
	case MTW_REDACT_EMAIL:
		return memchr(text, '@', bytes) != NULL ? kind : MTW_REDACT_USER;
	default:
		return kind;
	}
}

MtwRedactKind mtw_redact_kind_of(MtwRedactKind kind, const char *text, gsize bytes)
{
	guint8 address[16];
	MtwRedactMac mac;

	if (mtw_redact_read_mac(text, bytes, &mac) && (mac.separated || kind == MTW_REDACT_MAC))
		return MTW_REDACT_MAC;
	if (mtw_redact_read_ipv4(text, bytes, address))
		return MTW_REDACT_IPV4;
	if (mtw_redact_read_ipv6(text, bytes, address))
		return kind_of_ipv6(address);
	if (bytes > 0 && mtw_redact_uuid_bytes(text, bytes) == bytes)
		return MTW_REDACT_UUID;
	return kind_of_text(kind, text, bytes);
}

static void append_hex(GString *out, const guint8 *bytes, gsize count)
{
	for (gsize i = 0; i < count; i++)
		g_string_append_printf(out, "%02x", bytes[i]);
}

static void append_mac_key(GString *key, const char *text, gsize bytes)
{
	MtwRedactMac mac;
	guint8 address[16], from[6];

	if (mtw_redact_read_mac(text, bytes, &mac)) {
		if (mac.from_mac)
			memmove(mac.bytes + 3, mac.bytes + 5, 3);
		append_hex(key, mac.bytes, mac.from_mac ? 6 : mac.count);
	} else if (mtw_redact_read_ipv6(text, bytes, address) &&
		   mtw_redact_ipv6_mac(address, from)) {
		append_hex(key, from, sizeof from);
	}
}

static void append_ip_key(GString *key, const char *text, gsize bytes)
{
	guint8 address[16];

	if (mtw_redact_read_ipv4(text, bytes, address))
		append_hex(key, address, 4);
	else if (mtw_redact_read_ipv6(text, bytes, address))
		append_hex(key, kind_of_ipv6(address) == MTW_REDACT_IPV4 ? address + 12 : address,
			   kind_of_ipv6(address) == MTW_REDACT_IPV4 ? 4 : 16);
}

static void append_uuid_key(GString *key, const char *text, gsize bytes)
{
	for (gsize at = 0; at < bytes; at++) {
		gsize dash = mtw_redact_dash(text, bytes, at);
		if (dash > 0)
			at += dash - 1;
		else if (g_ascii_isalnum(text[at]))
			g_string_append_c(key, g_ascii_tolower(text[at]));
	}
}

/* NUL and backslash are written so that the key is a string and no two texts have the same one. */
static void append_text_key(GString *key, const char *text, gsize bytes)
{
	for (gsize at = 0; at < bytes; at++) {
		if (text[at] == '\0')
			g_string_append(key, "\\0");
		else if (text[at] == '\\')
			g_string_append(key, "\\\\");
		else
			g_string_append_c(key, g_ascii_tolower(text[at]));
	}
}

char *mtw_redact_key(MtwRedactKind kind, const char *text, gsize bytes)
{
	GString *key = g_string_sized_new(bytes + 8);

	switch (kind) {
	case MTW_REDACT_MAC:
		g_string_append(key, "mac:");
		append_mac_key(key, text, bytes);
		break;
	case MTW_REDACT_IPV4:
	case MTW_REDACT_IPV6:
		g_string_append(key, "ip:");
		append_ip_key(key, text, bytes);
		break;
	case MTW_REDACT_UUID:
		g_string_append(key, "uuid:");
		append_uuid_key(key, text, bytes);
		break;
	default:
		g_string_append(key, "text:");
		append_text_key(key, text, bytes);
		break;
	}
	return g_string_free(key, FALSE);
}

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

/* ---- masks, known ---------------------------------------------------------------------------- */

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

/* ---- masks, made ----------------------------------------------------------------------------- */

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

/* ---- public values --------------------------------------------------------------------------- */

static gboolean mac_is_public(const MtwRedactMac *mac)
{
	const guint8 *b = mac->bytes;
	gboolean zero = TRUE, ones = TRUE;

	for (guint i = 0; i < mac->count; i++) {
		zero = zero && b[i] == 0;
		ones = ones && b[i] == 0xff;
	}
	if (zero || ones)
		return TRUE;
	/* Masks. */
	if (b[0] == 2 && b[1] == 0 && b[2] == 0)
		return mac->count == 6 || mac->from_mac || (b[3] == 0 && b[4] == 0);
	/* Multicast of IPv4, of bridges, and of IPv6 but where the end of an address is in it. */
	if (mac->count != 6)
		return FALSE;
	return (b[0] == 1 && b[1] == 0 && b[2] == 0x5e) ||
	       (b[0] == 1 && b[1] == 0x80 && b[2] == 0xc2) ||
	       (b[0] == 0x33 && b[1] == 0x33 && b[2] != 0xff);
}

static gboolean ipv4_is_public(const guint8 *b)
{
	if (b[0] == 0 || b[0] == 127 || b[0] >= 224)
		return TRUE;
	/* Masks. */
	return (b[0] == 192 && b[1] == 0 && b[2] == 2) ||
	       (b[0] == 198 && b[1] == 51 && b[2] == 100) ||
	       (b[0] == 203 && b[1] == 0 && b[2] == 113) ||
	       (b[0] == 198 && (b[1] == 18 || b[1] == 19));
}

/* fe80::1 and the like, and what is made of the mask of a MAC. */
static gboolean link_is_public(const guint8 *b)
{
	static const guint8 prefix[] = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0 };
	static const guint8 mask[] = { 0, 0, 0, 0xff, 0xfe };
	static const guint8 small[] = { 0, 0, 0, 0 };

	return memcmp(b, prefix, sizeof prefix) == 0 &&
	       (memcmp(b + 8, mask, sizeof mask) == 0 || memcmp(b + 8, small, sizeof small) == 0);
}

static gboolean ipv6_is_public(const guint8 *b)
{
	switch (mtw_redact_ipv6_class(b)) {
	case MTW_IPV6_GLOBAL:
		return b[0] == 0x20 && b[1] == 1 && b[2] == 0x0d && b[3] == 0xb8;
	case MTW_IPV6_LINK:
		return link_is_public(b);
	case MTW_IPV6_MAPPED:
		return ipv4_is_public(b + 12);
	case MTW_IPV6_SOLICITED:
		return b[13] == 0;
	default:
		return TRUE;
	}
}

static gboolean is_all_zero(const char *text, gsize bytes)
{
	for (gsize i = 0; i < bytes; i++)
		if (g_ascii_isalnum(text[i]) && text[i] != '0')
			return FALSE;
	return memchr(text, '0', bytes) != NULL;
}

/* The serial number of a USB host controller, and more. */
static gboolean is_pci_address(const char *text, gsize bytes)
{
	char copy[MTW_BDF_TEXT_BYTES];
	MtwBdf bdf;

	if (bytes >= sizeof copy)
		return FALSE;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	return strlen(copy) == bytes && mtw_parse_bdf(copy, &bdf);
}

gboolean mtw_redact_is_public(MtwRedactKind kind, const char *text, gsize bytes)
{
	MtwRedactMac mac;
	guint8 address[16];

	if (bytes == 0 || mtw_redact_is_masks(text, bytes))
		return TRUE;
	switch (kind) {
	case MTW_REDACT_MAC:
		if (mtw_redact_read_mac(text, bytes, &mac))
			return mac_is_public(&mac);
		return mtw_redact_read_ipv6(text, bytes, address) && ipv6_is_public(address);
	case MTW_REDACT_IPV4:
	case MTW_REDACT_IPV6:
		if (mtw_redact_read_ipv4(text, bytes, address))
			return ipv4_is_public(address);
		return mtw_redact_read_ipv6(text, bytes, address) && ipv6_is_public(address);
	case MTW_REDACT_UUID:
		return mtw_redact_is_zero_form(text, bytes);
	default:
		return is_all_zero(text, bytes) || is_pci_address(text, bytes);
	}
}
