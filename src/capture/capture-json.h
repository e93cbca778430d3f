/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A capture's options and plan, and those of a check, as JSON, for the way between the service and its clients. */
#pragma once

#include "capture/engine.h"

/* mtw_capture_options_to_json: Returns: (transfer full) */
JsonObject *mtw_capture_options_to_json(const MtwCaptureOptions *options);

/*
 * mtw_capture_options_from_json: whatever a client sends: every member is checked (name, type, length, characters). The
 * strings of @ret_options belong to @object; its list has to be freed by _clear, also after an error.
 * Errors: MTW_ERROR_USAGE with the member's name
 */
gboolean mtw_capture_options_from_json(JsonObject *object, MtwCaptureOptions *ret_options,
				       GError **error);
void mtw_capture_options_clear(MtwCaptureOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwCaptureOptions, mtw_capture_options_clear)

/* The same for a check; nothing has to be freed. */
JsonObject *mtw_check_options_to_json(const MtwCheckOptions *options);
gboolean mtw_check_options_from_json(JsonObject *object, MtwCheckOptions *ret_options,
				     GError **error);

/*
 * mtw_capture_options_keep: into the state of a new session: whose it is, and what is told of it also when it fails at once;
 * what it is for, and what its description needs.
 */
void mtw_capture_options_keep(const MtwCaptureOptions *options, JsonObject *state);

/* mtw_plan_to_json: {"device","way","driver","buffer_kb","changes":[...]} of the changes needed. Returns: (transfer full) */
JsonObject *mtw_plan_to_json(const MtwPlan *plan);

/* mtw_counters_to_json: {"seconds","events","target","bytes","lost","bars":[{"index","reads","writes","unknown"}]} */
JsonObject *mtw_counters_to_json(const MtwCounters *counters);
