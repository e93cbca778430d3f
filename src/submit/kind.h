/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kind of tracker or store: how a report gets there, as a table of phases. A phase is done or not done; what it found
 * out stands in the job's facts, which survive the process. After a phase whose outcome is unknown, `find` looks on the
 * server before it is run again. One file a kind, kind-NAME.c.
 */
#pragma once

#include "submit/letter.h"
#include "submit/link.h"
#include "submit/transfer.h"

typedef struct {
	char *name; /* of the file on the server: [A-Za-z0-9._-] */
	int fd;
	guint64 bytes;
	char *sha256;
	char *path; /* (nullable) where the person finds it */
} MtwJobFile;

typedef struct _MtwJob MtwJob;
struct _MtwJob {
	const MtwTarget *target;
	MtwTransfer *transfer;
	const MtwLetter *letter;
	const GPtrArray *files; /* (element-type MtwJobFile): one, or numbered parts */
	const MtwLink *issue;	/* (nullable): add to this one */
	/*
	 * What must survive. Members that all kinds use: "url" (of the report, for people), "open" (what the person has
	 * to finish: a page for the browser, or the absolute path of a file, as of a mail), "path" (file on this computer
	 * that goes with it), "note" (msgid for people). A kind's own names begin with its id: "gitlab-markdown".
	 */
	JsonObject *facts;
	const char *folder; /* (nullable) where a kind may leave a file for the person (NAME.eml) */
	/* Writes the facts to disk now (fsync): before and after anything that cannot be repeated. */
	gboolean (*save)(MtwJob *job, GError **error);
	/* The target by that id with a transfer of its own, for a kind that stores elsewhere (github-link). */
	MtwJob *(*side_job)(MtwJob *job, const char *target_id, GError **error);
	/*
	 * For the progress, by a kind that sends in pieces or goes on where it was: how much of all files is on the
	 * server before what it sends now. 0 before each phase.
	 */
	guint64 there_bytes;
	gpointer owner;
};

typedef struct {
	const char *id;	       /* stable: "upload", "issue", "attach", "note" */
	gboolean carries_file; /* when it is done, the file is there */
	gboolean (*run)(MtwJob *job, GError **error);
	/* (nullable) NULL: cannot be found out; it is run again */
	gboolean (*find)(MtwJob *job, gboolean *ret_done, GError **error);
} MtwPhase;

typedef struct {
	const char *id;
	const char *title;	/* msgid: "GitLab" */
	gboolean is_local;	/* nothing leaves this computer: no consent, no network */
	gboolean needs_network; /* FALSE with is_local FALSE: a person finishes it (browser) */
	gboolean is_bare_store; /* takes a file, knows no issues: the letter goes beside it */
	/* (nullable): keys the kind cannot do without, addresses it cannot use. Errors: MTW_ERROR_INVALID */
	gboolean (*check)(const MtwTarget *target, GError **error);
	/* (nullable): what the server takes at most. 0: it does not say */
	gboolean (*limit)(MtwJob *job, guint64 *ret_max_bytes, GError **error);
	/*
	 * (nullable): the name behind the credentials. @ret_name: (transfer full) (nullable): they are taken, but the
	 * server does not tell whose they are
	 */
	gboolean (*whoami)(MtwJob *job, char **ret_name, GError **error);
	/* (nullable): an earlier report of the same archive. @ret_url: (transfer full) (nullable) */
	gboolean (*search)(MtwJob *job, char **ret_url, GError **error);
	const MtwPhase *const *phases; /* a new report; ends with NULL */
	/* (nullable): to an existing issue */
	const MtwPhase *const *issue_phases;
} MtwKind;

/* mtw_kind_find: (nullable) */
const MtwKind *mtw_kind_find(const char *id);

/* mtw_kind_list: ends with NULL. */
const MtwKind *const *mtw_kind_list(void);

/* mtw_kind_needs_network: FALSE also for a mail without a server, which is written to a file. */
gboolean mtw_kind_needs_network(const MtwKind *kind, const MtwTarget *target);
