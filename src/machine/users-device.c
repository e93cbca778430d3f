/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a PCI device is used for: the second half of users.h. Disks are in users-disk.c. */
#include "machine/users.h"

#include "base/file.h"
#include "base/parse.h"
#include "machine/sysfs.h"
#include "machine/users-disk.h"
#include "machine/vtconsole.h"

#include <string.h>

static GPtrArray *strings_new(void)
{
	return g_ptr_array_new_with_free_func(g_free);
}

/* Words between runs of spaces and tabs. Returns: (transfer full) (element-type utf8) */
static GPtrArray *split_words(const char *line)
{
	GPtrArray *words = strings_new();

	for (line += strspn(line, " \t"); *line != '\0'; line += strspn(line, " \t")) {
		gsize bytes = strcspn(line, " \t");
		g_ptr_array_add(words, g_strndup(line, bytes));
		line += bytes;
	}
	return words;
}

static char **read_lines(const MtwPaths *paths, const char *folder, const char *name)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, folder, name, NULL);
	g_autofree char *text = mtw_file_read(path, 16 * MTW_FILE_SMALL_BYTES, NULL, NULL);

	return g_strsplit(text != NULL ? text : "", "\n", -1);
}

/* Names in /sys/class/@class that belong to the device. */
static GPtrArray *class_members(const MtwPaths *paths, const char *class_name, const char *device)
{
	GPtrArray *members = strings_new();
	g_autofree char *folder = mtw_paths_build(paths, MTW_PATH_SYSFS, "class", class_name, NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		g_autofree char *real = mtw_sysfs_resolve(path);
		if (real != NULL && mtw_sysfs_is_below(real, device))
			g_ptr_array_add(members, g_strdup(names->pdata[i]));
	}
	return members;
}

/* Adds @name and the bridges, bonds and VLANs that stand on it. */
static void add_interface(const MtwPaths *paths, const char *name, GPtrArray *interfaces)
{
	static const char prefix[] = "upper_";
	g_autofree char *folder =
		mtw_paths_build(paths, MTW_PATH_SYSFS, "class", "net", name, NULL);
	g_autoptr(GPtrArray) names = NULL;

	if (mtw_sysfs_list_has(interfaces, name))
		return;
	g_ptr_array_add(interfaces, g_strdup(name));
	names = mtw_folder_list(folder);
	for (guint i = 0; i < names->len; i++) {
		const char *entry = names->pdata[i];
		if (g_str_has_prefix(entry, prefix))
			add_interface(paths, entry + strlen(prefix), interfaces);
	}
}

/* /proc/net/route: "Iface Destination Gateway Flags RefCnt Use Metric Mask ..." */
static gboolean is_default_ipv4(const GPtrArray *words)
{
	return words->len >= 8 && strcmp(words->pdata[1], "00000000") == 0 &&
	       strcmp(words->pdata[7], "00000000") == 0;
}

/* /proc/net/ipv6_route: destination, its length, six more, flags, interface. */
static gboolean is_default_ipv6(const GPtrArray *words)
{
	return words->len >= 10 && strspn(words->pdata[0], "0") == 32 &&
	       strcmp(words->pdata[1], "00") == 0;
}

static gboolean has_default_route(const MtwPaths *paths, const GPtrArray *interfaces)
{
	g_auto(GStrv) ipv4 = read_lines(paths, "net", "route");
	g_auto(GStrv) ipv6 = read_lines(paths, "net", "ipv6_route");

	for (char **line = ipv4; *line != NULL; line++) {
		g_autoptr(GPtrArray) words = split_words(*line);
		if (is_default_ipv4(words) && mtw_sysfs_list_has(interfaces, words->pdata[0]))
			return TRUE;
	}
	for (char **line = ipv6; *line != NULL; line++) {
		g_autoptr(GPtrArray) words = split_words(*line);
		if (is_default_ipv6(words) && mtw_sysfs_list_has(interfaces, words->pdata[9]))
			return TRUE;
	}
	return FALSE;
}

static void fill_network(const MtwPaths *paths, const char *device, MtwDeviceUse *use)
{
	g_autoptr(GPtrArray) with_uppers = strings_new();

	g_ptr_array_unref(use->interfaces);
	use->interfaces = class_members(paths, "net", device);
	for (guint i = 0; i < use->interfaces->len; i++)
		add_interface(paths, use->interfaces->pdata[i], with_uppers);
	use->default_route = has_default_route(paths, with_uppers);
}

/* DEVNAME of the `uevent` file of a character device. Returns: (transfer full) (nullable) */
static char *device_name(const char *folder)
{
	static const char key[] = "DEVNAME=";
	g_autofree char *text = mtw_sysfs_attribute(folder, "uevent");
	g_auto(GStrv) lines = text != NULL ? g_strsplit(text, "\n", -1) : NULL;

	for (char **line = lines; line != NULL && *line != NULL; line++)
		if (g_str_has_prefix(*line, key))
			return g_strdup(*line + strlen(key));
	return NULL;
}

