/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of sending share. Private to src/wizard. */
#pragma once

#include "submit/send.h"
#include "wizard/sending-archive.h"
#include "wizard/sending.h"
#include "wizard/settings.h"
#include "wizard/wizard-private.h"

typedef struct {
	MtwWizard *wizard;
	MtwParcel *parcel;  /* (nullable): of an item of the queue: NULL */
	GPtrArray *targets; /* (element-type MtwTarget) */
	MtwTarget *target;  /* one of them */
	const MtwKind *kind;
	const MtwTarget *store; /* (nullable): another one that takes the file */
	MtwLink *link;		/* (nullable) */
	MtwLetter *letter;	/* (nullable) */
	char *whole;		/* the archive, or a smaller copy of it */
	char *whole_sha256;
	guint64 whole_bytes;
	GPtrArray *paths;  /* (element-type utf8): what is sent: that, or its parts */
	char *work_folder; /* (nullable): for a smaller copy, or parts */
	MtwInquiry inquiry;
	const MtwTarget *asked; /* (nullable): whom the inquiry is of */
	MtwSecret *named; /* (nullable): of --token-file or --token-fd: for the first target only */
	MtwTarget *first; /* (nullable): whose secret `named` is */
	MtwSecret *typed; /* (nullable): by the person */
	const MtwTarget *typed_for;
	gboolean one_try;
	gboolean recompressed; /* paths has, or was tried with, a smaller copy */
	guint too_big_at;      /* next entry of the target's list */
	gint64 shown_usec;     /* of the last progress */
} MtwSending;

void mtw_sending_clear(MtwSending *sending);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwSending, mtw_sending_clear)

/* mtw_sending_take: sends this file; parts are forgotten. Its SHA-256 and size are read. */
gboolean mtw_sending_take(MtwSending *sending, const char *path, GError **error);

/* Nobody is there to answer. */
static inline gboolean mtw_sending_is_unattended(const MtwSending *sending)
{
	return sending->wizard->options->batch;
}

/* sending-target.c */

/*
 * mtw_sending_choose_target: by the options, or asked for: target, kind and link.
 * @ret_saved: the person wants it saved only
 */
gboolean mtw_sending_choose_target(MtwSending *sending, gboolean *ret_saved, GError **error);

/* mtw_sending_ask_target: another one, without a look at the options. */
gboolean mtw_sending_ask_target(MtwSending *sending, gboolean *ret_saved, GError **error);

/* mtw_sending_takes: whether the target's FileTypes have this file name. */
gboolean mtw_sending_takes(const MtwTarget *target, const char *name);

/* mtw_sending_set_target: errors tell why it cannot take this archive. */
gboolean mtw_sending_set_target(MtwSending *sending, MtwTarget *target, GError **error);

/* sending-preview.c */
void mtw_sending_show_preview(MtwSending *sending);

/* mtw_sending_show_item: the same of what is in the queue. */
void mtw_sending_show_item(MtwSending *sending, const MtwItem *item);

/* mtw_sending_warn: what a person should know before they agree. */
gboolean mtw_sending_warn(MtwSending *sending, GError **error);

/* sending-size.c */

/*
 * mtw_sending_fit: when it is larger than @max_bytes: asks, or goes by the target's list. 0: too big, but nobody knows what
 * would not be. Changes paths or target.
 */
gboolean mtw_sending_fit(MtwSending *sending, guint64 max_bytes, GError **error);

/* sending-transfer.c */
gboolean mtw_sending_inquire(MtwSending *sending, GError **error);

/* mtw_sending_transfer: sends the item and shows what came of it. */
gboolean mtw_sending_transfer(MtwSending *sending, MtwItem *item, GError **error);

/* mtw_sending_finish: the page or file that a person has to finish, if there is one. */
gboolean mtw_sending_finish(MtwSending *sending, const MtwItem *item, GError **error);
