/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/way.h"

#include "base/error.h"
#include "base/file.h"
#include "capture/sentences.h"
#include "machine/module.h"
#include "machine/sysfs.h"

#include <string.h>

#define CLASS_BRIDGE 0x06
#define CLASS_PCI_BRIDGE 0x0604

typedef struct {
	const MtwPaths *paths;
	const MtwPciDevice *device;
	MtwWay *way;
} Choice;

static MtwWay *way_new(const MtwPciDevice *device)
{
	MtwWay *way = g_new0(MtwWay, 1);

	way->old_driver = g_strdup(device->driver);
	way->unload = g_ptr_array_new_with_free_func(g_free);
	way->candidates = g_ptr_array_new_with_free_func(g_free);
	way->keep_away = g_ptr_array_new_with_free_func(g_free);
	return way;
}

void mtw_way_free(MtwWay *way)
{
	if (way == NULL)
		return;
	g_free(way->driver);
	g_free(way->module);
	g_free(way->old_driver);
	g_ptr_array_unref(way->unload);
	g_ptr_array_unref(way->candidates);
	g_ptr_array_unref(way->keep_away);
	mtw_desktop_free(way->desktop);
	mtw_message_free(way->reason);
	g_free(way);
}

const char *mtw_way_name(MtwWayKind kind)
{
	static const char *const names[] = {
		[MTW_WAY_NONE] = "none",     [MTW_WAY_LOAD] = "load",	  [MTW_WAY_BIND] = "bind",
		[MTW_WAY_RELOAD] = "reload", [MTW_WAY_REBIND] = "rebind",
	};

	return names[kind];
}

/* @reason: (transfer full) */
static void decide(Choice *choice, MtwWayKind kind, MtwMessage *reason)
{
	choice->way->kind = kind;
	mtw_message_free(choice->way->reason);
	choice->way->reason = reason;
}

/* Drivers that hand the device to a program: the kernel then maps nothing itself. */
static gboolean is_userspace_driver(const char *driver)
{
	static const char *const names[] = { "uio_pci_generic", "igb_uio", "pci-stub", "pciback",
					     "xen-pciback" };

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(driver, names[i]) == 0)
			return TRUE;
	return strstr(driver, "vfio") != NULL;
}

/* A PCI-to-PCI bridge with no device behind it (an empty slot) can be stopped, others cannot. */
static gboolean is_bridge_in_use(const MtwPaths *paths, const MtwPciDevice *device)
{
	g_autofree char *folder = mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices",
						  device->address, NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);
	MtwBdf bdf;

	if (device->class_code >> 16 != CLASS_BRIDGE)
		return FALSE;
	if (device->class_code >> 8 != CLASS_PCI_BRIDGE)
		return TRUE;
	for (guint i = 0; i < names->len; i++)
		if (mtw_parse_bdf(names->pdata[i], &bdf))
			return TRUE;
	return FALSE;
}

/* What rules the device out whatever its driver is. Returns: (transfer full) (nullable) */
static MtwMessage *find_obstacle(const MtwPaths *paths, const MtwPciDevice *device)
{
	if (is_bridge_in_use(paths, device))
		return mtw_sentence_new(MTW_SENTENCE_WAY_BRIDGE, "%s", device->address);
	if (!mtw_pci_has_memory_bar(device))
		return mtw_sentence_new(MTW_SENTENCE_WAY_NO_BARS, "%s", device->address);
	return NULL;
}

