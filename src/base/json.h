/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short helpers over json-glib: build an object member by member, one line of text, strict reading. */
#pragma once

#include <json-glib/json-glib.h>

/* mtw_json_line: @object as one line without a newline. Returns: (transfer full) */
char *mtw_json_line(JsonObject *object);

/* mtw_json_pretty: @object indented, with a final newline. Returns: (transfer full) */
char *mtw_json_pretty(JsonObject *object);

/*
 * mtw_json_parse: a JSON object from text.
 * @what: what the text is, for the error. Returns: (transfer full) (nullable)
 */
JsonObject *mtw_json_parse(const char *text, gssize bytes, const char *what, GError **error);

/*
 * Members that may be absent or of another type: then the default comes back. @object: (nullable): has no
 * members. Strings: (transfer none)
 */
const char *mtw_json_string(JsonObject *object, const char *name, const char *missing);
gint64 mtw_json_int(JsonObject *object, const char *name, gint64 missing);
gboolean mtw_json_bool(JsonObject *object, const char *name, gboolean missing);
/* (transfer none) (nullable) */
JsonObject *mtw_json_object(JsonObject *object, const char *name);
JsonArray *mtw_json_array(JsonObject *object, const char *name);

/* mtw_json_object_at: @array: (nullable). Returns: (transfer none) (nullable): NULL when there is no object */
JsonObject *mtw_json_object_at(JsonArray *array, guint index);

/*
 * mtw_json_clean: a copy whose texts are safe for a terminal: each line by mtw_text_clean_line. Names of
 * members stay. Returns: (transfer full)
 */
JsonObject *mtw_json_clean(JsonObject *object);

/* mtw_json_add_members: all of @members into @object too; objects and arrays among them are in both then. */
void mtw_json_add_members(JsonObject *object, JsonObject *members);

/*
 * mtw_json_fill: @text with {name} replaced by that member of @values, as one line; other braces stay.
 * @unknown: for a member that is no text. Returns: (transfer full)
 */
char *mtw_json_fill(const char *text, JsonObject *values, const char *unknown);

/* mtw_json_texts: @texts: (nullable) (array zero-terminated=1). Returns: (transfer full) */
JsonArray *mtw_json_texts(const char *const *texts);

/* mtw_json_set_text: any bytes as a string member, made valid UTF-8. NULL adds null. */
void mtw_json_set_text(JsonObject *object, const char *name, const char *text);
