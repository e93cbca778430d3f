/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/collect-worker.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

struct _MtwCollectShared {
	MtwCollectOptions options;
	MtwPaths *paths;
	MtwPciDevice device;
	char *module, *driver, *folder;
};

typedef struct {
	GMutex lock;
	GCond ended;
	gboolean has_ended;
	MtwCollectShared *shared;
	MtwCollecting collecting;
} Job;

static MtwPaths *copy_paths(const MtwPaths *paths)
{
	MtwPaths *copy = mtw_paths_new(mtw_paths_live(paths) ? NULL : "");

	for (int kind = 0; kind < MTW_N_PATHS; kind++)
		mtw_paths_set(copy, kind, mtw_paths_get(paths, kind));
	return copy;
}

static void copy_device(const MtwPciDevice *device, MtwPciDevice *copy)
{
	*copy = *device;
	copy->vendor_name = g_strdup(device->vendor_name);
	copy->device_name = g_strdup(device->device_name);
	copy->class_name = g_strdup(device->class_name);
	copy->driver = g_strdup(device->driver);
	copy->module = g_strdup(device->module);
	copy->modalias = g_strdup(device->modalias);
	copy->driver_override = g_strdup(device->driver_override);
}

MtwCollectShared *mtw_collect_shared_new(const MtwCollectOptions *options)
{
	MtwCollectShared *shared = g_atomic_rc_box_new0(MtwCollectShared);

	shared->paths = copy_paths(options->paths);
	copy_device(options->device, &shared->device);
	shared->module = g_strdup(options->module);
	shared->driver = g_strdup(options->driver);
	shared->folder = g_strdup(options->folder);
	shared->options = *options;
	shared->options.paths = shared->paths;
	shared->options.device = &shared->device;
	shared->options.module = shared->module;
	shared->options.driver = shared->driver;
	shared->options.folder = shared->folder;
	shared->options.wanted = NULL;
	return shared;
}

static void shared_clear(gpointer data)
{
	MtwCollectShared *shared = data;

	mtw_paths_free(shared->paths);
	g_free(shared->device.vendor_name);
	g_free(shared->device.device_name);
	g_free(shared->device.class_name);
	g_free(shared->device.driver);
	g_free(shared->device.module);
	g_free(shared->device.modalias);
	g_free(shared->device.driver_override);
	g_free(shared->module);
	g_free(shared->driver);
	g_free(shared->folder);
}

void mtw_collect_shared_unref(MtwCollectShared *shared)
{
	g_atomic_rc_box_release_full(shared, shared_clear);
}

static Job *job_new(MtwCollectShared *shared, const MtwCollector *collector,
		    const MtwCollectTimes *times)
{
	Job *job = g_atomic_rc_box_new0(Job);

	g_mutex_init(&job->lock);
	g_cond_init(&job->ended);
	job->shared = g_atomic_rc_box_acquire(shared);
	job->collecting = (MtwCollecting){
		.collector = collector,
		.options = shared->options,
		.reader = mtw_reader_new(),
		.deadline_usec = g_get_monotonic_time() + times->limit_usec,
		.read_msec = times->read_msec,
		.missing = g_string_new(NULL),
		.notes = g_string_new(NULL),
	};
	return job;
}

static void job_clear(gpointer data)
{
	Job *job = data;

	mtw_reader_free(job->collecting.reader);
	g_clear_pointer(&job->collecting.files, g_ptr_array_unref);
	g_string_free(job->collecting.missing, TRUE);
	g_string_free(job->collecting.notes, TRUE);
	mtw_collect_shared_unref(job->shared);
	g_mutex_clear(&job->lock);
	g_cond_clear(&job->ended);
}

static void job_unref(Job *job)
{
	g_atomic_rc_box_release_full(job, job_clear);
}

static gpointer work(gpointer data)
{
	Job *job = data;

	job->collecting.collector->collect(&job->collecting);
	/* Its process goes in this thread: also that may take a moment. */
	g_clear_pointer(&job->collecting.reader, mtw_reader_free);
	g_mutex_lock(&job->lock);
	job->has_ended = TRUE;
	g_cond_signal(&job->ended);
	g_mutex_unlock(&job->lock);
	job_unref(job);
	return NULL;
}

/* Returns: whether it came back; if not, what it has is not to be looked at */
static gboolean wait_for(Job *job, gint64 grace_usec)
{
	gint64 end_usec = job->collecting.deadline_usec + grace_usec;
	gboolean has_ended;

	g_mutex_lock(&job->lock);
	while (!job->has_ended && g_cond_wait_until(&job->ended, &job->lock, end_usec))
		;
	has_ended = job->has_ended;
	g_mutex_unlock(&job->lock);
	return has_ended;
}

