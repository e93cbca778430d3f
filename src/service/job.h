/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the service has to do: a call on its way through polkit and the worker, or something of its own. */
#pragma once

#include "service/methods.h"

/* So many calls of one user wait at a time: who floods the service keeps no other from it. */
#define MTW_JOBS_OF_A_USER_MAX 32

typedef struct _MtwJobs MtwJobs;
typedef struct _MtwJob MtwJob;

struct _MtwJob {
	MtwJobs *jobs;
	void (*work)(MtwJob *job); /* in the worker */
	gpointer server;
	/* Of a call: */
	gboolean is_call;
	const MtwMethod *method;
	MtwCall call;
	GDBusMethodInvocation *invocation;
	/* Of others: */
	char *session;
};

MtwJobs *mtw_jobs_new(void);
/* Waits for the worker. */
void mtw_jobs_free(MtwJobs *jobs);

/* mtw_jobs_waiting: how many were taken and not done yet; thread-safe. */
guint mtw_jobs_waiting(MtwJobs *jobs);

/* mtw_job_new: @uid: (nullable): whose call it is. Errors: MTW_ERROR_BUSY: too many of this user. Returns: (nullable) */
MtwJob *mtw_job_new(MtwJobs *jobs, gpointer server, const uid_t *uid, GError **error);
void mtw_job_free(MtwJob *job);

/* mtw_job_push: one after the other, in the worker; it is freed afterwards. */
void mtw_job_push(MtwJob *job, void (*work)(MtwJob *job));
