/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the token or password of a target comes from, in this order: the file or descriptor that was named;
 * environment MMIOTRACE_WIZARD_TOKEN_<ID> (id in upper case, "-" and "." as "_"); the keyring (libsecret); the file
 * $XDG_CONFIG_HOME/mmiotrace-wizard/tokens/<id>, mode 0600.
 */
#pragma once

#include "submit/secret.h"
#include "submit/target.h"

/* A named token is for one target: it must not be given for another one (the store of a link). */
typedef struct {
	const char *token_file; /* (nullable): "-" is standard input, which is read once */
	int token_fd;		/* -1: none; read once, then closed */
	gboolean no_keyring;	/* never talk to the session bus */
} MtwCredentialSource;

typedef enum {
	MTW_CREDENTIAL_NONE,
	MTW_CREDENTIAL_NAMED, /* file or descriptor */
	MTW_CREDENTIAL_ENVIRONMENT,
	MTW_CREDENTIAL_KEYRING,
	MTW_CREDENTIAL_FILE,
} MtwCredentialOrigin;

/*
 * mtw_credential_find: @ret_secret: (transfer full) (nullable): NULL when there is none, which is no error.
 * Errors: a file that others can read, that is a symbolic link or not the user's (MTW_ERROR_PERMISSION, with the chmod to
 * do); MTW_ERROR_INVALID for an unusable one. A keyring that does not answer within some seconds is passed over.
 */
gboolean mtw_credential_find(const MtwTarget *target, const MtwCredentialSource *source,
			     MtwSecret **ret_secret, MtwCredentialOrigin *ret_origin,
			     GError **error);

/*
 * mtw_credential_take_environment: moves all MMIOTRACE_WIZARD_TOKEN_ variables out of the environment, so that no child
 * inherits them; find still knows them. At the beginning of main, before there are threads or children.
 */
void mtw_credential_take_environment(void);

/* mtw_credential_remember: into the keyring; without one (ret_where "file") into the 0600 file. */
gboolean mtw_credential_remember(const MtwTarget *target, const MtwSecret *secret,
				 const char **ret_where, GError **error);

/* mtw_credential_forget: from keyring and file. */
gboolean mtw_credential_forget(const MtwTarget *target, GError **error);

const char *mtw_credential_origin_name(MtwCredentialOrigin origin);
