/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/job.h"

#include "base/error.h"

struct _MtwJobs {
	GThreadPool *worker; /* of one thread */
	GMutex lock;	     /* of what follows */
	GHashTable *of_user; /* uid to the number of calls that wait */
	guint waiting;
};

static guint count_of(MtwJobs *jobs, uid_t uid)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(jobs->of_user, GUINT_TO_POINTER(uid)));
}

static void set_count(MtwJobs *jobs, uid_t uid, guint count)
{
	if (count == 0)
		g_hash_table_remove(jobs->of_user, GUINT_TO_POINTER(uid));
	else
		g_hash_table_insert(jobs->of_user, GUINT_TO_POINTER(uid), GUINT_TO_POINTER(count));
}

/* With the lock held. */
static gboolean take_place(MtwJobs *jobs, uid_t uid, GError **error)
{
	guint count = count_of(jobs, uid);

	if (uid != 0 && count >= MTW_JOBS_OF_A_USER_MAX) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY,
			    "%u calls of yours wait already; that is too many", count);
		return FALSE;
	}
	set_count(jobs, uid, count + 1);
	return TRUE;
}

MtwJob *mtw_job_new(MtwJobs *jobs, gpointer server, const uid_t *uid, GError **error)
{
	gboolean taken;
	MtwJob *job;

	g_mutex_lock(&jobs->lock);
	taken = uid == NULL || take_place(jobs, *uid, error);
	jobs->waiting += taken ? 1 : 0;
	g_mutex_unlock(&jobs->lock);
	if (!taken)
		return NULL;
	job = g_new0(MtwJob, 1);
	job->jobs = jobs;
	job->server = server;
	job->is_call = uid != NULL;
	job->call.uid = uid != NULL ? *uid : 0;
	return job;
}

/* The reply was sent, or the call was given up: the invocation owns itself. */
void mtw_job_free(MtwJob *job)
{
	MtwJobs *jobs = job->jobs;

	g_mutex_lock(&jobs->lock);
	if (job->is_call)
		set_count(jobs, job->call.uid, count_of(jobs, job->call.uid) - 1);
	jobs->waiting--;
	g_mutex_unlock(&jobs->lock);
	g_clear_pointer(&job->call.details, g_hash_table_unref);
	g_clear_object(&job->call.fds);
	g_free(job->session);
	g_free(job);
}

static void work(gpointer data, gpointer user_data)
{
	MtwJob *job = data;

	(void)user_data;
	job->work(job);
	mtw_job_free(job);
}

void mtw_job_push(MtwJob *job, void (*task)(MtwJob *job))
{
	job->work = task;
	g_thread_pool_push(job->jobs->worker, job, NULL);
}

guint mtw_jobs_waiting(MtwJobs *jobs)
{
	guint waiting;

	g_mutex_lock(&jobs->lock);
	waiting = jobs->waiting;
	g_mutex_unlock(&jobs->lock);
	return waiting;
}

MtwJobs *mtw_jobs_new(void)
{
	MtwJobs *jobs = g_new0(MtwJobs, 1);

	jobs->worker = g_thread_pool_new(work, NULL, 1, TRUE, NULL);
	jobs->of_user = g_hash_table_new(NULL, NULL);
	g_mutex_init(&jobs->lock);
	return jobs;
}

void mtw_jobs_free(MtwJobs *jobs)
{
	g_thread_pool_free(jobs->worker, FALSE, TRUE);
	g_hash_table_unref(jobs->of_user);
	g_mutex_clear(&jobs->lock);
	g_free(jobs);
}