/* Some drivers do not let go of a device (suppress_bind_attrs): the file is not there then. */
static gboolean can_unbind(const Choice *choice)
{
	g_autofree char *path = mtw_paths_build(choice->paths, MTW_PATH_SYSFS, "bus", "pci",
						"drivers", choice->device->driver, "unbind", NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* Devices that the modules of @chain drive, except the target and what is on it: "a, b", or "". */
static char *other_devices(const Choice *choice, const GPtrArray *chain)
{
	g_autofree char *path = mtw_paths_build(choice->paths, MTW_PATH_SYSFS, "bus", "pci",
						"devices", choice->device->address, NULL);
	g_autofree char *target = mtw_sysfs_resolve(path);
	g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < chain->len; i++) {
		g_autoptr(GPtrArray) devices = mtw_module_devices(choice->paths, chain->pdata[i]);
		for (guint j = 0; j < devices->len; j++)
			if (target == NULL || !mtw_sysfs_is_below(devices->pdata[j], target))
				g_ptr_array_add(others, g_path_get_basename(devices->pdata[j]));
	}
	return mtw_sentence_list(others);
}

/*
 * The first module of @chain that could not be loaded again: its file went with an update, or it
 * was loaded from somewhere else. Returns: (transfer none) (nullable)
 */
static const char *first_not_installed(const Choice *choice, const GPtrArray *chain)
{
	for (guint i = 0; i < chain->len; i++)
		if (!mtw_module_exists(choice->paths, chain->pdata[i]))
			return chain->pdata[i];
	return NULL;
}

/*
 * Why the modules of the bound driver cannot be unloaded without touching something else.
 * @ret_chain: (out): the modules to unload, when they can be
 * Returns: (transfer full) (nullable): NULL when they can be unloaded
 */
static MtwMessage *find_unload_obstacle(const Choice *choice, GPtrArray **ret_chain)
{
	const char *driver = choice->device->driver;
	const char *module = choice->device->module;
	g_autoptr(GPtrArray) chain = NULL;
	g_autoptr(GError) busy = NULL;
	g_autofree char *others = NULL;

	if (module == NULL)
		return mtw_sentence_new(MTW_SENTENCE_WAY_BUILT_IN, "%s", driver);
	/* Who draws on it is ended first, so that its users do not count. */
	chain = choice->way->desktop != NULL
			? mtw_module_chain_once_free(choice->paths, module, &busy)
			: mtw_module_chain(choice->paths, module, &busy);
	if (chain == NULL) {
		g_autoptr(MtwModule) state = mtw_module_get(choice->paths, module);
		return mtw_sentence_new(state->permanent ? MTW_SENTENCE_WAY_PERMANENT
							 : MTW_SENTENCE_WAY_IN_USE,
					"%s", busy->message);
	}
	others = other_devices(choice, chain);
	if (*others != '\0')
		return mtw_sentence_new(MTW_SENTENCE_WAY_SHARED, "%s: %s", driver, others);
	if (first_not_installed(choice, chain) != NULL)
		return mtw_sentence_new(MTW_SENTENCE_WAY_NOT_INSTALLED, "%s",
					first_not_installed(choice, chain));
	*ret_chain = g_steal_pointer(&chain);
	return NULL;
}

/*
 * How the bound driver gives the device up: RELOAD by unloading its modules (fills way->unload),
 * REBIND by unbinding this one device, NONE when neither works. @ret_reason: (out) (transfer full)
 */
static MtwWayKind choose_release(Choice *choice, MtwMessage **ret_reason)
{
	const MtwPciDevice *device = choice->device;
	GPtrArray *chain = NULL;
	g_autoptr(MtwMessage) obstacle = find_unload_obstacle(choice, &chain);
	g_autofree char *names = NULL;

	if (chain != NULL) {
		names = mtw_sentence_list(chain);
		g_ptr_array_unref(choice->way->unload);
		choice->way->unload = chain;
		*ret_reason =
			mtw_sentence_new(MTW_SENTENCE_WAY_RELOAD, "%s: %s", device->driver, names);
		return MTW_WAY_RELOAD;
	}
	if (can_unbind(choice)) {
		*ret_reason = g_steal_pointer(&obstacle);
		return MTW_WAY_REBIND;
	}
	*ret_reason = mtw_sentence_new(device->module != NULL ? MTW_SENTENCE_WAY_STUCK
							      : MTW_SENTENCE_WAY_STUCK_BUILT_IN,
				       "%s: %s", device->driver, obstacle->detail);
	return MTW_WAY_NONE;
}

/* The driver that has the device is the one to trace. */
static void choose_bound(Choice *choice)
{
	MtwMessage *reason = NULL;
	MtwWayKind kind = choose_release(choice, &reason);

	decide(choice, kind, reason);
	choice->way->driver = g_strdup(choice->device->driver);
	choice->way->module = g_strdup(choice->device->module);
}

/*
 * The PCI driver there is already that @name (a driver or a module) stands for. A module with
 * several drivers is rare; the first one is taken. Returns: (transfer full) (nullable)
 */
static char *find_registered_driver(const MtwPaths *paths, const char *name)
{
	g_autofree char *folder =
		mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "drivers", NULL);
	g_autoptr(GPtrArray) drivers = mtw_folder_list(folder);
	g_autoptr(MtwModule) module = mtw_module_get(paths, name);

	if (mtw_sysfs_list_has(drivers, name))
		return g_strdup(name);
	if ((module->loaded || module->builtin) && module->drivers->len > 0)
		return g_strdup(module->drivers->pdata[0]);
	for (guint i = 0; module->builtin && i < drivers->len; i++)
		if (mtw_module_same_name(drivers->pdata[i], name))
			return g_strdup(drivers->pdata[i]);
	return NULL;
}

