/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact-kind.h"

#include "base/parse.h"
#include "report/redact-form.h"

#include <arpa/inet.h>
#include <string.h>

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
