/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/description.h"

#include "base/json.h"
#include "base/lines.h"
#include "base/text.h"

#include <string.h>

#define DEPTH_MAX 4

/* Members of the capture's facts that read better under another name. */
static const struct {
	const char *name, *label;
} labels[] = {
	{ "buffer_kb", "Buffer (KiB)" },
	{ "duration_sec", "Duration (seconds)" },
	{ "os", "Operating system" },
};

/* For programs, which find them in manifest.json, or said in another way here. */
static const char *const hidden[] = { "format",	       "vendor_id",	 "device_id",
				      "time_sec",      "bars",		 "ring_start",
				      "realtime_usec", "monotonic_usec", NULL };

static void append_label(GString *text, guint depth, const char *name)
{
	g_autofree char *label = mtw_text_clean_line(name);

	g_strdelimit(label, "_", ' ');
	label[0] = g_ascii_toupper(label[0]);
	for (gsize i = 0; i < G_N_ELEMENTS(labels); i++)
		if (g_str_equal(name, labels[i].name)) {
			g_free(label);
			label = g_strdup(labels[i].label);
		}
	g_string_append_printf(text, "%*s%s", (int)depth * 2, "", label);
}

/* A value on one line, so that it cannot pretend to be another fact. */
static void append_value(GString *text, JsonNode *node)
{
	g_autofree char *json = NULL;
	g_autofree char *clean = NULL;

	if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING) {
		clean = mtw_text_clean_line(json_node_get_string(node));
	} else if (JSON_NODE_HOLDS_VALUE(node) &&
		   json_node_get_value_type(node) == G_TYPE_BOOLEAN) {
		clean = g_strdup(json_node_get_boolean(node) ? "yes" : "no");
	} else {
		json = json_to_string(node, FALSE);
		clean = mtw_text_clean_line(json);
	}
	g_string_append(text, clean);
}

static void append_object(GString *text, guint depth, JsonObject *object);

static void append_array(GString *text, guint depth, JsonArray *array)
{
	for (guint i = 0; i < json_array_get_length(array); i++) {
		JsonNode *node = json_array_get_element(array, i);
		if (JSON_NODE_HOLDS_OBJECT(node) && depth < DEPTH_MAX) {
			g_string_append(text, i > 0 ? "\n" : "");
			append_object(text, depth, json_node_get_object(node));
			continue;
		}
		g_string_append_printf(text, "%*s- ", (int)depth * 2, "");
		append_value(text, node);
		g_string_append_c(text, '\n');
	}
}

static void append_object(GString *text, guint depth, JsonObject *object)
{
	g_autoptr(GList) names = json_object_get_members(object);

	for (GList *item = names; item != NULL; item = item->next) {
		JsonNode *node = json_object_get_member(object, item->data);
		if (JSON_NODE_HOLDS_NULL(node) ||
		    (depth == 0 && g_strv_contains(hidden, item->data)))
			continue;
		append_label(text, depth, item->data);
		if (depth < DEPTH_MAX && JSON_NODE_HOLDS_OBJECT(node)) {
			g_string_append(text, ":\n");
			append_object(text, depth + 1, json_node_get_object(node));
		} else if (depth < DEPTH_MAX && JSON_NODE_HOLDS_ARRAY(node)) {
			g_string_append(text, ":\n");
			append_array(text, depth + 1, json_node_get_array(node));
		} else {
			g_string_append(text, ": ");
			append_value(text, node);
			g_string_append_c(text, '\n');
		}
	}
}

static gint64 number_of(JsonObject *object, const char *name)
{
	return object != NULL ? mtw_json_int(object, name, 0) : 0;
}

/* The members of @array that are objects, one after the other. */
static void for_objects(GString *text, JsonArray *array,
			void (*append)(GString *text, JsonObject *object))
{
	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		JsonNode *node = json_array_get_element(array, i);
		if (JSON_NODE_HOLDS_OBJECT(node))
			append(text, json_node_get_object(node));
	}
}

static void append_bar(GString *text, JsonObject *bar)
{
	g_autofree char *start = mtw_text_clean_line(mtw_json_string(bar, "start", "?"));

	g_string_append_printf(text,
			       "BAR %" G_GINT64_FORMAT " at %s: %" G_GINT64_FORMAT
			       " reads, %" G_GINT64_FORMAT " writes, %" G_GINT64_FORMAT
			       " not decoded\n",
			       number_of(bar, "index"), start, number_of(bar, "reads"),
			       number_of(bar, "writes"), number_of(bar, "unknown"));
}

