/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/users-disk.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "machine/mounts.h"
#include "machine/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static char *block_path(const MtwPaths *paths, const char *name, const char *file)
{
	return mtw_paths_build(paths, MTW_PATH_SYSFS, "class", "block", name, file, NULL);
}

/*
 * With NVMe multipath the disk is a child of a virtual "nvme-subsystem" that links to its
 * controllers ("nvme0"), one of which may be below the device.
 */
static gboolean is_multipath_below(const char *block, const char *device)
{
	g_autofree char *subsystem = g_path_get_dirname(block);
	g_autoptr(GPtrArray) names = NULL;

	if (strstr(subsystem, "/nvme-subsystem/") == NULL)
		return FALSE;
	names = mtw_folder_list(subsystem);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(subsystem, names->pdata[i], NULL);
		g_autofree char *real =
			g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? mtw_sysfs_resolve(path) : NULL;
		if (real != NULL && mtw_sysfs_is_below(real, device))
			return TRUE;
	}
	return FALSE;
}

/* Adds @name to @blocks and what stands on it: partitions in its folder, and its holders (dm, md).
 */
static void add_block(const MtwPaths *paths, const char *name, GPtrArray *blocks)
{
	g_autofree char *folder = block_path(paths, name, NULL);
	g_autofree char *holders = g_build_filename(folder, "holders", NULL);
	g_autoptr(GPtrArray) children = NULL;
	g_autoptr(GPtrArray) users = NULL;

	if (mtw_sysfs_list_has(blocks, name))
		return;
	g_ptr_array_add(blocks, g_strdup(name));
	children = mtw_folder_list(folder);
	for (guint i = 0; i < children->len; i++) {
		g_autofree char *mark =
			g_build_filename(folder, children->pdata[i], "partition", NULL);
		if (g_file_test(mark, G_FILE_TEST_EXISTS))
			add_block(paths, children->pdata[i], blocks);
	}
	users = mtw_folder_list(holders);
	for (guint i = 0; i < users->len; i++)
		add_block(paths, users->pdata[i], blocks);
}

/* Returns: (transfer full) (element-type utf8): names of block devices that would go with @device
 */
static GPtrArray *blocks_on(const MtwPaths *paths, const char *device)
{
	GPtrArray *blocks = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *class_folder =
		mtw_paths_build(paths, MTW_PATH_SYSFS, "class", "block", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(class_folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = block_path(paths, names->pdata[i], NULL);
		g_autofree char *real = mtw_sysfs_resolve(path);
		if (real != NULL &&
		    (mtw_sysfs_is_below(real, device) || is_multipath_below(real, device)))
			add_block(paths, names->pdata[i], blocks);
	}
	return blocks;
}

/* A btrfs on several disks is mounted under the name of one of them: the others count as well. */
static void add_btrfs_companions(const MtwPaths *paths, GPtrArray *blocks)
{
	g_autofree char *folder = mtw_paths_build(paths, MTW_PATH_SYSFS, "fs", "btrfs", NULL);
	g_autoptr(GPtrArray) systems = mtw_folder_list(folder);

	for (guint i = 0; i < systems->len; i++) {
		g_autofree char *path =
			g_build_filename(folder, systems->pdata[i], "devices", NULL);
		g_autoptr(GPtrArray) devices = mtw_folder_list(path);
		gboolean ours = FALSE;
		for (guint j = 0; j < devices->len; j++)
			ours = ours || mtw_sysfs_list_has(blocks, devices->pdata[j]);
		for (guint j = 0; ours && j < devices->len; j++)
			if (!mtw_sysfs_list_has(blocks, devices->pdata[j]))
				g_ptr_array_add(blocks, g_strdup(devices->pdata[j]));
	}
}

/* Whether @source ("/dev/mapper/root", a link or a node) is the block device @name. */
static gboolean is_source(const MtwPaths *paths, const char *source, const char *name)
{
	g_autofree char *path = NULL;
	g_autofree char *real = NULL;
	g_autofree char *base = NULL;
	g_autofree char *folder = NULL;
	g_autofree char *mapper_name = NULL;

	if (*source != '/')
		return FALSE;
	path = mtw_paths_build(paths, MTW_PATH_ROOT, source, NULL);
	real = mtw_sysfs_resolve(path);
	base = g_path_get_basename(real != NULL ? real : source);
	if (strcmp(base, name) == 0)
		return TRUE;
	folder = block_path(paths, name, "dm");
	mapper_name = mtw_sysfs_attribute(folder, "name");
	return g_strcmp0(base, mapper_name) == 0;
}

static gboolean is_mounted_from(const MtwPaths *paths, const MtwMount *mount, const char *name)
{
	g_autofree char *folder = block_path(paths, name, NULL);
	g_autofree char *number = mtw_sysfs_attribute(folder, "dev");

	return g_strcmp0(number, mount->device) == 0 || is_source(paths, mount->source, name);
}

static void fill_mounts(const MtwPaths *paths, const GPtrArray *blocks, MtwDeviceUse *use)
{
	g_autoptr(GPtrArray) mounts = mtw_mounts_get(paths);

	for (guint i = 0; i < mounts->len; i++) {
		const MtwMount *mount = mounts->pdata[i];
		gboolean ours = FALSE;
		for (guint j = 0; !ours && j < blocks->len; j++)
			ours = is_mounted_from(paths, mount, blocks->pdata[j]);
		if (ours && !mtw_sysfs_list_has(use->mounts, mount->point))
			g_ptr_array_add(use->mounts, g_strdup(mount->point));
	}
}

/* /proc/swaps: a header, then "/dev/dm-1  partition  ..."; files are on a mounted file system. */
static void fill_swaps(const MtwPaths *paths, const GPtrArray *blocks, MtwDeviceUse *use)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, "swaps", NULL);
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	g_auto(GStrv) lines = text != NULL ? g_strsplit(text, "\n", -1) : NULL;

	for (char **line = lines; line != NULL && *line != NULL; line++) {
		g_autofree char *source = g_strndup(*line, strcspn(*line, " \t"));
		gboolean ours = FALSE;
		for (guint j = 0; !ours && j < blocks->len; j++)
			ours = is_source(paths, source, blocks->pdata[j]);
		if (ours)
			g_ptr_array_add(use->swaps, g_strdup(source));
	}
}

/*
 * Users that leave no trace in /proc (ZFS, a disk given to a virtual machine) hold the block device
 * exclusively, as mounting does; so an exclusive open tells. It reads and changes nothing.
 */
static void fill_claimed(const MtwPaths *paths, const GPtrArray *blocks, MtwDeviceUse *use)
{
	for (guint i = 0; i < blocks->len; i++) {
		g_autofree char *node =
			mtw_paths_build(paths, MTW_PATH_DEV, blocks->pdata[i], NULL);
		g_auto(MtwFd) fd = open(node, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0 && errno == EBUSY)
			g_ptr_array_add(use->claimed, g_strdup(blocks->pdata[i]));
	}
}

void mtw_users_disk_fill(const MtwPaths *paths, const char *device_folder, MtwDeviceUse *use)
{
	g_autoptr(GPtrArray) blocks = blocks_on(paths, device_folder);

	if (mtw_paths_live(paths))
		fill_claimed(paths, blocks, use);
	add_btrfs_companions(paths, blocks);
	fill_mounts(paths, blocks, use);
	fill_swaps(paths, blocks, use);
}
