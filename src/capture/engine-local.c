/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine in this process: a thread a try. */
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/capture-json.h"
#include "capture/collect.h"
#include "capture/engine.h"
#include "capture/events.h"
#include "capture/next-boot.h"
#include "capture/run.h"
#include "machine/system.h"

#include <string.h>

typedef struct {
	MtwEngine base;
	const MtwPaths *paths;
	MtwTracer *planner; /* only makes plans */
	MtwFd lock;
	MtwSession *session;
	GAsyncQueue *events;
	GThread *thread;
	MtwRun *run;
	guint tries;
	GMutex lock_kept;
	GPtrArray *kept; /* (element-type MtwMessage): files given by mtw_engine_keep_file */
} Local;

static GPtrArray *local_check(MtwEngine *engine, const MtwCheckOptions *options, GError **error)
{
	(void)error;
	return mtw_check_run(((Local *)engine)->paths, options);
}

static JsonObject *local_plan(MtwEngine *engine, const MtwCaptureOptions *options, GError **error)
{
	Local *local = (Local *)engine;
	MtwMachine machine = { .paths = local->paths,
			       .tracefs = mtw_tracefs_find(local->paths, NULL) };
	g_autoptr(MtwPlan) plan = mtw_plan_new(&machine, local->planner, options, error);
	JsonObject *object = plan != NULL ? mtw_plan_to_json(plan) : NULL;

	mtw_machine_clear(&machine);
	return object;
}

static void join(Local *local)
{
	g_clear_pointer(&local->thread, g_thread_join);
}

/* Another process may come back to this try, and want one more. */
static void write_options(MtwSession *session, const MtwCaptureOptions *options)
{
	json_object_set_object_member(session->state, "options",
				      mtw_capture_options_to_json(options));
	(void)mtw_session_save(session, NULL);
}

static gboolean open_session(Local *local, const MtwCaptureOptions *options, GError **error)
{
	g_autoptr(MtwPciDevice) pci = NULL;

	if (local->lock < 0)
		local->lock = mtw_capture_lock(local->paths, error);
	if (local->lock < 0)
		return FALSE;
	/* Another try, or the session of a wish (next-boot.h). */
	if (local->session != NULL)
		return TRUE;
	pci = mtw_pci_get(local->paths, options->device, error);
	if (pci != NULL)
		local->session = mtw_session_create(local->paths, pci->vendor, pci->device, error);
	if (local->session != NULL)
		mtw_capture_options_keep(options, local->session->state);
	else
		mtw_fd_clear(&local->lock);
	return local->session != NULL;
}

static gboolean need_real_machine(const Local *local, GError **error)
{
	if (mtw_paths_live(local->paths))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE,
		    "this is not the real machine but a copy of its files");
	return FALSE;
}

static gboolean local_start(MtwEngine *engine, const MtwCaptureOptions *options, GError **error)
{
	Local *local = (Local *)engine;

	if (!need_real_machine(local, error))
		return FALSE;
	join(local);
	if (!open_session(local, options, error))
		return FALSE;
	write_options(local->session, options);
	g_clear_pointer(&local->run, mtw_run_free);
	local->tries++;
	g_ptr_array_set_size(local->kept, 0);
	local->run =
		mtw_run_new(local->paths, local->session, options, local->tries, local->events);
	local->thread = g_thread_new("capture", mtw_run_execute, local->run);
	return TRUE;
}

static gboolean local_mark(MtwEngine *engine, const char *text, GError **error)
{
	Local *local = (Local *)engine;

	if (local->run != NULL)
		return mtw_run_mark(local->run, text, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "nothing is being recorded");
	return FALSE;
}

static void local_stop(MtwEngine *engine)
{
	Local *local = (Local *)engine;

	if (local->run != NULL)
		g_atomic_int_set(&local->run->stop, 1);
}

static JsonObject *local_next_event(MtwEngine *engine, guint timeout_msec)
{
	Local *local = (Local *)engine;
	JsonObject *event = g_async_queue_timeout_pop(local->events, (guint64)timeout_msec * 1000);

	/* The last event: from here on the session belongs to the caller's thread, and others may capture. */
	if (event != NULL && g_str_equal(mtw_json_string(event, "event", ""), "done")) {
		join(local);
		mtw_fd_clear(&local->lock);
	}
	return event;
}

