/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept away at the next start, and whether that helps. */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "capture/next-boot-private.h"
#include "capture/sentences.h"
#include "machine/module.h"
#include "machine/sysfs.h"
#include "machine/systemd.h"
#include "machine/users.h"

void mtw_next_boot_choice_clear(MtwNextBootChoice *choice)
{
	g_clear_pointer(&choice->device, mtw_pci_device_free);
	g_clear_pointer(&choice->way, mtw_way_free);
	g_clear_pointer(&choice->change, mtw_change_free);
}

static void add_module(GPtrArray *modules, const char *name)
{
	if (!mtw_sysfs_list_has(modules, name))
		g_ptr_array_add(modules, g_strdup(name));
}

/* The driver's module, what stands on it (which would bring it along), and whatever else fits the device. */
static GPtrArray *modules_of(const MtwWay *way)
{
	GPtrArray *modules = g_ptr_array_new_with_free_func(g_free);

	add_module(modules, way->module);
	for (guint i = 0; i < way->unload->len; i++)
		add_module(modules, way->unload->pdata[i]);
	for (guint i = 0; i < way->candidates->len; i++)
		add_module(modules, way->candidates->pdata[i]);
	return modules;
}

static char *file_text(const GPtrArray *modules)
{
	GString *text = g_string_new(
		"# Made by mmiotrace-wizard for one start of the computer, which removes it.\n"
		"# To be rid of it: mmiotrace-wizard next-boot --cancel\n");

	for (guint i = 0; i < modules->len; i++)
		g_string_append_printf(text, "blacklist %s\n", (char *)modules->pdata[i]);
	return g_string_free(text, FALSE);
}

/* A driver that cannot be got rid of now is what the next start is for. */
static gboolean matters_only_now(const MtwMessage *reason)
{
	return g_str_equal(reason->id, "device-permanent");
}

/* Not even for as long as the start takes to come to the capture: its file systems come first. */
static MtwMessage *find_disks(const MtwPaths *paths, const GPtrArray *modules)
{
	g_autoptr(GPtrArray) devices = mtw_pci_list(paths);

	for (guint i = 0; i < devices->len; i++) {
		const MtwPciDevice *device = devices->pdata[i];
		g_autoptr(MtwDeviceUse) use = NULL;
		if (device->module == NULL || !mtw_sysfs_list_has(modules, device->module))
			continue;
		use = mtw_device_use_get(paths, device);
		if (use->mounts->len + use->swaps->len + use->claimed->len > 0)
			return mtw_sentence_new(MTW_SENTENCE_NEXT_BOOT_DISKS, "%s: %s",
						device->module, device->address);
	}
	return NULL;
}

MtwMessage *mtw_next_boot_obstacle(const MtwPaths *paths, const MtwWay *way)
{
	g_autoptr(MtwModule) module =
		way->module != NULL ? mtw_module_get(paths, way->module) : NULL;
	g_autoptr(GPtrArray) modules = NULL;
	const MtwMessage *reason = way->reason;

	if (way->kind == MTW_WAY_NONE && !matters_only_now(reason))
		return mtw_message_copy(reason);
	if (module == NULL || module->builtin)
		return mtw_sentence_new(MTW_SENTENCE_NEXT_BOOT_BUILT_IN, "%s",
					way->driver != NULL ? way->driver : "");
	modules = modules_of(way);
	return find_disks(paths, modules);
}

static gboolean is_possible(const MtwPaths *paths, const MtwWay *way, GError **error)
{
	g_autoptr(MtwMessage) obstacle = mtw_next_boot_obstacle(paths, way);

	if (obstacle != NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE, "%s (%s)", obstacle->sentence,
			    obstacle->detail);
	else if (!mtw_systemd_starts(paths, MTW_NEXT_BOOT_UNIT, MTW_NEXT_BOOT_TARGET))
		g_set_error(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE,
			    "systemd would not start %s: it is not installed, or switched off",
			    MTW_NEXT_BOOT_UNIT);
	else
		return TRUE;
	return FALSE;
}

void mtw_next_boot_judge_fix(const MtwPaths *paths, const MtwWay *way, MtwMessage *message)
{
	if (g_strcmp0(message->fix, MTW_FIX_NEXT_BOOT) == 0 && !is_possible(paths, way, NULL))
		message->fix = NULL;
}

gboolean mtw_next_boot_choose(const MtwPaths *paths, const MtwCaptureOptions *options,
			      MtwNextBootChoice *ret_choice, GError **error)
{
	g_autoptr(GPtrArray) modules = NULL;
	g_autofree char *text = NULL;

	*ret_choice = (MtwNextBootChoice){ 0 };
	ret_choice->device = mtw_pci_get(paths, options->device, error);
	if (ret_choice->device == NULL)
		return FALSE;
	ret_choice->way = mtw_way_choose(paths, ret_choice->device, options->driver, error);
	if (ret_choice->way == NULL || !is_possible(paths, ret_choice->way, error))
		return FALSE;
	modules = modules_of(ret_choice->way);
	text = file_text(modules);
	ret_choice->change = mtw_change_new(MTW_CHANGE_BLACKLIST, MTW_NEXT_BOOT_FILE, "", text);
	return TRUE;
}

JsonObject *mtw_next_boot_plan(const MtwPaths *paths, const MtwCaptureOptions *options,
			       GError **error)
{
	g_auto(MtwNextBootChoice) choice = { 0 };
	JsonArray *changes;
	JsonObject *plan;

	if (!mtw_next_boot_choose(paths, options, &choice, error))
		return NULL;
	changes = json_array_new();
	json_array_add_object_element(changes, mtw_change_to_json(choice.change));
	plan = json_object_new();
	json_object_set_string_member(plan, "device", choice.device->address);
	json_object_set_string_member(plan, "way", "next-boot");
	mtw_json_set_text(plan, "driver", choice.way->module);
	json_object_set_int_member(plan, "buffer_kb", (gint64)options->buffer_kb);
	json_object_set_boolean_member(plan, "ends_desktop", FALSE);
	json_object_set_array_member(plan, "changes", changes);
	return plan;
}
