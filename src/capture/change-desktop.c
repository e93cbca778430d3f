/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of what is on the screen: services that draw, text consoles. */
#include "base/error.h"
#include "capture/change-ops.h"
#include "machine/systemd.h"
#include "machine/vtconsole.h"

#include <glib/gi18n.h>

static char *unit_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	return g_strdup(mtw_systemd_unit_state(machine->paths, change->subject, error));
}

static gboolean unit_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	return mtw_systemd_stop(machine->paths, change->subject, error);
}

static gboolean unit_undo(MtwChange *change, MtwMachine *machine, const char *now, GError **error)
{
	(void)now;
	return mtw_systemd_start(machine->paths, change->subject, error);
}

const MtwChangeOps mtw_change_unit = {
	.name = "unit",
	.sentence = N_("Stop {subject}; what is open in a desktop of it is closed."),
	.undo_sentence = N_("Start it again."),
	.state = unit_state,
	.apply = unit_apply,
	.undo = unit_undo,
};

static char *vtconsole_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	(void)error;
	return g_strdup(mtw_vtconsole_state(machine->paths, change->subject));
}

static gboolean vtconsole_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	return mtw_vtconsole_set(machine->paths, change->subject, change->after, error);
}

static gboolean vtconsole_undo(MtwChange *change, MtwMachine *machine, const char *now,
			       GError **error)
{
	(void)now;
	return mtw_vtconsole_set(machine->paths, change->subject, change->before, error);
}

/* One that went away with its driver has nothing to be restored: a new one binds by itself. */
static gboolean vtconsole_same(const char *now, const char *wanted)
{
	return now[0] == '\0' && wanted[0] != '\0';
}

const MtwChangeOps mtw_change_vtconsole = {
	.name = "vtconsole",
	.sentence = N_("Take the text consoles ({subject}) off the display."),
	.undo_sentence = N_("Put them back."),
	.state = vtconsole_state,
	.apply = vtconsole_apply,
	.undo = vtconsole_undo,
	.same = vtconsole_same,
};
