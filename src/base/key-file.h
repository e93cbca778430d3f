/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a profile, a scenario or a target: a key file that knows its line numbers. (GKeyFile does not,
 * and it takes a group or a key twice, and escapes that mean nothing.) No I/O but mtw_key_file_read.
 *
 *   # comment
 *   [Kind] or [Kind id]
 *   Key=value       in values: \s space, \n newline, \t tab, \\ backslash, \; semicolon in a list
 *   Key[de]=Wert    for people who read German
 *
 * Nothing is passed over: what is not understood is an error, "name:line: reason".
 */
#pragma once

#include <glib.h>

typedef struct {
	char *key;
	char *locale; /* (nullable) */
	char *value;  /* as it stands there; "" when there is none */
	guint line;
} MtwKeyEntry;

typedef struct {
	char *kind; /* "Step" of [Step x-up] */
	char *id;   /* (nullable) */
	guint line;
	GPtrArray *entries; /* (element-type MtwKeyEntry) */
} MtwKeyGroup;

typedef struct {
	char *name;	   /* of the file, for errors */
	GPtrArray *groups; /* (element-type MtwKeyGroup), in the file's order */
} MtwKeyFile;

/*
 * mtw_key_file_parse: @text: @bytes of anything. @name: of the file, for errors
 * Returns: (transfer full) (nullable): MTW_ERROR_INVALID
 */
MtwKeyFile *mtw_key_file_parse(const char *text, gsize bytes, const char *name, GError **error);
void mtw_key_file_free(MtwKeyFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwKeyFile, mtw_key_file_free)

/* mtw_key_file_read: Returns: (transfer full) (nullable) */
MtwKeyFile *mtw_key_file_read(const char *path, GError **error);

/* mtw_key_file_fail: sets @error to "name:line: text". Returns: FALSE */
gboolean mtw_key_file_fail(const MtwKeyFile *file, guint line, GError **error, const char *format,
			   ...) G_GNUC_PRINTF(4, 5);

/* mtw_key_file_group: the first of this kind. Returns: (transfer none) (nullable) */
const MtwKeyGroup *mtw_key_file_group(const MtwKeyFile *file, const char *kind);

/* mtw_key_group_line: the line of @key, or that of the group when it is not there. */
guint mtw_key_group_line(const MtwKeyGroup *group, const char *key);

/*
 * mtw_key_group_text: the value of @key, the one without a language; escapes resolved, without control
 * characters other than newline and tab.
 * @group: (nullable): has no keys. Returns: (transfer full) (nullable): NULL: not there
 */
char *mtw_key_group_text(const MtwKeyGroup *group, const char *key);

/*
 * mtw_key_group_shown: the same in the language of the person (LANGUAGE, LC_ALL, LC_MESSAGES, LANG; "de_AT" and then
 * "de"), else the one without a language. With LC_ALL=C and the like always the one without.
 * Returns: (transfer full) (nullable): NULL: neither is there
 */
char *mtw_key_group_shown(const MtwKeyGroup *group, const char *key);

/* mtw_key_group_list: a value with ";" between the items. Returns: (transfer full) (nullable) */
char **mtw_key_group_list(const MtwKeyGroup *group, const char *key);

/* mtw_key_group_true: the value is "true". */
gboolean mtw_key_group_true(const MtwKeyGroup *group, const char *key);
