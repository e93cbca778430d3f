/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of methods.h. */
#pragma once

#include "service/methods.h"
#include "service/names.h"

/* The largest texts and files that a caller may send. */
#define MTW_CALL_TEXT_MAX_BYTES (64 * 1024)
#define MTW_CALL_ABOUT_MAX_BYTES (4 * 1024)
/* What a command printed, at most 1 MiB of it, with a head. */
#define MTW_CALL_FILE_MAX_BYTES (1024 * 1024 + MTW_CALL_TEXT_MAX_BYTES)

/* mtw_call_text: argument @index, at most @max_bytes. (transfer none) (nullable) */
const char *mtw_call_text(MtwCall *call, guint index, gsize max_bytes, GError **error);

/* mtw_call_session: the first argument, which was checked. (transfer none) */
const char *mtw_call_session(MtwCall *call);

/* mtw_call_json: a text as an object. @what: for the error. Returns: (transfer full) (nullable) */
JsonObject *mtw_call_json(MtwCall *call, guint index, gsize max_bytes, const char *what,
			  GError **error);

/* The first argument as options of a capture or a check. @ret_json: (transfer full): has their strings */
gboolean mtw_call_capture_options(MtwCall *call, MtwCaptureOptions *ret_options,
				  JsonObject **ret_json, GError **error);
gboolean mtw_call_check_options(MtwCall *call, MtwCheckOptions *ret_options, JsonObject **ret_json,
				GError **error);

/* Replies: "()", and "(s)" of @array or @object, which are freed. Return: (transfer floating) */
GVariant *mtw_reply_nothing(void);
GVariant *mtw_reply_json_array(JsonArray *array);
GVariant *mtw_reply_json_object(JsonObject *object);

/* mtw_json_array_text: frees @array. Returns: (transfer full) */
char *mtw_json_array_text(JsonArray *array);

/* methods-prepare.c */
gboolean mtw_prepare_free(MtwCall *call, GError **error);
gboolean mtw_prepare_check(MtwCall *call, GError **error);
gboolean mtw_prepare_plan(MtwCall *call, GError **error);
gboolean mtw_prepare_start(MtwCall *call, GError **error);
gboolean mtw_prepare_arrange(MtwCall *call, GError **error);
gboolean mtw_prepare_recover(MtwCall *call, GError **error);

/* methods-capture.c */
GVariant *mtw_method_list_devices(MtwCall *call, GError **error);
GVariant *mtw_method_check(MtwCall *call, GError **error);
GVariant *mtw_method_plan(MtwCall *call, GError **error);
GVariant *mtw_method_start(MtwCall *call, GError **error);
GVariant *mtw_method_plan_next_boot(MtwCall *call, GError **error);
GVariant *mtw_method_arrange_next_boot(MtwCall *call, GError **error);
GVariant *mtw_method_cancel_next_boot(MtwCall *call, GError **error);

/* methods-running.c */
GVariant *mtw_method_attach(MtwCall *call, GError **error);
GVariant *mtw_method_mark(MtwCall *call, GError **error);
GVariant *mtw_method_stop(MtwCall *call, GError **error);
GVariant *mtw_method_abort(MtwCall *call, GError **error);
GVariant *mtw_method_get_events(MtwCall *call, GError **error);
GVariant *mtw_method_get_stored_events(MtwCall *call, GError **error);
GVariant *mtw_method_get_counters(MtwCall *call, GError **error);

/* methods-session.c */
GVariant *mtw_method_open_file(MtwCall *call, GError **error);
GVariant *mtw_method_get_facts(MtwCall *call, GError **error);
GVariant *mtw_method_collect(MtwCall *call, GError **error);
GVariant *mtw_method_get_identifiers(MtwCall *call, GError **error);
GVariant *mtw_method_list_sessions(MtwCall *call, GError **error);
GVariant *mtw_method_delete_session(MtwCall *call, GError **error);
GVariant *mtw_method_recover(MtwCall *call, GError **error);
GVariant *mtw_method_reset(MtwCall *call, GError **error);

/* methods-keep.c */
GVariant *mtw_method_keep_fact(MtwCall *call, GError **error);
GVariant *mtw_method_keep_file(MtwCall *call, GError **error);
GVariant *mtw_method_log(MtwCall *call, GError **error);
