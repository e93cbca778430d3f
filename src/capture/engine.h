/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The capture engine: an interface, so that the wizard does not know whether the changes are made in
 * this process (root) or by the service.
 *
 * One capture at a time. start returns at once; what goes on comes as events, JSON objects with
 * stable names, which are also what --json prints:
 *   {"event":"state","state":"preparing|capturing|stopping|restoring|done","session":ID,"try":N}
 *   {"event":"change","action":"apply|undo","kind","subject","before","after","ok",["error"]}
 *   {"event":"message","id","level","sentence","detail","hint",["fix"]}
 *   {"event":"marker","text"}
 *   {"event":"driver-up"}
 *   {"event":"countdown","seconds","units":[...]}   a desktop is going to be ended
 *   {"event":"done","session","try","restored":bool,"trace":bool,["verdict":{...}],
 *    ["error":{"name","message"}]}   always the last one
 */
#pragma once

#include "capture/check.h"
#include "capture/plan.h"
#include "machine/identifiers.h"
#include "trace/stats.h"

#include <json-glib/json-glib.h>

typedef struct _MtwEngine MtwEngine;

typedef struct {
	MtwCounts counts;
	guint64 lost;	/* events lost so far */
	double seconds; /* since the tracer was switched on */
} MtwCounters;

typedef struct {
	void (*free)(MtwEngine *engine);
	GPtrArray *(*check)(MtwEngine *engine, const MtwCheckOptions *options, GError **error);
	JsonObject *(*plan)(MtwEngine *engine, const MtwCaptureOptions *options, GError **error);
	gboolean (*start)(MtwEngine *engine, const MtwCaptureOptions *options, GError **error);
	gboolean (*mark)(MtwEngine *engine, const char *text, GError **error);
	void (*stop)(MtwEngine *engine);
	JsonObject *(*next_event)(MtwEngine *engine, guint timeout_msec);
	JsonObject *(*counters)(MtwEngine *engine);
	int (*open_file)(MtwEngine *engine, const char *name, GError **error);
	const char *(*session_id)(MtwEngine *engine);
	gboolean (*open_session)(MtwEngine *engine, const char *id, GError **error);
	JsonObject *(*facts)(MtwEngine *engine);
	gboolean (*keep_fact)(MtwEngine *engine, const char *name, JsonNode *value, GError **error);
	gboolean (*keep_file)(MtwEngine *engine, const MtwMessage *about, const void *data,
			      gsize bytes, GError **error);
	GPtrArray *(*collect)(MtwEngine *engine, GError **error);
	GPtrArray *(*identifiers)(MtwEngine *engine);
	void (*log)(MtwEngine *engine, const char *text);
	JsonObject *(*plan_next_boot)(MtwEngine *engine, const MtwCaptureOptions *options,
				      GError **error);
	gboolean (*arrange_next_boot)(MtwEngine *engine, const MtwCaptureOptions *options,
				      guint duration_sec, GError **error);
	gboolean (*cancel_next_boot)(MtwEngine *engine, const char *session, GError **error);
} MtwEngineOps;

struct _MtwEngine {
	const MtwEngineOps *ops;
	gboolean remote; /* somebody else makes the changes: this process needs no rights */
};

/* mtw_engine_new_local: in this process; needs root for start. @paths: not owned. Returns: (transfer full) */
MtwEngine *mtw_engine_new_local(const MtwPaths *paths);

static inline void mtw_engine_free(MtwEngine *engine)
{
	if (engine != NULL)
		engine->ops->free(engine);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwEngine, mtw_engine_free)

/*
 * mtw_engine_check: mtw_check_run with the rights of the capture.
 * Returns: (transfer full) (nullable) (element-type MtwMessage)
 */
static inline GPtrArray *mtw_engine_check(MtwEngine *engine, const MtwCheckOptions *options,
					  GError **error)
{
	return engine->ops->check(engine, options, error);
}

/* mtw_engine_plan: the changes that start would make (capture-json.h). Returns: (transfer full) (nullable) */
static inline JsonObject *mtw_engine_plan(MtwEngine *engine, const MtwCaptureOptions *options,
					  GError **error)
{
	return engine->ops->plan(engine, options, error);
}

/*
 * mtw_engine_start: begins a capture in a new session; when the engine has made one already, another
 * try in the same session. Errors here mean that nothing was changed.
 */
static inline gboolean mtw_engine_start(MtwEngine *engine, const MtwCaptureOptions *options,
					GError **error)
{
	return engine->ops->start(engine, options, error);
}

