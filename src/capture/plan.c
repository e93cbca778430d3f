/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/plan.h"

#include "base/error.h"
#include "capture/buffer.h"
#include "machine/system.h"
#include "machine/systemd.h"

/* No driver has this name: a device with it as driver_override is bound by none. */
#define NO_DRIVER "mmiotrace-wizard"

static MtwChange *add(MtwPlan *plan, MtwChangeKind kind, const char *subject, const char *before,
		      const char *after)
{
	MtwChange *change = mtw_change_new(kind, subject, before, after);

	g_ptr_array_add(plan->changes, change);
	return change;
}

static void add_mount(MtwPlan *plan, MtwMachine *machine)
{
	if (machine->tracefs == NULL)
		add(plan, MTW_CHANGE_MOUNT_TRACEFS, mtw_paths_get(machine->paths, MTW_PATH_TRACEFS),
		    "", "mounted");
}

/* Who shows pictures on the device goes first: the display manager, other services, the text consoles. */
static void add_end_desktop(MtwPlan *plan)
{
	const MtwDesktop *desktop = plan->way->desktop;

	if (desktop == NULL || plan->device->driver == NULL)
		return;
	for (guint i = 0; i < desktop->units->len; i++)
		add(plan, MTW_CHANGE_UNIT, desktop->units->pdata[i], MTW_UNIT_ACTIVE,
		    MTW_UNIT_INACTIVE);
	for (guint i = 0; i < desktop->consoles->len; i++)
		add(plan, MTW_CHANGE_VTCONSOLE, desktop->consoles->pdata[i], "1", "0");
}

/* Frees the device: its module chain goes, or just the device is unbound. */
static void add_free_device(MtwPlan *plan)
{
	const MtwWay *way = plan->way;

	for (guint i = 0; i < way->unload->len; i++)
		add(plan, MTW_CHANGE_UNLOAD, way->unload->pdata[i], "loaded", "");
	if (way->unload->len == 0 && plan->device->driver != NULL)
		add(plan, MTW_CHANGE_UNBIND, plan->device->address, plan->device->driver, "");
}

static gboolean is_unloaded_before(const MtwPlan *plan, const char *module)
{
	return g_ptr_array_find_with_equal_func(plan->way->unload, module, g_str_equal, NULL);
}

/* A desktop needs the whole chain (nvidia, nvidia_modeset, nvidia_drm), and that it is loaded shows in the trace. */
static void add_load_chain(MtwPlan *plan, gboolean keep)
{
	for (guint i = plan->way->unload->len; i > 0; i--) {
		const char *name = plan->way->unload->pdata[i - 1];
		if (g_str_equal(name, plan->way->module))
			continue;
		add(plan, MTW_CHANGE_LOAD, name, "", "loaded")->keep = keep;
	}
}

static void add_start_driver(MtwPlan *plan, const MtwCaptureOptions *options)
{
	const MtwWay *way = plan->way;
	MtwChange *change;

	if (way->kind == MTW_WAY_LOAD || way->kind == MTW_WAY_RELOAD) {
		change = add(plan, MTW_CHANGE_LOAD, way->module, "", "loaded");
		change->options = g_strdup(options->module_options);
		/* A driver that was loaded before may stay, unless with options that were not there. */
		change->keep = options->keep_driver ||
			       (is_unloaded_before(plan, way->module) && change->options == NULL);
		if (way->desktop != NULL)
			add_load_chain(plan, change->keep);
	} else {
		change = add(plan, MTW_CHANGE_BIND, plan->device->address, "", way->driver);
		change->keep =
			options->keep_driver || g_strcmp0(plan->device->driver, way->driver) == 0;
	}
}

/* `before` of what can be read already; the rest is filled in when tracefs is mounted. */
static gboolean fill_before(MtwPlan *plan, MtwMachine *machine, GError **error)
{
	for (guint i = 0; i < plan->changes->len; i++) {
		MtwChange *change = plan->changes->pdata[i];
		gboolean in_tracefs =
			change->kind == MTW_CHANGE_SETTING ||
			change->kind == MTW_CHANGE_RECORDING || change->kind == MTW_CHANGE_CLOCK ||
			change->kind == MTW_CHANGE_BUFFER || change->kind == MTW_CHANGE_TRACER;
		if (in_tracefs && machine->tracefs == NULL)
			continue;
		if (!mtw_change_prepare(change, machine, error))
			return FALSE;
	}
	return TRUE;
}

static guint64 choose_buffer_kb(MtwMachine *machine, const MtwCaptureOptions *options)
{
	if (options->buffer_kb != 0)
		return options->buffer_kb;
	return mtw_buffer_default_kb(mtw_system_memory_available(machine->paths));
}

/* Options count when a module is loaded; one that stays would not hear of them, and the report would say otherwise. */
static gboolean can_take_options(const MtwWay *way, const MtwCaptureOptions *options,
				 GError **error)
{
	if (options->module_options == NULL || way->kind == MTW_WAY_LOAD ||
	    way->kind == MTW_WAY_RELOAD)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "the driver %s stays loaded for this capture and takes no options",
		    way->driver);
	return FALSE;
}

static gboolean decide_way(MtwPlan *plan, MtwMachine *machine, const MtwCaptureOptions *options,
			   GError **error)
{
	const MtwMessage *reason;

	plan->device = mtw_pci_get(machine->paths, options->device, error);
	if (plan->device == NULL)
		return FALSE;
	plan->way = mtw_way_choose(machine->paths, plan->device, options->driver, error);
	if (plan->way == NULL)
		return FALSE;
	if (plan->way->kind != MTW_WAY_NONE)
		return can_take_options(plan->way, options, error);
	reason = plan->way->reason;
	g_set_error(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE, "%s (%s%s%s)", reason->sentence,
		    plan->device->address, reason->detail[0] != '\0' ? ": " : "", reason->detail);
	return FALSE;
}

MtwPlan *mtw_plan_new(MtwMachine *machine, MtwTracer *tracer, const MtwCaptureOptions *options,
		      GError **error)
{
	g_autoptr(MtwPlan) plan = g_new0(MtwPlan, 1);

	plan->changes = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_change_free);
	plan->buffer_kb = choose_buffer_kb(machine, options);
	if (!decide_way(plan, machine, options, error))
		return NULL;
	add_mount(plan, machine);
	for (guint i = 0; i < plan->way->keep_away->len && options->load_driver; i++)
		add(plan, MTW_CHANGE_KEEP_AWAY, plan->way->keep_away->pdata[i], NULL, NO_DRIVER);
	add_end_desktop(plan);
	add_free_device(plan);
	if (!mtw_tracer_plan(tracer, machine, plan->buffer_kb, plan->changes, error))
		return NULL;
	if (options->load_driver)
		add_start_driver(plan, options);
	if (!fill_before(plan, machine, error))
		return NULL;
	return g_steal_pointer(&plan);
}

void mtw_plan_free(MtwPlan *plan)
{
	if (plan == NULL)
		return;
	g_clear_pointer(&plan->device, mtw_pci_device_free);
	g_clear_pointer(&plan->way, mtw_way_free);
	g_clear_pointer(&plan->changes, g_ptr_array_unref);
	g_free(plan);
}
