/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact-shape.h"

#include "report/redact-form.h"

#include <string.h>

/* Groups of two digits that are looked at: more than the longest address has. */
#define GROUPS_MOST 21
#define IPV4_MOST_BYTES 15
#define IPV6_MOST_BYTES 45

/* A text and where a character stands that a form can begin to be seen by. */
typedef struct {
	const char *text;
	gsize bytes;
	gsize at;
	GArray *matches;
} Scan;

gboolean mtw_shape_from_name(const char *name, MtwShape *ret_shape)
{
	static const char *const names[MTW_N_SHAPES] = {
		[MTW_SHAPE_MAC] = "mac",   [MTW_SHAPE_IPV4] = "ipv4",	[MTW_SHAPE_IPV6] = "ipv6",
		[MTW_SHAPE_UUID] = "uuid", [MTW_SHAPE_EMAIL] = "email",
	};

	for (int shape = MTW_SHAPE_NONE + 1; shape < MTW_N_SHAPES; shape++) {
		if (g_str_equal(names[shape], name)) {
			*ret_shape = (MtwShape)shape;
			return TRUE;
		}
	}
	return FALSE;
}

/* The character at @at; NUL outside the text. */
static char char_at(const Scan *scan, gsize at)
{
	return at < scan->bytes ? scan->text[at] : '\0';
}

/* The character before @at; NUL at the beginning. */
static char char_before(const Scan *scan, gsize at)
{
	return at > 0 ? scan->text[at - 1] : '\0';
}

static gboolean is_word_char(char c)
{
	return g_ascii_isalnum(c) || ((guchar)c & 0x80) != 0;
}

/* How many characters of @class stand before @at, at most @most. */
static gsize run_before(const Scan *scan, gsize at, gsize most, gboolean (*is_class)(char))
{
	gsize run = 0;

	while (run < most && run < at && is_class(scan->text[at - run - 1]))
		run++;
	return run;
}

static gboolean is_hex(char c)
{
	return g_ascii_isxdigit(c);
}

static gboolean is_digit(char c)
{
	return g_ascii_isdigit(c);
}

static gboolean hex_pair_at(const Scan *scan, gsize at)
{
	return is_hex(char_at(scan, at)) && is_hex(char_at(scan, at + 1));
}

/* Returns: @end, where the scan goes on */
static gsize found(Scan *scan, gsize start, gsize end, MtwShape shape)
{
	MtwShapeMatch match = { start, end, shape };

	g_array_append_val(scan->matches, match);
	return end;
}

/* ---- aa:bb:cc:dd:ee:ff ----------------------------------------------------------------------- */

/* The hardware address of InfiniBand: flags, queue pair, then fe80:: and the GUID. */
static gboolean is_infiniband(const Scan *scan, gsize start)
{
	static const char prefix[] = "fe:80:00:00:00:00:00:00:";

	return g_ascii_strncasecmp(scan->text + start + 12, prefix, strlen(prefix)) == 0;
}

/* From the first separator of groups of two digits. Returns: the end, 0: no address */
static gsize mac_at(Scan *scan)
{
	char separator = scan->text[scan->at];
	gsize start = scan->at - 2, end, groups = 1;
	char before;

	if (scan->at < 2 || !hex_pair_at(scan, start))
		return 0;
	before = char_before(scan, start);
	if (is_word_char(before) || before == separator)
		return 0;
	for (end = scan->at;
	     groups < GROUPS_MOST && char_at(scan, end) == separator && hex_pair_at(scan, end + 1);
	     groups++)
		end += 3;
	if (is_word_char(char_at(scan, end)))
		return 0;
	switch (groups) {
	case 6:
	case 8:
		return found(scan, start, end, MTW_SHAPE_MAC);
	case 14:
		/* An Ethernet header: to, from, type. */
		found(scan, start, start + 17, MTW_SHAPE_MAC);
		return found(scan, start + 18, start + 35, MTW_SHAPE_MAC);
	case 20:
		return is_infiniband(scan, start) ? found(scan, start + 36, end, MTW_SHAPE_MAC) : 0;
	default:
		return 0;
	}
}

