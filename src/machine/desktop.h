/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What shows pictures through a device, and whether it can be ended and started again in order: the display manager
 * with the sessions it began, and services that hold the card.
 */
#pragma once

#include "machine/pci.h"

typedef struct {
	GPtrArray *
		units; /* (element-type utf8) services to stop, in this order; the display manager first */
	GPtrArray *consoles; /* (element-type utf8) text consoles that draw on it: "vtcon1" */
	GPtrArray *
		sessions; /* (element-type MtwProcess) of people's sessions: they end with the display manager */
	GPtrArray *others; /* (element-type MtwProcess) that nobody can start again */
	gboolean inside;   /* this very process would end with the desktop */
} MtwDesktop;

/*
 * mtw_desktop_get: Returns: (transfer full) (nullable): NULL for a device that is no display, or when nothing and
 * nobody shows anything on it
 */
MtwDesktop *mtw_desktop_get(const MtwPaths *paths, const MtwPciDevice *device);
void mtw_desktop_free(MtwDesktop *desktop);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwDesktop, mtw_desktop_free)

/* mtw_desktop_can_pause: all of it can be ended and brought back, from where this process runs. */
gboolean mtw_desktop_can_pause(const MtwDesktop *desktop);
