/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/change.h"

#include "base/error.h"
#include "capture/change-ops.h"

static const MtwChangeOps *const ops_of_kind[MTW_N_CHANGES] = {
	[MTW_CHANGE_MOUNT_TRACEFS] = &mtw_change_mount_tracefs,
	[MTW_CHANGE_BLACKLIST] = &mtw_change_blacklist,
	[MTW_CHANGE_UNIT] = &mtw_change_unit,
	[MTW_CHANGE_VTCONSOLE] = &mtw_change_vtconsole,
	[MTW_CHANGE_KEEP_AWAY] = &mtw_change_keep_away,
	[MTW_CHANGE_UNLOAD] = &mtw_change_unload,
	[MTW_CHANGE_UNBIND] = &mtw_change_unbind,
	[MTW_CHANGE_SETTING] = &mtw_change_setting,
	[MTW_CHANGE_RECORDING] = &mtw_change_recording,
	[MTW_CHANGE_CLOCK] = &mtw_change_clock,
	[MTW_CHANGE_BUFFER] = &mtw_change_buffer,
	[MTW_CHANGE_CPUS] = &mtw_change_cpus,
	[MTW_CHANGE_TRACER] = &mtw_change_tracer,
	[MTW_CHANGE_LOAD] = &mtw_change_load,
	[MTW_CHANGE_BIND] = &mtw_change_bind,
};

void mtw_machine_clear(MtwMachine *machine)
{
	g_clear_pointer(&machine->tracefs, mtw_tracefs_free);
}

MtwChange *mtw_change_new(MtwChangeKind kind, const char *subject, const char *before,
			  const char *after)
{
	MtwChange *change = g_new0(MtwChange, 1);

	change->kind = kind;
	change->subject = g_strdup(subject);
	change->before = g_strdup(before);
	change->after = g_strdup(after);
	return change;
}

void mtw_change_free(MtwChange *change)
{
	if (change == NULL)
		return;
	g_free(change->subject);
	g_free(change->before);
	g_free(change->after);
	g_free(change->options);
	g_clear_pointer(&change->brought, g_ptr_array_unref);
	g_free(change);
}

static gboolean is_in_state(const MtwChangeOps *ops, const char *now, const char *wanted)
{
	return g_str_equal(now, wanted) || (ops->same != NULL && ops->same(now, wanted));
}

char *mtw_change_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	return ops_of_kind[change->kind]->state(change, machine, error);
}

static gboolean verify(const MtwChange *change, MtwMachine *machine, const char *wanted,
		       GError **error)
{
	const MtwChangeOps *ops = ops_of_kind[change->kind];
	g_autofree char *now = ops->state(change, machine, error);

	if (now == NULL)
		return FALSE;
	if (is_in_state(ops, now, wanted))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "%s is \"%s\" and not \"%s\"",
		    change->subject, now, wanted);
	return FALSE;
}

gboolean mtw_change_prepare(MtwChange *change, MtwMachine *machine, GError **error)
{
	const MtwChangeOps *ops = ops_of_kind[change->kind];

	if (change->before == NULL)
		change->before = ops->original != NULL ? ops->original(change, machine, error)
						       : ops->state(change, machine, error);
	return change->before != NULL;
}

gboolean mtw_change_is_persistent(const MtwChange *change)
{
	return ops_of_kind[change->kind]->persistent;
}

gboolean mtw_change_needed(const MtwChange *change)
{
	return ops_of_kind[change->kind]->always || change->before == NULL ||
	       !g_str_equal(change->before, change->after);
}

gboolean mtw_change_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	const MtwChangeOps *ops = ops_of_kind[change->kind];

	if (!ops->apply(change, machine, error) || !verify(change, machine, change->after, error)) {
		g_prefix_error(error, "%s %s: ", ops->name, change->subject);
		return FALSE;
	}
	change->status = MTW_CHANGE_APPLIED;
	return TRUE;
}

gboolean mtw_change_undo(MtwChange *change, MtwMachine *machine, GError **error)
{
	const MtwChangeOps *ops = ops_of_kind[change->kind];
	g_autofree char *now = NULL;

	if (change->keep) {
		change->status = MTW_CHANGE_UNDONE;
		return TRUE;
	}
	now = ops->state(change, machine, error);
	if (now == NULL) {
		g_prefix_error(error, "%s %s: ", ops->name, change->subject);
		return FALSE;
	}
	if (!is_in_state(ops, now, change->before)) {
		if (!ops->any_state && !is_in_state(ops, now, change->after)) {
			change->status = MTW_CHANGE_LEFT;
			g_set_error(
				error, MTW_ERROR, MTW_ERROR_NOT_RESTORED,
				"%s was changed by somebody else and is left alone: it is \"%s\", "
				"was \"%s\" before and \"%s\" while tracing",
				change->subject, now, change->before, change->after);
			return FALSE;
		}
		if (!ops->undo(change, machine, now, error) ||
		    !verify(change, machine, change->before, error)) {
			g_prefix_error(error, "undo of %s %s: ", ops->name, change->subject);
			return FALSE;
		}
	}
	change->status = MTW_CHANGE_UNDONE;
	return TRUE;
}

const char *mtw_change_sentence(const MtwChange *change)
{
	return ops_of_kind[change->kind]->sentence;
}

const char *mtw_change_undo_sentence(const MtwChange *change)
{
	const MtwChangeOps *ops = ops_of_kind[change->kind];

	if (ops->unchanged_sentence != NULL && g_strcmp0(change->before, change->after) == 0)
		return ops->unchanged_sentence;
	return ops->undo_sentence;
}

const char *mtw_change_kind_name(MtwChangeKind kind)
{
	return ops_of_kind[kind]->name;
}

gboolean mtw_change_kind_from_name(const char *name, MtwChangeKind *ret_kind)
{
	for (int kind = 0; kind < MTW_N_CHANGES; kind++) {
		if (g_str_equal(ops_of_kind[kind]->name, name)) {
			*ret_kind = (MtwChangeKind)kind;
			return TRUE;
		}
	}
	return FALSE;
}
