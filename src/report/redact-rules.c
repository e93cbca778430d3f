/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact-private.h"

#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"

#include <string.h>

#define SUFFIX ".conf"
#define FOLDER "redact.d"
#define RULE_PREFIX "Rule "
#define WORDS_GROUP "Words"
#define ARROW " => "
#define ANCHOR_MIN_BYTES 2

static void example_free(gpointer data)
{
	MtwRedactExample *example = data;

	g_free(example->in);
	g_free(example->out);
	g_free(example);
}

static void rule_free(gpointer data)
{
	MtwRedactRule *rule = data;

	g_free(rule->name);
	g_free(rule->file);
	pcre2_code_free(rule->code);
	g_strfreev(rule->anchors);
	g_strfreev(rule->files);
	g_clear_pointer(&rule->after, g_hash_table_unref);
	g_clear_pointer(&rule->not_after, g_hash_table_unref);
	g_clear_pointer(&rule->keep, g_hash_table_unref);
	g_strfreev(rule->keep_end);
	g_clear_pointer(&rule->examples, g_ptr_array_unref);
	g_free(rule);
}

MtwRedactRules *mtw_redact_rules_new(void)
{
	MtwRedactRules *rules = g_new0(MtwRedactRules, 1);

	rules->references = 1;
	rules->rules = g_ptr_array_new_with_free_func(rule_free);
	rules->common = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	rules->empty = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return rules;
}

MtwRedactRules *mtw_redact_rules_ref(MtwRedactRules *rules)
{
	g_atomic_int_inc(&rules->references);
	return rules;
}

void mtw_redact_rules_unref(MtwRedactRules *rules)
{
	if (rules == NULL || !g_atomic_int_dec_and_test(&rules->references))
		return;
	g_ptr_array_unref(rules->rules);
	g_hash_table_unref(rules->common);
	g_hash_table_unref(rules->empty);
	g_free(rules);
}

guint mtw_redact_rules_count(const MtwRedactRules *rules)
{
	return rules->rules->len;
}

gboolean mtw_redact_set_has(GHashTable *set, const char *text, gsize bytes)
{
	g_autofree char *lower = NULL;

	if (set == NULL || memchr(text, '\0', bytes) != NULL)
		return FALSE;
	lower = g_ascii_strdown(text, (gssize)bytes);
	return g_hash_table_contains(set, lower);
}

gboolean mtw_redact_rule_for_file(const MtwRedactRule *rule, const char *file_name)
{
	if (rule->files == NULL)
		return TRUE;
	for (char **pattern = rule->files; *pattern != NULL; pattern++)
		if (g_pattern_match_simple(*pattern, file_name))
			return TRUE;
	return FALSE;
}

/* ---- one file -------------------------------------------------------------------------------- */

typedef struct {
	MtwRedactRules *rules;
	const char *file;
	const char *text;
	GKeyFile *keyfile;
	const char *group;
} Reader;

/* The line on which the group begins, from 1. */
static guint line_of(const Reader *reader)
{
	g_auto(GStrv) lines = g_strsplit(reader->text, "\n", -1);
	g_autofree char *header = g_strdup_printf("[%s]", reader->group);

	for (guint i = 0; lines[i] != NULL; i++)
		if (g_str_has_prefix(lines[i], header))
			return i + 1;
	return 1;
}

static gboolean refuse(const Reader *reader, GError **error, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static gboolean refuse(const Reader *reader, GError **error, const char *format, ...)
{
	g_autofree char *reason = NULL;
	va_list args;

	va_start(args, format);
	reason = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s:%u: [%s]: %s", reader->file,
		    line_of(reader), reader->group, reason);
	return FALSE;
}

/* As it stands there: a backslash belongs to the pattern. */
static char *raw_value(const Reader *reader, const char *key)
{
	return g_key_file_get_value(reader->keyfile, reader->group, key, NULL);
}

static char **list_value(const Reader *reader, const char *key)
{
	return g_key_file_get_string_list(reader->keyfile, reader->group, key, NULL, NULL);
}

static void add_to_set(GHashTable *set, char **list)
{
	for (char **item = list; item != NULL && *item != NULL; item++)
		if (**item != '\0')
			g_hash_table_add(set, g_ascii_strdown(*item, -1));
}

static GHashTable *set_value(const Reader *reader, const char *key)
{
	g_auto(GStrv) list = list_value(reader, key);
	GHashTable *set;

	if (list == NULL)
		return NULL;
	set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	add_to_set(set, list);
	return set;
}

static gboolean key_is_known(const char *key)
{
	static const char *const known[] = { "Kind",   "Shape",	  "Pattern", "Group",
					     "Anchor", "Files",	  "After",   "NotAfter",
					     "Keep",   "KeepEnd", NULL };

	return g_strv_contains(known, key) || g_str_has_prefix(key, "Example");
}

