/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of transfer share. */
#pragma once

#include "submit/transfer.h"

/*
 * The body of a request: text, a stretch of a file as it is or in base64, text. Any byte of it can be asked for at any
 * time, so libcurl can begin anew.
 */
typedef struct {
	const char *before, *after; /* (nullable) */
	MtwFileRange file;
	gboolean base64;
	guint64 at;	/* position of the next byte */
	int errnum;	/* the file could not be read */
	gboolean ended; /* the file is shorter than it was */
} MtwBody;

guint64 mtw_body_bytes(const MtwBody *body);
/* For CURLOPT_READFUNCTION and CURLOPT_SEEKFUNCTION; @body: an MtwBody */
size_t mtw_body_read(char *buffer, size_t size, size_t count, void *body);
int mtw_body_seek(void *body, curl_off_t offset, int origin);

/* Why the answer was not read to its end. */
typedef enum {
	MTW_REPLY_OK,
	MTW_REPLY_TOO_LONG,
	MTW_REPLY_TOO_MANY_HEADERS,
} MtwReplyLimit;

struct _MtwTransfer {
	const MtwTarget *target;
	MtwSecret *secret;
	MtwTransferHooks hooks;
	CURL *easy;
	CURLM *multi;
	CURLcode option_code; /* of the first option that libcurl did not take */
	MtwFailure failure;
	char *what;		  /* "POST to HOST": begins every error message */
	gboolean safe;		  /* the request changes nothing on the server */
	gboolean sent;		  /* all of it was sent */
	GPtrArray *bodies;	  /* (element-type MtwBody): what libcurl reads from now */
	struct curl_slist *lines; /* headers, the credentials among them */
	guint64 file_bytes, reported_bytes;
	gint64 reported_usec;
	MtwHttpReply *reply; /* (nullable): being received */
	MtwReplyLimit limit;
	gsize header_bytes;
	guint header_lines;
	gboolean header_ended;
	gboolean expects; /* the server was asked to say "go on" */
	char *last_line;  /* (nullable): what a server that speaks no HTTP said last */
	char curl_says[CURL_ERROR_SIZE];
};

/* An option that libcurl does not take must not be silently missing: the transfer fails. */
#define mtw_transfer_option(transfer, option, value) \
	mtw_transfer_note_option(transfer, curl_easy_setopt((transfer)->easy, option, value))
void mtw_transfer_note_option(MtwTransfer *transfer, CURLcode code);

/* transfer-tls.c */
void mtw_transfer_set_tls(MtwTransfer *transfer);

/* transfer-run.c: CURLE_OK, or what went wrong; CURLE_ABORTED_BY_CALLBACK: cancelled. */
CURLcode mtw_transfer_run(MtwTransfer *transfer);
gboolean mtw_transfer_is_cancelled(const MtwTransfer *transfer);

/* transfer-body.c: @body is copied. Returns: (transfer none) */
MtwBody *mtw_transfer_add_body(MtwTransfer *transfer, const MtwBody *body);

/* transfer-header.c */
gboolean mtw_request_check(MtwTransfer *transfer, const MtwHttpRequest *request, GError **error);
gboolean mtw_request_set_headers(MtwTransfer *transfer, const MtwHttpRequest *request,
				 const char *url, gboolean expect, GError **error);
/* Frees the headers; what was a secret in them is overwritten. */
void mtw_request_clear_headers(MtwTransfer *transfer);

/* transfer-redirect.c: whether anything may be sent to @url. @from: (nullable): redirected from there */
gboolean mtw_transfer_may_send(MtwTransfer *transfer, const MtwHttpRequest *request,
			       const char *url, const char *from, GError **error);
/* TRUE: the credentials belong to the server of @url. */
gboolean mtw_transfer_knows_server(const MtwTransfer *transfer, const char *url);
/* TRUE: the target's credentials are part of the request, in its header or its body. */
gboolean mtw_request_has_secret(const MtwTransfer *transfer, const MtwHttpRequest *request);
gboolean mtw_status_is_redirect(long status);
/* Where the answer sends us. Returns: (transfer full) (nullable): NULL when we do not go there */
char *mtw_redirect_target(MtwTransfer *transfer, const MtwHttpRequest *request,
			  const MtwHttpReply *reply, GError **error);
/* An address for a message: without query, clean, not too long. Returns: (transfer full) */
char *mtw_url_for_message(const char *url);

/* transfer-reply.c: the callbacks of libcurl; @transfer: an MtwTransfer */
MtwHttpReply *mtw_http_reply_new(void);
size_t mtw_reply_take_header(char *line, size_t size, size_t count, void *transfer);
size_t mtw_reply_take_body(char *data, size_t size, size_t count, void *transfer);
void mtw_reply_add_header(MtwHttpReply *reply, const char *line, gsize bytes);

/* transfer-says.c: one clean line. Returns: (transfer full) (nullable): NULL when it says nothing for people */
char *mtw_reply_sentence(const MtwHttpReply *reply);
/* How long the server wants us to wait, see MtwFailure. @now_sec: Unix time */
gint64 mtw_reply_wait_sec(const MtwHttpReply *reply, gint64 now_sec);
MtwFailureClass mtw_reply_class(const MtwHttpReply *reply);

/* transfer-json.c: Returns: (transfer full) (nullable) */
JsonObject *mtw_reply_object(const MtwHttpReply *reply, GError **error);
JsonArray *mtw_reply_array(const MtwHttpReply *reply, GError **error);

/* transfer-fail.c: a failure of the class. Its text is made safe. Returns: FALSE */
gboolean mtw_transfer_fail_as(MtwTransfer *transfer, MtwFailureClass class, int code,
			      gboolean maybe_done, GError **error, const char *format, ...)
	G_GNUC_PRINTF(6, 7);
/* transfer-code.c: the failure that stands for what libcurl said. Returns: FALSE */
gboolean mtw_transfer_fail_curl(MtwTransfer *transfer, CURLcode code, GError **error);