/* Nothing, or a driver other than @name (module or PCI driver), has the device. */
static void choose_new(Choice *choice, const char *name)
{
	g_autofree char *driver = find_registered_driver(choice->paths, name);
	MtwWay *way = choice->way;
	g_autoptr(MtwMessage) reason = NULL;

	if (choice->device->driver != NULL && choose_release(choice, &reason) == MTW_WAY_NONE) {
		decide(choice, MTW_WAY_NONE, g_steal_pointer(&reason));
	} else if (driver != NULL) {
		way->module = mtw_pci_driver_module(choice->paths, driver);
		way->driver = g_steal_pointer(&driver);
		decide(choice, MTW_WAY_BIND,
		       mtw_sentence_new(MTW_SENTENCE_WAY_BIND, "%s", way->driver));
	} else if (mtw_module_is_loaded(choice->paths, name)) {
		decide(choice, MTW_WAY_NONE,
		       mtw_sentence_new(MTW_SENTENCE_WAY_NO_PCI_DRIVER, "%s", name));
	} else {
		way->module = g_strdelimit(g_strdup(name), "-", '_');
		decide(choice, MTW_WAY_LOAD,
		       mtw_sentence_new(MTW_SENTENCE_WAY_LOAD, "%s", way->module));
	}
}

static gboolean is_bound_to(const MtwPciDevice *device, const char *wanted)
{
	return device->driver != NULL &&
	       (mtw_module_same_name(device->driver, wanted) ||
		(device->module != NULL && mtw_module_same_name(device->module, wanted)));
}

/* Whether @wanted is there at all and says that it can drive the device. */
static gboolean check_wanted(const Choice *choice, const char *wanted, GError **error)
{
	g_autofree char *driver = find_registered_driver(choice->paths, wanted);
	g_autofree char *known = mtw_sentence_list(choice->way->candidates);
	const char *known_or_none = *known != '\0' ? known : "none";

	if (driver != NULL)
		return TRUE;
	if (!mtw_module_exists(choice->paths, wanted)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "there is no driver or module %s for this kernel (known for %s: %s)",
			    wanted, choice->device->address, known_or_none);
		return FALSE;
	}
	if (!mtw_module_would_bind(choice->paths, wanted, choice->device->modalias)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "the module %s does not say that it can drive %s (known for it: %s)",
			    wanted, choice->device->address, known_or_none);
		return FALSE;
	}
	return TRUE;
}

/* Modules that are blacklisted count when there is no other: whoever traces wants one loaded. */
GPtrArray *mtw_way_candidates(const MtwPaths *paths, const MtwPciDevice *device)
{
	GPtrArray *candidates = mtw_module_candidates(paths, device->modalias);

	if (candidates->len > 0)
		return candidates;
	g_ptr_array_unref(candidates);
	return mtw_module_matches(paths, device->modalias);
}

