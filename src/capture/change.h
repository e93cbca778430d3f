/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reversible change to the machine. Written into the journal before it is made, undone whatever
 * happens, verified by reading back.
 *
 * `before` and `after` are the state of the thing as text, so that the next process can undo what a
 * dead one did. Undo first looks: already `before` is fine; `after` is undone; anything else belongs
 * to somebody else, is left alone and reported.
 */
#pragma once

#include "base/paths.h"
#include "machine/tracefs.h"

typedef enum {
	MTW_CHANGE_MOUNT_TRACEFS, /* subject: mount point; state: "mounted" or "" */
	MTW_CHANGE_BLACKLIST, /* subject: file in modprobe.d; state: its text, "" for none; outlives a restart */
	MTW_CHANGE_UNIT,      /* subject: service of systemd; state: "active" or "inactive" */
	MTW_CHANGE_VTCONSOLE, /* subject: "vtcon1"; state: "1" bound or "0" */
	MTW_CHANGE_KEEP_AWAY, /* subject: address of another device; state: its driver_override or "" */
	MTW_CHANGE_UNLOAD,    /* subject: module; state: "loaded" or "" */
	MTW_CHANGE_UNBIND,    /* subject: address; state: bound driver or "" */
	MTW_CHANGE_SETTING,   /* subject: file of tracefs; state: its value */
	MTW_CHANGE_RECORDING, /* subject: tracing_on; state: "1" or "0" */
	MTW_CHANGE_CLOCK,     /* subject: trace_clock; state: the chosen clock */
	MTW_CHANGE_BUFFER,    /* subject: per_cpu/cpuN/buffer_size_kb; state: KB */
	MTW_CHANGE_CPUS, /* subject: "cpus"; state: on-line list, after: "" (any); made by the tracer */
	MTW_CHANGE_TRACER, /* subject: current_tracer; state: its name */
	MTW_CHANGE_LOAD,   /* subject: module; state: "loaded" or "" */
	MTW_CHANGE_BIND,   /* subject: address; state: bound driver or "" */
	MTW_N_CHANGES,
} MtwChangeKind;

typedef enum {
	MTW_CHANGE_PLANNED, /* in the journal; perhaps made, perhaps not */
	MTW_CHANGE_APPLIED,
	MTW_CHANGE_UNDONE,
	MTW_CHANGE_LEFT, /* found in a state that is not ours, left alone */
} MtwChangeStatus;

typedef struct {
	MtwChangeKind kind;
	char *subject;
	char *before; /* (nullable): NULL: not known yet (tracefs is not mounted) */
	char *after;
	char *options;	    /* (nullable) LOAD: module options */
	GPtrArray *brought; /* (nullable) (element-type utf8) LOAD: modules that came with it */
	gboolean keep;	    /* undo leaves it: an earlier change of the same thing decides */
	MtwChangeStatus status;
	guint sequence; /* number in the journal; 0: not yet there */
} MtwChange;

/* What a change is made on. */
typedef struct {
	const MtwPaths *paths;
	MtwTracefs *tracefs; /* (owned) (nullable): NULL until it is mounted */
} MtwMachine;

void mtw_machine_clear(MtwMachine *machine);

/* mtw_change_new: all strings copied. Returns: (transfer full) */
MtwChange *mtw_change_new(MtwChangeKind kind, const char *subject, const char *before,
			  const char *after);
void mtw_change_free(MtwChange *change);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwChange, mtw_change_free)

/*
 * mtw_change_prepare: fills `before` with what is to be restored later, when that is not known yet.
 */
gboolean mtw_change_prepare(MtwChange *change, MtwMachine *machine, GError **error);

/* mtw_change_is_persistent: a restart of the computer does not undo it. */
gboolean mtw_change_is_persistent(const MtwChange *change);

/* mtw_change_needed: FALSE when the thing is in its `after` state already. */
gboolean mtw_change_needed(const MtwChange *change);

/*
 * mtw_change_apply: makes the change and reads back. On an error the thing may be half changed: undo.
 * Blocks as long as the kernel does (a driver's probe, CPUs going off-line).
 */
gboolean mtw_change_apply(MtwChange *change, MtwMachine *machine, GError **error);

/*
 * mtw_change_undo: brings the thing back to `before` and verifies it. Sets `status`.
 * Returns: FALSE when it is not in `before` afterwards (the error says how it is); a change whose
 * `keep` is set, and one that was never made, are undone by doing nothing
 */
gboolean mtw_change_undo(MtwChange *change, MtwMachine *machine, GError **error);

/* mtw_change_state: how the thing is now. Returns: (transfer full) (nullable) */
char *mtw_change_state(const MtwChange *change, MtwMachine *machine, GError **error);

/*
 * mtw_change_sentence, mtw_change_undo_sentence: what is done and how it is undone (msgids) with the
 * places {subject}, {before} and {after}.
 */
const char *mtw_change_sentence(const MtwChange *change);
const char *mtw_change_undo_sentence(const MtwChange *change);

/* mtw_change_kind_name: stable name: "unload". _from_name: FALSE for an unknown one. */
const char *mtw_change_kind_name(MtwChangeKind kind);
gboolean mtw_change_kind_from_name(const char *name, MtwChangeKind *ret_kind);
