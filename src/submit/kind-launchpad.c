/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Launchpad: the report is uploaded without an account, as a message with the archive attached; the answer names a token,
 * and with it the person describes the bug in the browser. The message is a mail in its form, so it is made like one.
 */
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "submit/eml.h"
#include "submit/kinds.h"
#include "submit/store.h"

#include <string.h>

#include <glib/gi18n.h>

#define TOKEN_MAX_BYTES 100

/* "https://bugs.launchpad.net" and "https://launchpad.net" are one; a stand-in has one address for both. */
static char *server(const MtwTarget *target, gboolean for_bugs)
{
	const char *host = strstr(target->url, "://") + 3;
	const char *name = g_str_has_prefix(host, "bugs.") ? host + strlen("bugs.") : host;

	if (!g_str_has_suffix(name, "launchpad.net"))
		return g_strdup(target->url);
	return g_strdup_printf("%.*s%s%s", (int)(host - target->url), target->url,
			       for_bugs ? "bugs." : "", name);
}

static gboolean check(const MtwTarget *target, GError **error)
{
	static const char *const schemes[] = { "https", "http", NULL };

	if (!mtw_store_check(target, schemes, error))
		return FALSE;
	if (*target->project != '\0')
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "Project is missing: as in bugs.launchpad.net/PROJECT");
	return FALSE;
}

static MtwEml *make_message(const MtwJob *job)
{
	MtwEmlPlan plan = {
		.body = job->letter->body,
		.report_id = job->letter->report_id,
		.line_end = "\n",
		.files = job->files,
	};

	return mtw_eml_new(&plan);
}

/* On the disk, without a name: a part of a form is a file. Returns: a descriptor for reading, or -1 */
static int write_message(const MtwJob *job, guint64 *ret_bytes, GError **error)
{
	g_autoptr(MtwEml) message = make_message(job);
	const char *folder = job->folder != NULL ? job->folder : g_get_tmp_dir();
	g_autofree char *path = g_build_filename(folder, "launchpad.part", NULL);
	g_auto(MtwFd) write_fd = -1;
	g_auto(MtwFd) read_fd = -1;

	/* Of a run that was killed. */
	unlink(path);
	write_fd = mtw_file_create(path, 0600, error);
	if (write_fd < 0)
		return -1;
	read_fd = mtw_file_open_read(path, error);
	unlink(path);
	if (read_fd < 0)
		return -1;
	if (!mtw_eml_write(message, write_fd, error)) {
		g_prefix_error(error, "%s: ", path);
		return -1;
	}
	*ret_bytes = mtw_eml_bytes(message);
	return mtw_fd_steal(&read_fd);
}

static gboolean is_token(const char *text)
{
	gsize bytes = text == NULL ? 0 : strlen(text);

	if (bytes == 0 || bytes > TOKEN_MAX_BYTES)
		return FALSE;
	for (; *text != '\0'; text++)
		if (!g_ascii_isalnum(*text) && *text != '-')
			return FALSE;
	return TRUE;
}

static MtwHttpReply *post_message(MtwJob *job, int fd, guint64 bytes, GError **error)
{
	g_autofree char *base = server(job->target, FALSE);
	g_autofree char *url = g_strconcat(base, "/+storeblob", NULL);
	MtwFormPart parts[] = {
		{ .name = "FORM_SUBMIT", .text = "1" },
		{ .name = "field.blob",
		  .type = "application/octet-stream",
		  .filename = "x",
		  .file = { fd, 0, bytes } },
	};
	MtwHttpRequest request = {
		.method = "POST",
		.url = url,
		.form = MTW_BODY_FORM,
		.parts = parts,
		.n_parts = G_N_ELEMENTS(parts),
	};

	return mtw_http_send(job->transfer, &request, error);
}

static gboolean run_blob(MtwJob *job, GError **error)
{
	g_autoptr(MtwHttpReply) reply = NULL;
	g_auto(MtwFd) fd = -1;
	guint64 bytes = 0;
	const char *token;

	fd = write_message(job, &bytes, error);
	if (fd < 0)
		return FALSE;
	reply = post_message(job, fd, bytes, error);
	if (reply == NULL)
		return FALSE;
	token = mtw_http_header(reply, "x-launchpad-blob-token");
	if (!is_token(token))
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "its answer has no token (X-Launchpad-Blob-Token)");
	return mtw_store_remember(job, "token", token, error);
}

static gboolean run_page(MtwJob *job, GError **error)
{
	g_autofree char *base = server(job->target, TRUE);
	g_autofree char *project = g_uri_escape_string(job->target->project, "/+~", FALSE);
	g_autofree char *title = mtw_url_escape(job->letter->title);
	g_autofree char *url = g_strdup_printf("%s/%s/+filebug/%s?field.title=%s", base, project,
					       mtw_store_fact(job, "token"), title);

	json_object_set_string_member(job->facts, "open", url);
	json_object_set_string_member(
		job->facts, "note",
		N_("The archive was uploaded, the bug is not filed yet: finish it on the page."));
	return job->save(job, error);
}

/* Files come to a bug that is there already by its own page only. */
static gboolean run_attach(MtwJob *job, GError **error)
{
	g_autofree char *url = g_strconcat(job->issue->url, "/+addcomment", NULL);

	json_object_set_string_member(job->facts, "open", url);
	mtw_store_show_file(job, N_("Nothing was sent yet: open the page, attach the archive and "
				    "send it there."));
	return job->save(job, error);
}

static const MtwPhase blob_phase = {
	.id = "blob",
	.carries_file = TRUE,
	.run = run_blob,
};

static const MtwPhase page_phase = {
	.id = "page",
	.run = run_page,
};

static const MtwPhase attach_phase = {
	.id = "attach",
	.run = run_attach,
};

static const MtwPhase *const phases[] = { &blob_phase, &page_phase, NULL };
static const MtwPhase *const issue_phases[] = { &attach_phase, NULL };

const MtwKind mtw_kind_launchpad = {
	.id = "launchpad",
	.title = N_("Launchpad"),
	.needs_network = TRUE,
	.check = check,
	.phases = phases,
	.issue_phases = issue_phases,
};
