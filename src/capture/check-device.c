/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of one device: what it is, how it can be traced, who uses it. */
#include "capture/check-private.h"

#include "base/text.h"
#include "capture/next-boot.h"
#include "machine/lockdown.h"
#include "machine/module.h"
#include "machine/system.h"
#include "machine/users.h"

void mtw_check_bars(MtwCheck *check)
{
	g_autoptr(GPtrArray) bars = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = NULL;

	for (int i = 0; i < MTW_PCI_BARS; i++) {
		const MtwPciBar *bar = &check->device->bars[i];
		g_autofree char *size = mtw_text_bytes_data(bar->length);
		if (bar->kind == MTW_BAR_MEMORY)
			g_ptr_array_add(bars, g_strdup_printf("%d: 0x%" G_GINT64_MODIFIER "x (%s)",
							      i, bar->start, size));
	}
	text = mtw_sentence_list(bars);
	mtw_check_say(check, MTW_SENTENCE_BARS, "%s", text);
}

static void say_driver(MtwCheck *check, const MtwWay *way)
{
	g_autofree char *candidates = mtw_sentence_list(way->candidates);

	if (way->old_driver != NULL)
		mtw_check_say(check, MTW_SENTENCE_DRIVER, "%s", way->old_driver);
	else
		mtw_check_say(check, MTW_SENTENCE_DRIVER_LATER, "%s", candidates);
}

/* "module_blacklist=nouveau,nvidia" is the kernel's own: unlike modprobe's, it refuses every load. */
static gboolean is_forbidden(const MtwPaths *paths, const char *module)
{
	g_autofree char *cmdline = mtw_system_cmdline(paths);
	g_autofree char *value = mtw_cmdline_value(cmdline, "module_blacklist");
	g_auto(GStrv) names = value != NULL ? g_strsplit(value, ",", -1) : NULL;

	for (char **name = names; name != NULL && *name != NULL; name++)
		if (mtw_module_same_name(*name, module))
			return TRUE;
	return FALSE;
}

void mtw_check_module(MtwCheck *check, const MtwWay *way, gboolean must_load)
{
	if (way->module == NULL)
		mtw_check_say(check, MTW_SENTENCE_BUILT_IN, "%s", way->driver);
	else if (must_load && is_forbidden(check->paths, way->module))
		mtw_check_say(check, MTW_SENTENCE_MODULE_FORBIDDEN, "%s", way->module);
	else if (must_load && mtw_lockdown_get(check->paths) >= MTW_LOCKDOWN_INTEGRITY &&
		 !mtw_module_is_signed(check->paths, way->module))
		mtw_check_say(check, MTW_SENTENCE_UNSIGNED, "%s", way->module);
	else
		mtw_check_say(check, MTW_SENTENCE_MODULE, "%s", way->module);
}

static void say_shared(MtwCheck *check, const MtwWay *way)
{
	g_autoptr(GPtrArray) others = NULL;
	g_autofree char *text = NULL;
	guint own;

	if (way->old_driver == NULL)
		return;
	others = mtw_pci_driver_devices(check->paths, way->old_driver);
	if (g_ptr_array_find_with_equal_func(others, check->device->address, g_str_equal, &own))
		g_ptr_array_remove_index(others, own);
	text = mtw_sentence_list(others);
	if (others->len > 0)
		mtw_check_say(check, MTW_SENTENCE_SHARED, "%s: %s", way->old_driver, text);
}

/* Who cannot be started again has to be ended by the person. */
static void say_desktop(MtwCheck *check, const MtwDesktop *desktop)
{
	g_autofree char *units = mtw_sentence_list(desktop->units);
	g_autofree char *others = mtw_users_text(desktop->others);

	if (desktop->others->len > 0)
		mtw_check_say(check, MTW_SENTENCE_DISPLAY_IN_USE, "%s", others);
	else if (desktop->inside)
		mtw_check_say(check, MTW_SENTENCE_DISPLAY_INSIDE, "%s", units);
	else if (desktop->units->len > 0)
		mtw_check_say(check, MTW_SENTENCE_DISPLAY_PAUSED, "%s", units);
}

/* Returns whether programs show something on the device. */
static gboolean say_display(MtwCheck *check)
{
	g_autoptr(MtwDesktop) desktop = mtw_desktop_get(check->paths, check->device);

	if (desktop == NULL)
		return FALSE;
	say_desktop(check, desktop);
	return desktop->units->len > 0 || desktop->others->len > 0;
}

/* Mount points tell a person most; then swap; then whatever else holds the disk. */
static gboolean say_disk(MtwCheck *check, const MtwDeviceUse *use)
{
	const GPtrArray *first = use->mounts->len > 0  ? use->mounts
				 : use->swaps->len > 0 ? use->swaps
						       : use->claimed;
	g_autofree char *names = mtw_sentence_list(first);

	if (first->len > 0)
		mtw_check_say(check, MTW_SENTENCE_DISK_IN_USE, "%s", names);
	return first->len > 0;
}

static void say_use(MtwCheck *check)
{
	g_autoptr(MtwDeviceUse) use = mtw_device_use_get(check->paths, check->device);
	g_autofree char *interfaces = mtw_sentence_list(use->interfaces);
	g_autofree char *processes = mtw_users_text(use->processes);
	gboolean used = say_disk(check, use);

	/* Whoever draws on it is named there already. */
	if (say_display(check))
		used = TRUE;
	else if (use->processes->len > 0)
		mtw_check_say(check, MTW_SENTENCE_USERS, "%s", processes);
	if (use->console)
		mtw_check_say(check, MTW_SENTENCE_CONSOLE, NULL);
	if (use->interfaces->len > 0)
		mtw_check_say(check,
			      use->default_route ? MTW_SENTENCE_DEFAULT_ROUTE
						 : MTW_SENTENCE_NETWORK,
			      "%s", interfaces);
	if (!used && use->processes->len == 0 && !use->console && use->interfaces->len == 0)
		mtw_check_say(check, MTW_SENTENCE_NO_USERS, NULL);
}

static void say_way(MtwCheck *check)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwWay) way =
		mtw_way_choose(check->paths, check->device, check->options->driver, &error);

	if (way == NULL) {
		mtw_check_say(check, MTW_SENTENCE_DRIVER_CHOICE, "%s", error->message);
		return;
	}
	if (check->options->next_boot) {
		mtw_check_next_boot(check, way);
		return;
	}
	if (way->kind != MTW_WAY_NONE) {
		mtw_check_bars(check);
		say_driver(check, way);
		mtw_check_module(check, way,
				 way->kind == MTW_WAY_LOAD || way->kind == MTW_WAY_RELOAD);
		say_shared(check, way);
	}
	g_ptr_array_add(check->messages, mtw_message_copy(way->reason));
	if (way->kind != MTW_WAY_NONE)
		say_use(check);
	for (guint i = 0; i < check->messages->len; i++)
		mtw_next_boot_judge_fix(check->paths, way, check->messages->pdata[i]);
}

void mtw_check_device(MtwCheck *check)
{
	const MtwPciDevice *device = check->device;

	if (device == NULL) {
		mtw_check_say(check, MTW_SENTENCE_NO_DEVICE, "%s", check->options->device);
		return;
	}
	mtw_check_say(check, MTW_SENTENCE_DEVICE, "%s [%04x:%04x] %s %s", device->address,
		      device->vendor, device->device, device->vendor_name, device->device_name);
	say_way(check);
}
