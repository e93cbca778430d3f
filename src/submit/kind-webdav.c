/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A WebDAV folder: as put, and [Target] Project is made below the address when it is not there. */
#include "base/error.h"
#include "submit/kinds.h"
#include "submit/store-http.h"

#include <glib/gi18n.h>

static gboolean check(const MtwTarget *target, GError **error)
{
	static const char *const schemes[] = { "https", "http", NULL };

	return mtw_store_check(target, schemes, error);
}

static gboolean make_folder(MtwJob *job, const char *url, GError **error)
{
	g_autofree char *with_slash = g_strconcat(url, "/", NULL);
	MtwHttpRequest request = { .method = "MKCOL", .url = with_slash, .any_status = TRUE };
	g_autoptr(MtwHttpReply) reply = mtw_http_send(job->transfer, &request, error);

	if (reply == NULL)
		return FALSE;
	/* 405: it is there. */
	if (reply->status / 100 == 2 || reply->status == 405)
		return TRUE;
	if (reply->status == 409)
		return mtw_transfer_fail(
			job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
			"the folder of the address is not there (it answered 409)");
	return mtw_http_fail(job->transfer, reply, error);
}

static gboolean run_folder(MtwJob *job, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(job->target->project, "/", -1);
	g_autoptr(GString) url = g_string_new(job->target->url);

	for (char **part = parts; *part != NULL; part++) {
		if (**part == '\0')
			continue;
		g_autofree char *escaped = mtw_url_escape(*part);
		g_string_append_printf(url, "/%s", escaped);
		if (!make_folder(job, url->str, error))
			return FALSE;
	}
	return TRUE;
}

static const MtwPhase folder_phase = {
	.id = "folder",
	.run = run_folder,
};

static const MtwPhase *const phases[] = { &folder_phase, &mtw_store_upload_phase,
					  &mtw_store_letter_phase, NULL };

const MtwKind mtw_kind_webdav = {
	.id = "webdav",
	.title = N_("WebDAV folder"),
	.needs_network = TRUE,
	.is_bare_store = TRUE,
	.check = check,
	.whoami = mtw_store_whoami,
	.phases = phases,
};