/* An fsync beside a trace that goes to the same disk can take seconds: not while it does. */
static gboolean write_live_file(const char *path, const MtwCollectedFile *file, GError **error)
{
	g_auto(MtwFd) fd = mtw_file_create(path, 0600, error);

	return fd >= 0 && mtw_file_write_all(fd, file->bytes, file->length, error);
}

static gboolean write_file(const char *folder, const MtwCollector *collector,
			   const MtwCollectedFile *file, GError **error)
{
	g_autofree char *path = g_build_filename(folder, file->name, NULL);
	gboolean ok = collector->phase == MTW_COLLECT_LIVE
			      ? write_live_file(path, file, error)
			      : mtw_file_write_atomic(path, file->bytes, file->length, 0600, error);

	if (!ok) {
		g_prefix_error(error, "%s: ", path);
		unlink(path);
	}
	return ok;
}

static char *detail_of(const MtwCollecting *collecting)
{
	GString *detail = g_string_new(collecting->missing->str);

	if (collecting->n_missing > MTW_MOST_MISSING)
		g_string_append_printf(detail, "; and %u more",
				       collecting->n_missing - MTW_MOST_MISSING);
	if (collecting->notes->len > 0)
		g_string_append_printf(detail, "%s%s", detail->len > 0 ? "; " : "",
				       collecting->notes->str);
	return g_string_free(detail, FALSE);
}

static MtwMessage *message_of(const MtwCollecting *collecting, const char *id)
{
	const MtwCollector *collector = collecting->collector;
	g_autofree char *detail = detail_of(collecting);
	const char *sentence =
		collecting->sentence != NULL ? collecting->sentence : collector->done;

	if (collecting->n_missing == 0 && collecting->files == NULL && collecting->sentence == NULL)
		sentence = N_("There is nothing of this kind on this computer.");
	if (collecting->n_missing > 0 && collecting->files == NULL)
		sentence = collector->failed;
	else if (collecting->n_missing > 0 && collecting->sentence == NULL)
		sentence = N_("A part of this file could not be had.");
	return mtw_message_new(g_intern_string(id),
			       collecting->n_missing > 0 ? MTW_LEVEL_WARNING : MTW_LEVEL_OK,
			       sentence, "", "%s", detail);
}

static void keep_results(const MtwCollecting *collecting, const char *folder, GPtrArray *messages)
{
	if (collecting->files == NULL)
		g_ptr_array_add(messages, message_of(collecting, collecting->collector->file));
	for (guint i = 0; collecting->files != NULL && i < collecting->files->len; i++) {
		const MtwCollectedFile *file = collecting->files->pdata[i];
		g_autoptr(GError) error = NULL;
		MtwMessage *message;
		if (write_file(folder, collecting->collector, file, &error))
			message = message_of(collecting, file->name);
		else
			message = mtw_message_new(g_intern_string(file->name), MTW_LEVEL_WARNING,
						  N_("A file of the report could not be written."),
						  "", "%s", error->message);
		g_ptr_array_add(messages, message);
	}
}

/* What an earlier try left must not pass for a result of this one. */
static void remove_old(const char *folder, const MtwCollector *collector)
{
	g_autoptr(GPatternSpec) pattern = g_pattern_spec_new(collector->file);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		if (g_pattern_spec_match_string(pattern, names->pdata[i]))
			unlink(path);
	}
}

static void give_up(const MtwCollector *collector, const char *why, GPtrArray *messages)
{
	g_ptr_array_add(messages, mtw_message_new(collector->file, MTW_LEVEL_WARNING,
						  collector->failed, "", "%s", why));
}

void mtw_collect_one(MtwCollectShared *shared, const MtwCollector *collector,
		     const MtwCollectTimes *times, const char *folder, GPtrArray *messages)
{
	g_autoptr(GError) error = NULL;
	GThread *thread;
	Job *job;

	remove_old(folder, collector);
	if (times->limit_usec <= 0) {
		give_up(collector, "there was no time left for it", messages);
		return;
	}
	job = job_new(shared, collector, times);
	thread = g_thread_try_new("collect", work, g_atomic_rc_box_acquire(job), &error);
	if (thread == NULL) {
		job_unref(job);
		give_up(collector, error->message, messages);
	} else if (wait_for(job, times->grace_usec)) {
		keep_results(&job->collecting, folder, messages);
	} else {
		give_up(collector, "it did not end in time and was given up", messages);
	}
	if (thread != NULL)
		g_thread_unref(thread);
	job_unref(job);
}
