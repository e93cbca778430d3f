/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a profile or a scenario: a key file that knows its line numbers. (GKeyFile does not,
 * and it takes a group or a key twice, and escapes that mean nothing.) No I/O.
 *
 *   # comment
 *   [Kind] or [Kind id]
 *   Key=value          in values: \s space, \n newline, \t tab, \\ backslash, \; semicolon in a
 * list Key[de]=Wert       for people who read German
 *
 * Nothing is passed over: what is not understood is an error, "name:line: reason".
 */
#pragma once

#include <glib.h>

typedef struct {
	char *key;
	char *locale; /* (nullable) */
	char *value;  /* as it stands there; never empty */
	guint line;
} MtwFileEntry;

typedef struct {
	char *kind; /* "Step" of [Step x-up] */
	char *id;   /* (nullable) */
	guint line;
	GPtrArray *entries; /* (element-type MtwFileEntry) */
} MtwFileGroup;

typedef struct {
	char *name;	   /* of the file, for errors */
	GPtrArray *groups; /* (element-type MtwFileGroup), in the file's order */
} MtwProfileFile;

/*
 * mtw_profile_file_parse: @text: @bytes of anything. @name: of the file, for errors
 * Returns: (transfer full) (nullable): MTW_ERROR_INVALID
 */
MtwProfileFile *mtw_profile_file_parse(const char *text, gsize bytes, const char *name,
				       GError **error);
void mtw_profile_file_free(MtwProfileFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwProfileFile, mtw_profile_file_free)

/* mtw_profile_file_read: Returns: (transfer full) (nullable) */
MtwProfileFile *mtw_profile_file_read(const char *path, GError **error);

/*
 * mtw_profile_file_check: every group and key is one that there is, with a value of its form, and
 * those that are needed are there.
 * @kinds: (nullable): only these kinds of groups are looked into, the others need only exist; a
 * list that ends with NULL
 */
gboolean mtw_profile_file_check(const MtwProfileFile *file, const char *const *kinds,
				GError **error);

/* mtw_profile_file_fail: sets @error to "name:line: text". Returns: FALSE */
gboolean mtw_profile_file_fail(const MtwProfileFile *file, guint line, GError **error,
			       const char *format, ...) G_GNUC_PRINTF(4, 5);

/* mtw_file_group: the first of this kind. Returns: (transfer none) (nullable) */
const MtwFileGroup *mtw_file_group(const MtwProfileFile *file, const char *kind);

/* mtw_file_line: the line of @key, or that of the group when it is not there. */
guint mtw_file_line(const MtwFileGroup *group, const char *key);

/*
 * mtw_file_text: the value of @key in the person's language, else the one without a language;
 * escapes resolved, without control characters other than newline and tab.
 * @group: (nullable): has no keys. Returns: (transfer full) (nullable): NULL: not there
 */
char *mtw_file_text(const MtwFileGroup *group, const char *key);

/* mtw_file_list: a value with ";" between the items. Returns: (transfer full) (nullable) */
char **mtw_file_list(const MtwFileGroup *group, const char *key);

/* mtw_file_true: the value is "true". */
gboolean mtw_file_true(const MtwFileGroup *group, const char *key);
