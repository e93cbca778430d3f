/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes have a file open: the first half of users.h. */
#include "machine/users.h"

#include "base/file.h"
#include "base/parse.h"
#include "base/text.h"
#include "machine/sysfs.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What to look for: a file's identity, and on a fake root the text a link would have. */
typedef struct {
	struct statx status;
	const char *path;
	const char *inner_path; /* as seen from inside the fake root */
} Target;

void mtw_process_free(MtwProcess *process)
{
	if (process == NULL)
		return;
	g_free(process->name);
	g_free(process);
}

/* DONT_SYNC: a file of a server that does not answer must not stop the search. */
static gboolean status_of(const char *path, struct statx *ret_status)
{
	return statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, ret_status) == 0;
}

static GArray *targets_new(const MtwPaths *paths, const char *const *files)
{
	GArray *targets = g_array_new(FALSE, FALSE, sizeof(Target));
	const char *root = mtw_paths_get(paths, MTW_PATH_ROOT);
	gsize root_length = strlen(root);

	while (root_length > 0 && root[root_length - 1] == '/')
		root_length--;
	for (; *files != NULL; files++) {
		Target target = { .path = *files, .inner_path = *files };
		if (strncmp(*files, root, root_length) == 0)
			target.inner_path += root_length;
		if (status_of(*files, &target.status))
			g_array_append_val(targets, target);
	}
	return targets;
}

/* The same file; or, for device nodes, another node of the same device (containers have their own).
 */
static gboolean is_same(const struct statx *a, const struct statx *b)
{
	gboolean is_node = S_ISCHR(a->stx_mode) || S_ISBLK(a->stx_mode);

	if (is_node && (a->stx_mode & S_IFMT) == (b->stx_mode & S_IFMT))
		return a->stx_rdev_major == b->stx_rdev_major &&
		       a->stx_rdev_minor == b->stx_rdev_minor;
	return a->stx_ino == b->stx_ino && a->stx_dev_major == b->stx_dev_major &&
	       a->stx_dev_minor == b->stx_dev_minor;
}

static gboolean is_target(const MtwPaths *paths, const char *fd_path, const GArray *targets)
{
	gboolean live = mtw_paths_live(paths);
	g_autofree char *link = live ? NULL : g_file_read_link(fd_path, NULL);
	struct statx status;

	if (live ? !status_of(fd_path, &status) : link == NULL)
		return FALSE;
	for (guint i = 0; i < targets->len; i++) {
		const Target *target = &g_array_index(targets, Target, i);
		if (live ? is_same(&target->status, &status)
			 : strcmp(link, target->path) == 0 || strcmp(link, target->inner_path) == 0)
			return TRUE;
	}
	return FALSE;
}

static gboolean has_target_open(const MtwPaths *paths, const char *process_folder,
				const GArray *targets)
{
	g_autofree char *folder = g_build_filename(process_folder, "fd", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		if (is_target(paths, path, targets))
			return TRUE;
	}
	return FALSE;
}

static MtwProcess *process_new(guint pid, const char *process_folder)
{
	MtwProcess *process = g_new0(MtwProcess, 1);
	g_autofree char *name = mtw_sysfs_attribute(process_folder, "comm");

	process->pid = pid;
	process->name = mtw_text_clean_line(name != NULL ? name : "?");
	return process;
}

GPtrArray *mtw_users_of_files(const MtwPaths *paths, const char *const *files)
{
	GPtrArray *users = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_process_free);
	g_autoptr(GArray) targets = targets_new(paths, files);
	const char *proc = mtw_paths_get(paths, MTW_PATH_PROCFS);
	g_autoptr(GPtrArray) names = NULL;

	if (targets->len == 0)
		return users;
	names = mtw_folder_list(proc);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *folder = g_build_filename(proc, names->pdata[i], NULL);
		guint pid;
		if (!mtw_parse_uint(names->pdata[i], 1, G_MAXINT, &pid) ||
		    (mtw_paths_live(paths) && pid == (guint)getpid()))
			continue;
		if (has_target_open(paths, folder, targets))
			g_ptr_array_add(users, process_new(pid, folder));
	}
	return users;
}

char *mtw_users_text(const GPtrArray *processes)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < processes->len; i++) {
		const MtwProcess *process = processes->pdata[i];
		g_string_append_printf(text, "%s%s (%u)", i > 0 ? ", " : "", process->name,
				       process->pid);
	}
	return g_string_free(text, FALSE);
}
