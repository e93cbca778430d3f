/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/desktop.h"

#include "machine/display.h"
#include "machine/session-type.h"
#include "machine/sysfs.h"
#include "machine/systemd.h"
#include "machine/users.h"
#include "machine/vtconsole.h"

#include <string.h>
#include <unistd.h>

/* logind holds the cards of the sessions it watches and lets go of them by itself. */
static gboolean lets_go_by_itself(const char *unit)
{
	return g_str_has_prefix(unit, "systemd-") || g_str_has_prefix(unit, "dbus");
}

static MtwProcess *copy_process(const MtwProcess *process)
{
	MtwProcess *copy = g_new0(MtwProcess, 1);

	copy->pid = process->pid;
	copy->name = g_strdup(process->name);
	return copy;
}

static void add_unit(MtwDesktop *desktop, char *unit)
{
	if (mtw_sysfs_list_has(desktop->units, unit))
		g_free(unit);
	else
		g_ptr_array_add(desktop->units, unit);
}

static void sort_in(const MtwPaths *paths, MtwDesktop *desktop, const MtwProcess *process)
{
	g_autofree char *unit = mtw_systemd_unit_of(paths, process->pid);

	/* systemd itself keeps logind's cards for the case that logind dies. */
	if (process->pid == 1 || (unit != NULL && lets_go_by_itself(unit)))
		return;
	if (unit != NULL)
		add_unit(desktop, g_steal_pointer(&unit));
	else if (mtw_systemd_is_in_session(paths, process->pid))
		g_ptr_array_add(desktop->sessions, copy_process(process));
	else
		g_ptr_array_add(desktop->others, copy_process(process));
}

static gboolean is_active(const MtwPaths *paths, const char *unit)
{
	return g_strcmp0(mtw_systemd_unit_state(paths, unit, NULL), MTW_UNIT_ACTIVE) == 0;
}

/* The display manager goes first: what it started goes with it. */
static void put_manager_first(const MtwPaths *paths, MtwDesktop *desktop)
{
	g_autofree char *manager = mtw_systemd_display_manager(paths);
	guint index;

	if (manager == NULL)
		return;
	if (g_ptr_array_find_with_equal_func(desktop->units, manager, g_str_equal, &index))
		g_ptr_array_remove_index(desktop->units, index);
	else if (desktop->sessions->len == 0 || !is_active(paths, manager))
		return;
	g_ptr_array_insert(desktop->units, 0, g_steal_pointer(&manager));
}

/* What draws in a session that no display manager began (startx) would not come back. */
static void sort_out_sessions(const MtwPaths *paths, MtwDesktop *desktop)
{
	g_autofree char *manager = mtw_systemd_display_manager(paths);

	if (manager != NULL && mtw_sysfs_list_has(desktop->units, manager))
		return;
	g_ptr_array_extend_and_steal(desktop->others, g_steal_pointer(&desktop->sessions));
	desktop->sessions = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_process_free);
}

static void fill_consoles(const MtwPaths *paths, MtwDesktop *desktop, gboolean carries)
{
	if (!carries)
		return;
	g_ptr_array_unref(desktop->consoles);
	desktop->consoles = mtw_vtconsole_framebuffers(paths);
}

static MtwDesktop *desktop_new(void)
{
	MtwDesktop *desktop = g_new0(MtwDesktop, 1);

	desktop->units = g_ptr_array_new_with_free_func(g_free);
	desktop->consoles = g_ptr_array_new_with_free_func(g_free);
	desktop->sessions = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_process_free);
	desktop->others = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_process_free);
	return desktop;
}

/* The desktop's terminals end with it, and what runs in one of its services; a text console or an SSH login does not. */
static gboolean is_inside(const MtwPaths *paths, const MtwDesktop *desktop)
{
	g_autofree char *own = mtw_systemd_unit_of(paths, (guint)getpid());

	return mtw_session_type_of_self(paths) != MTW_SESSION_TYPE_NONE ||
	       (own != NULL && mtw_sysfs_list_has(desktop->units, own));
}

MtwDesktop *mtw_desktop_get(const MtwPaths *paths, const MtwPciDevice *device)
{
	g_autoptr(MtwDesktop) desktop = NULL;
	g_autoptr(MtwDeviceUse) use = NULL;

	if (!mtw_display_is_card(device))
		return NULL;
	use = mtw_device_use_get(paths, device);
	if (use->processes->len == 0 && !use->console)
		return NULL;
	desktop = desktop_new();
	for (guint i = 0; i < use->processes->len; i++)
		sort_in(paths, desktop, use->processes->pdata[i]);
	put_manager_first(paths, desktop);
	sort_out_sessions(paths, desktop);
	fill_consoles(paths, desktop, use->console);
	desktop->inside = desktop->units->len > 0 && is_inside(paths, desktop);
	return g_steal_pointer(&desktop);
}

void mtw_desktop_free(MtwDesktop *desktop)
{
	if (desktop == NULL)
		return;
	g_ptr_array_unref(desktop->units);
	g_ptr_array_unref(desktop->consoles);
	g_ptr_array_unref(desktop->sessions);
	g_ptr_array_unref(desktop->others);
	g_free(desktop);
}

gboolean mtw_desktop_can_pause(const MtwDesktop *desktop)
{
	return desktop->others->len == 0 && !desktop->inside;
}
