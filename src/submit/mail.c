/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/mail.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"
#include "submit/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

/* The parts around one file, and a text that grows by what the person writes. */
#define FRAME_BYTES (64 * 1024)

MtwEml *mtw_mail_new(const MtwJob *job, gboolean is_unsent)
{
	MtwEmlPlan plan = {
		.from = job->target->from,
		.to = job->target->to,
		.title = job->letter->title,
		.body = job->letter->body,
		.report_id = job->letter->report_id,
		.time_sec = g_get_real_time() / G_USEC_PER_SEC,
		.is_unsent = is_unsent,
		.line_end = "\r\n",
		.files = job->files,
	};

	return mtw_eml_new(&plan);
}

/* ---- the server ---- */

/* Unencrypted only to this computer's own mail server, and never with a password. */
static long tls_mode(const MtwJob *job)
{
	gboolean is_open = mtw_url_is_loopback(job->target->url) && *job->target->user == '\0' &&
			   mtw_transfer_secret(job->transfer) == NULL;

	return is_open ? (long)CURLUSESSL_NONE : (long)CURLUSESSL_ALL;
}

CURL *mtw_mail_handle(MtwJob *job)
{
	const MtwSecret *secret = mtw_transfer_secret(job->transfer);
	CURL *easy = mtw_transfer_easy(job->transfer, "smtp,smtps");
	/* Behind the address: how we greet. libcurl would tell the name of this computer. */
	g_autofree char *url = g_strconcat(job->target->url, "/%5B127.0.0.1%5D", NULL);

	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_USE_SSL, tls_mode(job));
	if (secret == NULL)
		return easy;
	curl_easy_setopt(easy, CURLOPT_USERNAME, job->target->user);
	curl_easy_setopt(easy, CURLOPT_PASSWORD, mtw_secret_text(secret));
	return easy;
}

/* "250-SIZE 12000000" */
static size_t take_line(char *line, size_t size, size_t count, void *data)
{
	static const char word[] = "SIZE ";
	guint64 *max_bytes = data;
	g_autofree char *text = g_strndup(line, size * count);

	g_strchomp(text);
	if (strlen(text) > 4 && g_str_has_prefix(text, "250") &&
	    g_ascii_strncasecmp(text + 4, word, strlen(word)) == 0 &&
	    !mtw_parse_u64(text + 4 + strlen(word), 10, max_bytes))
		*max_bytes = 0;
	return size * count;
}

gboolean mtw_mail_limit(MtwJob *job, guint64 *ret_max_bytes, GError **error)
{
	CURL *easy = mtw_mail_handle(job);
	guint64 mail_bytes = 0;

	curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, "NOOP");
	curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_line);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, &mail_bytes);
	*ret_max_bytes = 0;
	if (!mtw_transfer_perform(job->transfer, error))
		return FALSE;
	if (mail_bytes > 0)
		*ret_max_bytes = MAX(mtw_eml_file_room(mail_bytes, FRAME_BYTES), 1);
	return TRUE;
}

/* ---- the file ---- */

static char *mail_path(const MtwJob *job)
{
	g_autofree char *letter = mtw_store_letter_name(job);
	g_autofree char *name =
		g_strdup_printf("%.*s.eml", (int)(strlen(letter) - strlen(".txt")), letter);

	return g_build_filename(job->folder, name, NULL);
}

static gboolean write_new(MtwEml *eml, const char *path, GError **error)
{
	g_auto(MtwFd) fd = mtw_file_create(path, 0600, error);

	if (fd < 0)
		return FALSE;
	if (!mtw_eml_write(eml, fd, error)) {
		g_prefix_error(error, "%s: ", path);
		return FALSE;
	}
	if (fsync(fd) == 0)
		return TRUE;
	mtw_set_error_errno(error, errno, "%s", path);
	return FALSE;
}

/* Whole or not at all. */
static gboolean write_file(MtwEml *eml, const char *path, GError **error)
{
	g_autofree char *begun = g_strconcat(path, ".part", NULL);

	/* Of a run that was killed. */
	unlink(begun);
	if (!write_new(eml, begun, error)) {
		unlink(begun);
		return FALSE;
	}
	if (rename(begun, path) == 0)
		return TRUE;
	mtw_set_error_errno(error, errno, "%s", path);
	unlink(begun);
	return FALSE;
}

gboolean mtw_mail_write(MtwJob *job, GError **error)
{
	g_autoptr(MtwEml) eml = mtw_mail_new(job, TRUE);
	g_autofree char *path = NULL;

	if (job->folder == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "there is no folder for the mail");
		return FALSE;
	}
	path = mail_path(job);
	if (!write_file(eml, path, error) || !mtw_folder_sync(job->folder, error))
		return FALSE;
	json_object_set_string_member(job->facts, "open", path);
	json_object_set_string_member(job->facts, "path", path);
	json_object_set_string_member(
		job->facts, "note",
		N_("The mail was not sent: open it in your mail program and send it there."));
	return job->save(job, error);
}
