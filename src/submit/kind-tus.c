/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tus 1.0, uploads that go on where they were: POST makes an upload with an address of its own, HEAD tells how much
 * of it is there, PATCH adds to it. The address is written down before the first byte.
 */
#include "base/error.h"
#include "base/parse.h"
#include "submit/kinds.h"
#include "submit/store.h"

#include <string.h>

#include <glib/gi18n.h>

#define VERSION_HEADER "Tus-Resumable: 1.0.0"

/* What is uploaded: a file, or the letter. */
typedef struct {
	const char *fact; /* where its address stands */
	const char *name, *type, *sha256;
	const char *text; /* (nullable): then it is the file */
	guint index;	  /* of the file */
	int fd;
	guint64 bytes;
} Upload;

static gboolean check(const MtwTarget *target, GError **error)
{
	static const char *const schemes[] = { "https", "http", NULL };

	return mtw_store_check(target, schemes, error);
}

static gboolean fail_answer(MtwJob *job, const char *what, GError **error)
{
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
				 "it %s", what);
}

static void add_metadata(GString *header, const char *key, const char *value)
{
	g_autofree char *base64 = g_base64_encode((const guchar *)value, strlen(value));

	g_string_append_printf(header, "%s%s %s", g_str_has_suffix(header->str, ": ") ? "" : ",",
			       key, base64);
}

static char *metadata(const Upload *upload)
{
	g_autoptr(GString) header = g_string_new("Upload-Metadata: ");

	add_metadata(header, "filename", upload->name);
	add_metadata(header, "filetype", upload->type);
	if (upload->sha256 != NULL)
		add_metadata(header, "sha256", upload->sha256);
	return g_string_free(g_steal_pointer(&header), FALSE);
}

/* The new upload's address, which must be on the same server. Returns: (transfer full) (nullable) */
static char *resolve(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	const char *location = mtw_http_header(reply, "location");
	g_autofree char *url = NULL;

	if (location == NULL) {
		fail_answer(job, "made an upload and did not say where (no Location)", error);
		return NULL;
	}
	url = g_uri_resolve_relative(reply->url, location, G_URI_FLAGS_ENCODED, NULL);
	if (url == NULL || !mtw_url_is_safe(url) || !mtw_url_same_origin(url, job->target->url)) {
		fail_answer(job, "wants the upload to go to another server (Location)", error);
		return NULL;
	}
	return g_steal_pointer(&url);
}

static gboolean create(MtwJob *job, const Upload *upload, GError **error)
{
	g_autofree char *folder = mtw_store_folder(job->target);
	g_autofree char *length =
		g_strdup_printf("Upload-Length: %" G_GUINT64_FORMAT, upload->bytes);
	g_autofree char *about = metadata(upload);
	const char *headers[] = { VERSION_HEADER, length, about, NULL };
	MtwHttpRequest request = {
		.method = "POST",
		.url = folder,
		.headers = headers,
		.form = MTW_BODY_TEXT,
		.text = "",
		.any_status = TRUE,
	};
	g_autoptr(MtwHttpReply) reply = mtw_http_send(job->transfer, &request, error);

	if (reply == NULL)
		return FALSE;
	if (reply->status != 201)
		return mtw_http_fail(job->transfer, reply, error);
	g_autofree char *url = resolve(job, reply, error);
	return url != NULL && mtw_store_remember(job, upload->fact, url, error);
}

static gboolean read_offset(MtwJob *job, const Upload *upload, const MtwHttpReply *reply,
			    guint64 *ret_offset, GError **error)
{
	const char *text = mtw_http_header(reply, "upload-offset");

	if (text == NULL || !mtw_parse_u64(text, 10, ret_offset) || *ret_offset > upload->bytes)
		return fail_answer(job, "does not say how much it has (Upload-Offset)", error);
	return TRUE;
}

static gboolean is_gone(long status)
{
	return status == 404 || status == 410;
}

/* How much the server has; makes a new upload when there is none (any more). */
static gboolean find_offset(MtwJob *job, const Upload *upload, guint64 *ret_offset, GError **error)
{
	const char *headers[] = { VERSION_HEADER, NULL };
	const char *url = mtw_store_fact(job, upload->fact);
	MtwHttpRequest request = {
		.method = "HEAD", .url = url, .headers = headers, .any_status = TRUE
	};
	g_autoptr(MtwHttpReply) reply = NULL;

	*ret_offset = 0;
	if (url == NULL)
		return create(job, upload, error);
	reply = mtw_http_send(job->transfer, &request, error);
	if (reply == NULL)
		return FALSE;
	if (is_gone(reply->status))
		return create(job, upload, error);
	if (reply->status / 100 != 2)
		return mtw_http_fail(job->transfer, reply, error);
	return read_offset(job, upload, reply, ret_offset, error);
}

