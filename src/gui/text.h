/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of events for people. The sentences of the core are translated here. */
#pragma once

#include <json-glib/json-glib.h>

/*
 * mtw_gui_translate: "" stays "" (gettext would give the catalogue's header). What the core says to a person at a terminal
 * is said in the window's own words (hints.h).
 */
const char *mtw_gui_translate(const char *msgid);

/*
 * mtw_gui_detail: an error's own message, without what to type on a terminal; translated where it is a sentence of ours.
 * Returns: (transfer full)
 */
char *mtw_gui_detail(const char *message);

/* mtw_gui_fill: @text with {name} replaced by the members of @values. Returns: (transfer full) */
char *mtw_gui_fill(const char *text, JsonObject *values);

/* mtw_gui_sentence: "sentence (detail)" of a message, translated. Returns: (transfer full) */
char *mtw_gui_sentence(JsonObject *message);

/* mtw_gui_change: what a change does, or (@undo) how it is undone. Returns: (transfer full) */
char *mtw_gui_change(JsonObject *change, gboolean undo);

/* mtw_gui_bytes: the member @name as "1.4 GiB". Returns: (transfer full) */
char *mtw_gui_bytes(JsonObject *object, const char *name);

/* mtw_gui_number: a number with separators of the person's language. Returns: (transfer full) */
char *mtw_gui_number(gint64 number);

/* mtw_gui_accesses: of an area of the device: "7 reads, 9 writes". Returns: (transfer full) */
char *mtw_gui_accesses(JsonObject *bar);

/* mtw_gui_paragraphs: text that was broken for a terminal, one line a paragraph. Returns: (transfer full) */
char *mtw_gui_paragraphs(const char *text);

/* mtw_gui_without_mnemonic: "_Next" as "Next", and "다음(_N)" as "다음". Returns: (transfer full) */
char *mtw_gui_without_mnemonic(const char *text);

/* mtw_gui_bar_name: "BAR 0", or "ROM". Returns: (transfer full) */
char *mtw_gui_bar_name(gint64 index);

/* mtw_gui_state: what goes on in a capture; NULL for a state that says nothing. */
const char *mtw_gui_state(const char *state);

/* mtw_gui_level: the word for "ok", "warning", "failure". */
const char *mtw_gui_level(const char *level);

/*
 * mtw_gui_log_line: an event as lines for the log of all that was done; NULL for those that are not worth it (counters, progress).
 * Returns: (transfer full) (nullable)
 */
char *mtw_gui_log_line(const char *name, JsonObject *event);
