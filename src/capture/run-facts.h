/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a capture writes down about itself and its surroundings. Private to run.c. */
#pragma once

#include "capture/run.h"

/* mtw_run_write_facts: into state.json, before anything is changed. */
gboolean mtw_run_write_facts(MtwRun *run, const MtwPlan *plan, GError **error);

/*
 * mtw_run_collect_live: what is there only as long as the driver is loaded. Touches no register of
 * the device.
 */
void mtw_run_collect_live(MtwRun *run, const MtwPlan *plan);