/* mtw_engine_mark: a marker of a person; cleaned here (mtw_text_clean_marker). Thread-safe. */
static inline gboolean mtw_engine_mark(MtwEngine *engine, const char *text, GError **error)
{
	return engine->ops->mark(engine, text, error);
}

/* mtw_engine_stop: asks the capture to end in order, from whatever state. Thread-safe, returns at once. */
static inline void mtw_engine_stop(MtwEngine *engine)
{
	engine->ops->stop(engine);
}

/* mtw_engine_next_event: waits at most @timeout_msec. Returns: (transfer full) (nullable) */
static inline JsonObject *mtw_engine_next_event(MtwEngine *engine, guint timeout_msec)
{
	return engine->ops->next_event(engine, timeout_msec);
}

/* mtw_engine_counters: (capture-json.h). Thread-safe. Returns: (transfer full) (nullable): NULL while nothing is recorded */
static inline JsonObject *mtw_engine_counters(MtwEngine *engine)
{
	return engine->ops->counters(engine);
}

/*
 * mtw_engine_open_file: a file of the session for reading ("trace.txt", "collected/lspci.txt").
 * Returns: a descriptor, or -1
 */
static inline int mtw_engine_open_file(MtwEngine *engine, const char *name, GError **error)
{
	return engine->ops->open_file(engine, name, error);
}

/* mtw_engine_session_id: (transfer none) (nullable): NULL before the first start */
static inline const char *mtw_engine_session_id(MtwEngine *engine)
{
	return engine->ops->session_id(engine);
}

/* mtw_engine_open_session: goes on with a session of an earlier run (to pack it). */
static inline gboolean mtw_engine_open_session(MtwEngine *engine, const char *id, GError **error)
{
	return engine->ops->open_session(engine, id, error);
}

/*
 * mtw_engine_facts: the session's state.json (session.h); only while no capture runs.
 * Returns: (transfer none) (nullable)
 */
static inline JsonObject *mtw_engine_facts(MtwEngine *engine)
{
	return engine->ops->facts(engine);
}

/* mtw_engine_keep_fact: stores a fact in the session's state.json. Takes @value over. */
static inline gboolean mtw_engine_keep_fact(MtwEngine *engine, const char *name, JsonNode *value,
					    GError **error)
{
	return engine->ops->keep_fact(engine, name, value, error);
}

/*
 * mtw_engine_keep_file: stores a file that goes with the trace (the output of an exercise). @about: its
 * id is the file's name. Thread-safe; also while a capture runs.
 */
static inline gboolean mtw_engine_keep_file(MtwEngine *engine, const MtwMessage *about,
					    const void *data, gsize bytes, GError **error)
{
	return engine->ops->keep_file(engine, about, data, bytes, error);
}

/*
 * mtw_engine_collect: after a capture: reads what goes with the trace and needs root into the
 * session's folder collected/; once in a session's life, later calls only tell what there is.
 * Returns: (transfer full) (nullable) (element-type MtwMessage): one for each file, id = its name
 */
static inline GPtrArray *mtw_engine_collect(MtwEngine *engine, GError **error)
{
	return engine->ops->collect(engine, error);
}

/*
 * mtw_engine_identifiers: what has to be masked and only root can read.
 * Returns: (transfer full) (element-type MtwIdentifier): may be empty
 */
static inline GPtrArray *mtw_engine_identifiers(MtwEngine *engine)
{
	return engine->ops->identifiers(engine);
}

/* mtw_engine_log: a line for the session's log. */
static inline void mtw_engine_log(MtwEngine *engine, const char *text)
{
	engine->ops->log(engine, text);
}

/* A capture at the next start of the computer: next-boot.h. */

/* mtw_engine_plan_next_boot: what arrange would change, as mtw_engine_plan. Returns: (transfer full) (nullable) */
static inline JsonObject *
mtw_engine_plan_next_boot(MtwEngine *engine, const MtwCaptureOptions *options, GError **error)
{
	return engine->ops->plan_next_boot(engine, options, error);
}

/*
 * mtw_engine_arrange_next_boot: the engine's session is the one that waits then.
 * @duration_sec: after the driver is up: 1 to MTW_NEXT_BOOT_MAX_SEC
 */
static inline gboolean mtw_engine_arrange_next_boot(MtwEngine *engine,
						    const MtwCaptureOptions *options,
						    guint duration_sec, GError **error)
{
	return engine->ops->arrange_next_boot(engine, options, duration_sec, error);
}

/* mtw_engine_cancel_next_boot: takes it back; the session is gone. */
static inline gboolean mtw_engine_cancel_next_boot(MtwEngine *engine, const char *session,
						   GError **error)
{
	return engine->ops->cancel_next_boot(engine, session, error);
}