static void read_example(MtwRedactRule *rule, const char *text)
{
	MtwRedactExample *example = g_new0(MtwRedactExample, 1);
	const char *arrow = strstr(text, ARROW);

	example->in = arrow != NULL ? g_strndup(text, (gsize)(arrow - text)) : g_strdup(text);
	example->out = g_strdup(arrow != NULL ? arrow + strlen(ARROW) : text);
	g_ptr_array_add(rule->examples, example);
}

static gboolean read_keys(const Reader *reader, MtwRedactRule *rule, GError **error)
{
	g_auto(GStrv) keys = g_key_file_get_keys(reader->keyfile, reader->group, NULL, NULL);

	for (char **key = keys; *key != NULL; key++) {
		g_autofree char *value = NULL;
		if (!key_is_known(*key))
			return refuse(reader, error, "unknown key \"%s\"", *key);
		if (!g_str_has_prefix(*key, "Example"))
			continue;
		value = raw_value(reader, *key);
		read_example(rule, value);
	}
	return TRUE;
}

static gboolean read_kind(const Reader *reader, MtwRedactRule *rule, GError **error)
{
	g_autofree char *kind = raw_value(reader, "Kind");

	if (kind == NULL)
		return refuse(reader, error, "Kind is missing");
	if (!mtw_redact_kind_from_name(kind, &rule->kind))
		return refuse(reader, error, "Kind=%s: no such kind", kind);
	return TRUE;
}

static gboolean read_anchors(const Reader *reader, MtwRedactRule *rule, GError **error)
{
	rule->anchors = list_value(reader, "Anchor");
	if (rule->anchors == NULL || rule->anchors[0] == NULL)
		return refuse(reader, error,
			      "Anchor is missing: texts, one of which is in every match");
	for (char **anchor = rule->anchors; *anchor != NULL; anchor++)
		if (strlen(*anchor) < ANCHOR_MIN_BYTES)
			return refuse(reader, error, "Anchor \"%s\" is shorter than %d characters",
				      *anchor, ANCHOR_MIN_BYTES);
	return TRUE;
}

static gboolean read_group(const Reader *reader, MtwRedactRule *rule, GError **error)
{
	g_autofree char *group = raw_value(reader, "Group");
	guint32 captures = 0;

	pcre2_pattern_info(rule->code, PCRE2_INFO_CAPTURECOUNT, &captures);
	rule->group = captures > 0 ? 1 : 0;
	if (group != NULL && !mtw_parse_uint(group, 0, captures, &rule->group))
		return refuse(reader, error, "Group=%s: the pattern has %u", group, captures);
	return TRUE;
}

static gboolean read_pattern(const Reader *reader, MtwRedactRule *rule, const char *pattern,
			     GError **error)
{
	int code = 0;
	PCRE2_SIZE at = 0;

	/* An offset limit keeps the search near the anchor; \C could cut what is not ours. */
	rule->code =
		pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
			      PCRE2_USE_OFFSET_LIMIT | PCRE2_NEVER_BACKSLASH_C, &code, &at, NULL);
	if (rule->code == NULL) {
		PCRE2_UCHAR reason[256] = "";
		pcre2_get_error_message(code, reason, sizeof reason);
		return refuse(reader, error, "Pattern, character %zu: %s", (gsize)at + 1,
			      (const char *)reason);
	}
	/* Without JIT it is slower, nothing else. */
	pcre2_jit_compile(rule->code, PCRE2_JIT_COMPLETE);
	return read_anchors(reader, rule, error) && read_group(reader, rule, error);
}

static gboolean read_search(const Reader *reader, MtwRedactRule *rule, GError **error)
{
	g_autofree char *shape = raw_value(reader, "Shape");
	g_autofree char *pattern = raw_value(reader, "Pattern");

	if ((shape == NULL) == (pattern == NULL))
		return refuse(reader, error, "one of Pattern and Shape is needed, not both");
	if (pattern != NULL && (rule->after != NULL || rule->not_after != NULL))
		return refuse(reader, error, "After and NotAfter go with Shape only");
	if (pattern != NULL)
		return read_pattern(reader, rule, pattern, error);
	if (!mtw_shape_from_name(shape, &rule->shape))
		return refuse(reader, error, "Shape=%s: no such shape", shape);
	return TRUE;
}

static gboolean read_rule(const Reader *reader, GError **error)
{
	MtwRedactRule *rule = g_new0(MtwRedactRule, 1);

	rule->name = g_strdup(reader->group);
	rule->file = g_strdup(reader->file);
	rule->line = line_of(reader);
	rule->examples = g_ptr_array_new_with_free_func(example_free);
	rule->files = list_value(reader, "Files");
	rule->after = set_value(reader, "After");
	rule->not_after = set_value(reader, "NotAfter");
	rule->keep = set_value(reader, "Keep");
	rule->keep_end = list_value(reader, "KeepEnd");
	g_ptr_array_add(reader->rules->rules, rule);
	return read_keys(reader, rule, error) && read_kind(reader, rule, error) &&
	       read_search(reader, rule, error);
}

