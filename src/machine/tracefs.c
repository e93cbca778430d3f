/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/tracefs.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"
#include "machine/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

#define TRACEFS_MAGIC_NUMBER 0x74726163
/* set_event lists every enabled event: some thousand lines when somebody switched all on. */
#define TRACEFS_FILE_MAX_BYTES (4 * 1024 * 1024)

struct _MtwTracefs {
	char *folder;
};

/* Returns 0 when @folder is a tracefs that can be looked into, otherwise an errno value. */
static int probe_folder(const MtwPaths *paths, const char *folder)
{
	g_autofree char *tracer = g_build_filename(folder, "current_tracer", NULL);
	struct statfs status;

	/* What has the tracer's file is one, whoever serves it; without the file only the type tells. */
	if (access(tracer, F_OK) == 0)
		return 0;
	if (!mtw_paths_live(paths))
		return ENOENT;
	if (statfs(folder, &status) != 0)
		return errno;
	if (status.f_type != TRACEFS_MAGIC_NUMBER)
		return ENOENT;
	/* Under lockdown it is mounted and empty, which is not the same as forbidden. */
	return access(folder, R_OK | X_OK) == 0 ? 0 : errno;
}

/* The places to look at, the best first. Returns: (transfer full) (element-type utf8) */
static GPtrArray *candidate_folders(const MtwPaths *paths)
{
	GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) mounts = mtw_mounts_get(paths);

	g_ptr_array_add(folders, g_strdup(mtw_paths_get(paths, MTW_PATH_TRACEFS)));
	g_ptr_array_add(folders, mtw_paths_build(paths, MTW_PATH_DEBUGFS, "tracing", NULL));
	for (guint i = 0; i < mounts->len; i++) {
		const MtwMount *mount = mounts->pdata[i];
		if (strcmp(mount->type, "tracefs") == 0)
			g_ptr_array_add(folders,
					mtw_paths_build(paths, MTW_PATH_ROOT, mount->point, NULL));
	}
	return folders;
}

MtwTracefs *mtw_tracefs_find(const MtwPaths *paths, GError **error)
{
	g_autoptr(GPtrArray) folders = candidate_folders(paths);
	gboolean forbidden = FALSE;

	for (guint i = 0; i < folders->len; i++) {
		int errnum = probe_folder(paths, folders->pdata[i]);
		if (errnum == 0) {
			MtwTracefs *tracefs = g_new0(MtwTracefs, 1);
			tracefs->folder = g_strdup(folders->pdata[i]);
			return tracefs;
		}
		forbidden = forbidden || errnum == EACCES || errnum == EPERM;
	}
	if (forbidden)
		g_set_error(error, MTW_ERROR, MTW_ERROR_PERMISSION,
			    "only root may look into the kernel's tracefs");
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "tracefs is not mounted");
	return NULL;
}

void mtw_tracefs_free(MtwTracefs *tracefs)
{
	if (tracefs == NULL)
		return;
	g_free(tracefs->folder);
	g_free(tracefs);
}

const char *mtw_tracefs_folder(const MtwTracefs *tracefs)
{
	return tracefs->folder;
}

gboolean mtw_tracefs_mountable(const MtwPaths *paths)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, "filesystems", NULL);
	g_autofree char *known = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);

	return known != NULL && mtw_parse_has_word(known, "tracefs") &&
	       g_file_test(mtw_paths_get(paths, MTW_PATH_TRACEFS), G_FILE_TEST_IS_DIR);
}

static gboolean refuse_fake(const MtwPaths *paths, GError **error)
{
	if (mtw_paths_live(paths))
		return FALSE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
		    "mounting works only on the real machine, not below a test's root");
	return TRUE;
}

gboolean mtw_tracefs_mount(const MtwPaths *paths, GError **error)
{
	const char *folder = mtw_paths_get(paths, MTW_PATH_TRACEFS);

	if (refuse_fake(paths, error))
		return FALSE;
	if (mount("nodev", folder, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0) {
		mtw_set_error_errno(error, errno, "cannot mount tracefs at %s", folder);
		return FALSE;
	}
	return TRUE;
}

gboolean mtw_tracefs_unmount(const MtwPaths *paths, GError **error)
{
	const char *folder = mtw_paths_get(paths, MTW_PATH_TRACEFS);

	if (refuse_fake(paths, error))
		return FALSE;
	if (umount2(folder, UMOUNT_NOFOLLOW) != 0) {
		mtw_set_error_errno(error, errno, "cannot unmount %s", folder);
		return FALSE;
	}
	return TRUE;
}

char *mtw_tracefs_path(const MtwTracefs *tracefs, const char *file)
{
	return g_build_filename(tracefs->folder, file, NULL);
}

char *mtw_tracefs_read(const MtwTracefs *tracefs, const char *file, GError **error)
{
	g_autofree char *path = mtw_tracefs_path(tracefs, file);
	char *text = mtw_file_read(path, TRACEFS_FILE_MAX_BYTES, NULL, error);

	return text != NULL ? g_strchomp(text) : NULL;
}

gboolean mtw_tracefs_write(const MtwTracefs *tracefs, const char *file, const char *text,
			   GError **error)
{
	g_autofree char *path = mtw_tracefs_path(tracefs, file);

	return mtw_file_write_kernel(path, text, error);
}

gboolean mtw_tracefs_has_tracer(const MtwTracefs *tracefs, const char *name)
{
	g_autofree char *tracers = mtw_tracefs_read(tracefs, "available_tracers", NULL);

	return tracers != NULL && mtw_parse_has_word(tracers, name);
}

char *mtw_tracefs_clock(const MtwTracefs *tracefs, GError **error)
{
	g_autofree char *clocks = mtw_tracefs_read(tracefs, "trace_clock", error);
	char *chosen = clocks != NULL ? mtw_parse_bracketed(clocks) : NULL;

	if (clocks != NULL && chosen == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "%s/trace_clock: no clock is marked as the chosen one",
			    tracefs->folder);
	return chosen;
}

gboolean mtw_tracefs_buffer_kb(const MtwTracefs *tracefs, guint cpu, guint64 *ret_kb,
			       GError **error)
{
	g_autofree char *file = g_strdup_printf("per_cpu/cpu%u/buffer_size_kb", cpu);
	g_autofree char *text = mtw_tracefs_read(tracefs, file, error);

	if (text == NULL)
		return FALSE;
	if (!mtw_parse_buffer_size_kb(text, ret_kb)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s/%s: not a size: %.40s",
			    tracefs->folder, file, text);
		return FALSE;
	}
	return TRUE;
}

static int compare_numbers(gconstpointer a, gconstpointer b)
{
	guint first = *(const guint *)a;
	guint second = *(const guint *)b;

	return (first > second) - (first < second);
}

GArray *mtw_tracefs_cpus(const MtwTracefs *tracefs)
{
	GArray *cpus = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autofree char *folder = mtw_tracefs_path(tracefs, "per_cpu");
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		guint cpu;
		if (g_str_has_prefix(name, "cpu") && mtw_parse_uint(name + 3, 0, G_MAXUINT, &cpu))
			g_array_append_val(cpus, cpu);
	}
	g_array_sort(cpus, compare_numbers);
	return cpus;
}

gboolean mtw_tracefs_pipe_busy(const MtwTracefs *tracefs)
{
	g_autofree char *path = mtw_tracefs_path(tracefs, "trace_pipe");
	g_auto(MtwFd) fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 && errno == EBUSY;
}
