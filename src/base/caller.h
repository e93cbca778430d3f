/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who asked for this: under sudo or pkexec the person, otherwise the user the process runs as.
 * The person owns the result, and whatever touches paths of the person runs with their rights.
 */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct {
	uid_t uid;
	gid_t gid;
	GArray *groups; /* of gid_t: all groups */
	char *name;
	char *home; /* HOME when the process is that user, else of the user database */
} MtwCaller;

/*
 * mtw_caller_get: from PKEXEC_UID or SUDO_UID (believed only when the process is root), else the
 * process's own user. The other facts come from the user database.
 * Returns: (transfer full) (nullable): NULL when there is no such user
 */
MtwCaller *mtw_caller_get(GError **error);
void mtw_caller_free(MtwCaller *caller);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwCaller, mtw_caller_free)

/* mtw_caller_is_self: whether the process runs as this user already. */
gboolean mtw_caller_is_self(const MtwCaller *caller);

/*
 * mtw_caller_become: gives up root for good (groups, saved ids) and becomes the caller. Makes
 * system calls only, so that it can be used between fork and exec.
 * Returns: FALSE (errno) when the process could still be root
 */
gboolean mtw_caller_become(const MtwCaller *caller);

/*
 * mtw_caller_state_dir: $XDG_STATE_HOME/mmiotrace-wizard of the caller; the variable is used only
 * when the process is that user. Returns: (transfer full)
 */
char *mtw_caller_state_dir(const MtwCaller *caller);

/* mtw_caller_config_dir: the same with $XDG_CONFIG_HOME. Returns: (transfer full) */
char *mtw_caller_config_dir(const MtwCaller *caller);
