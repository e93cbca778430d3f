/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How each kind of change is made: one row per kind. Private to capture/change*.c. */
#pragma once

#include "capture/change.h"

typedef struct {
	const char *name;
	const char *sentence;
	const char *undo_sentence;
	const char *unchanged_sentence; /* (nullable): of the undo when `before` is `after` */
	/* (transfer full) (nullable): the state now */
	char *(*state)(const MtwChange *change, MtwMachine *machine, GError **error);
	/* (transfer full) (nullable): what to restore, where that is not the state; (nullable) */
	char *(*original)(const MtwChange *change, MtwMachine *machine, GError **error);
	/* brings the thing from `before` to `after` */
	gboolean (*apply)(MtwChange *change, MtwMachine *machine, GError **error);
	/* brings the thing back to `before`; `now` is its state */
	gboolean (*undo)(MtwChange *change, MtwMachine *machine, const char *now, GError **error);
	/* whether state @now is @wanted, where equal text is too strict; (nullable) */
	gboolean (*same)(const char *now, const char *wanted);
	/* undo from any state: this program itself sets several values */
	gboolean any_state;
	/* worth making, and undoing, even when the thing is in its `after` state already */
	gboolean always;
	/* outlives a restart of the computer */
	gboolean persistent;
} MtwChangeOps;

extern const MtwChangeOps mtw_change_mount_tracefs;
extern const MtwChangeOps mtw_change_blacklist;
extern const MtwChangeOps mtw_change_unit;
extern const MtwChangeOps mtw_change_vtconsole;
extern const MtwChangeOps mtw_change_keep_away;
extern const MtwChangeOps mtw_change_unload;
extern const MtwChangeOps mtw_change_unbind;
extern const MtwChangeOps mtw_change_setting;
extern const MtwChangeOps mtw_change_recording;
extern const MtwChangeOps mtw_change_clock;
extern const MtwChangeOps mtw_change_buffer;
extern const MtwChangeOps mtw_change_cpus;
extern const MtwChangeOps mtw_change_tracer;
extern const MtwChangeOps mtw_change_load;
extern const MtwChangeOps mtw_change_bind;
