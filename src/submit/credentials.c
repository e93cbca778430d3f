/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places in their order. What can be read only once is kept for the next call. */
#include "submit/credentials.h"

#include "base/error.h"
#include "submit/credentials-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "MMIOTRACE_WIZARD_TOKEN_"

G_LOCK_DEFINE_STATIC(kept);
/* By "fd N" and by name of the variable. */
static GHashTable *kept;

/* Returns: (transfer full) (nullable) */
static MtwSecret *kept_copy(const char *name)
{
	MtwSecret *secret = NULL;

	G_LOCK(kept);
	if (kept != NULL)
		secret = mtw_secret_copy(g_hash_table_lookup(kept, name));
	G_UNLOCK(kept);
	return secret;
}

static void keep(const char *name, const MtwSecret *secret)
{
	G_LOCK(kept);
	if (kept == NULL)
		kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)mtw_secret_free);
	g_hash_table_replace(kept, g_strdup(name), mtw_secret_copy(secret));
	G_UNLOCK(kept);
}

const char *mtw_credential_origin_name(MtwCredentialOrigin origin)
{
	static const char *const names[] = {
		[MTW_CREDENTIAL_NONE] = "none",
		[MTW_CREDENTIAL_NAMED] = "named",
		[MTW_CREDENTIAL_ENVIRONMENT] = "environment",
		[MTW_CREDENTIAL_KEYRING] = "keyring",
		[MTW_CREDENTIAL_FILE] = "file",
	};

	return names[origin];
}

void mtw_credential_take_environment(void)
{
	g_auto(GStrv) names = g_listenv();

	for (char **name = names; *name != NULL; name++) {
		char *value = g_str_has_prefix(*name, VARIABLE) ? secure_getenv(*name) : NULL;
		if (value != NULL) {
			g_autoptr(MtwSecret) secret = mtw_secret_new(value, strlen(value));
			keep(*name, secret);
			/* The kernel shows the environment that the program was started with. */
			mtw_secret_wipe(value, strlen(value));
		}
		if (g_str_has_prefix(*name, VARIABLE))
			g_unsetenv(*name);
	}
}

/* Returns: (transfer full) */
static char *variable_of(const MtwTarget *target)
{
	g_autofree char *id = g_ascii_strup(target->id, -1);

	return g_strconcat(VARIABLE, g_strdelimit(id, "-.", '_'), NULL);
}

static gboolean from_environment(const MtwTarget *target, MtwSecret **ret_secret, GError **error)
{
	g_autofree char *name = variable_of(target);
	g_autoptr(MtwSecret) kept_value = NULL;
	const char *text;

	mtw_credential_take_environment();
	kept_value = kept_copy(name);
	text = kept_value != NULL ? mtw_secret_text(kept_value) : "";
	if (text[0] == '\0')
		return TRUE;
	*ret_secret = mtw_token_new(text, strlen(text), name, error);
	return *ret_secret != NULL;
}

static MtwSecret *from_fd(int fd, const char *what, gboolean close_it, GError **error)
{
	g_autofree char *name = g_strdup_printf("fd %d", fd);
	MtwSecret *secret = kept_copy(name);

	if (secret != NULL)
		return secret;
	secret = mtw_token_read_fd(fd, what, error);
	if (secret != NULL)
		keep(name, secret);
	if (close_it)
		close(fd);
	return secret;
}

/* Returns: FALSE with an error; TRUE without a secret: none was named */
static gboolean from_named(const MtwCredentialSource *source, MtwSecret **ret_secret,
			   GError **error)
{
	if (source->token_file != NULL && strcmp(source->token_file, "-") == 0)
		*ret_secret = from_fd(STDIN_FILENO, "standard input", FALSE, error);
	else if (source->token_file != NULL)
		*ret_secret = mtw_token_read_file(source->token_file, error);
	else if (source->token_fd >= 0)
		*ret_secret = from_fd(source->token_fd, "--token-fd", TRUE, error);
	else
		return TRUE;
	return *ret_secret != NULL;
}

static gboolean from_file(const MtwTarget *target, MtwSecret **ret_secret, GError **error)
{
	g_autofree char *path = mtw_token_path(target);

	if (path == NULL || (access(path, F_OK) != 0 && errno != ELOOP))
		return TRUE;
	*ret_secret = mtw_token_read_file(path, error);
	return *ret_secret != NULL;
}

gboolean mtw_credential_find(const MtwTarget *target, const MtwCredentialSource *source,
			     MtwSecret **ret_secret, MtwCredentialOrigin *ret_origin,
			     GError **error)
{
	MtwCredentialOrigin origin = MTW_CREDENTIAL_NAMED;

	*ret_secret = NULL;
	*ret_origin = MTW_CREDENTIAL_NONE;
	if (!from_named(source, ret_secret, error))
		return FALSE;
	if (*ret_secret == NULL) {
		origin = MTW_CREDENTIAL_ENVIRONMENT;
		if (!from_environment(target, ret_secret, error))
			return FALSE;
	}
	if (*ret_secret == NULL && !source->no_keyring) {
		origin = MTW_CREDENTIAL_KEYRING;
		mtw_keyring_find(target, ret_secret);
	}
	if (*ret_secret == NULL) {
		origin = MTW_CREDENTIAL_FILE;
		if (!from_file(target, ret_secret, error))
			return FALSE;
	}
	if (*ret_secret != NULL)
		*ret_origin = origin;
	return TRUE;
}

static gboolean remove_file(const char *path, GError **error)
{
	if (path == NULL || unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR)
		return TRUE;
	mtw_set_error_errno(error, errno, "cannot remove %s", path);
	return FALSE;
}

gboolean mtw_credential_remember(const MtwTarget *target, const MtwSecret *secret,
				 const char **ret_where, GError **error)
{
	g_autofree char *path = mtw_token_path(target);

	if (!mtw_secret_is_usable(secret, error))
		return FALSE;
	if (mtw_keyring_store(target, secret)) {
		*ret_where = "keyring";
		/* The one that it replaces. */
		return remove_file(path, error);
	}
	*ret_where = "file";
	if (path != NULL)
		return mtw_token_write_file(path, secret, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_PERMISSION,
		    "the token of %s is not kept: run this as the user whose it is", target->name);
	return FALSE;
}

gboolean mtw_credential_forget(const MtwTarget *target, GError **error)
{
	g_autofree char *path = mtw_token_path(target);

	return remove_file(path, error) && mtw_keyring_clear(target, error);
}
