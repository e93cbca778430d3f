/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/target.h"

#include "base/error.h"
#include "submit/target-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define TITLE "mmiotrace: @PCIID@ @DEVICE@ (@NICK@)"

/* For a target without a BodyFile. */
#define BODY                                                 \
	"mmiotrace of @DEVICE@ (@PCIID@)\n"                  \
	"\n"                                                 \
	"* Driver: @DRIVER@\n"                               \
	"* Kernel: @KERNEL@\n"                               \
	"* Trace: @VERDICT@\n"                               \
	"* File: @FILE@\n"                                   \
	"* Size in bytes: @BYTES@\n"                         \
	"* SHA-256: @SHA256@\n"                              \
	"* Made with mmiotrace-wizard @VERSION@ by @NICK@\n" \
	"\n"                                                 \
	"@DESCRIPTION@\n"                                    \
	"\n"                                                 \
	"@MARKERS@\n"                                        \
	"\n"                                                 \
	"Report-ID: @REPORTID@\n"

static void free_network(MtwTargetNetwork *network)
{
	g_free(network->ca_file);
	g_free(network->pinned_pubkey);
	g_free(network->host_key_sha256);
	g_free(network->known_hosts);
	g_strfreev(network->redirect_hosts);
}

void mtw_target_free(MtwTarget *target)
{
	if (target == NULL)
		return;
	g_free(target->id);
	g_ptr_array_unref(target->paths);
	g_free(target->name);
	g_free(target->name_plain);
	g_free(target->kind);
	g_free(target->disabled_why);
	g_free(target->url);
	g_free(target->host);
	g_free(target->project);
	g_free(target->product);
	g_free(target->component);
	g_free(target->version);
	g_free(target->tracker);
	g_free(target->queue);
	g_free(target->store);
	g_free(target->from);
	g_free(target->to);
	g_free(target->user);
	g_strfreev(target->labels);
	g_strfreev(target->match);
	g_strfreev(target->file_types);
	g_free(target->privacy_uri);
	g_free(target->help_uri);
	g_free(target->token_help_uri);
	g_free(target->auth_name);
	g_array_unref(target->too_big);
	g_free(target->fallback);
	g_free(target->title);
	g_free(target->body);
	free_network(&target->network);
	g_free(target);
}

const char *mtw_visibility_name(MtwVisibility visibility)
{
	static const char *const names[] = {
		[MTW_VISIBILITY_UNKNOWN] = "unknown",
		[MTW_VISIBILITY_PUBLIC] = "public",
		[MTW_VISIBILITY_RESTRICTED] = "restricted",
	};

	return names[visibility];
}

const char *mtw_visibility_readers(const char *name)
{
	if (g_str_equal(name, "public"))
		return N_("anyone; also the file of a report that is marked confidential");
	if (g_str_equal(name, "restricted"))
		return N_("the members of the project");
	return N_("not known; expect: anyone");
}

static void set_texts(MtwTarget *target)
{
	char **texts[] = {
		&target->kind,	      &target->url,	  &target->project,
		&target->product,     &target->component, &target->version,
		&target->tracker,     &target->queue,	  &target->store,
		&target->from,	      &target->to,	  &target->user,
		&target->privacy_uri, &target->help_uri,  &target->token_help_uri,
		&target->auth_name,   &target->fallback,
	};
	char ***lists[] = { &target->labels, &target->match, &target->file_types,
			    &target->network.redirect_hosts };

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		*texts[i] = g_strdup("");
	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		*lists[i] = g_new0(char *, 1);
}

MtwTarget *mtw_target_new(const char *id)
{
	static const MtwTooBig too_big[] = { MTW_TOO_BIG_RECOMPRESS, MTW_TOO_BIG_SAVE };
	MtwTarget *target = g_new0(MtwTarget, 1);

	set_texts(target);
	target->id = g_strdup(id);
	target->name = g_strdup(id);
	target->name_plain = g_strdup(id);
	target->paths = g_ptr_array_new_with_free_func(g_free);
	target->enabled = TRUE;
	target->title = g_strdup(TITLE);
	target->body = g_strdup(BODY);
	target->search_duplicates = TRUE;
	target->too_big = g_array_new(FALSE, FALSE, sizeof(MtwTooBig));
	g_array_append_vals(target->too_big, too_big, G_N_ELEMENTS(too_big));
	target->network = (MtwTargetNetwork){
		.redirect_hosts = target->network.redirect_hosts,
		.connect_timeout_sec = 30,
		.low_speed_bytes = 1024,
		.low_speed_sec = 60,
		.retries = 6,
		.retry_cap_sec = 300,
		.chunk_bytes = 8 * 1024 * 1024,
	};
	return target;
}

