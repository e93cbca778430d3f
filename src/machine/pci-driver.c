/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which driver a PCI device has, and giving it another: the second half of pci.h. */
#include "machine/pci.h"

#include "base/error.h"
#include "base/file.h"
#include "machine/sysfs.h"

#include <string.h>

static char *device_path(const MtwPaths *paths, const char *address, const char *file)
{
	return mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices", address, file, NULL);
}

static char *driver_path(const MtwPaths *paths, const char *driver, const char *file)
{
	return mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "drivers", driver, file, NULL);
}

char *mtw_pci_driver(const MtwPaths *paths, const char *address)
{
	g_autofree char *path = device_path(paths, address, "driver");

	return mtw_link_name(path);
}

GPtrArray *mtw_pci_driver_devices(const MtwPaths *paths, const char *driver)
{
	GPtrArray *addresses = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *folder = driver_path(paths, driver, NULL);
	g_autoptr(GPtrArray) names = NULL;
	MtwBdf bdf;

	if (!mtw_sysfs_is_name(driver))
		return addresses;
	names = mtw_folder_list(folder);
	for (guint i = 0; i < names->len; i++)
		if (mtw_parse_bdf(names->pdata[i], &bdf))
			g_ptr_array_add(addresses, g_strdup(names->pdata[i]));
	return addresses;
}

char *mtw_pci_driver_module(const MtwPaths *paths, const char *driver)
{
	g_autofree char *link = NULL;
	g_autofree char *state = NULL;
	g_autofree char *module = NULL;

	if (!mtw_sysfs_is_name(driver))
		return NULL;
	link = driver_path(paths, driver, "module");
	module = mtw_link_name(link);
	if (module == NULL)
		return NULL;
	/* Built-in drivers have the link too when they have parameters; but no state of loading. */
	state = mtw_paths_build(paths, MTW_PATH_SYSFS, "module", module, "initstate", NULL);
	return g_file_test(state, G_FILE_TEST_EXISTS) ? g_steal_pointer(&module) : NULL;
}

gboolean mtw_pci_unbind(const MtwPaths *paths, const char *address, GError **error)
{
	g_autofree char *driver = mtw_pci_driver(paths, address);
	g_autofree char *path = NULL;

	if (driver == NULL)
		return TRUE;
	path = driver_path(paths, driver, "unbind");
	if (!mtw_file_write_kernel(path, address, error)) {
		g_prefix_error(error, "cannot take %s from the driver %s: ", address, driver);
		return FALSE;
	}
	return TRUE;
}

/* Says in a person's words what ENOENT and ENODEV mean here. @cause: (transfer full) */
static void set_bind_error(const MtwPaths *paths, const char *address, const char *driver,
			   GError *cause, GError **error)
{
	g_autofree char *folder = driver_path(paths, driver, NULL);

	if (!g_error_matches(cause, MTW_ERROR, MTW_ERROR_NOT_FOUND)) {
		g_propagate_prefixed_error(error, cause, "the driver %s did not take %s: ", driver,
					   address);
		return;
	}
	g_error_free(cause);
	if (g_file_test(folder, G_FILE_TEST_IS_DIR))
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
			    "the driver %s did not take %s: it does not know the device, or could "
			    "not start it (see dmesg)",
			    driver, address);
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "there is no PCI driver %s: its module is not loaded", driver);
}

gboolean mtw_pci_bind(const MtwPaths *paths, const char *address, const char *driver,
		      GError **error)
{
	g_autofree char *bound = mtw_pci_driver(paths, address);
	g_autofree char *path = NULL;
	GError *cause = NULL;

	if (g_strcmp0(bound, driver) == 0)
		return TRUE;
	if (!mtw_sysfs_is_name(driver)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "not a driver's name: %s", driver);
		return FALSE;
	}
	path = driver_path(paths, driver, "bind");
	if (mtw_file_write_kernel(path, address, &cause))
		return TRUE;
	set_bind_error(paths, address, driver, cause, error);
	return FALSE;
}

gboolean mtw_pci_set_override(const MtwPaths *paths, const char *address, const char *driver,
			      GError **error)
{
	g_autofree char *path = device_path(paths, address, "driver_override");
	g_autofree char *line = NULL;

	if (driver != NULL && !mtw_sysfs_is_name(driver)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "not a driver's name: %s", driver);
		return FALSE;
	}
	/* The kernel takes the line end off; a line end alone clears. */
	line = g_strdup_printf("%s\n", driver != NULL ? driver : "");
	return mtw_file_write_kernel(path, line, error);
}

char *mtw_pci_override(const MtwPaths *paths, const char *address)
{
	g_autofree char *path = device_path(paths, address, "driver_override");
	g_autofree char *driver = mtw_file_read_line(path, NULL);

	if (driver == NULL || *driver == '\0' || strcmp(driver, "(null)") == 0)
		return NULL;
	return g_steal_pointer(&driver);
}
