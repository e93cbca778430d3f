/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of next-boot.h. */
#pragma once

#include "capture/change.h"
#include "capture/next-boot.h"

/* What a wish comes to on this machine. */
typedef struct {
	MtwPciDevice *device;
	MtwWay *way;
	MtwChange *change; /* the one that is made now */
} MtwNextBootChoice;

void mtw_next_boot_choice_clear(MtwNextBootChoice *choice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwNextBootChoice, mtw_next_boot_choice_clear)

/* mtw_next_boot_choose: Errors: MTW_ERROR_CANNOT_TRACE, and those of mtw_way_choose */
gboolean mtw_next_boot_choose(const MtwPaths *paths, const MtwCaptureOptions *options,
			      MtwNextBootChoice *ret_choice, GError **error);
