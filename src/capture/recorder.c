/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/recorder.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define BLOCK_BYTES (64 * 1024)
#define WAIT_MSEC 200
#define SYNC_USEC G_USEC_PER_SEC
/* One turn with the lock held; between turns the counts can be read. */
#define READS_A_TURN 64
#define DRAIN_USEC (10 * G_USEC_PER_SEC)

struct _MtwRecorder {
	MtwTracer *tracer;
	MtwFd fd;
	guint64 reserve_bytes;
	GThread *reader;
	GThread *syncer;
	int stop; /* atomic */

	GMutex lock; /* of what follows */
	GCond stopped;
	MtwStats *stats;
	GError *error;
	char block[BLOCK_BYTES];
};

MtwRecorder *mtw_recorder_new(MtwTracer *tracer, int fd, MtwStats *stats, guint64 reserve_bytes)
{
	MtwRecorder *recorder = g_new0(MtwRecorder, 1);

	recorder->tracer = tracer;
	recorder->fd = fd;
	recorder->stats = stats;
	recorder->reserve_bytes = reserve_bytes;
	g_mutex_init(&recorder->lock);
	g_cond_init(&recorder->stopped);
	return recorder;
}

/* The first error stays; with the lock held. */
static void fail(MtwRecorder *recorder, GError *error)
{
	if (recorder->error == NULL)
		recorder->error = error;
	else
		g_error_free(error);
}

/* Reads a little, with the lock held. Returns: FALSE when there is nothing more, or after an error. */
static gboolean take_turn(MtwRecorder *recorder)
{
	for (int i = 0; i < READS_A_TURN && recorder->error == NULL; i++) {
		GError *error = NULL;
		gssize got =
			mtw_tracer_read(recorder->tracer, recorder->block, BLOCK_BYTES, &error);
		if (got == 0)
			return FALSE;
		if (got > 0) {
			mtw_stats_feed(recorder->stats, recorder->block, (gsize)got);
			mtw_file_write_all(recorder->fd, recorder->block, (gsize)got, &error);
		}
		if (error != NULL) {
			g_prefix_error(&error, "the trace: ");
			fail(recorder, error);
		}
	}
	return recorder->error == NULL;
}

static gboolean locked_turn(MtwRecorder *recorder)
{
	gboolean more;

	g_mutex_lock(&recorder->lock);
	more = take_turn(recorder);
	g_mutex_unlock(&recorder->lock);
	return more;
}

static gpointer read_thread(gpointer data)
{
	MtwRecorder *recorder = data;

	while (!g_atomic_int_get(&recorder->stop)) {
		if (!locked_turn(recorder)) {
			if (mtw_recorder_failed(recorder, NULL))
				break;
			mtw_tracer_wait(recorder->tracer, WAIT_MSEC);
		}
	}
	return NULL;
}

static GError *check_disk(MtwRecorder *recorder)
{
	GError *error = NULL;
	struct statvfs space;

	if (fdatasync(recorder->fd) != 0) {
		mtw_set_error_errno(&error, errno, "the trace cannot be brought to the disk");
		return error;
	}
	if (fstatvfs(recorder->fd, &space) != 0)
		return NULL;
	if ((guint64)space.f_bavail * space.f_frsize < recorder->reserve_bytes)
		g_set_error(&error, MTW_ERROR, MTW_ERROR_DISK,
			    "stopped before the disk is full: %" G_GUINT64_FORMAT " MiB are left",
			    (guint64)space.f_bavail * space.f_frsize >> 20);
	return error;
}

static gpointer sync_thread(gpointer data)
{
	MtwRecorder *recorder = data;

	g_mutex_lock(&recorder->lock);
	while (!g_atomic_int_get(&recorder->stop) && recorder->error == NULL) {
		GError *error;
		g_mutex_unlock(&recorder->lock);
		error = check_disk(recorder);
		g_mutex_lock(&recorder->lock);
		if (error != NULL)
			fail(recorder, error);
		else
			g_cond_wait_until(&recorder->stopped, &recorder->lock,
					  g_get_monotonic_time() + SYNC_USEC);
	}
	g_mutex_unlock(&recorder->lock);
	return NULL;
}

void mtw_recorder_start(MtwRecorder *recorder)
{
	recorder->reader = g_thread_new("recorder", read_thread, recorder);
	recorder->syncer = g_thread_new("syncer", sync_thread, recorder);
}

void mtw_recorder_drain(MtwRecorder *recorder)
{
	gint64 end_usec = g_get_monotonic_time() + DRAIN_USEC;

	while (locked_turn(recorder) && g_get_monotonic_time() < end_usec)
		;
}

gboolean mtw_recorder_pause(MtwRecorder *recorder, GError **error)
{
	gboolean paused;

	mtw_recorder_drain(recorder);
	g_mutex_lock(&recorder->lock);
	take_turn(recorder);
	paused = mtw_tracer_pause(recorder->tracer, error);
	mtw_stats_stopping(recorder->stats);
	g_mutex_unlock(&recorder->lock);
	return paused;
}

static void join_threads(MtwRecorder *recorder)
{
	g_mutex_lock(&recorder->lock);
	g_atomic_int_set(&recorder->stop, 1);
	g_cond_broadcast(&recorder->stopped);
	g_mutex_unlock(&recorder->lock);
	g_clear_pointer(&recorder->reader, g_thread_join);
	g_clear_pointer(&recorder->syncer, g_thread_join);
}

gboolean mtw_recorder_finish(MtwRecorder *recorder, GError **error)
{
	join_threads(recorder);
	mtw_recorder_drain(recorder);
	if (mtw_recorder_failed(recorder, error))
		return FALSE;
	if (fsync(recorder->fd) != 0) {
		mtw_set_error_errno(error, errno, "the trace cannot be brought to the disk");
		return FALSE;
	}
	return TRUE;
}

void mtw_recorder_counts(MtwRecorder *recorder, MtwCounts *ret_counts)
{
	g_mutex_lock(&recorder->lock);
	*ret_counts = *mtw_stats_counts(recorder->stats);
	g_mutex_unlock(&recorder->lock);
}

gboolean mtw_recorder_failed(MtwRecorder *recorder, GError **error)
{
	gboolean failed;

	g_mutex_lock(&recorder->lock);
	failed = recorder->error != NULL;
	if (failed && error != NULL)
		*error = g_error_copy(recorder->error);
	g_mutex_unlock(&recorder->lock);
	return failed;
}

void mtw_recorder_free(MtwRecorder *recorder)
{
	if (recorder == NULL)
		return;
	join_threads(recorder);
	mtw_fd_clear(&recorder->fd);
	mtw_stats_free(recorder->stats);
	g_clear_error(&recorder->error);
	g_mutex_clear(&recorder->lock);
	g_cond_clear(&recorder->stopped);
	g_free(recorder);
}
