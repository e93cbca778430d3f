/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Secrets have no place in a file that others can read, that is copied into tickets and backed up: a file with one
 * is refused as a whole, so that it is noticed, and nothing of the secret is repeated.
 */
#include "submit/target-private.h"

#include <string.h>

/* In the name of a key, in small letters. */
static const char *const words[] = {
	"token",     "passw",	   "passphrase", "secret", "apikey", "privatekey",
	"accesskey", "credential", "authoriz",	 "cookie", "bearer", "signature",
};

/* The whole name of one. */
static const char *const names[] = { "pass", "pwd", "pw", "key", "pin", "login", NULL };

static gboolean is_secret_name(const char *name)
{
	g_autofree char *small = g_ascii_strdown(name, -1);
	g_autoptr(GString) letters = g_string_new(NULL);

	for (const char *at = small; *at != '\0'; at++)
		if (g_ascii_isalnum(*at))
			g_string_append_c(letters, *at);
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(letters->str, words[i]) != NULL)
			return TRUE;
	return g_strv_contains(names, letters->str);
}

/* @rest: of an address, behind "://". */
static gboolean has_user(const char *rest)
{
	return memchr(rest, '@', strcspn(rest, "/?# \\")) != NULL;
}

/* Members of a query like "private_token=...", "X-Amz-Signature=...". */
static gboolean has_secret_member(const char *rest)
{
	gsize length = strcspn(rest, " ");
	const char *mark = memchr(rest, '?', length);
	g_autofree char *query = mark != NULL
					 ? g_strndup(mark + 1, length - (gsize)(mark + 1 - rest))
					 : g_strdup("");
	g_auto(GStrv) members = g_strsplit_set(query, "&;#", -1);

	for (char **member = members; *member != NULL; member++) {
		char *equals = strchr(*member, '=');
		if (equals == NULL)
			continue;
		*equals = '\0';
		if (is_secret_name(*member))
			return TRUE;
	}
	return FALSE;
}

static gboolean has_secret_address(const char *text)
{
	for (const char *at = strstr(text, "://"); at != NULL; at = strstr(at, "://")) {
		at += 3;
		if (has_user(at) || has_secret_member(at))
			return TRUE;
	}
	return FALSE;
}

#define WHERE                                                                               \
	"give it with --token-file, or let the program ask and keep it in the keyring; if " \
	"others could read this file, make a new one"

static gboolean check_entry(const MtwKeyFile *file, const MtwKeyGroup *group,
			    const MtwKeyEntry *entry, GError **error)
{
	if (is_secret_name(entry->key) && !mtw_target_key_is_known(group->kind, entry->key))
		return mtw_key_file_fail(file, entry->line, error,
					 "%s: a secret must not be in this file; " WHERE,
					 entry->key);
	if (has_secret_address(entry->value))
		return mtw_key_file_fail(file, entry->line, error,
					 "%s: an address with a user, a password or a token in it "
					 "must not be in this file; " WHERE,
					 entry->key);
	return TRUE;
}

gboolean mtw_target_check_secrets(const MtwKeyFile *file, GError **error)
{
	for (guint i = 0; i < file->groups->len; i++) {
		const MtwKeyGroup *group = file->groups->pdata[i];
		for (guint k = 0; k < group->entries->len; k++)
			if (!check_entry(file, group, group->entries->pdata[k], error))
				return FALSE;
	}
	return TRUE;
}
