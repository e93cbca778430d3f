/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of a device whose driver is to be traced from the next start of the computer. */
#include "capture/check-private.h"
#include "capture/next-boot.h"
#include "machine/display.h"
#include "machine/systemd.h"

static void say_service(MtwCheck *check)
{
	g_autofree char *pending = mtw_next_boot_pending(check->paths);

	if (!mtw_systemd_starts(check->paths, MTW_NEXT_BOOT_UNIT, MTW_NEXT_BOOT_TARGET))
		mtw_check_say(check, MTW_SENTENCE_NEXT_BOOT_NO_UNIT, "%s", MTW_NEXT_BOOT_UNIT);
	else if (pending != NULL)
		mtw_check_say(check, MTW_SENTENCE_NEXT_BOOT_WAITS, "%s", pending);
}

void mtw_check_next_boot(MtwCheck *check, const MtwWay *way)
{
	MtwMessage *obstacle = mtw_next_boot_obstacle(check->paths, way);

	if (obstacle != NULL) {
		g_ptr_array_add(check->messages, obstacle);
		return;
	}
	mtw_check_bars(check);
	mtw_check_module(check, way, TRUE);
	mtw_check_say(check, MTW_SENTENCE_NEXT_BOOT, "%s", way->module);
	if (mtw_display_is_card(check->device))
		mtw_check_say(check, MTW_SENTENCE_NEXT_BOOT_EARLY, "modprobe.blacklist=%s",
			      way->module);
	say_service(check);
}
