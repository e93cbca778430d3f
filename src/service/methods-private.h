/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of methods.h. */
#pragma once

#include "service/methods.h"
#include "service/names.h"

/* The largest text and file that a caller may send. */
#define MTW_CALL_TEXT_MAX_BYTES (64 * 1024)
#define MTW_CALL_FILE_MAX_BYTES (1024 * 1024)

/* mtw_call_text: argument @index, at most MTW_CALL_TEXT_MAX_BYTES. (transfer none) (nullable) */
const char *mtw_call_text(MtwCall *call, guint index, GError **error);

/* mtw_call_json: the same as an object. Returns: (transfer full) (nullable) */
JsonObject *mtw_call_json(MtwCall *call, guint index, const char *what, GError **error);

/* mtw_reply_json: "(s)" of an array, which is freed. */
GVariant *mtw_reply_json_array(JsonArray *array);
GVariant *mtw_reply_json_object(JsonObject *object);

/* methods-capture.c */
GVariant *mtw_method_list_devices(MtwCall *call, GError **error);
GVariant *mtw_method_check(MtwCall *call, GError **error);
GVariant *mtw_method_plan(MtwCall *call, GError **error);
GVariant *mtw_method_start(MtwCall *call, GError **error);
GVariant *mtw_method_mark(MtwCall *call, GError **error);
GVariant *mtw_method_stop(MtwCall *call, GError **error);
GVariant *mtw_method_abort(MtwCall *call, GError **error);
GVariant *mtw_method_get_events(MtwCall *call, GError **error);
GVariant *mtw_method_get_counters(MtwCall *call, GError **error);

/* methods-session.c */
GVariant *mtw_method_open_file(MtwCall *call, GError **error);
GVariant *mtw_method_get_facts(MtwCall *call, GError **error);
GVariant *mtw_method_keep_fact(MtwCall *call, GError **error);
GVariant *mtw_method_keep_file(MtwCall *call, GError **error);
GVariant *mtw_method_collect(MtwCall *call, GError **error);
GVariant *mtw_method_get_identifiers(MtwCall *call, GError **error);
GVariant *mtw_method_log(MtwCall *call, GError **error);
GVariant *mtw_method_list_sessions(MtwCall *call, GError **error);
GVariant *mtw_method_delete_session(MtwCall *call, GError **error);
GVariant *mtw_method_recover(MtwCall *call, GError **error);
