/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One file to one address by PUT: whole, or in pieces. */
#include "base/error.h"
#include "base/parse.h"
#include "submit/store-http.h"

#include <string.h>

gboolean mtw_store_look(MtwJob *job, const char *url, MtwStoreFound *ret_found, GError **error)
{
	MtwHttpRequest request = { .method = "HEAD", .url = url, .any_status = TRUE };
	g_autoptr(MtwHttpReply) reply = mtw_http_send(job->transfer, &request, error);
	const char *length;

	memset(ret_found, 0, sizeof(*ret_found));
	if (reply == NULL)
		return FALSE;
	if (reply->status == 404 || reply->status == 410) {
		ret_found->is_known = TRUE;
		return TRUE;
	}
	/* A folder that one may only write to. */
	if (reply->status == 403 || reply->status == 405 || reply->status == 501)
		return TRUE;
	if (reply->status / 100 != 2)
		return mtw_http_fail(job->transfer, reply, error);
	length = mtw_http_header(reply, "content-length");
	ret_found->is_known = TRUE;
	ret_found->exists = TRUE;
	ret_found->has_bytes = length != NULL && mtw_parse_u64(length, 10, &ret_found->bytes);
	return TRUE;
}

static gboolean fail_put(MtwJob *job, const MtwHttpReply *reply, GError **error)
{
	if (reply->status != 409)
		return mtw_http_fail(job->transfer, reply, error);
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED, error,
				 "there is no such folder on the server (it answered 409)");
}

static MtwHttpReply *put_range(MtwJob *job, const char *url, const MtwFileRange *range,
			       const char *header, GError **error)
{
	const char *headers[] = { header, NULL };
	MtwHttpRequest request = {
		.method = "PUT",
		.url = url,
		.headers = headers,
		.form = MTW_BODY_FILE,
		.type = "application/octet-stream",
		.file = *range,
		.any_status = TRUE,
	};

	return mtw_http_send(job->transfer, &request, error);
}

static gboolean put_whole(MtwJob *job, guint index, const char *url, gboolean is_new,
			  gboolean *ret_taken, GError **error)
{
	const MtwJobFile *file = mtw_job_file(job, index);
	MtwFileRange range = { file->fd, 0, file->bytes };
	/* Some servers heed this and close the gap between the look and the PUT. */
	const char *header = is_new ? "If-None-Match: *" : NULL;
	g_autoptr(MtwHttpReply) reply = NULL;

	mtw_store_show(job, index, 0);
	reply = put_range(job, url, &range, header, error);
	if (reply == NULL)
		return FALSE;
	if (reply->status == 412 && is_new) {
		*ret_taken = TRUE;
		return TRUE;
	}
	return reply->status / 100 == 2 || fail_put(job, reply, error);
}

/* The next piece. @ret_refused: the server does not put pieces together */
static gboolean put_piece(MtwJob *job, guint index, const char *url, guint64 from, guint64 *ret_to,
			  gboolean *ret_refused, GError **error)
{
	const MtwJobFile *file = mtw_job_file(job, index);
	guint64 bytes = MIN(job->target->network.chunk_bytes, file->bytes - from);
	MtwFileRange range = { file->fd, from, bytes };
	g_autofree char *header = g_strdup_printf("Content-Range: bytes %" G_GUINT64_FORMAT
						  "-%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
						  from, from + bytes - 1, file->bytes);
	g_autoptr(MtwHttpReply) reply = NULL;
	MtwStoreFound found;

	mtw_store_show(job, index, from);
	reply = put_range(job, url, &range, header, error);
	if (reply == NULL)
		return FALSE;
	if (reply->status == 400 || reply->status == 501) {
		*ret_refused = TRUE;
		return TRUE;
	}
	if (reply->status / 100 != 2)
		return fail_put(job, reply, error);
	if (!mtw_store_look(job, url, &found, error))
		return FALSE;
	*ret_to = from + bytes;
	/* One that ignores the header has only the last piece now. */
	*ret_refused = !found.has_bytes || found.bytes != *ret_to;
	return TRUE;
}

static gboolean put_pieces(MtwJob *job, guint index, const char *url, guint64 from,
			   gboolean *ret_refused, GError **error)
{
	while (from < mtw_job_file(job, index)->bytes) {
		if (!put_piece(job, index, url, from, &from, ret_refused, error))
			return FALSE;
		if (*ret_refused)
			return mtw_store_remember(job, "whole", "yes", error);
	}
	return TRUE;
}

static gboolean verify(MtwJob *job, const MtwJobFile *file, const char *url, GError **error)
{
	MtwStoreFound found;

	if (!mtw_store_look(job, url, &found, error))
		return FALSE;
	if (found.is_known && !found.exists)
		return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_REJECTED,
					 error, "it took %s and does not have it", file->name);
	if (found.has_bytes && found.bytes != file->bytes)
		return mtw_transfer_fail(
			job->transfer, MTW_FAILURE_TRANSIENT, MTW_ERROR_NETWORK, error,
			"it has %" G_GUINT64_FORMAT " bytes of %s instead of %" G_GUINT64_FORMAT,
			found.bytes, file->name, file->bytes);
	return TRUE;
}

/* Pieces need a look after each, and do not make a file shorter. */
static gboolean may_send_pieces(const MtwJob *job, const MtwJobFile *file, MtwStorePlace place,
				const MtwStoreFound *found)
{
	if (!found->is_known || file->bytes <= job->target->network.chunk_bytes ||
	    mtw_store_fact(job, "whole") != NULL)
		return FALSE;
	if (!found->exists)
		return TRUE;
	return place == MTW_STORE_BEGUN && found->has_bytes && found->bytes < file->bytes;
}

gboolean mtw_store_put(MtwJob *job, guint index, const char *url, MtwStorePlace place,
		       gboolean *ret_taken, GError **error)
{
	const MtwJobFile *file = mtw_job_file(job, index);
	MtwStoreFound found;
	gboolean in_pieces, refused = FALSE;

	*ret_taken = FALSE;
	if (!mtw_store_look(job, url, &found, error))
		return FALSE;
	if (place == MTW_STORE_NEW && found.exists) {
		*ret_taken = TRUE;
		return TRUE;
	}
	if (place == MTW_STORE_BEGUN && found.has_bytes && found.bytes == file->bytes)
		return TRUE;
	in_pieces = may_send_pieces(job, file, place, &found);
	if (in_pieces && !put_pieces(job, index, url, found.bytes, &refused, error))
		return FALSE;
	if ((!in_pieces || refused) &&
	    !put_whole(job, index, url, place == MTW_STORE_NEW && !in_pieces, ret_taken, error))
		return FALSE;
	return *ret_taken || verify(job, file, url, error);
}