static JsonObject *local_counters(MtwEngine *engine)
{
	Local *local = (Local *)engine;
	MtwCounters counters;

	if (local->run == NULL || !mtw_run_counters(local->run, &counters))
		return NULL;
	return mtw_counters_to_json(&counters);
}

static GPtrArray *local_identifiers(MtwEngine *engine)
{
	return mtw_identifiers_get(((Local *)engine)->paths);
}

static gboolean have_session(Local *local, GError **error)
{
	if (local->session != NULL && local->thread == NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "there is no finished capture");
	return FALSE;
}

/* A file of the session, whatever a client asks for. */
static gboolean is_inside(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "/", -1);
	static const char *const bad[] = { "", ".", "..", NULL };

	for (char **part = parts; *part != NULL; part++)
		if (g_strv_contains(bad, *part))
			return FALSE;
	return parts[0] != NULL;
}

static int local_open_file(MtwEngine *engine, const char *name, GError **error)
{
	Local *local = (Local *)engine;
	g_autofree char *path = NULL;

	if (!have_session(local, error))
		return -1;
	if (!is_inside(name)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "\"%s\" is no file of a session",
			    name);
		return -1;
	}
	path = mtw_session_path(local->session, name);
	return mtw_file_open_read(path, error);
}

static const char *local_session_id(MtwEngine *engine)
{
	Local *local = (Local *)engine;

	return local->session != NULL ? local->session->id : NULL;
}

static gboolean local_open_session(MtwEngine *engine, const char *id, GError **error)
{
	Local *local = (Local *)engine;

	g_clear_pointer(&local->session, mtw_session_free);
	local->session = mtw_session_open(local->paths, id, TRUE, error);
	return local->session != NULL;
}

static JsonObject *local_facts(MtwEngine *engine)
{
	Local *local = (Local *)engine;

	return have_session(local, NULL) ? local->session->state : NULL;
}

static gboolean local_keep_fact(MtwEngine *engine, const char *name, JsonNode *value,
				GError **error)
{
	Local *local = (Local *)engine;

	if (!have_session(local, error)) {
		json_node_unref(value);
		return FALSE;
	}
	json_object_set_member(local->session->state, name, value);
	return mtw_session_save(local->session, error);
}

static gboolean local_keep_file(MtwEngine *engine, const MtwMessage *about, const void *data,
				gsize bytes, GError **error)
{
	Local *local = (Local *)engine;
	g_autofree char *folder = NULL;
	g_autofree char *path = NULL;
	g_autofree char *name = mtw_text_clean_name(about->id);

	if (local->session == NULL || g_strcmp0(name, about->id) != 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "the file %s cannot be kept",
			    about->id);
		return FALSE;
	}
	folder = mtw_session_path(local->session, "collected");
	path = g_build_filename(folder, name, NULL);
	if (!mtw_folder_ensure(folder, 0700, error) ||
	    !mtw_file_write_atomic(path, data, bytes, 0600, error))
		return FALSE;
	g_mutex_lock(&local->lock_kept);
	g_ptr_array_add(local->kept, mtw_message_copy(about));
	g_mutex_unlock(&local->lock_kept);
	return TRUE;
}

/* Returns: (transfer full) (nullable): NULL for an empty list */
static char **texts_of(JsonArray *array)
{
	g_autoptr(GStrvBuilder) texts = g_strv_builder_new();

	if (array == NULL || json_array_get_length(array) == 0)
		return NULL;
	for (guint i = 0; i < json_array_get_length(array); i++) {
		JsonNode *node = json_array_get_element(array, i);
		const char *text = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
		if (text != NULL)
			g_strv_builder_add(texts, text);
	}
	return g_strv_builder_end(texts);
}

static gboolean is_this_boot(const Local *local)
{
	g_autofree char *boot_id = mtw_system_boot_id(local->paths);

	return g_str_equal(boot_id, mtw_json_string(local->session->state, "boot_id", ""));
}

