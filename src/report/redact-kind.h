/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kinds of private values there are, and what stands in their place: masks that keep the shape
 * of the value and that are known as masks when they are met again. Pure: no I/O.
 */
#pragma once

#include <glib.h>

typedef enum {
	MTW_REDACT_MAC,	   /* 02:00:00:00:00:01, also EUI-64 and what is made from one */
	MTW_REDACT_IPV4,   /* 192.0.2.1 */
	MTW_REDACT_IPV6,   /* 2001:db8::1 */
	MTW_REDACT_UUID,   /* 00000000-0000-4000-8000-000000000001; any hexadecimal or LVM form */
	MTW_REDACT_SERIAL, /* SERIAL1, with X to the length of the value */
	MTW_REDACT_HOST,   /* host1 */
	MTW_REDACT_DOMAIN, /* domain1.example */
	MTW_REDACT_USER,   /* user1 */
	MTW_REDACT_NAME,   /* name1: a person's name */
	MTW_REDACT_HOME,   /* /home/home1: a home folder that is not named after its user */
	MTW_REDACT_EMAIL,  /* user1@example.org */
	MTW_REDACT_SSID,   /* SSID1 */
	MTW_REDACT_LABEL,  /* label1: of a file system or partition */
	MTW_REDACT_VOLUME, /* volume1: LUKS, LVM, device mapper */
	MTW_REDACT_SECRET, /* SECRET1 */
	MTW_REDACT_ID,	   /* ID1: any other name that is given once */
	MTW_REDACT_WORD,   /* word1: the user's own */
	MTW_N_REDACT_KINDS,
} MtwRedactKind;

/* mtw_redact_kind_name: "mac", as in rule files and --json. */
const char *mtw_redact_kind_name(MtwRedactKind kind);

/* mtw_redact_kind_from_name: FALSE for an unknown name. */
gboolean mtw_redact_kind_from_name(const char *name, MtwRedactKind *ret_kind);

/*
 * mtw_redact_kind_of: @kind, or what the form of the value says it is: an address that a rule took
 * for a host is an address.
 */
MtwRedactKind mtw_redact_kind_of(MtwRedactKind kind, const char *text, gsize bytes);

/*
 * mtw_redact_key: what two spellings of one value have in common: separators and case of a MAC, a
 * link-local address made of it, a UUID without dashes.
 * @kind: of mtw_redact_kind_of. Returns: (transfer full)
 */
char *mtw_redact_key(MtwRedactKind kind, const char *text, gsize bytes);

/* mtw_redact_is_text_mask: one of the masks that are words (SERIAL1, host1, user1@example.org). */
gboolean mtw_redact_is_text_mask(const char *text, gsize bytes);

/* mtw_redact_is_masks: such masks and signs, nothing else: "user1@example.org, user2". */
gboolean mtw_redact_is_masks(const char *text, gsize bytes);

/*
 * mtw_redact_is_public: a value that says nothing about anybody: loopback, netmasks, all zero,
 * multicast, and every mask.
 */
gboolean mtw_redact_is_public(MtwRedactKind kind, const char *text, gsize bytes);

/*
 * mtw_redact_mask: appends the mask of @text.
 * @number: from 1
 */
void mtw_redact_mask(GString *out, MtwRedactKind kind, guint number, const char *text, gsize bytes);
