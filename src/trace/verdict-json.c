/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/verdict-json.h"

#include "base/json.h"

static void set_number(JsonObject *object, const char *name, guint64 number)
{
	json_object_set_int_member(object, name, (gint64)MIN(number, (guint64)G_MAXINT64));
}

static void set_address(JsonObject *object, const char *name, guint64 address)
{
	g_autofree char *text = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", address);

	json_object_set_string_member(object, name, text);
}

static JsonObject *loss_to_json(const MtwLoss *loss)
{
	JsonObject *object = json_object_new();

	set_number(object, "events", loss->lost);
	set_number(object, "after_stop", loss->after_stop);
	json_object_set_boolean_member(object, "exact", loss->exact);
	json_object_set_boolean_member(object, "unconfirmed", loss->unconfirmed);
	return object;
}

static JsonArray *bars_to_json(const MtwCounts *counts)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < counts->n_bars; i++) {
		const MtwBarCount *bar = &counts->bars[i];
		JsonObject *object = json_object_new();

		set_number(object, "index", bar->index);
		set_address(object, "start", bar->start);
		set_number(object, "length", bar->length);
		set_number(object, "reads", bar->reads);
		set_number(object, "writes", bar->writes);
		set_number(object, "unknown", bar->unknown);
		json_array_add_object_element(array, object);
	}
	return array;
}

static const char *hole_name(MtwHoleKind kind)
{
	switch (kind) {
	case MTW_HOLE_UNALIGNED:
		return "unaligned";
	case MTW_HOLE_HUGE_TAIL:
		return "huge-tail";
	default:
		return "gib-page";
	}
}

static JsonArray *holes_to_json(const MtwCounts *counts)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < counts->n_holes; i++) {
		const MtwHole *hole = &counts->holes[i];
		JsonObject *object = json_object_new();

		json_object_set_string_member(object, "kind", hole_name(hole->kind));
		set_address(object, "address", hole->address);
		set_number(object, "length", hole->length);
		json_array_add_object_element(array, object);
	}
	return array;
}

static JsonArray *findings_to_json(const MtwVerdict *verdict)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < verdict->findings->len; i++) {
		const MtwFinding *finding = verdict->findings->pdata[i];
		JsonObject *object = json_object_new();

		json_object_set_string_member(object, "id", finding->id);
		json_object_set_boolean_member(object, "serious", finding->serious);
		json_object_set_string_member(object, "sentence", finding->sentence);
		mtw_json_set_text(object, "detail", finding->detail);
		json_array_add_object_element(array, object);
	}
	return array;
}

JsonObject *mtw_verdict_to_json(const MtwVerdict *verdict, const MtwCounts *counts)
{
	JsonObject *object = json_object_new();

	json_object_set_string_member(object, "grade", mtw_grade_name(verdict->grade));
	json_object_set_string_member(object, "sentence", mtw_grade_sentence(verdict->grade));
	json_object_set_object_member(object, "lost", loss_to_json(&verdict->loss));
	set_number(object, "events", counts->events);
	set_number(object, "reads", counts->kinds[MTW_RECORD_READ]);
	set_number(object, "writes", counts->kinds[MTW_RECORD_WRITE]);
	set_number(object, "unknown", counts->kinds[MTW_RECORD_UNKNOWN]);
	set_number(object, "maps", counts->kinds[MTW_RECORD_MAP]);
	set_number(object, "unmaps", counts->kinds[MTW_RECORD_UNMAP]);
	set_number(object, "markers", counts->kinds[MTW_RECORD_MARK]);
	set_number(object, "foreign", counts->kinds[MTW_RECORD_FOREIGN]);
	json_object_set_array_member(object, "bars", bars_to_json(counts));
	set_number(object, "elsewhere", counts->elsewhere);
	json_object_set_array_member(object, "holes", holes_to_json(counts));
	json_object_set_array_member(object, "findings", findings_to_json(verdict));
	return object;
}
