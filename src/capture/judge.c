/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/judge.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "capture/binding.h"
#include "machine/kmsg.h"
#include "trace/facts-json.h"
#include "trace/verdict-json.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BINDING_MSEC 5000

JsonArray *mtw_judge_bars_to_json(const MtwPciDevice *device)
{
	JsonArray *bars = json_array_new();

	for (guint i = 0; i < MTW_PCI_BARS; i++)
		if (device->bars[i].kind == MTW_BAR_MEMORY)
			json_array_add_object_element(
				bars,
				mtw_bar_to_json(i, device->bars[i].start, device->bars[i].length));
	return bars;
}

char **mtw_judge_doubts(const MtwPaths *paths, guint64 kmsg_start)
{
	g_autofree char *text = mtw_kmsg_read(paths, kmsg_start, NULL, NULL);
	g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
	g_autoptr(GStrvBuilder) doubts = g_strv_builder_new();

	for (char **line = lines; *line != NULL; line++)
		if (mtw_doubt_matches(*line))
			g_strv_builder_add(doubts, *line);
	return g_strv_builder_end(doubts);
}

/* The smaller the better; among traces with losses the one that lost less. */
static guint64 badness(JsonObject *verdict)
{
	static const char *const grades[] = { "good", "doubtful", "lost", "untouched", "empty" };
	JsonObject *lost = mtw_json_object(verdict, "lost");
	guint64 events = lost != NULL ? (guint64)mtw_json_int(lost, "events", 0) : 0;
	guint64 grade = 0;

	while (grade < G_N_ELEMENTS(grades) &&
	       strcmp(grades[grade], mtw_json_string(verdict, "grade", "")) != 0)
		grade++;
	return (MAX(grade, 1) << 56) + MIN(events, (G_GUINT64_CONSTANT(1) << 56) - 1);
}

static gboolean is_better(MtwSession *session, JsonObject *verdict)
{
	g_autofree char *path = mtw_session_path(session, "verdict.json");
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	g_autoptr(JsonObject) kept = text != NULL ? mtw_json_parse(text, -1, path, NULL) : NULL;

	return kept == NULL || badness(verdict) <= badness(kept);
}

static void add_try(MtwSession *session, guint try_number, JsonObject *verdict, gboolean kept)
{
	JsonArray *tries = mtw_json_array(session->state, "tries");
	JsonObject *entry = json_object_new();
	JsonObject *lost = mtw_json_object(verdict, "lost");

	if (tries == NULL) {
		tries = json_array_new();
		json_object_set_array_member(session->state, "tries", tries);
	}
	json_object_set_int_member(entry, "try", try_number);
	json_object_set_string_member(entry, "grade", mtw_json_string(verdict, "grade", ""));
	json_object_set_int_member(entry, "lost", mtw_json_int(lost, "events", 0));
	json_object_set_int_member(entry, "buffer_kb",
				   mtw_json_int(session->state, "buffer_kb", 0));
	json_object_set_boolean_member(entry, "kept", kept);
	json_array_add_object_element(tries, entry);
}

static void keep_files(MtwSession *session, const char *trace, JsonObject *verdict)
{
	g_autofree char *final = mtw_session_path(session, "trace.txt");
	g_autofree char *path = mtw_session_path(session, "verdict.json");
	g_autofree char *text = mtw_json_pretty(verdict);
	g_autoptr(GError) error = NULL;

	if (rename(trace, final) != 0)
		mtw_session_log(session, "%s could not be renamed to %s", trace, final);
	if (!mtw_file_write_atomic(path, text, strlen(text), 0600, &error))
		mtw_session_log(session, "verdict.json: %s", error->message);
}

JsonObject *mtw_judge_keep(MtwSession *session, guint try_number, const MtwVerdict *verdict,
			   const MtwCounts *counts)
{
	JsonObject *object = mtw_verdict_to_json(verdict, counts);
	g_autofree char *name = g_strdup_printf("trace-%u.txt", try_number);
	g_autofree char *trace = mtw_session_path(session, name);
	gboolean kept = is_better(session, object);

	if (kept)
		keep_files(session, trace, object);
	else
		unlink(trace);
	add_try(session, try_number, object, kept);
	return object;
}

gboolean mtw_judge_driver_restored(const MtwPaths *paths, JsonObject *state, GError **error)
{
	const char *device = mtw_json_string(state, "device", NULL);
	const char *before = mtw_json_string(state, "driver_before", NULL);
	g_autofree char *now = NULL;

	if (device == NULL || before == NULL)
		return TRUE;
	now = mtw_binding_wait(paths, device, before, BINDING_MSEC);
	if (g_strcmp0(now, before) == 0)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_RESTORED,
		    "%s had the driver %s before and has %s now", device, before,
		    now != NULL ? now : "none");
	return FALSE;
}
