/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/work.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/next-boot.h"
#include "capture/recover.h"
#include "capture/session.h"
#include "gui/background.h"
#include "gui/kept.h"
#include "service/client.h"
#include "submit/queue.h"

typedef struct {
	const MtwWalkSetup *setup;
	MtwWorkKind kind;
	char *id; /* (nullable) */
} Work;

static void work_free(gpointer data)
{
	Work *work = data;

	g_free(work->id);
	g_free(work);
}

/* ---- captures -------------------------------------------------------------------------------- */

static gboolean delete_session(const Work *work, MtwEngine *engine, GError **error)
{
	return engine->remote ? mtw_service_delete(engine, work->id, error)
			      : mtw_session_delete(work->setup->paths, work->id, error);
}

static gboolean take_back(const Work *work, MtwEngine *engine, GError **error)
{
	g_autofree char *session = g_strdup(work->id);
	g_autoptr(GError) why = NULL;

	if (session == NULL)
		session = engine->remote ? mtw_service_waiting(engine, &why)
					 : mtw_next_boot_pending(work->setup->paths);
	if (session != NULL)
		return mtw_engine_cancel_next_boot(engine, session, error);
	if (why != NULL)
		g_propagate_error(error, g_steal_pointer(&why));
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "no capture of yours waits for the next start of the computer");
	return FALSE;
}

/* ---- what a dead run left -------------------------------------------------------------------- */

static gboolean is_unfinished(JsonObject *facts)
{
	static const char *const finished[] = { MTW_SESSION_CAPTURED,
						MTW_SESSION_PACKED,
						MTW_SESSION_RECOVERED,
						MTW_SESSION_FAILED,
						MTW_SESSION_WAITING,
						"sent",
						NULL };
	const char *state = mtw_json_string(facts, "state", "");

	if (g_str_equal(state, MTW_SESSION_WAITING) || mtw_json_bool(facts, "live", FALSE))
		return FALSE;
	return !mtw_json_bool(facts, "restored", TRUE) || !g_strv_contains(finished, state);
}

static gboolean reset_by_service(MtwEngine *engine, GError **error)
{
	g_autoptr(JsonArray) events = mtw_service_reset(engine, error);

	return events != NULL;
}

static gboolean clean_up_by_service(MtwEngine *engine, GError **error)
{
	g_autoptr(JsonArray) sessions = mtw_service_sessions(engine, error);
	gboolean found = FALSE;

	for (guint i = 0; sessions != NULL && i < json_array_get_length(sessions); i++) {
		JsonObject *facts = mtw_json_object_at(sessions, i);
		g_autoptr(JsonArray) events = NULL;
		if (facts == NULL || !is_unfinished(facts))
			continue;
		found = TRUE;
		events = mtw_service_recover(engine, mtw_json_string(facts, "id", ""), error);
		if (events == NULL)
			return FALSE;
	}
	return sessions != NULL && (found || reset_by_service(engine, error));
}

/* ---- the thread ------------------------------------------------------------------------------ */

static gboolean do_it(const Work *work, MtwEngine *engine, const MtwCaller *caller, GError **error)
{
	switch (work->kind) {
	case MTW_WORK_DELETE:
		return delete_session(work, engine, error);
	case MTW_WORK_TAKE_BACK:
		return take_back(work, engine, error);
	case MTW_WORK_CLEAN_UP:
		return engine->remote ? clean_up_by_service(engine, error)
				      : mtw_recover_reset(work->setup->paths, NULL, NULL, error);
	case MTW_WORK_DROP:
		return mtw_queue_drop(caller, work->id, error);
	default:
		return TRUE;
	}
}

static JsonObject *run(const Work *work, GError **error)
{
	const MtwPaths *paths = work->setup->paths;
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);
	g_autoptr(MtwEngine) engine =
		caller != NULL ? work->setup->make_engine(paths, error) : NULL;
	g_autoptr(JsonObject) kept = NULL;

	if (engine == NULL || !do_it(work, engine, caller, error))
		return NULL;
	kept = mtw_kept_read(paths, engine, caller, error);
	return kept != NULL ? mtw_json_clean(kept) : NULL;
}

static void run_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	GError *error = NULL;
	JsonObject *kept = run(data, &error);

	(void)source;
	(void)cancellable;
	if (kept != NULL)
		g_task_return_pointer(task, kept, (GDestroyNotify)json_object_unref);
	else
		g_task_return_error(task, error);
}

void mtw_work_start(gpointer source, const MtwWalkSetup *setup, MtwWorkKind kind, const char *id,
		    GAsyncReadyCallback ready, gpointer user_data)
{
	Work *work = g_new0(Work, 1);

	work->setup = setup;
	work->kind = kind;
	work->id = g_strdup(id);
	mtw_background(source, run_in_thread, work, work_free, ready, user_data);
}

JsonObject *mtw_work_finish(GAsyncResult *result, GError **error)
{
	return g_task_propagate_pointer(G_TASK(result), error);
}
