/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/manifest.h"

#include "config.h"

#include "base/json.h"
#include "base/message.h"
#include "report/archive.h"

#include <glib/gi18n.h>

#define FORMAT 1
#define MANIFEST_NAME "manifest.json"

static void set_number(JsonObject *object, const char *name, guint64 number)
{
	json_object_set_int_member(object, name, (gint64)MIN(number, (guint64)G_MAXINT64));
}

static JsonArray *files_to_json(const GPtrArray *members)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < members->len; i++) {
		const MtwMember *member = members->pdata[i];
		JsonObject *object = json_object_new();

		mtw_json_set_text(object, "name", member->name);
		set_number(object, "bytes", member->bytes);
		mtw_json_set_text(object, "sha256", member->sha256);
		json_array_add_object_element(array, object);
	}
	return array;
}

static JsonArray *collected_to_json(const GPtrArray *messages)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; messages != NULL && i < messages->len; i++) {
		const MtwMessage *message = messages->pdata[i];
		JsonObject *object = json_object_new();

		json_object_set_string_member(object, "id", message->id);
		json_object_set_string_member(object, "level", mtw_level_name(message->level));
		json_object_set_string_member(object, "sentence", message->sentence);
		mtw_json_set_text(object, "detail", message->detail);
		json_array_add_object_element(array, object);
	}
	return array;
}

static void set_object(JsonObject *object, const char *name, JsonObject *value)
{
	if (value != NULL)
		json_object_set_object_member(object, name, json_object_ref(value));
	else
		json_object_set_null_member(object, name);
}

static void set_time(JsonObject *object, gint64 time_sec)
{
	g_autoptr(GDateTime) moment = g_date_time_new_from_unix_utc(time_sec);
	g_autofree char *text = moment != NULL ? g_date_time_format_iso8601(moment) : NULL;

	mtw_json_set_text(object, "time", text);
	json_object_set_int_member(object, "time_sec", time_sec);
}

char *mtw_manifest_new(const MtwManifestFacts *facts)
{
	g_autoptr(JsonObject) object = json_object_new();

	json_object_set_int_member(object, "format", FORMAT);
	json_object_set_string_member(object, "program", "mmiotrace-wizard");
	json_object_set_string_member(object, "version", MTW_VERSION);
	set_time(object, facts->time_sec);
	mtw_json_set_text(object, "nick", facts->nick);
	json_object_set_array_member(object, "files", files_to_json(facts->members));
	set_object(object, "verdict", facts->verdict);
	set_object(object, "capture", facts->capture);
	json_object_set_array_member(object, "collected", collected_to_json(facts->messages));
	return mtw_json_pretty(object);
}

static void complain(GPtrArray *messages, const char *id, MtwLevel level, const char *sentence,
		     const char *detail)
{
	g_ptr_array_add(messages, mtw_message_new(id, level, sentence, "", "%s", detail));
}

/* One entry of "files" against the archive. Removes the member from @unseen. */
static void check_entry(JsonObject *entry, GHashTable *members, GHashTable *unseen,
			GPtrArray *messages)
{
	const char *name = mtw_json_string(entry, "name", "");
	const MtwMemberFacts *facts = g_hash_table_lookup(members, name);

	if (facts == NULL) {
		complain(messages, "missing-member", MTW_LEVEL_FAILURE,
			 N_("A file that the manifest names is not in the archive."), name);
		return;
	}
	g_hash_table_remove(unseen, facts);
	if (mtw_json_int(entry, "bytes", -1) != (gint64)facts->bytes ||
	    g_ascii_strcasecmp(mtw_json_string(entry, "sha256", ""), facts->sha256) != 0)
		complain(messages, "changed-member", MTW_LEVEL_FAILURE,
			 N_("A file is not the one that the manifest describes."), name);
}

static void check_files(JsonArray *files, GHashTable *members, GHashTable *unseen,
			GPtrArray *messages)
{
	for (guint i = 0; i < json_array_get_length(files); i++) {
		JsonNode *node = json_array_get_element(files, i);
		if (JSON_NODE_HOLDS_OBJECT(node))
			check_entry(json_node_get_object(node), members, unseen, messages);
		else
			complain(messages, "bad-manifest", MTW_LEVEL_FAILURE,
				 N_("The manifest is not one of this program."), "files");
	}
}

GPtrArray *mtw_manifest_check(JsonObject *manifest, const GPtrArray *member_facts)
{
	g_autoptr(GHashTable) members = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) unseen = g_hash_table_new(NULL, NULL);
	GPtrArray *messages = mtw_messages_new();
	JsonArray *files = mtw_json_array(manifest, "files");

	if (files == NULL || mtw_json_int(manifest, "format", 0) != FORMAT) {
		complain(messages, "bad-manifest", MTW_LEVEL_FAILURE,
			 N_("The manifest is not one of this program."),
			 files == NULL ? "files" : "format");
		return messages;
	}
	for (guint i = 0; i < member_facts->len; i++) {
		MtwMemberFacts *facts = member_facts->pdata[i];
		gboolean first = !g_hash_table_contains(members, facts->name);
		if (first)
			g_hash_table_insert(members, facts->name, facts);
		if (!first || !g_str_equal(facts->name, MANIFEST_NAME))
			g_hash_table_add(unseen, facts);
	}
	check_files(files, members, unseen, messages);
	for (guint i = 0; i < member_facts->len; i++) {
		MtwMemberFacts *facts = member_facts->pdata[i];
		if (g_hash_table_contains(unseen, facts))
			complain(messages, "extra-member", MTW_LEVEL_WARNING,
				 N_("A file is in the archive that the manifest does not name, or "
				    "it is there twice."),
				 facts->name);
	}
	return messages;
}
