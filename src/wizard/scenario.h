/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scenario: what is to be done with the device while it is traced, step after step, with the
 * markers that the driver project's scripts look for. Data, from a profile or a file of its own:
 *
 *   [Step x-up]                 a group for each step, in order; the id follows "Step "
 *   Marker=X is up              set when the step is done
 *   MarkerBegin=X starts        set when the step begins (optional)
 *   Say=Start the X server.     what the person is told; Say[de]=... in another language
 *   Command=xinit -- :7         what does it in --batch (optional); {interface} is the device's
 *                               network interface, {address} its PCI address
 *   Wait=user | command | 10 | device
 *                               until the person says so, the command has ended, seconds, or a
 *                               device node appears
 *   WaitDevice=dri/card*        which, below the folder of device nodes; "*" and "?" match in a
 * name Timeout=30                  how many seconds to wait for it (60) Optional=true can be left
 * out
 */
#pragma once

#include "base/key-file.h"

#include "base/paths.h"

typedef enum {
	MTW_WAIT_USER,
	MTW_WAIT_COMMAND,
	MTW_WAIT_SECONDS,
	MTW_WAIT_DEVICE,
} MtwWaitKind;

typedef struct {
	char *id;
	char *marker;	    /* cleaned */
	char *marker_begin; /* (nullable) cleaned */
	char *say;	    /* in the person's language */
	char *say_plain;    /* as the key without a language has it */
	char *command;	    /* (nullable) may have places: mtw_scenario_command */
	MtwWaitKind wait;
	guint wait_sec;	   /* WAIT_SECONDS; WAIT_DEVICE: go on after so many without it */
	char *wait_device; /* (nullable): WAIT_DEVICE */
	gboolean optional;
} MtwScenarioStep;

/*
 * mtw_scenario_from_file: the steps of a file that mtw_profile_file_check has passed.
 * Errors: MTW_ERROR_INVALID naming file, line and reason
 * Returns: (transfer full) (nullable) (element-type MtwScenarioStep): may be empty
 */
GPtrArray *mtw_scenario_from_file(const MtwKeyFile *file, GError **error);

/*
 * mtw_scenario_load: a file with steps, at least one; the other groups of a profile are not looked
 * into. Returns: (transfer full) (nullable)
 */
GPtrArray *mtw_scenario_load(const char *path, GError **error);

/* mtw_scenario_device_is_there: whether the device node of a WAIT_DEVICE step is there now. */
gboolean mtw_scenario_device_is_there(const MtwPaths *paths, const MtwScenarioStep *step);

/*
 * mtw_scenario_command: the command of the step with its places filled, as the machine is now.
 * @address: PCI address of the traced device
 * Errors: MTW_ERROR_NOT_FOUND when it wants a network interface and the device has none
 * Returns: (transfer full) (nullable)
 */
char *mtw_scenario_command(const MtwPaths *paths, const char *address, const MtwScenarioStep *step,
			   GError **error);
