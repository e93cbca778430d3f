/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/caller.h"

#include "base/error.h"
#include "base/parse.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

static uid_t asking_uid(void)
{
	static const char *const variables[] = { "PKEXEC_UID", "SUDO_UID" };
	guint uid;

	if (geteuid() != 0)
		return geteuid();
	for (gsize i = 0; i < G_N_ELEMENTS(variables); i++) {
		const char *text = g_getenv(variables[i]);
		if (text != NULL && mtw_parse_uint(text, 0, G_MAXUINT - 1, &uid))
			return (uid_t)uid;
	}
	return 0;
}

#define GROUPS_MAX 1024

static GArray *groups_of(const char *name, gid_t gid)
{
	int n_groups = GROUPS_MAX;
	GArray *groups = g_array_sized_new(FALSE, TRUE, sizeof(gid_t), GROUPS_MAX);

	g_array_set_size(groups, GROUPS_MAX);
	if (getgrouplist(name, gid, (gid_t *)(void *)groups->data, &n_groups) < 0)
		n_groups = GROUPS_MAX;
	g_array_set_size(groups, (guint)n_groups);
	return groups;
}

/* A person may work with a home of their own choice; what root's environment says is not theirs. */
static const char *home_of(uid_t uid, const struct passwd *entry)
{
	const char *home = uid == geteuid() ? secure_getenv("HOME") : NULL;

	if (home != NULL && g_path_is_absolute(home))
		return home;
	return entry != NULL ? entry->pw_dir : "/root";
}

MtwCaller *mtw_caller_get(GError **error)
{
	uid_t uid = asking_uid();
	struct passwd *entry = getpwuid(uid);
	MtwCaller *caller;

	if (entry == NULL && uid != 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "no user with the number %u",
			    uid);
		return NULL;
	}
	caller = g_new0(MtwCaller, 1);
	caller->uid = uid;
	caller->gid = entry != NULL ? entry->pw_gid : 0;
	caller->name = g_strdup(entry != NULL ? entry->pw_name : "root");
	caller->home = g_strdup(home_of(uid, entry));
	caller->groups = groups_of(caller->name, caller->gid);
	return caller;
}

void mtw_caller_free(MtwCaller *caller)
{
	if (caller == NULL)
		return;
	g_free(caller->name);
	g_free(caller->home);
	g_array_unref(caller->groups);
	g_free(caller);
}

gboolean mtw_caller_is_self(const MtwCaller *caller)
{
	return caller->uid == geteuid();
}

gboolean mtw_caller_become(const MtwCaller *caller)
{
	if (setgroups(caller->groups->len, (const gid_t *)(const void *)caller->groups->data) !=
		    0 ||
	    setresgid(caller->gid, caller->gid, caller->gid) != 0 ||
	    setresuid(caller->uid, caller->uid, caller->uid) != 0)
		return FALSE;
	if (caller->uid != 0 && setuid(0) == 0) {
		errno = EPERM;
		return FALSE;
	}
	return TRUE;
}

/* A folder below @variable, or below @first/@second of the home. @second: (nullable) */
static char *own_dir(const MtwCaller *caller, const char *variable, const char *first,
		     const char *second)
{
	const char *base = secure_getenv(variable);

	if (mtw_caller_is_self(caller) && base != NULL && g_path_is_absolute(base))
		return g_build_filename(base, "mmiotrace-wizard", NULL);
	if (second == NULL)
		return g_build_filename(caller->home, first, "mmiotrace-wizard", NULL);
	return g_build_filename(caller->home, first, second, "mmiotrace-wizard", NULL);
}

char *mtw_caller_state_dir(const MtwCaller *caller)
{
	return own_dir(caller, "XDG_STATE_HOME", ".local", "state");
}

char *mtw_caller_config_dir(const MtwCaller *caller)
{
	return own_dir(caller, "XDG_CONFIG_HOME", ".config", NULL);
}