/* aabb.ccdd.eeff; with a letter in it, or it is a number. */
static gsize dotted_mac_at(Scan *scan)
{
	gsize start = scan->at - 4, end = start + 14;
	MtwRedactMac mac;

	if (scan->at < 4 || end > scan->bytes || is_word_char(char_before(scan, start)) ||
	    char_before(scan, start) == '.' || is_word_char(char_at(scan, end)) ||
	    (char_at(scan, end) == '.' && is_word_char(char_at(scan, end + 1))) ||
	    !mtw_redact_read_mac(scan->text + start, 14, &mac))
		return 0;
	for (gsize at = start; at < end; at++)
		if (g_ascii_isalpha(scan->text[at]))
			return found(scan, start, end, MTW_SHAPE_MAC);
	return 0;
}

/* ---- UUIDs ----------------------------------------------------------------------------------- */

static gsize uuid_at(Scan *scan)
{
	gsize start = scan->at - 8, length;

	if (scan->at < 8 || is_word_char(char_before(scan, start)))
		return 0;
	length = mtw_redact_uuid_bytes(scan->text + start, scan->bytes - start);
	if (length == 0 || is_word_char(char_at(scan, start + length)))
		return 0;
	return found(scan, start, start + length, MTW_SHAPE_UUID);
}

/* ---- IPv4 ------------------------------------------------------------------------------------ */

gboolean mtw_shape_ipv4_is_private(const guint8 *address)
{
	return (address[0] == 192 && address[1] == 168) ||
	       (address[0] == 172 && (address[1] & 0xf0) == 16) ||
	       (address[0] == 169 && address[1] == 254);
}

/* The length of four numbers at @start, 0: there are not four. */
static gsize ipv4_bytes(const Scan *scan, gsize start, guint8 *ret_address)
{
	gsize end = start;

	while (end - start < IPV4_MOST_BYTES &&
	       (is_digit(char_at(scan, end)) || char_at(scan, end) == '.'))
		end++;
	while (end > start && scan->text[end - 1] == '.')
		end--;
	if (!mtw_redact_read_ipv4(scan->text + start, end - start, ret_address))
		return 0;
	return is_word_char(char_at(scan, end)) ? 0 : end - start;
}

static gboolean ends_range(const Scan *scan, gsize start)
{
	const MtwShapeMatch *last;

	if (scan->matches->len == 0)
		return FALSE;
	last = &g_array_index(scan->matches, MtwShapeMatch, scan->matches->len - 1);
	return last->shape == MTW_SHAPE_IPV4 && last->end + 1 == start;
}

/* Whether what stands around makes it a part of a version number, a name or a longer number. */
static gboolean ipv4_is_glued(const Scan *scan, gsize start, gsize end)
{
	char before = char_before(scan, start), after = char_at(scan, end);
	guint8 other[4];

	if (before == '_' || (before == '-' && !ends_range(scan, start)))
		return TRUE;
	if (after == '-' && is_word_char(char_at(scan, end + 1)))
		return ipv4_bytes(scan, end + 1, other) == 0;
	if (after == '.' && is_word_char(char_at(scan, end + 1)))
		return TRUE;
	return after == '_' || after == '+' || after == '~';
}

static gsize ipv4_at(Scan *scan)
{
	gsize start = scan->at - run_before(scan, scan->at, 4, is_digit), length;
	char before = char_before(scan, start);
	guint8 address[4];

	if (start == scan->at || scan->at - start > 3 || is_word_char(before) || before == '.')
		return 0;
	length = ipv4_bytes(scan, start, address);
	if (length == 0 ||
	    (char_at(scan, start + length) == '.' && is_digit(char_at(scan, start + length + 1))))
		return 0;
	if (ipv4_is_glued(scan, start, start + length) && !mtw_shape_ipv4_is_private(address))
		return 0;
	return found(scan, start, start + length, MTW_SHAPE_IPV4);
}

/* ---- IPv6 ------------------------------------------------------------------------------------ */