static void add_problem(GPtrArray *problems, const MtwKeyFile *file, guint line, const char *what)
{
	if (problems == NULL)
		return;
	g_ptr_array_add(
		problems,
		mtw_message_new("target-key", MTW_LEVEL_WARNING,
				N_("A line in a target's file is not known."),
				N_("It is passed over; mmiotrace-wizard-target(5) lists the keys."),
				"%s:%u: there is no %s", file->name, line, what));
}

static gboolean is_group(const char *kind)
{
	return g_str_equal(kind, "Target") || g_str_equal(kind, "Network");
}

/* What may be right in a newer version of the program is no error. */
static void look_for_unknown(const MtwKeyFile *file, GPtrArray *problems)
{
	for (guint i = 0; i < file->groups->len; i++) {
		const MtwKeyGroup *group = file->groups->pdata[i];
		if (!is_group(group->kind) || group->id != NULL) {
			g_autofree char *what = g_strdup_printf("group [%s%s%s]", group->kind,
								group->id != NULL ? " " : "",
								group->id != NULL ? group->id : "");
			add_problem(problems, file, group->line, what);
			continue;
		}
		for (guint k = 0; k < group->entries->len; k++) {
			const MtwKeyEntry *entry = group->entries->pdata[k];
			g_autofree char *what =
				g_strdup_printf("key %s in [%s]", entry->key, group->kind);
			if (!mtw_target_key_is_known(group->kind, entry->key))
				add_problem(problems, file, entry->line, what);
		}
	}
}

/* Of a value as it stands in the file. */
static gboolean is_one_line(const char *value)
{
	for (; *value != '\0'; value++) {
		if (*value == '\t' || (*value == '\\' && strchr("nt", value[1]) != NULL))
			return FALSE;
		if (*value == '\\')
			value++;
	}
	return TRUE;
}

/* Name[de] is a name for people; URL[de] would be another server for them. */
static gboolean check_language(const MtwKeyFile *file, const MtwKeyGroup *group,
			       const MtwKeyEntry *entry, GError **error)
{
	if (entry->locale == NULL || !mtw_target_key_is_known(group->kind, entry->key))
		return TRUE;
	if (!mtw_target_key_is_local(group->kind, entry->key))
		return mtw_key_file_fail(file, entry->line, error, "%s cannot be translated",
					 entry->key);
	if (!is_one_line(entry->value))
		return mtw_key_file_fail(file, entry->line, error, "%s[%s] is one line", entry->key,
					 entry->locale);
	return TRUE;
}

static gboolean check_languages(const MtwKeyFile *file, GError **error)
{
	for (guint i = 0; i < file->groups->len; i++) {
		const MtwKeyGroup *group = file->groups->pdata[i];
		for (guint k = 0; k < group->entries->len; k++) {
			if (!check_language(file, group, group->entries->pdata[k], error))
				return FALSE;
		}
	}
	return TRUE;
}

static gboolean read_layers(MtwTarget *target, const GPtrArray *layers, GError **error)
{
	g_auto(MtwTargetValue) auth = { 0 };
	gboolean all_right = TRUE;

	for (guint i = 0; i < layers->len && all_right; i++) {
		const MtwTargetLayer *layer = layers->pdata[i];
		all_right = check_languages(layer->file, error);
	}
	all_right = mtw_target_read_keys(target, layers, all_right ? error : NULL) && all_right;
	mtw_target_set_kind_defaults(target,
				     mtw_target_value_find(layers, "Target", "Auth", &auth));
	return all_right && mtw_target_check_kind(target, layers, error);
}

MtwTarget *mtw_target_from_layers(const char *id, const GPtrArray *layers, GPtrArray *problems,
				  GError **error)
{
	g_autoptr(MtwTarget) target = mtw_target_new(id);
	g_autoptr(GError) cause = NULL;

	for (guint i = 0; i < layers->len; i++) {
		const MtwTargetLayer *layer = layers->pdata[i];
		if (!mtw_target_check_secrets(layer->file, error))
			return NULL;
		look_for_unknown(layer->file, problems);
		if (layer->path != NULL)
			g_ptr_array_add(target->paths, g_strdup(layer->path));
	}
	if (!read_layers(target, layers, &cause)) {
		target->enabled = FALSE;
		target->disabled_why = g_strdup(cause->message);
	}
	return g_steal_pointer(&target);
}

MtwTarget *mtw_target_parse(const char *id, const char *const *texts, const char *folder,
			    GPtrArray *problems, GError **error)
{
	g_autoptr(GPtrArray) layers = g_ptr_array_new_with_free_func(mtw_target_layer_free);
	g_autofree char *name = g_strconcat(id, ".conf", NULL);

	for (; *texts != NULL; texts++) {
		MtwKeyFile *file = mtw_key_file_parse(*texts, strlen(*texts), name, error);
		if (file == NULL)
			return NULL;
		g_ptr_array_add(layers, mtw_target_layer_new(file, NULL, folder));
	}
	if (layers->len == 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s:1: there is nothing", name);
		return NULL;
	}
	return mtw_target_from_layers(id, layers, problems, error);
}
