/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The application: one instance, one window. */
#pragma once

#include "gui/walk.h"

/* mtw_app_run: until the window is closed. @setup: make_engine is taken from it. Returns: the exit status */
int mtw_app_run(MtwWalkSetup *setup, int argc, char **argv);
