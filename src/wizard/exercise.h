/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is done with the device while it is traced, one thing after the other: commands, and the steps
 * of a scenario. Commands run in a thread of their own, so that the capture stays attended.
 */
#pragma once

#include "wizard/wizard-private.h"

typedef struct _MtwExercise MtwExercise;

/* mtw_exercise_new: the commands of the options, then the scenario. Returns: (transfer full) */
MtwExercise *mtw_exercise_new(MtwWizard *wizard);

/* mtw_exercise_free: ends a command that is still running. */
void mtw_exercise_free(MtwExercise *exercise);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwExercise, mtw_exercise_free)

/*
 * mtw_exercise_turn: to be called again and again once the driver is up: starts, watches, marks.
 * Returns: FALSE when everything is done
 */
gboolean mtw_exercise_turn(MtwExercise *exercise);

/* mtw_exercise_stop: ends a command that is still running and keeps its output; nothing more is begun. */
void mtw_exercise_stop(MtwExercise *exercise);

/* mtw_exercise_advance: the person says that the scenario step is done (or, @skip, left out). */
void mtw_exercise_advance(MtwExercise *exercise, gboolean skip);

/*
 * mtw_exercise_jump: the person wants another step now; the one that waits for them stays open, and begins again when the
 * steps before it are over. @text: its number. FALSE: that is no number of an open step, or no step waits for a person
 */
gboolean mtw_exercise_jump(MtwExercise *exercise, const char *text);

/* mtw_exercise_waits_for_user: a scenario step is waiting for mtw_exercise_advance. */
gboolean mtw_exercise_waits_for_user(const MtwExercise *exercise);

/* mtw_exercise_is_empty: there is nothing to do at all. */
gboolean mtw_exercise_is_empty(const MtwExercise *exercise);