static void add_node(const MtwPaths *paths, const char *name, GPtrArray *nodes)
{
	char *node = mtw_paths_build(paths, MTW_PATH_DEV, name, NULL);

	if (mtw_sysfs_list_has(nodes, node))
		g_free(node);
	else
		g_ptr_array_add(nodes, node);
}

/* /sys/dev/char has a link for each character device, whatever its class. */
static void add_char_nodes(const MtwPaths *paths, const char *device, GPtrArray *nodes)
{
	g_autofree char *folder = mtw_paths_build(paths, MTW_PATH_SYSFS, "dev", "char", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		g_autofree char *real = mtw_sysfs_resolve(path);
		g_autofree char *name = NULL;
		if (real == NULL || !mtw_sysfs_is_below(real, device))
			continue;
		name = device_name(real);
		if (name != NULL)
			add_node(paths, name, nodes);
	}
}

/*
 * NVIDIA's driver makes its nodes without telling sysfs. "Device Minor: 0" in its own /proc file
 * gives the number; the other nodes are shared by all its cards.
 */
static void add_nvidia_nodes(const MtwPaths *paths, const MtwPciDevice *device, GPtrArray *nodes)
{
	static const char key[] = "Device Minor:";
	static const char *const shared[] = { "nvidiactl", "nvidia-modeset", "nvidia-uvm" };
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, "driver/nvidia/gpus",
						device->address, "information", NULL);
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	const char *at = text != NULL ? strstr(text, key) : NULL;
	guint minor;

	if (at != NULL) {
		g_autofree char *number =
			g_strndup(at + strlen(key), strcspn(at, "\n") - strlen(key));
		g_autofree char *name = g_strdup_printf("nvidia%s", g_strstrip(number));
		if (mtw_parse_uint(number, 0, 255, &minor))
			add_node(paths, name, nodes);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(shared); i++)
		add_node(paths, shared[i], nodes);
}

/* The number of the lowest /sys/class/graphics/fbN. */
static guint first_framebuffer(const MtwPaths *paths)
{
	g_autofree char *folder = mtw_paths_build(paths, MTW_PATH_SYSFS, "class", "graphics", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);
	guint first = G_MAXUINT, number;

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		if (g_str_has_prefix(name, "fb") &&
		    mtw_parse_uint(name + 2, 0, G_MAXUINT - 1, &number))
			first = MIN(first, number);
	}
	return first;
}

/* Unless somebody changed it (con2fbmap), the consoles are on the first framebuffer. */
static gboolean carries_console(const MtwPaths *paths, const char *device)
{
	g_autofree char *first = g_strdup_printf("fb%u", first_framebuffer(paths));
	g_autoptr(GPtrArray) own = class_members(paths, "graphics", device);
	g_autoptr(GPtrArray) consoles = mtw_vtconsole_framebuffers(paths);

	return mtw_sysfs_list_has(own, first) && consoles->len > 0;
}

static void fill_nodes(const MtwPaths *paths, const MtwPciDevice *device, const char *folder,
		       MtwDeviceUse *use)
{
	add_char_nodes(paths, folder, use->nodes);
	if (device->driver != NULL && g_str_has_prefix(device->driver, "nvidia"))
		add_nvidia_nodes(paths, device, use->nodes);
	g_ptr_array_add(use->nodes, NULL);
	g_ptr_array_unref(use->processes);
	use->processes = mtw_users_of_files(paths, (const char *const *)use->nodes->pdata);
	g_ptr_array_set_size(use->nodes, (int)use->nodes->len - 1);
}

MtwDeviceUse *mtw_device_use_get(const MtwPaths *paths, const MtwPciDevice *device)
{
	MtwDeviceUse *use = g_new0(MtwDeviceUse, 1);
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices",
						device->address, NULL);
	g_autofree char *folder = mtw_sysfs_resolve(path);

	use->mounts = strings_new();
	use->swaps = strings_new();
	use->claimed = strings_new();
	use->interfaces = strings_new();
	use->nodes = strings_new();
	use->processes = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_process_free);
	if (folder == NULL)
		return use;
	mtw_users_disk_fill(paths, folder, use);
	fill_network(paths, folder, use);
	fill_nodes(paths, device, folder, use);
	use->console = carries_console(paths, folder);
	return use;
}

void mtw_device_use_free(MtwDeviceUse *use)
{
	if (use == NULL)
		return;
	g_ptr_array_unref(use->mounts);
	g_ptr_array_unref(use->swaps);
	g_ptr_array_unref(use->claimed);
	g_ptr_array_unref(use->interfaces);
	g_ptr_array_unref(use->nodes);
	g_ptr_array_unref(use->processes);
	g_free(use);
}
