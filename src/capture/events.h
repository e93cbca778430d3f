/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's events as JSON (see engine.h). All return (transfer full). */
#pragma once

#include "base/message.h"
#include "capture/change.h"

#include <json-glib/json-glib.h>

JsonObject *mtw_event_new(const char *event);
/* The same with all of @members. */
JsonObject *mtw_event_of(const char *event, JsonObject *members);
JsonObject *mtw_event_state(const char *state, const char *session, guint try_number);
JsonObject *mtw_event_change(const MtwChange *change, const char *action, const GError *error);
JsonObject *mtw_event_message(const MtwMessage *message);
JsonObject *mtw_event_marker(const char *text);

/* {"name","message"} */
JsonObject *mtw_error_to_json(const GError *error);

/* the other way. Returns: (transfer full) */
GError *mtw_error_from_json(JsonObject *object);

/* {"id","level","sentence","detail","hint"} */
JsonObject *mtw_message_to_json(const MtwMessage *message);

/* mtw_message_from_json: its msgids are interned. Returns: (transfer full) */
MtwMessage *mtw_message_from_json(JsonObject *object);

/* Lists of them. Returns: (transfer full) */
JsonArray *mtw_messages_to_json(const GPtrArray *messages);

/* @array: (nullable). Returns: (transfer full) (element-type MtwMessage) */
GPtrArray *mtw_messages_from_json(JsonArray *array);

/* {"kind","subject","before","after","options","keep","sentence","undo"} */
JsonObject *mtw_change_to_json(const MtwChange *change);
