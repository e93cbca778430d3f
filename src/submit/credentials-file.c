/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens in files. */
#include "base/caller.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "submit/credentials-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOKEN_MAX_BYTES (64 * 1024)

MtwSecret *mtw_token_new(const char *text, gsize bytes, const char *what, GError **error)
{
	g_autoptr(MtwSecret) secret = NULL;

	while (bytes > 0 && g_ascii_isspace(text[bytes - 1]))
		bytes--;
	while (bytes > 0 && g_ascii_isspace(text[0])) {
		text++;
		bytes--;
	}
	secret = mtw_secret_new(text, bytes);
	if (mtw_secret_is_usable(secret, error))
		return g_steal_pointer(&secret);
	g_prefix_error(error, "%s: ", what);
	return NULL;
}

/* Returns: FALSE with an error; @ret_bytes: at most TOKEN_MAX_BYTES + 1 */
static gboolean read_all(int fd, char *buffer, gsize *ret_bytes, const char *what, GError **error)
{
	gsize bytes = 0;

	while (bytes <= TOKEN_MAX_BYTES) {
		ssize_t got = read(fd, buffer + bytes, TOKEN_MAX_BYTES + 1 - bytes);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			mtw_set_error_errno(error, errno, "reading %s", what);
			return FALSE;
		}
		if (got == 0)
			break;
		bytes += (gsize)got;
	}
	*ret_bytes = bytes;
	if (bytes <= TOKEN_MAX_BYTES)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s is too long for a token", what);
	return FALSE;
}

MtwSecret *mtw_token_read_fd(int fd, const char *what, GError **error)
{
	char *buffer = g_malloc(TOKEN_MAX_BYTES + 1);
	MtwSecret *secret = NULL;
	gsize bytes = 0;

	if (read_all(fd, buffer, &bytes, what, error))
		secret = mtw_token_new(buffer, bytes, what, error);
	mtw_secret_wipe(buffer, TOKEN_MAX_BYTES + 1);
	g_free(buffer);
	return secret;
}

static gboolean is_private(int fd, const char *path, GError **error)
{
	struct stat status;

	if (fstat(fd, &status) != 0) {
		mtw_set_error_errno(error, errno, "cannot look at %s", path);
		return FALSE;
	}
	if (!S_ISREG(status.st_mode)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "%s is not a regular file (for a pipe use --token-fd)", path);
		return FALSE;
	}
	if (status.st_uid != geteuid()) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_PERMISSION,
			    "%s belongs to user %u: a token is taken only from a file of your own",
			    path, status.st_uid);
		return FALSE;
	}
	if ((status.st_mode & 077) == 0)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_PERMISSION,
		    "others can read or change %s, so its token may be known: chmod 600 %s", path,
		    path);
	return FALSE;
}

MtwSecret *mtw_token_read_file(const char *path, GError **error)
{
	g_auto(MtwFd) fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 && errno == ELOOP)
		g_set_error(error, MTW_ERROR, MTW_ERROR_PERMISSION,
			    "%s is a symbolic link: name the file itself", path);
	else if (fd < 0)
		mtw_set_error_errno(error, errno, "cannot open %s", path);
	if (fd < 0 || !is_private(fd, path, error))
		return NULL;
	return mtw_token_read_fd(fd, path, error);
}

char *mtw_token_path(const MtwTarget *target)
{
	g_autoptr(MtwCaller) caller = mtw_caller_get(NULL);
	const char *config = secure_getenv("XDG_CONFIG_HOME");

	if (caller == NULL || !mtw_caller_is_self(caller) || target->id[0] == '.' ||
	    strchr(target->id, '/') != NULL)
		return NULL;
	if (config != NULL && g_path_is_absolute(config))
		return g_build_filename(config, "mmiotrace-wizard", "tokens", target->id, NULL);
	return g_build_filename(caller->home, ".config", "mmiotrace-wizard", "tokens", target->id,
				NULL);
}

gboolean mtw_token_write_file(const char *path, const MtwSecret *secret, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	const char *text = mtw_secret_text(secret);

	return mtw_folder_ensure(folder, 0700, error) &&
	       mtw_file_write_atomic(path, text, strlen(text), 0600, error);
}