static MtwHttpReply *patch(MtwJob *job, const Upload *upload, guint64 offset, GError **error)
{
	guint64 chunk = job->target->network.chunk_bytes;
	guint64 bytes = MIN(chunk, upload->bytes - offset);
	g_autofree char *header = g_strdup_printf("Upload-Offset: %" G_GUINT64_FORMAT, offset);
	const char *headers[] = { VERSION_HEADER, header, NULL };
	MtwHttpRequest request = {
		.method = "PATCH",
		.url = mtw_store_fact(job, upload->fact),
		.headers = headers,
		.form = upload->text != NULL ? MTW_BODY_TEXT : MTW_BODY_FILE,
		.type = "application/offset+octet-stream",
		.text = upload->text != NULL ? upload->text + offset : NULL,
		.file = { upload->fd, offset, bytes },
		.any_status = TRUE,
	};

	return mtw_http_send(job->transfer, &request, error);
}

/*
 * One piece. @offset: where the server is; afterwards where it is then. After 409 (the server is elsewhere) and
 * 404 or 410 (the upload is no more) the server is asked again, which must not go on for ever: @again counts.
 */
static gboolean send_piece(MtwJob *job, const Upload *upload, guint64 *offset, guint *again,
			   GError **error)
{
	g_autoptr(MtwHttpReply) reply = NULL;
	guint64 before = *offset;

	if (upload->text == NULL)
		mtw_store_show(job, upload->index, before);
	reply = patch(job, upload, before, error);
	if (reply == NULL)
		return FALSE;
	if (reply->status == 409 || is_gone(reply->status)) {
		if (++*again > 3)
			return fail_answer(job, "loses the upload again and again", error);
		return find_offset(job, upload, offset, error);
	}
	if (reply->status / 100 != 2)
		return mtw_http_fail(job->transfer, reply, error);
	if (!read_offset(job, upload, reply, offset, error))
		return FALSE;
	return *offset > before || fail_answer(job, "took a piece and does not have it", error);
}

static gboolean send_upload(MtwJob *job, const Upload *upload, GError **error)
{
	guint64 offset;
	guint again = 0;

	if (!find_offset(job, upload, &offset, error))
		return FALSE;
	while (offset < upload->bytes)
		if (!send_piece(job, upload, &offset, &again, error))
			return FALSE;
	return TRUE;
}

static gboolean run_upload(MtwJob *job, GError **error)
{
	for (guint i = mtw_store_sent(job); i < job->files->len; i++) {
		const MtwJobFile *file = mtw_job_file(job, i);
		g_autofree char *fact = g_strdup_printf("url-%u", i);
		Upload upload = {
			.fact = fact,
			.name = file->name,
			.type = "application/octet-stream",
			.sha256 = file->sha256,
			.index = i,
			.fd = file->fd,
			.bytes = file->bytes,
		};
		if (!send_upload(job, &upload, error) || !mtw_store_set_sent(job, i + 1, error))
			return FALSE;
	}
	json_object_set_string_member(job->facts, "url", mtw_store_fact(job, "url-0"));
	return job->save(job, error);
}

static gboolean run_letter(MtwJob *job, GError **error)
{
	g_autofree char *name = mtw_store_letter_name(job);
	g_autofree char *text = mtw_store_letter(job);
	Upload upload = {
		.fact = "url-letter",
		.name = name,
		.type = "text/plain; charset=utf-8",
		.text = text,
		.bytes = strlen(text),
	};

	return send_upload(job, &upload, error);
}

static gboolean limit(MtwJob *job, guint64 *ret_max_bytes, GError **error)
{
	g_autofree char *folder = mtw_store_folder(job->target);
	MtwHttpRequest request = { .method = "OPTIONS", .url = folder, .any_status = TRUE };
	g_autoptr(MtwHttpReply) reply = mtw_http_send(job->transfer, &request, error);
	const char *size;

	*ret_max_bytes = 0;
	if (reply == NULL)
		return FALSE;
	if (reply->status == 401 || reply->status == 403)
		return mtw_http_fail(job->transfer, reply, error);
	size = mtw_http_header(reply, "tus-max-size");
	if (size != NULL && !mtw_parse_u64(size, 10, ret_max_bytes))
		*ret_max_bytes = 0;
	return TRUE;
}

static const MtwPhase upload_phase = {
	.id = "upload",
	.carries_file = TRUE,
	.run = run_upload,
};

static const MtwPhase letter_phase = {
	.id = "letter",
	.run = run_letter,
};

static const MtwPhase *const phases[] = { &upload_phase, &letter_phase, NULL };

const MtwKind mtw_kind_tus = {
	.id = "tus",
	.title = N_("Upload server (tus)"),
	.needs_network = TRUE,
	.is_bare_store = TRUE,
	.check = check,
	.limit = limit,
	.phases = phases,
};