static GPtrArray *collect_now(Local *local, GError **error)
{
	JsonObject *state = local->session->state;
	g_autofree char *folder = mtw_session_path(local->session, "collected");
	g_autoptr(MtwPciDevice) device =
		mtw_pci_get(local->paths, mtw_json_string(state, "device", ""), error);
	g_auto(GStrv) wanted = texts_of(mtw_json_array(state, "wanted"));
	MtwCollectOptions options;

	if (device == NULL || !mtw_folder_ensure(folder, 0700, error))
		return NULL;
	options = (MtwCollectOptions){ .paths = local->paths,
				       .device = device,
				       .module = mtw_json_string(state, "module", NULL),
				       .driver = mtw_json_string(state, "driver", NULL),
				       .folder = folder,
				       .wanted = (const char *const *)wanted,
				       .consent_edid = mtw_json_bool(state, "consent_edid", FALSE),
				       .consent_vbios =
					       mtw_json_bool(state, "consent_vbios", FALSE) };
	if (is_this_boot(local)) {
		options.session_start_usec = (guint64)mtw_json_int(state, "monotonic_usec", 0);
		options.session_end_usec = (guint64)mtw_json_int(state, "end_monotonic_usec", 0);
	}
	return mtw_collect_run(&options);
}

static GPtrArray *local_collect(MtwEngine *engine, GError **error)
{
	Local *local = (Local *)engine;
	g_autoptr(GPtrArray) messages = NULL;
	JsonArray *collected;

	if (!have_session(local, error))
		return NULL;
	collected = mtw_json_array(local->session->state, "collected");
	if (collected != NULL)
		return mtw_messages_from_json(collected);
	messages = collect_now(local, error);
	if (messages == NULL)
		return NULL;
	g_ptr_array_extend_and_steal(messages, mtw_messages_from_json(mtw_json_array(
						       local->session->state, "collected_live")));
	g_ptr_array_extend_and_steal(messages, g_ptr_array_ref(local->kept));
	json_object_set_array_member(local->session->state, "collected",
				     mtw_messages_to_json(messages));
	(void)mtw_session_save(local->session, NULL);
	return g_steal_pointer(&messages);
}

static void local_log(MtwEngine *engine, const char *text)
{
	Local *local = (Local *)engine;

	if (local->session != NULL)
		mtw_session_log(local->session, "%s", text);
}

static JsonObject *local_plan_next_boot(MtwEngine *engine, const MtwCaptureOptions *options,
					GError **error)
{
	return mtw_next_boot_plan(((Local *)engine)->paths, options, error);
}

static gboolean local_arrange_next_boot(MtwEngine *engine, const MtwCaptureOptions *options,
					guint duration_sec, GError **error)
{
	Local *local = (Local *)engine;
	g_autofree char *session = NULL;

	if (!need_real_machine(local, error))
		return FALSE;
	session = mtw_next_boot_arrange(local->paths, options, duration_sec, error);
	return session != NULL && local_open_session(engine, session, error);
}

static gboolean local_cancel_next_boot(MtwEngine *engine, const char *session, GError **error)
{
	return mtw_next_boot_cancel(((Local *)engine)->paths, session, error);
}

static void local_free(MtwEngine *engine)
{
	Local *local = (Local *)engine;

	local_stop(engine);
	join(local);
	g_clear_pointer(&local->run, mtw_run_free);
	g_clear_pointer(&local->session, mtw_session_free);
	mtw_tracer_free(local->planner);
	mtw_fd_clear(&local->lock);
	g_ptr_array_unref(local->kept);
	g_mutex_clear(&local->lock_kept);
	g_async_queue_unref(local->events);
	g_free(local);
}

static const MtwEngineOps local_ops = {
	.free = local_free,
	.check = local_check,
	.plan = local_plan,
	.start = local_start,
	.mark = local_mark,
	.stop = local_stop,
	.next_event = local_next_event,
	.counters = local_counters,
	.open_file = local_open_file,
	.session_id = local_session_id,
	.open_session = local_open_session,
	.facts = local_facts,
	.keep_fact = local_keep_fact,
	.keep_file = local_keep_file,
	.collect = local_collect,
	.identifiers = local_identifiers,
	.log = local_log,
	.plan_next_boot = local_plan_next_boot,
	.arrange_next_boot = local_arrange_next_boot,
	.cancel_next_boot = local_cancel_next_boot,
};

MtwEngine *mtw_engine_new_local(const MtwPaths *paths)
{
	Local *local = g_new0(Local, 1);

	local->base.ops = &local_ops;
	local->paths = paths;
	local->planner = mtw_tracer_new_builtin();
	local->lock = -1;
	local->kept = mtw_messages_new();
	g_mutex_init(&local->lock_kept);
	local->events = g_async_queue_new_full((GDestroyNotify)json_object_unref);
	return &local->base;
}
