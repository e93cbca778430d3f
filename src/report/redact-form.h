/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms in which addresses and identifiers are written: reading them. Pure. */
#pragma once

#include <glib.h>

/* A hardware address: 6 bytes, or an EUI-64 of 8. */
typedef struct {
	guint8 bytes[8];
	guint count;	    /* 6 or 8 */
	gboolean from_mac;  /* an EUI-64 that is a MAC with two bytes put in the middle */
	gboolean separated; /* not twelve bare digits */
} MtwRedactMac;

/*
 * mtw_redact_read_mac: the whole text is one: aa:bb:cc:dd:ee:ff, aa-bb-.., aabb.ccdd.eeff,
 * aabbccddeeff, and 8 groups with ':' or '-'.
 */
gboolean mtw_redact_read_mac(const char *text, gsize bytes, MtwRedactMac *ret_mac);

/* mtw_redact_read_ipv4: four numbers up to 255 without leading zeros. */
gboolean mtw_redact_read_ipv4(const char *text, gsize bytes, guint8 *ret_address);

/* mtw_redact_read_ipv6: 16 bytes to @ret_address. */
gboolean mtw_redact_read_ipv6(const char *text, gsize bytes, guint8 *ret_address);

/* What an IPv6 address is made of. */
typedef enum {
	MTW_IPV6_GLOBAL,    /* also unique local */
	MTW_IPV6_LINK,	    /* fe80:: */
	MTW_IPV6_MAPPED,    /* ::ffff:192.0.2.1 */
	MTW_IPV6_SOLICITED, /* ff02::1:ff00:0/104: the end of an address is in it */
	MTW_IPV6_PUBLIC,    /* loopback, multicast, not in use */
} MtwIpv6Class;

MtwIpv6Class mtw_redact_ipv6_class(const guint8 *address);

/* mtw_redact_ipv6_mac: the MAC that the lower half is made of. FALSE when it is not. */
gboolean mtw_redact_ipv6_mac(const guint8 *address, guint8 *ret_mac);

/* Bytes of an escaped dash ("\x2d", as in the names of systemd's units). */
#define MTW_REDACT_DASH_ESCAPE "\\x2d"
#define MTW_REDACT_DASH_ESCAPE_BYTES 4

/* mtw_redact_dash: how many bytes the dash at @at takes: 1, 4 for an escaped one, 0: there is none. */
gsize mtw_redact_dash(const char *text, gsize bytes, gsize at);

/*
 * mtw_redact_uuid_bytes: the length of a UUID (8-4-4-4-12) at the start of @text, 0: there is none.
 * All its dashes are of one form.
 */
gsize mtw_redact_uuid_bytes(const char *text, gsize bytes);

/*
 * mtw_redact_is_zero_form: an identifier of any form whose digits are all 0 but the last six (four
 * in a short one), and the 4 and 8 of a UUID; or all 0, or all f.
 */
gboolean mtw_redact_is_zero_form(const char *text, gsize bytes);

/* mtw_redact_count_alnum: letters and digits; those of an escaped dash do not count. */
gsize mtw_redact_count_alnum(const char *text, gsize bytes);
