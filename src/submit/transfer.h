/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One conversation with one server through libcurl, with the rules that hold for all of them: protocols
 * restricted, TLS verified, no cross-host redirect that carries credentials or body, time-outs, answers capped and
 * cleaned. One try a call: send.h tries again.
 */
#pragma once

#include "submit/failure.h"
#include "submit/secret.h"
#include "submit/target.h"

#include <curl/curl.h>
#include <json-glib/json-glib.h>

#define MTW_REPLY_MAX_BYTES (1024 * 1024)

typedef struct _MtwTransfer MtwTransfer;

typedef struct {
	const int *cancel; /* (nullable) atomic: becomes non-zero: stop */
	/* (nullable) Bytes of the file now being sent; several times a second at most. */
	void (*progress)(guint64 done, guint64 total, gpointer user_data);
	gpointer user_data;
} MtwTransferHooks;

/* mtw_transfer_new: @target must outlive it; @secret: (nullable) is copied */
MtwTransfer *mtw_transfer_new(const MtwTarget *target, const MtwSecret *secret,
			      const MtwTransferHooks *hooks);
void mtw_transfer_free(MtwTransfer *transfer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwTransfer, mtw_transfer_free)

void mtw_transfer_set_secret(MtwTransfer *transfer, const MtwSecret *secret);
const MtwSecret *mtw_transfer_secret(const MtwTransfer *transfer); /* (nullable) */

/* mtw_transfer_failure: of the last call that failed. (transfer none) */
const MtwFailure *mtw_transfer_failure(const MtwTransfer *transfer);

/*
 * mtw_transfer_fail: what a kind found out itself (a tracker's own error code, an answer that makes no sense): sets
 * the failure and the error. Returns: FALSE
 */
gboolean mtw_transfer_fail(MtwTransfer *transfer, MtwFailureClass class, int code, GError **error,
			   const char *format, ...) G_GNUC_PRINTF(5, 6);

/* ---- HTTP ---- */

/* A file, or a stretch of it; the descriptor's own position is not used (pread). */
typedef struct {
	int fd;
	guint64 offset, bytes;
} MtwFileRange;

typedef struct {
	const char *name;
	const char *type;     /* (nullable) */
	const char *text;     /* (nullable): then it is the file */
	const char *filename; /* (nullable) */
	MtwFileRange file;
} MtwFormPart;

typedef enum {
	MTW_BODY_NONE,
	MTW_BODY_TEXT,	 /* text */
	MTW_BODY_FILE,	 /* file */
	MTW_BODY_FORM,	 /* multipart/form-data */
	MTW_BODY_BASE64, /* before, the file in base64, after: streamed, never whole in memory */
} MtwBodyForm;

typedef struct {
	const char *method; /* "GET", "POST", "PUT", "PATCH", "HEAD", "DELETE", "MKCOL", "MOVE" */
	const char *url;    /* absolute, same origin as the target's, or of redirect_hosts */
	const char *const *headers; /* (nullable) "Name: value"; line ends in them are an error */
	MtwBodyForm form;
	const char *type; /* (nullable) Content-Type of TEXT, FILE, BASE64 */
	const char *text;
	const char *before, *after;
	MtwFileRange file;
	const MtwFormPart *parts;
	guint n_parts;
	gboolean no_auth; /* without the credentials */
	gboolean
		any_status; /* every answer that is whole is a success: the caller looks at the status */
} MtwHttpRequest;

typedef struct {
	long status;
	GHashTable *headers; /* name in lower case to last value */
	GString *body;	     /* at most MTW_REPLY_MAX_BYTES: more is an error */
	char *url;	     /* that answered, after redirects */
} MtwHttpReply;

void mtw_http_reply_free(MtwHttpReply *reply);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwHttpReply, mtw_http_reply_free)

/*
 * mtw_http_send: credentials are added by target->auth (BEARER, HEADER, BASIC; JSON is the kind's own work).
 * Status 2xx (or any, with any_status) is a success. Redirects are followed within the same origin for GET, HEAD and PUT and,
 * with 307 and 308, for every method; a 30x answer to a POST is never a success.
 * Errors: MTW_ERROR_NETWORK, _REJECTED, _AUTH, _TLS, _INTERRUPTED, each with mtw_transfer_failure
 * Returns: (transfer full) (nullable)
 */
MtwHttpReply *mtw_http_send(MtwTransfer *transfer, const MtwHttpRequest *request, GError **error);

/* mtw_http_fail: the standard error for an answer that is no success. Returns: FALSE */
gboolean mtw_http_fail(MtwTransfer *transfer, const MtwHttpReply *reply, GError **error);

const char *mtw_http_header(const MtwHttpReply *reply, const char *lower_name); /* (nullable) */

/*
 * mtw_http_json: the answer as an object (at most 100 levels). An answer that is none sets a failure that may be done
 * (the server took the request and answered rubbish). Returns: (transfer full) (nullable)
 */
JsonObject *mtw_http_json(MtwTransfer *transfer, const MtwHttpReply *reply, GError **error);
/* mtw_http_json_array: the same for an array. */
JsonArray *mtw_http_json_array(MtwTransfer *transfer, const MtwHttpReply *reply, GError **error);

/* mtw_url_escape: for one path segment or query value. Returns: (transfer full) */
char *mtw_url_escape(const char *text);

/* ---- the other protocols: the kind sets its own options on the handle ---- */

/*
 * mtw_transfer_easy: a handle with all the rules set. @protocols: "sftp", "smtp,smtps". (transfer none): of the
 * transfer, reset by every call
 */
CURL *mtw_transfer_easy(MtwTransfer *transfer, const char *protocols);

/* mtw_transfer_read_file: reads @range as the body (READFUNCTION, SEEKFUNCTION, size, progress). */
void mtw_transfer_read_file(MtwTransfer *transfer, const MtwFileRange *range);

/*
 * mtw_transfer_part_file: @range as the content of a part of a curl_mime that the kind made and keeps until after
 * mtw_transfer_perform.
 */
void mtw_transfer_part_file(MtwTransfer *transfer, curl_mimepart *part, const MtwFileRange *range);

/* mtw_transfer_perform: runs the handle. Errors as mtw_http_send */
gboolean mtw_transfer_perform(MtwTransfer *transfer, GError **error);
