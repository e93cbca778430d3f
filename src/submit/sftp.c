/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking, sending, renaming. */
#include "submit/sftp.h"

#include "base/error.h"
#include "submit/sftp-private.h"
#include "submit/store.h"

#include <stdio.h>
#include <string.h>

static gboolean set_url(MtwJob *job, CURL *easy, const char *name)
{
	g_autofree char *folder = mtw_store_folder(job->target);
	g_autofree char *url = mtw_store_url(folder, name);

	return curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK;
}

gboolean mtw_sftp_look(MtwJob *job, const char *name, gboolean *ret_exists, guint64 *ret_bytes,
		       GError **error)
{
	CURL *easy = mtw_sftp_handle(job, error);
	curl_off_t bytes = -1;
	g_autoptr(GError) cause = NULL;

	*ret_exists = FALSE;
	*ret_bytes = 0;
	if (easy == NULL)
		return FALSE;
	set_url(job, easy, name);
	curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
	if (!mtw_transfer_perform(job->transfer, &cause)) {
		if (mtw_transfer_failure(job->transfer)->curl_code == CURLE_REMOTE_FILE_NOT_FOUND)
			return TRUE;
		return mtw_sftp_fail(job, g_steal_pointer(&cause), error);
	}
	curl_easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &bytes);
	*ret_exists = TRUE;
	*ret_bytes = bytes > 0 ? (guint64)bytes : 0;
	return TRUE;
}

/* Sends what was set up, to a folder that is made when it is not there. */
static gboolean send_ready(MtwJob *job, CURL *easy, const char *name, GError **error)
{
	g_autoptr(GError) cause = NULL;

	set_url(job, easy, name);
	curl_easy_setopt(easy, CURLOPT_FTP_CREATE_MISSING_DIRS, (long)CURLFTP_CREATE_DIR);
	return mtw_transfer_perform(job->transfer, &cause) ||
	       mtw_sftp_fail(job, g_steal_pointer(&cause), error);
}

/* libcurl moves to where it goes on; our range begins there already. */
static int stay(void *unused, curl_off_t offset, int origin)
{
	(void)unused, (void)offset, (void)origin;
	return CURL_SEEKFUNC_OK;
}

gboolean mtw_sftp_put(MtwJob *job, const char *name, const MtwJobFile *file, guint64 have,
		      GError **error)
{
	MtwFileRange range = { file->fd, have, file->bytes - have };
	CURL *easy = mtw_sftp_handle(job, error);
	g_autoptr(GError) cause = NULL;

	if (easy == NULL)
		return FALSE;
	mtw_transfer_read_file(job->transfer, &range);
	curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, stay);
	curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)file->bytes);
	curl_easy_setopt(easy, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)have);
	if (send_ready(job, easy, name, &cause))
		return TRUE;
	/* For OpenSSH a full disk is just a failure. */
	if (mtw_transfer_failure(job->transfer)->curl_code == CURLE_SSH)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK,
					 error,
					 "the server took no more of the file: the connection "
					 "broke, or there is no room left");
	g_propagate_error(error, g_steal_pointer(&cause));
	return FALSE;
}

gboolean mtw_sftp_put_text(MtwJob *job, const char *name, const char *text, GError **error)
{
	CURL *easy = mtw_sftp_handle(job, error);
	FILE *reader = easy == NULL ? NULL : fmemopen((char *)text, strlen(text), "r");
	gboolean ok;

	if (easy == NULL)
		return FALSE;
	curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(easy, CURLOPT_READDATA, reader);
	curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)strlen(text));
	ok = send_ready(job, easy, name, error);
	fclose(reader);
	return ok;
}

/* The path as commands want it, in quotes. "/~/" is the folder where a session begins. */
static char *quoted_path(MtwJob *job, const char *name)
{
	g_autofree char *folder = mtw_store_folder(job->target);
	const char *escaped = strchr(strstr(folder, "://") + 3, '/');
	g_autofree char *path = g_uri_unescape_string(escaped != NULL ? escaped : "", NULL);
	const char *from = path == NULL ? "" : path;
	g_autoptr(GString) text = g_string_new("\"");
	g_autofree char *whole = NULL;

	if (g_str_has_prefix(from, "/~"))
		from += from[2] == '/' ? 3 : 2;
	whole = *from == '\0' && from != path ? g_strdup(name) : g_strconcat(from, "/", name, NULL);
	for (const char *c = whole; *c != '\0'; c++) {
		if (*c == '"' || *c == '\\')
			g_string_append_c(text, '\\');
		g_string_append_c(text, *c);
	}
	g_string_append_c(text, '"');
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static gboolean run_command(MtwJob *job, const char *command, GError **error)
{
	CURL *easy = mtw_sftp_handle(job, error);
	struct curl_slist *commands = NULL;
	gboolean ok;

	if (easy == NULL)
		return FALSE;
	mtw_sftp_set_root(job, easy);
	commands = curl_slist_append(NULL, command);
	curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
	curl_easy_setopt(easy, CURLOPT_QUOTE, commands);
	ok = mtw_transfer_perform(job->transfer, error);
	curl_easy_setopt(easy, CURLOPT_QUOTE, NULL);
	curl_slist_free_all(commands);
	return ok;
}

gboolean mtw_sftp_remove(MtwJob *job, const char *name, GError **error)
{
	g_autofree char *path = quoted_path(job, name);
	g_autofree char *command = g_strconcat("rm ", path, NULL);
	g_autoptr(GError) cause = NULL;

	return run_command(job, command, &cause) ||
	       mtw_sftp_fail(job, g_steal_pointer(&cause), error);
}

gboolean mtw_sftp_rename(MtwJob *job, const char *from, const char *to, gboolean *ret_taken,
			 GError **error)
{
	g_autofree char *old_path = quoted_path(job, from);
	g_autofree char *new_path = quoted_path(job, to);
	g_autofree char *command = g_strdup_printf("rename %s %s", old_path, new_path);
	g_autoptr(GError) cause = NULL;
	guint64 bytes;

	/* Not every server refuses to replace a file. */
	if (!mtw_sftp_look(job, to, ret_taken, &bytes, error))
		return FALSE;
	if (*ret_taken || run_command(job, command, &cause))
		return TRUE;
	if (mtw_transfer_failure(job->transfer)->curl_code != CURLE_QUOTE_ERROR)
		return mtw_sftp_fail(job, g_steal_pointer(&cause), error);
	/* Came between, or cannot be done at all. */
	if (!mtw_sftp_look(job, to, ret_taken, &bytes, error))
		return FALSE;
	return *ret_taken || mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT,
					       MTW_ERROR_REJECTED, error, "cannot rename %s", from);
}
