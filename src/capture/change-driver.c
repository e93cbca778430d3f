/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of drivers: modules loaded and unloaded, devices bound and unbound. */
#include "base/error.h"
#include "capture/change-ops.h"
#include "machine/module.h"
#include "machine/pci.h"

#include <glib/gi18n.h>

#define LOADED "loaded"
#define UNLOAD_PATIENCE_USEC (20 * G_USEC_PER_SEC)
#define UNLOAD_RETRY_USEC (200 * 1000)

static char *module_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	(void)error;
	return g_strdup(mtw_module_is_loaded(machine->paths, change->subject) ? LOADED : "");
}

/* Programs that end let go one after the other; udev looks into a device for a moment. */
static gboolean unload_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	gint64 deadline_usec = g_get_monotonic_time() + UNLOAD_PATIENCE_USEC;
	g_autoptr(GError) why = NULL;

	while (!mtw_module_unload(machine->paths, change->subject, &why)) {
		if (!g_error_matches(why, MTW_ERROR, MTW_ERROR_BUSY) ||
		    g_get_monotonic_time() > deadline_usec) {
			g_propagate_error(error, g_steal_pointer(&why));
			return FALSE;
		}
		g_clear_error(&why);
		g_usleep(UNLOAD_RETRY_USEC);
	}
	return TRUE;
}

static gboolean unload_undo(MtwChange *change, MtwMachine *machine, const char *now, GError **error)
{
	(void)now;
	return mtw_module_load(machine->paths, change->subject, NULL, error);
}

const MtwChangeOps mtw_change_unload = {
	.name = "unload",
	.sentence = N_("Unload the kernel module {subject}; its device stops working for a while."),
	.undo_sentence = N_("Load it again."),
	.state = module_state,
	.apply = unload_apply,
	.undo = unload_undo,
};

/* The names of @now that are not in @before: both are sorted lists. */
static GPtrArray *new_names(const GPtrArray *before, const GPtrArray *now)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < now->len; i++)
		if (!g_ptr_array_find_with_equal_func((GPtrArray *)before, now->pdata[i],
						      g_str_equal, NULL))
			g_ptr_array_add(names, g_strdup(now->pdata[i]));
	return names;
}

static gboolean load_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	g_autoptr(GPtrArray) before = mtw_module_loaded_names(machine->paths);
	gboolean loaded = mtw_module_load(machine->paths, change->subject, change->options, error);
	g_autoptr(GPtrArray) now = mtw_module_loaded_names(machine->paths);

	g_clear_pointer(&change->brought, g_ptr_array_unref);
	change->brought = new_names(before, now);
	return loaded;
}

/* What came with the module goes with it, as far as nobody uses it by now. */
static void unload_brought(const MtwChange *change, MtwMachine *machine)
{
	gboolean progress = change->brought != NULL;

	while (progress) {
		progress = FALSE;
		for (guint i = 0; i < change->brought->len; i++) {
			const char *name = change->brought->pdata[i];
			if (mtw_module_is_loaded(machine->paths, name) &&
			    mtw_module_unload(machine->paths, name, NULL))
				progress = TRUE;
		}
	}
}

static gboolean load_undo(MtwChange *change, MtwMachine *machine, const char *now, GError **error)
{
	(void)now;
	unload_brought(change, machine);
	return mtw_module_unload(machine->paths, change->subject, error);
}

const MtwChangeOps mtw_change_load = {
	.name = "load",
	.sentence = N_("Load the kernel module {subject} while the tracer watches."),
	.undo_sentence = N_("Unload it, unless it was loaded before."),
	.state = module_state,
	.apply = load_apply,
	.undo = load_undo,
};

static char *binding_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	char *driver = mtw_pci_driver(machine->paths, change->subject);

	(void)error;
	return driver != NULL ? driver : g_strdup("");
}

static gboolean unbind(MtwChange *change, MtwMachine *machine, GError **error)
{
	return mtw_pci_unbind(machine->paths, change->subject, error);
}

static gboolean unbind_undo(MtwChange *change, MtwMachine *machine, const char *now, GError **error)
{
	(void)now;
	return mtw_pci_bind(machine->paths, change->subject, change->before, error);
}

const MtwChangeOps mtw_change_unbind = {
	.name = "unbind",
	.sentence = N_("Take the device {subject} away from its driver {before}."),
	.undo_sentence = N_("Give it back to {before}."),
	.state = binding_state,
	.apply = unbind,
	.undo = unbind_undo,
};

static gboolean bind_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	return mtw_pci_bind(machine->paths, change->subject, change->after, error);
}

static gboolean bind_undo(MtwChange *change, MtwMachine *machine, const char *now, GError **error)
{
	(void)now;
	return unbind(change, machine, error);
}

const MtwChangeOps mtw_change_bind = {
	.name = "bind",
	.sentence = N_("Give the device {subject} to its driver {after} while the tracer watches."),
	.undo_sentence = N_("Take it away again, unless the driver had it before."),
	.state = binding_state,
	.apply = bind_apply,
	.undo = bind_undo,
};

static char *override_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	char *name = mtw_pci_override(machine->paths, change->subject);

	(void)error;
	return name != NULL ? name : g_strdup("");
}

static gboolean keep_away_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	return mtw_pci_set_override(machine->paths, change->subject, change->after, error);
}

static gboolean keep_away_undo(MtwChange *change, MtwMachine *machine, const char *now,
			       GError **error)
{
	(void)now;
	return mtw_pci_set_override(machine->paths, change->subject,
				    change->before[0] != '\0' ? change->before : NULL, error);
}

const MtwChangeOps mtw_change_keep_away = {
	.name = "keep-away",
	.sentence = N_("Keep the driver away from the other device {subject}."),
	.undo_sentence = N_("Let drivers have it again."),
	.state = override_state,
	.apply = keep_away_apply,
	.undo = keep_away_undo,
};
