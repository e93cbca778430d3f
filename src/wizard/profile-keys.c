/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The groups and keys that there are. mmiotrace-wizard-profile(5) explains each. */
#include "wizard/profile-keys.h"

#include <string.h>

typedef enum {
	KEY_PLAIN = 0,
	KEY_NEEDED = 1 << 0,
	KEY_LOCAL = 1 << 1,   /* can be translated */
	KEY_LINES = 1 << 2,   /* can have more than one line */
	KEY_BOOLEAN = 1 << 3, /* "true" or "false" */
	KEY_LIST = 1 << 4,    /* at least one item */
} KeyForm;

typedef struct {
	const char *name;
	guint form; /* KeyForm */
} Key;

typedef struct {
	const char *kind;
	gboolean has_id;
	const Key *keys; /* ends with a NULL name */
} Kind;

/* clang-format off */
static const Key profile_keys[] = {
	{ "Title", KEY_NEEDED | KEY_LOCAL },
	{ "Contact", KEY_PLAIN },
	{ "Request", KEY_PLAIN },
	{ "Privacy", KEY_LOCAL | KEY_LINES },
	{ "Collectors", KEY_LIST },
	{ "DriverOptions", KEY_PLAIN },
	{ "ArchiveFormat", KEY_PLAIN },
	{ "Targets", KEY_LIST },
	{ NULL, 0 },
};

static const Key match_keys[] = {
	{ "Vendor", KEY_LIST },
	{ "Device", KEY_LIST },
	{ "Class", KEY_LIST },
	{ "Driver", KEY_LIST },
	{ NULL, 0 },
};

static const Key step_keys[] = {
	{ "Marker", KEY_NEEDED },
	{ "MarkerBegin", KEY_PLAIN },
	{ "Say", KEY_NEEDED | KEY_LOCAL | KEY_LINES },
	{ "Command", KEY_PLAIN },
	{ "Wait", KEY_PLAIN },
	{ "WaitDevice", KEY_PLAIN },
	{ "Timeout", KEY_PLAIN },
	{ "Optional", KEY_BOOLEAN },
	{ NULL, 0 },
};

static const Key question_keys[] = {
	{ "Ask", KEY_NEEDED | KEY_LOCAL | KEY_LINES },
	{ "Prefill", KEY_LINES },
	{ "Lines", KEY_PLAIN },
	{ "Required", KEY_BOOLEAN },
	{ NULL, 0 },
};

static const Key hint_keys[] = {
	{ "Vendor", KEY_LIST },
	{ "DeviceFrom", KEY_PLAIN },
	{ "DeviceTo", KEY_PLAIN },
	{ "Driver", KEY_LIST },
	{ "DriverVersionFrom", KEY_PLAIN },
	{ "ModuleLicense", KEY_LIST },
	{ "Fact", KEY_LIST },
	{ "Say", KEY_NEEDED | KEY_LOCAL | KEY_LINES },
	{ "Options", KEY_PLAIN },
	{ "TellWith", KEY_PLAIN },
	{ "TellWithout", KEY_PLAIN },
	{ NULL, 0 },
};
/* clang-format on */

static const Kind all_kinds[] = {
	{ "Profile", FALSE, profile_keys }, { "Match", FALSE, match_keys },
	{ "Step", TRUE, step_keys },	    { "Question", TRUE, question_keys },
	{ "Hint", TRUE, hint_keys },
};

static const Kind *find_kind(const MtwKeyGroup *group)
{
	for (gsize i = 0; i < G_N_ELEMENTS(all_kinds); i++)
		if (g_str_equal(all_kinds[i].kind, group->kind))
			return &all_kinds[i];
	return NULL;
}

static const Key *find_key(const Kind *kind, const char *name)
{
	for (const Key *key = kind->keys; key->name != NULL; key++)
		if (g_str_equal(key->name, name))
			return key;
	return NULL;
}

static gboolean is_boolean(const char *value)
{
	return g_str_equal(value, "true") || g_str_equal(value, "false");
}

/* Nothing but spaces, tabs and line ends, which are written as escapes. */
static gboolean is_blank(const char *value)
{
	for (; *value != '\0'; value++) {
		if (*value == '\\' && value[1] != '\0' && strchr("snt", value[1]) != NULL)
			value++;
		else if (!g_ascii_isspace(*value))
			return FALSE;
	}
	return TRUE;
}