static void append_finding(GString *text, JsonObject *finding)
{
	g_autofree char *sentence = mtw_text_clean_line(mtw_json_string(finding, "sentence", ""));
	g_autofree char *detail = mtw_text_clean_line(mtw_json_string(finding, "detail", ""));

	g_string_append_printf(
		text, "%s %s",
		mtw_json_bool(finding, "serious", FALSE) ? "Problem:" : "Note:", sentence);
	if (*detail != '\0')
		g_string_append_printf(text, " (%s)", detail);
	g_string_append_c(text, '\n');
}

static void append_loss(GString *text, JsonObject *lost)
{
	gint64 after_stop = number_of(lost, "after_stop");

	g_string_append_printf(text, "Lost: %s%" G_GINT64_FORMAT " events\n",
			       lost != NULL && !mtw_json_bool(lost, "exact", FALSE) ? "about " : "",
			       number_of(lost, "events"));
	if (after_stop > 0)
		g_string_append_printf(
			text, "Accesses after recording was off (no loss): %" G_GINT64_FORMAT "\n",
			after_stop);
}

static void append_verdict(GString *text, JsonObject *verdict)
{
	g_autofree char *grade = mtw_text_clean_line(mtw_json_string(verdict, "grade", "unknown"));
	g_autofree char *sentence = mtw_text_clean_line(mtw_json_string(verdict, "sentence", ""));

	g_string_append_printf(text, "\n== Verdict ==\nGrade: %s\n%s\n", grade, sentence);
	g_string_append_printf(text,
			       "Events: %" G_GINT64_FORMAT " (%" G_GINT64_FORMAT
			       " reads, %" G_GINT64_FORMAT " writes, %" G_GINT64_FORMAT
			       " not decoded, %" G_GINT64_FORMAT " mappings)\n",
			       number_of(verdict, "events"), number_of(verdict, "reads"),
			       number_of(verdict, "writes"), number_of(verdict, "unknown"),
			       number_of(verdict, "maps"));
	append_loss(text, mtw_json_object(verdict, "lost"));
	for_objects(text, mtw_json_array(verdict, "bars"), append_bar);
	for_objects(text, mtw_json_array(verdict, "findings"), append_finding);
}

static void append_capture(GString *text, JsonObject *capture)
{
	gint64 vendor = mtw_json_int(capture, "vendor_id", -1);
	gint64 device = mtw_json_int(capture, "device_id", -1);
	gint64 time_sec = mtw_json_int(capture, "time_sec", -1);
	g_autoptr(GDateTime) moment =
		time_sec >= 0 ? g_date_time_new_from_unix_utc(time_sec) : NULL;
	g_autofree char *date =
		moment != NULL ? g_date_time_format(moment, "%Y-%m-%d %H:%M:%S UTC") : NULL;

	g_string_append(text, "\n== Capture ==\n");
	if (date != NULL)
		g_string_append_printf(text, "Made on: %s\n", date);
	if (vendor >= 0 && vendor <= G_MAXUINT16 && device >= 0 && device <= G_MAXUINT16)
		g_string_append_printf(text, "PCI id: %04x:%04x\n", (guint)vendor, (guint)device);
	append_object(text, 0, capture);
}

/* Nothing for an empty one. */
static void append_line(GString *text, const char *label, const char *value)
{
	g_autofree char *clean = g_strstrip(mtw_text_clean_line(value));

	if (clean[0] != '\0')
		g_string_append_printf(text, "%s: %s\n", label, clean);
}

char *mtw_description_new(JsonObject *capture, JsonObject *verdict, const char *nick,
			  const char *contact, const char *story)
{
	g_autoptr(GString) text = g_string_new("mmiotrace made with mmiotrace-wizard\n");
	g_autofree char *words = mtw_lines_clean(story != NULL ? story : "", -1);

	append_line(text, "Thanks to", nick);
	append_line(text, "Contact", contact);
	append_capture(text, capture);
	if (verdict != NULL)
		append_verdict(text, verdict);
	g_string_append(text, "\n== In their own words ==\n");
	g_string_append(text, *g_strchomp(words) != '\0' ? words : "(nothing was written)");
	return mtw_lines_clean(text->str, (gssize)text->len);
}
