/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of target.h. */
#pragma once

#include "base/key-file.h"
#include "submit/target.h"

/* One file of a target. */
typedef struct {
	MtwKeyFile *file;
	char *path;   /* (nullable): none, only text */
	char *folder; /* (nullable): where its BodyFile is looked for */
} MtwTargetLayer;

/* mtw_target_layer_new: @file: (transfer full) */
MtwTargetLayer *mtw_target_layer_new(MtwKeyFile *file, const char *path, const char *folder);
void mtw_target_layer_free(gpointer layer);

/* The value of a key, from the last layer that has it. */
typedef struct {
	const MtwTargetLayer *layer;
	guint line;
	char *text; /* one line, not empty */
	char **list;
} MtwTargetValue;

void mtw_target_value_clear(MtwTargetValue *value);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwTargetValue, mtw_target_value_clear)

/* mtw_target_fail: sets @error to "name:line: text". Returns: FALSE */
gboolean mtw_target_fail(const MtwTargetValue *value, GError **error, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/*
 * mtw_target_from_layers: @layers: (element-type MtwTargetLayer), at least one, the strongest last
 * As mtw_target_parse
 */
MtwTarget *mtw_target_from_layers(const char *id, const GPtrArray *layers, GPtrArray *problems,
				  GError **error);

/* mtw_target_new: all that no key is needed for. */
MtwTarget *mtw_target_new(const char *id);

/* target-layers.c */

/* mtw_target_value_find: FALSE: no layer has it, or the last one that does has it empty */
gboolean mtw_target_value_find(const GPtrArray *layers, const char *group, const char *key,
			       MtwTargetValue *ret_value);

/*
 * mtw_target_shown_find: one line for the person, from the last layer that has it in their language or without one.
 * Returns: (transfer full) (nullable): NULL: no layer has it, or the last one that does has it empty
 */
char *mtw_target_shown_find(const GPtrArray *layers, const char *group, const char *key);

/* target-keys.c: the keys that there are */

gboolean mtw_target_key_is_known(const char *group, const char *key);
/* mtw_target_key_is_local: can be translated, like Name[de]. */
gboolean mtw_target_key_is_local(const char *group, const char *key);

/*
 * mtw_target_read_keys: all values that are right are taken. Errors: the first that is not
 */
gboolean mtw_target_read_keys(MtwTarget *target, const GPtrArray *layers, GError **error);

/* target-value.c: values of a form of their own. @field: what is set */

gboolean mtw_target_read_url(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_auth(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_visibility(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_too_big(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_duplicate(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_types(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_match(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_title(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_body(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_tls(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_pin(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_host_key(const MtwTargetValue *value, MtwTarget *target, GError **error);
gboolean mtw_target_read_redirect(const MtwTargetValue *value, MtwTarget *target, GError **error);

/* target-secret.c */

/* mtw_target_check_secrets: nothing in @file is, or looks like, a password. Errors: MTW_ERROR_INVALID */
gboolean mtw_target_check_secrets(const MtwKeyFile *file, GError **error);

/* target-kind.c: what the keys of a kind may be */

/* How the text of a letter is read by those who get it. */
typedef enum {
	MTW_MARKUP_PLAIN,
	MTW_MARKUP_MARKDOWN,
	MTW_MARKUP_REDMINE, /* Textile or Markdown, as the server is set up */
} MtwMarkup;

MtwMarkup mtw_target_markup(const MtwTarget *target);

/* mtw_target_set_kind_defaults: Auth, and what stands for a host. @has_auth: the file says which */
void mtw_target_set_kind_defaults(MtwTarget *target, gboolean has_auth);

/* mtw_target_check_kind: that URL, Auth and the kind fit together. Errors: MTW_ERROR_INVALID */
gboolean mtw_target_check_kind(const MtwTarget *target, const GPtrArray *layers, GError **error);

/* target-match.c */

/* mtw_target_match_check: Returns: (transfer none) (nullable): the first pattern that is none */
const char *mtw_target_match_check(char **patterns);

/* mtw_target_id_is_good: [a-z0-9-], at most 64 characters. */
gboolean mtw_target_id_is_good(const char *id);
