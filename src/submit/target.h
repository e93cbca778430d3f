/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place where reports go: a key file in the data folder's targets.d/, in /etc, or of the user; a later
 * folder's key wins over an earlier one's. mmiotrace-wizard-target(5) explains all keys.
 *
 * What is wrong in a file disables the target and says why; a secret in it is an error of the whole file.
 */
#pragma once

#include "base/message.h"
#include "base/paths.h"

#include <json-glib/json-glib.h>

typedef enum {
	MTW_AUTH_NONE,
	MTW_AUTH_BEARER, /* Authorization: Bearer TOKEN */
	MTW_AUTH_HEADER, /* auth_name: TOKEN */
	MTW_AUTH_JSON,	 /* member auth_name of the JSON body */
	MTW_AUTH_BASIC,	 /* user and password */
	MTW_AUTH_SSH,	 /* agent or key files of the user */
	MTW_AUTH_SMTP,	 /* SMTP AUTH with user and password, if there is a user */
} MtwAuth;

typedef enum {
	MTW_VISIBILITY_UNKNOWN,
	MTW_VISIBILITY_PUBLIC,	   /* anyone can read it */
	MTW_VISIBILITY_RESTRICTED, /* only members of the project */
} MtwVisibility;

/* What to do with an archive that is larger than the server takes, in the order that is tried. */
typedef enum {
	MTW_TOO_BIG_RECOMPRESS,
	MTW_TOO_BIG_SPLIT,
	MTW_TOO_BIG_FALLBACK, /* another target */
	MTW_TOO_BIG_SAVE,
} MtwTooBig;

/* Section [Network]. */
typedef struct {
	char *ca_file;	       /* (nullable) besides the system's */
	char *pinned_pubkey;   /* (nullable) "sha256//BASE64": of the TLS certificate */
	char *host_key_sha256; /* (nullable) base64 as ssh-keygen -l prints it: of the SSH host key */
	char *known_hosts;     /* (nullable) file; NULL: the user's ~/.ssh/known_hosts */
	char **redirect_hosts; /* never NULL: hosts that may get the body, never the credentials */
	gboolean tls13;	       /* at least TLS 1.3; else 1.2 */
	gboolean plain_http;   /* http:// to another machine is wanted, without any credentials */
	guint connect_timeout_sec;
	guint low_speed_bytes, low_speed_sec; /* slower for so long: aborted */
	guint retries;
	guint retry_cap_sec;
	guint64 chunk_bytes;
} MtwTargetNetwork;

typedef struct {
	char *id;	  /* file name without .conf */
	GPtrArray *paths; /* (element-type utf8): files it was read from, in order */
	char *name;	  /* for the person, in their language (Name[xx]) */
	char *name_plain; /* as Name has it */
	char *kind;	  /* id of an MtwKind */
	gboolean enabled;
	char *disabled_why; /* (nullable): what is wrong with the file; enabled is FALSE then */
	char *url; /* base address, no final "/", no user or password in it; "" if the kind needs none */
	char *host;    /* host of url, or what stands for it ("this computer"); never NULL */
	char *project; /* "" if none: GitLab path, Redmine identifier, "owner/repository" */
	char *product, *component, *version, *tracker, *queue; /* "" if none */
	char *store;	 /* "" or the id of the target that takes the file (github-link) */
	char *from, *to; /* smtp: addresses; "" if none */
	char *user;	 /* login name; "" if none */
	char **labels, **match, **file_types; /* never NULL */
	MtwVisibility visibility;
	char *privacy_uri, *help_uri, *token_help_uri; /* "" if none */
	MtwAuth auth;
	char *auth_name;   /* of HEADER and JSON; "" else */
	guint64 max_bytes; /* 0: ask the server, else unknown */
	GArray *too_big;   /* of MtwTooBig */
	char *fallback;	   /* "" or target id */
	char *title;	   /* template (letter.h) */
	char *body;	   /* template: the text of BodyFile, read and checked */
	gboolean search_duplicates;
	gboolean confidential; /* ask the tracker to hide the issue */
	gboolean parts;	       /* webdav, put: send to NAME.part, then rename */
	MtwTargetNetwork network;
} MtwTarget;

void mtw_target_free(MtwTarget *target);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwTarget, mtw_target_free)

/*
 * mtw_target_parse: @texts: one file's text after the other, later wins per key.
 * @id: of the target; @folder: (nullable): where BodyFile is looked for
 * @problems: (nullable) (element-type MtwMessage): unknown keys and the like are added
 * Errors: MTW_ERROR_INVALID "name:line: reason" or for a secret in the file
 * Returns: (transfer full) (nullable): also a target that is not usable, with disabled_why
 */
MtwTarget *mtw_target_parse(const char *id, const char *const *texts, const char *folder,
			    GPtrArray *problems, GError **error);

/*
 * mtw_target_list: all, sorted by id, the disabled ones too. @problems: (nullable): files that cannot be
 * used, unknown keys. Returns: (transfer full) (element-type MtwTarget)
 */
GPtrArray *mtw_target_list(const MtwPaths *paths, GPtrArray *problems);

/*
 * mtw_target_find: also a disabled one: the caller looks at `enabled`.
 * Errors: MTW_ERROR_NOT_FOUND, MTW_ERROR_INVALID. Returns: (transfer full) (nullable)
 */
MtwTarget *mtw_target_find(const MtwPaths *paths, const char *id, GError **error);

/*
 * mtw_target_load: the target that the file @path (NAME.conf) makes over the files of the same name in the folders, for
 * one who writes it. @problems: (nullable). Returns: (transfer full) (nullable)
 */
MtwTarget *mtw_target_load(const MtwPaths *paths, const char *path, GPtrArray *problems,
			   GError **error);

/*
 * mtw_target_fits: how well [Target] Match fits what was traced: the number of the best pattern's given
 * fields; 0: not at all. Patterns: "pci:VENDOR:DEVICE:CLASS" with "*", "driver:NAME".
 * @pci_id: "10de:1cb3"; @pci_class: "030000"; @driver: (nullable)
 */
guint mtw_target_fits(const MtwTarget *target, const char *pci_id, const char *pci_class,
		      const char *driver);

/* mtw_target_to_json: all of it, for programs. Returns: (transfer full) */
JsonObject *mtw_target_to_json(const MtwTarget *target);

const char *mtw_visibility_name(MtwVisibility visibility); /* "public", "restricted", "unknown" */

/* mtw_visibility_readers: who can read what is sent there (msgid). @name: of mtw_visibility_name; others count as unknown */
const char *mtw_visibility_readers(const char *name);