static gsize ipv6_run(const Scan *scan, gsize start)
{
	gsize end = start;

	while (end < scan->bytes && end - start <= IPV6_MOST_BYTES &&
	       (is_hex(scan->text[end]) || scan->text[end] == ':' || scan->text[end] == '.'))
		end++;
	return end;
}

/* The longest beginning of the run that is an address: "2001:db8::1:" has a colon of the sentence. */
static gsize ipv6_end(const Scan *scan, gsize start, guint8 *ret_address)
{
	gsize end = ipv6_run(scan, start);

	while (end > start + 2) {
		if (mtw_redact_read_ipv6(scan->text + start, end - start, ret_address))
			return end;
		if (scan->text[end - 1] != ':' && scan->text[end - 1] != '.')
			return 0;
		end--;
	}
	return 0;
}

/* All addresses in use begin with four digits, the first of them 2, 3 or f; or are ::ffff:1.2.3.4. */
static gsize ipv6_at(Scan *scan)
{
	gsize start = scan->at - run_before(scan, scan->at, 5, is_hex), end;
	char before = char_before(scan, start);
	guint8 address[16];

	if (is_word_char(before) || before == ':' || before == '.' || before == '_')
		return 0;
	if (start == scan->at) {
		if (scan->bytes - start < 9 ||
		    g_ascii_strncasecmp(scan->text + start, "::ffff:", 7) != 0)
			return 0;
	} else if (scan->at - start != 4 || strchr("23fF", scan->text[start]) == NULL) {
		return 0;
	}
	end = ipv6_end(scan, start, address);
	if (end == 0 || is_word_char(char_at(scan, end)) ||
	    mtw_redact_ipv6_class(address) == MTW_IPV6_PUBLIC)
		return 0;
	return found(scan, start, end, MTW_SHAPE_IPV6);
}

/* ---- e-mail ---------------------------------------------------------------------------------- */

static gboolean is_local(char c)
{
	return g_ascii_isalnum(c) || (c != '\0' && strchr("._%+-", c) != NULL);
}

static gboolean is_domain(char c)
{
	return g_ascii_isalnum(c) || c == '.' || c == '-';
}

/* Letters after the last dot. */
static gboolean has_top_level(const char *domain, gsize bytes)
{
	gsize letters = 0;

	while (letters < bytes && g_ascii_isalpha(domain[bytes - letters - 1]))
		letters++;
	return letters >= 2 && letters + 1 < bytes && domain[bytes - letters - 1] == '.';
}

static gsize email_at(Scan *scan)
{
	gsize start = scan->at - run_before(scan, scan->at, scan->at, is_local);
	gsize end = scan->at + 1;

	while (start < scan->at && !g_ascii_isalnum(scan->text[start]))
		start++;
	while (end < scan->bytes && is_domain(scan->text[end]))
		end++;
	while (end > scan->at + 1 && !g_ascii_isalnum(scan->text[end - 1]))
		end--;
	if (start == scan->at || !has_top_level(scan->text + scan->at + 1, end - scan->at - 1))
		return 0;
	return found(scan, start, end, MTW_SHAPE_EMAIL);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static gsize form_at(Scan *scan)
{
	gsize end;

	switch (scan->text[scan->at]) {
	case ':':
		end = mac_at(scan);
		return end > 0 ? end : ipv6_at(scan);
	case '.':
		end = ipv4_at(scan);
		return end > 0 ? end : dotted_mac_at(scan);
	case '-':
		end = uuid_at(scan);
		return end > 0 ? end : mac_at(scan);
	case '\\':
		return uuid_at(scan);
	default:
		return email_at(scan);
	}
}

void mtw_shape_scan(const char *text, gsize bytes, GArray *matches)
{
	static const gboolean starts[256] = {
		[':'] = 1, ['.'] = 1, ['-'] = 1, ['\\'] = 1, ['@'] = 1
	};
	Scan scan = { text, bytes, 0, matches };

	while (scan.at < bytes) {
		gsize end = 0;
		if (starts[(guchar)text[scan.at]])
			end = form_at(&scan);
		scan.at = end > scan.at ? end : scan.at + 1;
	}
}
