/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folder on a web server that takes PUT: what the kinds put and webdav share. A large file goes in pieces
 * (Content-Range) to a server that puts them together, so that a broken upload goes on where it was; whole to the others.
 */
#pragma once

#include "submit/store.h"

/* What a HEAD tells. */
typedef struct {
	gboolean is_known; /* FALSE: the server lets nobody look */
	gboolean exists;
	gboolean has_bytes;
	guint64 bytes;
} MtwStoreFound;

/* mtw_store_look: Errors: no answer, or the credentials are not taken */
gboolean mtw_store_look(MtwJob *job, const char *url, MtwStoreFound *ret_found, GError **error);

/* What may be under the name that is sent to. */
typedef enum {
	MTW_STORE_NEW,	/* nothing: what is there is somebody else's */
	MTW_STORE_OURS, /* an older upload of this report: is overwritten */
	MTW_STORE_BEGUN /* a beginning of this very file: is gone on with */
} MtwStorePlace;

/*
 * mtw_store_put: file @index to @url, and that it is there in its size.
 * @ret_taken: with MTW_STORE_NEW: something has this name; nothing was sent
 */
gboolean mtw_store_put(MtwJob *job, guint index, const char *url, MtwStorePlace place,
		       gboolean *ret_taken, GError **error);

/* The phases that both kinds have; they look themselves what is there already. */
extern const MtwPhase mtw_store_upload_phase, mtw_store_letter_phase;

/* mtw_store_whoami: whether the folder's server takes the credentials. */
gboolean mtw_store_whoami(MtwJob *job, char **ret_name, GError **error);
