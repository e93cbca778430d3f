/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scenario: what is to be done with the device while it is traced, step after step, with the
 * markers that the driver project's scripts look for. Data, from a profile or a file of its own:
 *
 *   [Step x-up]                 a group for each step, in order; the id follows "Step "
 *   Marker=X is up              set when the step is done
 *   MarkerBegin=X starts        set when the step begins (optional)
 *   Say=Start the X server.     what the person is told
 *   Command=xinit -- :7         what does it in --batch (optional)
 *   Wait=user | command | 10    until the person says so, the command has ended, seconds
 *   Optional=true               can be left out
 */
#pragma once

#include <glib.h>

typedef enum {
	MTW_WAIT_USER,
	MTW_WAIT_COMMAND,
	MTW_WAIT_SECONDS,
} MtwWaitKind;

typedef struct {
	char *id;
	char *marker;       /* cleaned */
	char *marker_begin; /* (nullable) cleaned */
	char *say;
	char *command; /* (nullable) */
	MtwWaitKind wait;
	guint wait_sec; /* WAIT_SECONDS */
	gboolean optional;
} MtwScenarioStep;

/*
 * mtw_scenario_from_keyfile: the steps of a key file. @name: of the file, for errors
 * Errors: MTW_ERROR_INVALID naming the group and the key
 * Returns: (transfer full) (nullable) (element-type MtwScenarioStep): may be empty
 */
GPtrArray *mtw_scenario_from_keyfile(GKeyFile *keyfile, const char *name, GError **error);

/* mtw_scenario_load: a file with steps only. Returns: (transfer full) (nullable) */
GPtrArray *mtw_scenario_load(const char *path, GError **error);
