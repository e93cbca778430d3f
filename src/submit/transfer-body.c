/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is sent: read by position, so that neither the file nor its base64 is ever whole in memory. */
#include "submit/transfer-private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Three bytes are four characters; a block is whole groups. */
#define BLOCK_GROUPS 16384

static guint64 text_bytes(const char *text)
{
	return text != NULL ? strlen(text) : 0;
}

static guint64 file_bytes(const MtwBody *body)
{
	return body->base64 ? (body->file.bytes + 2) / 3 * 4 : body->file.bytes;
}

guint64 mtw_body_bytes(const MtwBody *body)
{
	return text_bytes(body->before) + file_bytes(body) + text_bytes(body->after);
}

/* All of @bytes from @at of the stretch. */
static gboolean read_file(MtwBody *body, guint64 at, char *buffer, gsize bytes)
{
	gsize done = 0;

	while (done < bytes) {
		ssize_t got = pread(body->file.fd, buffer + done, bytes - done,
				    (off_t)(body->file.offset + at + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			body->errnum = errno;
		if (got == 0)
			body->ended = TRUE;
		if (got <= 0)
			return FALSE;
		done += (gsize)got;
	}
	return TRUE;
}

/* The characters from @at on of the base64 text; as many as a block has. Returns: how many, 0: error */
static gsize read_base64(MtwBody *body, guint64 at, char *buffer, gsize bytes)
{
	guint64 group = at / 4;
	gsize skip = at % 4;
	gsize raw_bytes = (gsize)MIN(body->file.bytes - group * 3, (guint64)BLOCK_GROUPS * 3);
	g_autofree char *raw = g_malloc(raw_bytes);
	g_autofree char *text = NULL;
	gsize usable;

	if (!read_file(body, group * 3, raw, raw_bytes))
		return 0;
	text = g_base64_encode((const guchar *)raw, raw_bytes);
	usable = MIN(bytes, (raw_bytes + 2) / 3 * 4 - skip);
	memcpy(buffer, text + skip, usable);
	return usable;
}

/* What can be had in one go. Returns: how many bytes, 0: error */
static gsize read_some(MtwBody *body, char *buffer, gsize bytes)
{
	guint64 before = text_bytes(body->before);
	guint64 file = file_bytes(body);
	guint64 at = body->at;

	if (at < before) {
		bytes = (gsize)MIN(bytes, before - at);
		memcpy(buffer, body->before + at, bytes);
		return bytes;
	}
	at -= before;
	if (at < file && body->base64)
		return read_base64(body, at, buffer, bytes);
	if (at < file) {
		bytes = (gsize)MIN(bytes, file - at);
		return read_file(body, at, buffer, bytes) ? bytes : 0;
	}
	at -= file;
	bytes = (gsize)MIN(bytes, text_bytes(body->after) - at);
	memcpy(buffer, body->after + at, bytes);
	return bytes;
}

size_t mtw_body_read(char *buffer, size_t size, size_t count, void *data)
{
	MtwBody *body = data;
	guint64 total = mtw_body_bytes(body);
	gsize room = size * count;
	gsize filled = 0;

	while (filled < room && body->at < total) {
		gsize got = read_some(body, buffer + filled, room - filled);
		if (got == 0)
			return CURL_READFUNC_ABORT;
		body->at += got;
		filled += got;
	}
	return filled;
}

int mtw_body_seek(void *data, curl_off_t offset, int origin)
{
	MtwBody *body = data;
	guint64 total = mtw_body_bytes(body);
	guint64 from = origin == SEEK_CUR ? body->at : origin == SEEK_END ? total : 0;

	if ((offset < 0 && from < (guint64)-offset) || from + (guint64)offset > total)
		return CURL_SEEKFUNC_FAIL;
	body->at = from + (guint64)offset;
	return CURL_SEEKFUNC_OK;
}

MtwBody *mtw_transfer_add_body(MtwTransfer *transfer, const MtwBody *body)
{
	MtwBody *own = g_memdup2(body, sizeof *body);

	g_ptr_array_add(transfer->bodies, own);
	transfer->file_bytes += body->file.bytes;
	return own;
}

void mtw_transfer_read_file(MtwTransfer *transfer, const MtwFileRange *range)
{
	MtwBody *body = mtw_transfer_add_body(transfer, &(MtwBody){ .file = *range });

	mtw_transfer_option(transfer, CURLOPT_UPLOAD, 1L);
	mtw_transfer_option(transfer, CURLOPT_READFUNCTION, mtw_body_read);
	mtw_transfer_option(transfer, CURLOPT_READDATA, body);
	mtw_transfer_option(transfer, CURLOPT_SEEKFUNCTION, mtw_body_seek);
	mtw_transfer_option(transfer, CURLOPT_SEEKDATA, body);
	mtw_transfer_option(transfer, CURLOPT_INFILESIZE_LARGE, (curl_off_t)mtw_body_bytes(body));
}

void mtw_transfer_part_file(MtwTransfer *transfer, curl_mimepart *part, const MtwFileRange *range)
{
	MtwBody *body = mtw_transfer_add_body(transfer, &(MtwBody){ .file = *range });

	mtw_transfer_note_option(transfer,
				 curl_mime_data_cb(part, (curl_off_t)range->bytes, mtw_body_read,
						   mtw_body_seek, NULL, body));
}