/* Lists of words; a long one is cut into several keys (Common.kernel=, Common.names=). */
static gboolean read_words(const Reader *reader, GError **error)
{
	g_auto(GStrv) keys = g_key_file_get_keys(reader->keyfile, reader->group, NULL, NULL);

	for (char **key = keys; *key != NULL; key++) {
		g_auto(GStrv) list = list_value(reader, *key);
		if (g_str_equal(*key, "Common") || g_str_has_prefix(*key, "Common."))
			add_to_set(reader->rules->common, list);
		else if (g_str_equal(*key, "Empty") || g_str_has_prefix(*key, "Empty."))
			add_to_set(reader->rules->empty, list);
		else
			return refuse(reader, error, "unknown key \"%s\"", *key);
	}
	return TRUE;
}

static gboolean read_one_group(const Reader *reader, GError **error)
{
	if (g_str_equal(reader->group, WORDS_GROUP))
		return read_words(reader, error);
	if (g_str_has_prefix(reader->group, RULE_PREFIX))
		return read_rule(reader, error);
	return refuse(reader, error, "neither [Rule NAME] nor [Words]");
}

gboolean mtw_redact_rules_add(MtwRedactRules *rules, const char *file, const char *text,
			      gsize bytes, GError **error)
{
	g_autoptr(GKeyFile) keyfile = g_key_file_new();
	g_autofree char *copy = g_strndup(text, bytes);
	g_auto(GStrv) groups = NULL;
	g_autoptr(GError) why = NULL;
	Reader reader = { rules, file, copy, keyfile, "" };

	if (!g_key_file_load_from_data(keyfile, copy, strlen(copy), G_KEY_FILE_NONE, &why)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", file, why->message);
		return FALSE;
	}
	groups = g_key_file_get_groups(keyfile, NULL);
	for (char **group = groups; *group != NULL; group++) {
		reader.group = *group;
		if (!read_one_group(&reader, error))
			return FALSE;
	}
	return TRUE;
}

MtwRedactRules *mtw_redact_rules_load_data(const char *name, const char *text, gsize bytes,
					   GError **error)
{
	g_autoptr(MtwRedactRules) rules = mtw_redact_rules_new();

	return mtw_redact_rules_add(rules, name, text, bytes, error) ? g_steal_pointer(&rules)
								     : NULL;
}

static gboolean add_file(MtwRedactRules *rules, const char *path, GError **error)
{
	gsize bytes = 0;
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, &bytes, error);

	return text != NULL && mtw_redact_rules_add(rules, path, text, bytes, error);
}

MtwRedactRules *mtw_redact_rules_load_file(const char *path, GError **error)
{
	g_autoptr(MtwRedactRules) rules = mtw_redact_rules_new();

	return add_file(rules, path, error) ? g_steal_pointer(&rules) : NULL;
}

/* ---- all files ------------------------------------------------------------------------------- */

static void list_folder(GTree *by_name, const char *folder)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		if (g_str_has_suffix(name, SUFFIX))
			g_tree_replace(by_name, g_strdup(name),
				       g_build_filename(folder, name, NULL));
	}
}

static int compare_names(gconstpointer a, gconstpointer b, gpointer user_data)
{
	(void)user_data;
	return strcmp(a, b);
}

typedef struct {
	MtwRedactRules *rules;
	GError **error;
	gboolean failed;
} Loading;

static gboolean load_one(gpointer name, gpointer path, gpointer user_data)
{
	Loading *loading = user_data;

	(void)name;
	loading->failed = !add_file(loading->rules, path, loading->error);
	return loading->failed;
}

MtwRedactRules *mtw_redact_rules_load(const MtwPaths *paths, GError **error)
{
	g_autoptr(MtwRedactRules) rules = mtw_redact_rules_new();
	g_autoptr(GTree) by_name = g_tree_new_full(compare_names, NULL, g_free, g_free);
	g_autofree char *shipped = mtw_paths_build(paths, MTW_PATH_DATA, FOLDER, NULL);
	g_autofree char *local =
		mtw_paths_build(paths, MTW_PATH_ETC, "mmiotrace-wizard", FOLDER, NULL);
	Loading loading = { rules, error, FALSE };

	list_folder(by_name, shipped);
	list_folder(by_name, local);
	g_tree_foreach(by_name, load_one, &loading);
	if (loading.failed)
		return NULL;
	if (rules->rules->len == 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "%s: no rules: nothing would be cleaned", shipped);
		return NULL;
	}
	return g_steal_pointer(&rules);
}
