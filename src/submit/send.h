/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends an item: runs the phases of its kind that are not done, tries again as long as it makes sense, and leaves the
 * item in a state from which any later process goes on.
 */
#pragma once

#include "submit/credentials.h"
#include "submit/queue.h"

typedef struct {
	const MtwPaths *paths; /* for targets of side jobs */
	const MtwCredentialSource *credentials;
	/*
	 * (nullable) Asks the person: no token was found, or the server did not take it (@refused). NULL result: none.
	 * (transfer full) (nullable)
	 */
	MtwSecret *(*ask_secret)(const MtwTarget *target, gboolean refused, gpointer user_data);
	/*
	 * (nullable) (transfer none) @event: {"event":"progress","bytes","total","confirmed","eta_sec"},
	 * {"event":"sending","state","phase","host"}, {"event":"retry","in_sec","try","of","message"}, {"event":"sent","url","id","report_id","sha256"}
	 */
	void (*event)(JsonObject *event, gpointer user_data);
	gpointer user_data;
	const int *cancel;   /* (nullable) atomic */
	gboolean no_network; /* nothing is sent: MTW_ERROR_NETWORK, the item waits */
	gboolean one_try;    /* no waiting for a second one (timer) */
} MtwSendOptions;

/*
 * mtw_send_item: @item: locked, with consent. Errors: MTW_ERROR_NETWORK: it waits for another try; _REJECTED, _AUTH,
 * _TLS: a person has to do something; _NOT_FILED: the file is there, the report is not; _DISK; _INTERRUPTED;
 * _DECLINED: no consent for this. Progress reaches the total only after the server's yes.
 */
gboolean mtw_send_item(MtwItem *item, const MtwTarget *target, const MtwSendOptions *options,
		       GError **error);

/* What can be asked before. 0 and NULL when it cannot. */
typedef struct {
	guint64 max_bytes; /* the server's, else the file's own; 0: unknown */
	char *who;	   /* (nullable) the name behind the credentials */
	char *duplicate;   /* (nullable) address of an earlier report of this archive */
	GPtrArray *notes;  /* (element-type MtwMessage) what could not be asked, and why */
} MtwInquiry;

void mtw_inquiry_clear(MtwInquiry *inquiry);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwInquiry, mtw_inquiry_clear)

/* mtw_send_inquire: asks the server before anything is sent. Only TLS, credentials and a person's "stop" are errors. */
gboolean mtw_send_inquire(const MtwTarget *target, const MtwLetter *letter, const MtwLink *issue,
			  const MtwSendOptions *options, MtwInquiry *ret_inquiry, GError **error);

/* mtw_send_test_auth: for `targets test-auth`. @ret_who: (transfer full) (nullable) */
gboolean mtw_send_test_auth(const MtwTarget *target, const MtwSendOptions *options, char **ret_who,
			    GError **error);
