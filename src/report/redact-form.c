/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact-form.h"

#include <arpa/inet.h>
#include <string.h>

#define UUID_DIGITS 32
/* So many digits at the end of an identifier can be a number of ours. */
#define FREE_DIGITS 6
#define SHORT_FREE_DIGITS 4
#define SHORT_DIGITS 16

static const guint uuid_groups[] = { 8, 4, 4, 4, 12 };

/* How many hexadecimal digits stand at @at, at most @most. */
static gsize hex_run(const char *text, gsize bytes, gsize at, gsize most)
{
	gsize run = 0;

	while (run < most && at + run < bytes && g_ascii_isxdigit(text[at + run]))
		run++;
	return run;
}

static void hex_bytes(const char *text, gsize digits, guint8 *ret_bytes)
{
	for (gsize i = 0; i < digits; i++) {
		guint8 value = (guint8)g_ascii_xdigit_value(text[i]);
		ret_bytes[i / 2] = (guint8)(i % 2 == 0 ? value << 4 : ret_bytes[i / 2] | value);
	}
}

/* Groups of @digits digits with @separator between them, to the end of the text. Returns: bytes read, 0 if it is not so */
static guint read_groups(const char *text, gsize bytes, gsize digits, char separator,
			 guint8 *ret_bytes)
{
	guint count = 0;

	for (gsize at = 0; count + digits / 2 <= 8; at += digits + 1) {
		if (hex_run(text, bytes, at, digits) != digits)
			return 0;
		hex_bytes(text + at, digits, ret_bytes + count);
		count += (guint)digits / 2;
		if (at + digits == bytes)
			return count;
		if (text[at + digits] != separator)
			return 0;
	}
	return 0;
}

static guint read_mac_bytes(const char *text, gsize bytes, guint8 *ret_bytes)
{
	guint count = 0;

	switch (bytes) {
	case 12:
		if (hex_run(text, bytes, 0, 12) == 12) {
			hex_bytes(text, 12, ret_bytes);
			count = 6;
		}
		break;
	case 14:
		count = read_groups(text, bytes, 4, '.', ret_bytes);
		break;
	case 17:
	case 23:
		count = read_groups(text, bytes, 2, text[2] == '-' ? '-' : ':', ret_bytes);
		break;
	default:
		break;
	}
	return count;
}

gboolean mtw_redact_read_mac(const char *text, gsize bytes, MtwRedactMac *ret_mac)
{
	memset(ret_mac, 0, sizeof *ret_mac);
	ret_mac->count = read_mac_bytes(text, bytes, ret_mac->bytes);
	ret_mac->separated = bytes != 12;
	ret_mac->from_mac =
		ret_mac->count == 8 && ret_mac->bytes[3] == 0xff && ret_mac->bytes[4] >= 0xfe;
	return ret_mac->count == 6 || ret_mac->count == 8;
}

gboolean mtw_redact_read_ipv4(const char *text, gsize bytes, guint8 *ret_address)
{
	gsize at = 0;

	for (guint octet = 0; octet < 4; octet++) {
		guint value = 0, digits = 0;
		for (; at < bytes && g_ascii_isdigit(text[at]) && digits < 4; at++, digits++)
			value = value * 10 + (guint)g_ascii_digit_value(text[at]);
		if (digits == 0 || digits > 3 || value > 255 ||
		    (digits > 1 && text[at - digits] == '0'))
			return FALSE;
		ret_address[octet] = (guint8)value;
		if (octet < 3 && (at >= bytes || text[at++] != '.'))
			return FALSE;
	}
	return at == bytes;
}

gboolean mtw_redact_read_ipv6(const char *text, gsize bytes, guint8 *ret_address)
{
	char copy[INET6_ADDRSTRLEN];

	if (bytes >= sizeof copy || bytes < 2 || memchr(text, ':', bytes) == NULL ||
	    memchr(text, '\0', bytes) != NULL)
		return FALSE;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	return inet_pton(AF_INET6, copy, ret_address) == 1;
}