/* Whether the value has a line end (written as an escape). */
static gboolean has_lines(const char *value)
{
	for (; *value != '\0'; value++) {
		if (*value != '\\' || value[1] == '\0')
			continue;
		if (value[1] == 'n')
			return TRUE;
		value++;
	}
	return FALSE;
}

static gboolean check_entry(const MtwKeyFile *file, const MtwKeyGroup *group,
			    const MtwKeyEntry *entry, const Key *key, GError **error)
{
	if (key == NULL)
		return mtw_key_file_fail(file, entry->line, error,
					 "there is no key %s in a group [%s]", entry->key,
					 group->kind);
	if (is_blank(entry->value))
		return mtw_key_file_fail(file, entry->line, error,
					 "%s is empty: leave the line out", entry->key);
	if (entry->locale != NULL && (key->form & KEY_LOCAL) == 0)
		return mtw_key_file_fail(file, entry->line, error, "%s cannot be translated",
					 entry->key);
	if ((key->form & KEY_BOOLEAN) != 0 && !is_boolean(entry->value))
		return mtw_key_file_fail(file, entry->line, error,
					 "%s is true or false, not \"%s\"", entry->key,
					 entry->value);
	if ((key->form & KEY_LINES) == 0 && has_lines(entry->value))
		return mtw_key_file_fail(file, entry->line, error, "%s is one line", entry->key);
	if ((key->form & KEY_LIST) != 0) {
		g_auto(GStrv) items = mtw_key_group_list(group, entry->key);
		if (items[0] == NULL)
			return mtw_key_file_fail(file, entry->line, error, "%s names nothing",
						 entry->key);
	}
	return TRUE;
}

/* The first @name: the one without a language, or one with any. Returns: (nullable) */
static const MtwKeyEntry *find_key_entry(const MtwKeyGroup *group, const char *name,
					 gboolean with_language)
{
	for (guint i = 0; i < group->entries->len; i++) {
		const MtwKeyEntry *entry = group->entries->pdata[i];
		if ((entry->locale != NULL) == with_language && g_str_equal(entry->key, name))
			return entry;
	}
	return NULL;
}

/* Who has none of the file's languages gets the text without one. */
static gboolean check_is_there(const MtwKeyFile *file, const MtwKeyGroup *group, const Key *key,
			       GError **error)
{
	const MtwKeyEntry *translated;

	if (find_key_entry(group, key->name, FALSE) != NULL)
		return TRUE;
	if ((key->form & KEY_NEEDED) != 0)
		return mtw_key_file_fail(file, group->line, error, "[%s]: %s is missing",
					 group->kind, key->name);
	translated = find_key_entry(group, key->name, TRUE);
	if (translated == NULL)
		return TRUE;
	return mtw_key_file_fail(file, translated->line, error, "%s[%s] without %s", key->name,
				 translated->locale, key->name);
}

static gboolean check_keys(const MtwKeyFile *file, const MtwKeyGroup *group, const Kind *kind,
			   GError **error)
{
	for (guint i = 0; i < group->entries->len; i++) {
		const MtwKeyEntry *entry = group->entries->pdata[i];
		if (!check_entry(file, group, entry, find_key(kind, entry->key), error))
			return FALSE;
	}
	for (const Key *key = kind->keys; key->name != NULL; key++)
		if (!check_is_there(file, group, key, error))
			return FALSE;
	return TRUE;
}

static gboolean check_group(const MtwKeyFile *file, const MtwKeyGroup *group,
			    const char *const *kinds, GError **error)
{
	const Kind *kind = find_kind(group);

	if (kind == NULL)
		return mtw_key_file_fail(file, group->line, error, "there is no group [%s]",
					 group->kind);
	if (kinds != NULL && !g_strv_contains(kinds, group->kind))
		return TRUE;
	if (kind->has_id && group->id == NULL)
		return mtw_key_file_fail(file, group->line, error,
					 "[%s] needs an id, like [%s one]", group->kind,
					 group->kind);
	if (!kind->has_id && group->id != NULL)
		return mtw_key_file_fail(file, group->line, error, "[%s] has no id", group->kind);
	return check_keys(file, group, kind, error);
}

gboolean mtw_profile_file_check(const MtwKeyFile *file, const char *const *kinds, GError **error)
{
	for (guint i = 0; i < file->groups->len; i++)
		if (!check_group(file, file->groups->pdata[i], kinds, error))
			return FALSE;
	return TRUE;
}
