/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the sender share. */
#pragma once

#include "submit/queue-private.h"
#include "submit/send.h"

#include <sys/stat.h>

/* What the person sees of an upload: never back within a try, whole only after the server's yes. */
typedef struct {
	const MtwSendOptions *options;
	gboolean active;
	guint64 total_bytes;
	guint64 shown_bytes;
	guint64 before_bytes; /* of the pieces of this try that were sent before the one now */
	guint64 piece_done, piece_bytes; /* the one now */
	guint64 first_bytes;		 /* where the try began, for the time that is left */
	gint64 first_usec, shown_usec;
} MtwSendProgress;

/* A job and what it stands on. */
typedef struct {
	MtwJob job; /* job.owner is this */
	const MtwSendOptions *options;
	const MtwCredentialSource *credentials; /* (nullable) */
	MtwTarget *own_target;			/* (nullable): of a side job */
	MtwSendProgress *progress;		/* (nullable) */
	guint asked;				/* how often for other credentials */
	gpointer user_data;
} MtwSendJob;

typedef struct {
	MtwItem *item;
	const MtwKind *kind;
	const MtwPhase *const *phases;
	const MtwSendOptions *options;
	MtwSendJob *main;
	GPtrArray *sides; /* (element-type MtwSendJob) */
	MtwItemFiles files;
	GArray *stats; /* of struct stat: the files when they were hashed */
	MtwLetter *letter;
	MtwLink *issue;
	MtwSendProgress progress;
	MtwCredentialSource side_credentials;
	guint failures; /* in a row */
} MtwSendRun;

/* mtw_send_item_as: mtw_send_item with the kind given: the tests have one of their own. */
gboolean mtw_send_item_as(const MtwKind *kind, MtwItem *item, const MtwTarget *target,
			  const MtwSendOptions *options, GError **error);

/* The same of mtw_send_inquire and mtw_send_test_auth. */
gboolean mtw_send_inquire_as(const MtwKind *kind, const MtwTarget *target, const MtwLetter *letter,
			     const MtwLink *issue, const MtwSendOptions *options,
			     MtwInquiry *ret_inquiry, GError **error);
gboolean mtw_send_test_auth_as(const MtwKind *kind, const MtwTarget *target,
			       const MtwSendOptions *options, char **ret_who, GError **error);

/* ---- send-job.c ---- */

/*
 * mtw_send_job_new: with a transfer that has the credentials. @target must outlive it.
 * @credentials: (nullable): where to look for them
 * Errors: MTW_ERROR_AUTH: they are needed and there are none; those of credentials.h
 * Returns: (transfer full) (nullable)
 */
MtwSendJob *mtw_send_job_new(const MtwTarget *target, const MtwSendOptions *options,
			     const MtwCredentialSource *credentials, MtwSendProgress *progress,
			     GError **error);
void mtw_send_job_free(MtwSendJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwSendJob, mtw_send_job_free)

/* mtw_send_job_ask_again: the server did not take the credentials. FALSE: there are no others. */
gboolean mtw_send_job_ask_again(MtwSendJob *job);

/* mtw_send_job_begin: nothing is sent, and no failure is known: the next one is of what comes now. */
void mtw_send_job_begin(MtwSendJob *job);

gboolean mtw_send_is_cancelled(const MtwSendOptions *options);
/* mtw_send_event: @event: (transfer full) */
void mtw_send_event(const MtwSendOptions *options, JsonObject *event);

/* ---- send-side.c ---- */

/* mtw_send_side_job: MtwJob.side_job; the owner's user_data is the MtwSendRun. */
MtwJob *mtw_send_side_job(MtwJob *job, const char *target_id, GError **error);

/* ---- send-phase.c ---- */

/* mtw_send_phases: all that are not done; as mtw_send_item. */
gboolean mtw_send_phases(MtwSendRun *sending, GError **error);
/* mtw_send_file_is_there: whether a phase that carries the file is done. */
gboolean mtw_send_file_is_there(MtwSendRun *sending);

/* ---- send-failure.c ---- */

/*
 * mtw_send_try_again: what a phase's failure means. @looked: it failed while looking for what an earlier try did.
 * @problem: (transfer full). TRUE: it was waited, or there are other
 * credentials; FALSE: @error says how the run ends.
 */
gboolean mtw_send_try_again(MtwSendRun *sending, const MtwPhase *phase, gboolean looked,
			    GError *problem, GError **error);

/* ---- send-progress.c ---- */

void mtw_send_progress_begin(MtwSendProgress *progress, const MtwSendOptions *options,
			     guint64 total_bytes);
/* @there_bytes: what the server had before; 0: the pieces are added up. */
void mtw_send_progress_tell(MtwSendProgress *progress, guint64 there_bytes, guint64 done,
			    guint64 total);
/* mtw_send_progress_end: @confirmed: the server said yes */
void mtw_send_progress_end(MtwSendProgress *progress, gboolean confirmed);

/* ---- send-receipt.c ---- */

/* mtw_send_finish: the receipt for the report's folder and the last event. */
void mtw_send_finish(MtwItem *item, const MtwKind *kind, const MtwSendOptions *options);