static gboolean all_zero(const guint8 *bytes, gsize count)
{
	for (gsize i = 0; i < count; i++)
		if (bytes[i] != 0)
			return FALSE;
	return TRUE;
}

MtwIpv6Class mtw_redact_ipv6_class(const guint8 *address)
{
	static const guint8 solicited[] = { 0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff };

	if ((address[0] & 0xe0) == 0x20 || (address[0] & 0xfe) == 0xfc)
		return MTW_IPV6_GLOBAL;
	if (address[0] == 0xfe && (address[1] & 0xc0) == 0x80)
		return MTW_IPV6_LINK;
	if (all_zero(address, 10) && address[10] == 0xff && address[11] == 0xff)
		return MTW_IPV6_MAPPED;
	if (memcmp(address, solicited, sizeof solicited) == 0)
		return MTW_IPV6_SOLICITED;
	return MTW_IPV6_PUBLIC;
}

gboolean mtw_redact_ipv6_mac(const guint8 *address, guint8 *ret_mac)
{
	MtwIpv6Class class = mtw_redact_ipv6_class(address);

	if ((class != MTW_IPV6_GLOBAL && class != MTW_IPV6_LINK) || address[11] != 0xff ||
	    address[12] != 0xfe)
		return FALSE;
	memcpy(ret_mac, address + 8, 3);
	memcpy(ret_mac + 3, address + 13, 3);
	/* Made from a MAC, the bit for "locally administered" is turned. */
	ret_mac[0] ^= 2;
	return TRUE;
}

gsize mtw_redact_dash(const char *text, gsize bytes, gsize at)
{
	if (at >= bytes)
		return 0;
	if (text[at] == '-')
		return 1;
	if (bytes - at >= MTW_REDACT_DASH_ESCAPE_BYTES &&
	    memcmp(text + at, MTW_REDACT_DASH_ESCAPE, MTW_REDACT_DASH_ESCAPE_BYTES) == 0)
		return MTW_REDACT_DASH_ESCAPE_BYTES;
	return 0;
}

gsize mtw_redact_uuid_bytes(const char *text, gsize bytes)
{
	gsize dash = mtw_redact_dash(text, bytes, uuid_groups[0]);
	gsize at = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(uuid_groups); i++) {
		if (i > 0) {
			if (dash == 0 || mtw_redact_dash(text, bytes, at) != dash)
				return 0;
			at += dash;
		}
		if (hex_run(text, bytes, at, uuid_groups[i]) != uuid_groups[i])
			return 0;
		at += uuid_groups[i];
	}
	return at;
}

gsize mtw_redact_count_alnum(const char *text, gsize bytes)
{
	gsize count = 0;

	for (gsize at = 0; at < bytes; at++) {
		gsize dash = mtw_redact_dash(text, bytes, at);
		if (dash > 0)
			at += dash - 1;
		else if (g_ascii_isalnum(text[at]))
			count++;
	}
	return count;
}

static gboolean digit_is_zero_form(char c, gsize index, gsize count)
{
	if (index + (count < SHORT_DIGITS ? SHORT_FREE_DIGITS : FREE_DIGITS) >= count)
		return g_ascii_isxdigit(c);
	if (count == UUID_DIGITS && index == 12)
		return c == '4' || c == '0';
	if (count == UUID_DIGITS && index == 16)
		return c == '8' || c == '0';
	return c == '0';
}

gboolean mtw_redact_is_zero_form(const char *text, gsize bytes)
{
	gsize count = mtw_redact_count_alnum(text, bytes), index = 0;
	gboolean zero = TRUE, ones = TRUE;

	if (count <= SHORT_FREE_DIGITS)
		return FALSE;
	for (gsize at = 0; at < bytes && (zero || ones); at++) {
		gsize dash = mtw_redact_dash(text, bytes, at);
		if (dash > 0) {
			at += dash - 1;
		} else if (g_ascii_isalnum(text[at])) {
			zero = zero && digit_is_zero_form(text[at], index++, count);
			ones = ones && g_ascii_tolower(text[at]) == 'f';
		}
	}
	return zero || ones;
}
