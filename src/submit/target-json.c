/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/json.h"
#include "submit/target-private.h"

/* "header:X-Key", as it stands in the file. */
static char *auth_text(const MtwTarget *target)
{
	static const char *const names[] = {
		[MTW_AUTH_NONE] = "none",     [MTW_AUTH_BEARER] = "bearer",
		[MTW_AUTH_HEADER] = "header", [MTW_AUTH_JSON] = "json",
		[MTW_AUTH_BASIC] = "basic",   [MTW_AUTH_SSH] = "ssh",
		[MTW_AUTH_SMTP] = "smtp",
	};

	if (target->auth_name[0] == '\0')
		return g_strdup(names[target->auth]);
	return g_strdup_printf("%s:%s", names[target->auth], target->auth_name);
}

static JsonArray *too_big_array(const MtwTarget *target)
{
	static const char *const names[] = {
		[MTW_TOO_BIG_RECOMPRESS] = "recompress",
		[MTW_TOO_BIG_SPLIT] = "split",
		[MTW_TOO_BIG_FALLBACK] = "fallback",
		[MTW_TOO_BIG_SAVE] = "save",
	};
	JsonArray *array = json_array_new();

	for (guint i = 0; i < target->too_big->len; i++)
		json_array_add_string_element(array,
					      names[g_array_index(target->too_big, MtwTooBig, i)]);
	return array;
}

static JsonArray *paths_array(const MtwTarget *target)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < target->paths->len; i++)
		json_array_add_string_element(array, target->paths->pdata[i]);
	return array;
}

static void set_list(JsonObject *object, const char *name, char **list)
{
	json_object_set_array_member(object, name, mtw_json_texts((const char *const *)list));
}

static JsonObject *network_object(const MtwTargetNetwork *network)
{
	JsonObject *object = json_object_new();

	mtw_json_set_text(object, "ca_file", network->ca_file);
	mtw_json_set_text(object, "pinned_pubkey", network->pinned_pubkey);
	mtw_json_set_text(object, "host_key_sha256", network->host_key_sha256);
	mtw_json_set_text(object, "known_hosts", network->known_hosts);
	set_list(object, "redirect_hosts", network->redirect_hosts);
	json_object_set_string_member(object, "tls_min", network->tls13 ? "1.3" : "1.2");
	json_object_set_boolean_member(object, "plain_http", network->plain_http);
	json_object_set_int_member(object, "connect_timeout_sec", network->connect_timeout_sec);
	json_object_set_int_member(object, "low_speed_bytes", network->low_speed_bytes);
	json_object_set_int_member(object, "low_speed_sec", network->low_speed_sec);
	json_object_set_int_member(object, "retries", network->retries);
	json_object_set_int_member(object, "retry_cap_sec", network->retry_cap_sec);
	json_object_set_int_member(object, "chunk_bytes", (gint64)network->chunk_bytes);
	return object;
}

static void set_texts(JsonObject *object, const MtwTarget *target)
{
	const struct {
		const char *name, *text;
	} members[] = {
		{ "id", target->id },
		{ "name", target->name_plain },
		{ "kind", target->kind },
		{ "disabled_why", target->disabled_why },
		{ "url", target->url },
		{ "host", target->host },
		{ "project", target->project },
		{ "product", target->product },
		{ "component", target->component },
		{ "version", target->version },
		{ "tracker", target->tracker },
		{ "queue", target->queue },
		{ "store", target->store },
		{ "from", target->from },
		{ "to", target->to },
		{ "user", target->user },
		{ "visibility", mtw_visibility_name(target->visibility) },
		{ "privacy_uri", target->privacy_uri },
		{ "help_uri", target->help_uri },
		{ "token_help_uri", target->token_help_uri },
		{ "fallback", target->fallback },
		{ "title", target->title },
		{ "body", target->body },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
		mtw_json_set_text(object, members[i].name, members[i].text);
}

JsonObject *mtw_target_to_json(const MtwTarget *target)
{
	JsonObject *object = json_object_new();
	g_autofree char *auth = auth_text(target);

	set_texts(object, target);
	json_object_set_boolean_member(object, "enabled", target->enabled);
	json_object_set_array_member(object, "files", paths_array(target));
	set_list(object, "labels", target->labels);
	set_list(object, "match", target->match);
	set_list(object, "file_types", target->file_types);
	json_object_set_string_member(object, "auth", auth);
	json_object_set_int_member(object, "max_bytes", (gint64)target->max_bytes);
	json_object_set_array_member(object, "on_too_big", too_big_array(target));
	json_object_set_boolean_member(object, "search_duplicates", target->search_duplicates);
	json_object_set_boolean_member(object, "confidential", target->confidential);
	json_object_set_boolean_member(object, "part_file", target->parts);
	json_object_set_object_member(object, "network", network_object(&target->network));
	return object;
}