static gboolean choose_only_candidate(Choice *choice, GError **error)
{
	const GPtrArray *candidates = choice->way->candidates;
	g_autofree char *names = mtw_sentence_list(candidates);

	if (candidates->len > 1) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "several modules can drive %s: %s; name one with --driver",
			    choice->device->address, names);
		return FALSE;
	}
	if (candidates->len == 0)
		decide(choice, MTW_WAY_NONE,
		       mtw_sentence_new(MTW_SENTENCE_WAY_NO_DRIVER, "%s",
					choice->device->modalias));
	else
		choose_new(choice, candidates->pdata[0]);
	return TRUE;
}

static gboolean choose(Choice *choice, const char *wanted, GError **error)
{
	const MtwPciDevice *device = choice->device;
	gboolean bound = device->driver != NULL && (wanted == NULL || is_bound_to(device, wanted));

	g_ptr_array_unref(choice->way->candidates);
	choice->way->candidates = mtw_way_candidates(choice->paths, device);
	if (bound && is_userspace_driver(device->driver)) {
		decide(choice, MTW_WAY_NONE,
		       mtw_sentence_new(MTW_SENTENCE_WAY_USERSPACE, "%s", device->driver));
		return TRUE;
	}
	if (bound) {
		choose_bound(choice);
		return TRUE;
	}
	if (wanted == NULL)
		return choose_only_candidate(choice, error);
	if (!check_wanted(choice, wanted, error))
		return FALSE;
	choose_new(choice, wanted);
	return TRUE;
}

/* A driver_override that names another driver would keep the chosen one away. */
static void heed_override(Choice *choice)
{
	const char *override = choice->device->driver_override;
	const MtwWay *way = choice->way;
	const char *name = way->driver != NULL ? way->driver : way->module;

	if (way->kind == MTW_WAY_NONE || override == NULL || mtw_module_same_name(override, name))
		return;
	g_ptr_array_set_size(way->unload, 0);
	decide(choice, MTW_WAY_NONE,
	       mtw_sentence_new(MTW_SENTENCE_WAY_OVERRIDE, "%s: %s", choice->device->address,
				override));
}

/* Other devices without a driver, which the module would take as well when it is loaded. */
static void fill_keep_away(Choice *choice)
{
	g_autoptr(GPtrArray) devices = mtw_pci_list(choice->paths);

	for (guint i = 0; i < devices->len; i++) {
		const MtwPciDevice *other = devices->pdata[i];
		if (other->driver != NULL || other->driver_override != NULL ||
		    strcmp(other->address, choice->device->address) == 0)
			continue;
		if (mtw_module_would_bind(choice->paths, choice->way->module, other->modalias))
			g_ptr_array_add(choice->way->keep_away, g_strdup(other->address));
	}
}

/* One that cannot be ended in order is an obstacle of the checks, and no help here. */
static MtwDesktop *find_desktop(const MtwPaths *paths, const MtwPciDevice *device)
{
	g_autoptr(MtwDesktop) desktop = mtw_desktop_get(paths, device);

	if (desktop == NULL || !mtw_desktop_can_pause(desktop))
		return NULL;
	return g_steal_pointer(&desktop);
}

MtwWay *mtw_way_choose(const MtwPaths *paths, const MtwPciDevice *device, const char *wanted,
		       GError **error)
{
	g_autoptr(MtwWay) way = way_new(device);
	Choice choice = { .paths = paths, .device = device, .way = way };
	MtwMessage *obstacle = find_obstacle(paths, device);

	if (obstacle != NULL) {
		decide(&choice, MTW_WAY_NONE, obstacle);
		return g_steal_pointer(&way);
	}
	way->desktop = find_desktop(paths, device);
	if (!choose(&choice, wanted, error))
		return NULL;
	heed_override(&choice);
	if (way->kind == MTW_WAY_LOAD || way->kind == MTW_WAY_RELOAD)
		fill_keep_away(&choice);
	return g_steal_pointer(&way);
}
