/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine over the bus: the same interface as the one in this process, for people who are not root. A service that
 * dies in the middle is started again by the next call and finds its own journal; the capture is then over.
 */
#pragma once

#include "capture/engine.h"

/* mtw_service_is_there: the bus runs, and knows the service (running or not). */
gboolean mtw_service_is_there(const MtwPaths *paths);

/*
 * mtw_engine_new_service: Errors: MTW_ERROR_FAILED: no bus, or no service on it.
 * Returns: (transfer full) (nullable)
 */
MtwEngine *mtw_engine_new_service(const MtwPaths *paths, GError **error);

/*
 * mtw_service_attach: goes on with the capture of this user that runs now; mtw_engine_next_event begins with its first
 * event. Errors: MTW_ERROR_NOT_FOUND: there is none. @engine: of mtw_engine_new_service
 * @ret_options: what it was started with, checked like those of a stranger; cleared by the caller, also after an error
 * @ret_json: (transfer full): has their strings
 */
gboolean mtw_service_attach(MtwEngine *engine, MtwCaptureOptions *ret_options,
			    JsonObject **ret_json, GError **error);

/* mtw_service_sessions: this user's, as their state.json with "live". Returns: (transfer full) (nullable) */
JsonArray *mtw_service_sessions(MtwEngine *engine, GError **error);

/*
 * mtw_service_waiting: the capture of this user that waits for the next start of the computer.
 * Returns: (transfer full) (nullable): its id; NULL without an error: there is none
 */
char *mtw_service_waiting(MtwEngine *engine, GError **error);

/* mtw_service_delete: one of this user's sessions. */
gboolean mtw_service_delete(MtwEngine *engine, const char *session, GError **error);

/* mtw_service_recover: the changes that were undone, as events. Returns: (transfer full) (nullable) */
JsonArray *mtw_service_recover(MtwEngine *engine, const char *session, GError **error);

/*
 * mtw_service_reset: mtw_recover_reset with the rights of the service. Errors: MTW_ERROR_BUSY while a capture runs
 * Returns: (transfer full) (nullable): as mtw_service_recover; empty: there was nothing to undo
 */
JsonArray *mtw_service_reset(MtwEngine *engine, GError **error);

/*
 * What capture/next-boot.h has, with the rights of the service; the session that waits is among mtw_service_sessions
 * ("state" is "waiting").
 */
JsonObject *mtw_service_plan_next_boot(MtwEngine *engine, const MtwCaptureOptions *options,
				       GError **error);
/* Returns: (transfer full) (nullable): the session's id */
char *mtw_service_arrange_next_boot(MtwEngine *engine, const MtwCaptureOptions *options,
				    guint duration_sec, GError **error);
gboolean mtw_service_cancel_next_boot(MtwEngine *engine, const char *session, GError **error);
