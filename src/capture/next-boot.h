/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture at the next start of the computer, for drivers that cannot be unloaded or that the desktop needs: a session
 * that waits, and a file in modprobe.d that keeps the driver from being loaded by itself on that one start. The unit
 * mmiotrace-wizard-boot.service takes the wish, removes the file first of all, and makes the capture before the display
 * manager starts. If the computer does not come that far, the start after it is as usual: the wish is taken only once.
 */
#pragma once

#include "capture/engine.h"

/* data/systemd; the unit has the file as its condition. */
#define MTW_NEXT_BOOT_UNIT "mmiotrace-wizard-boot.service"
#define MTW_NEXT_BOOT_TARGET "sysinit.target"
#define MTW_NEXT_BOOT_FILE "mmiotrace-wizard-next-boot.conf"

/* How long a capture at a start goes on after the driver is up. */
#define MTW_NEXT_BOOT_DEFAULT_SEC 60
#define MTW_NEXT_BOOT_MAX_SEC (24 * 3600)

typedef struct {
	char *session;
	guint duration_sec;	  /* after the driver is up */
	JsonObject *options_json; /* holds the strings of options */
	MtwCaptureOptions options;
	char **others; /* modules that stood on the driver, in the order to load them in */
} MtwNextBoot;

void mtw_next_boot_clear(MtwNextBoot *wish);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwNextBoot, mtw_next_boot_clear)

/*
 * mtw_next_boot_obstacle: why the driver of @way cannot be kept away. What is true only until the next start does not
 * count. Returns: (transfer full) (nullable)
 */
MtwMessage *mtw_next_boot_obstacle(const MtwPaths *paths, const MtwWay *way);

/* mtw_next_boot_judge_fix: takes MTW_FIX_NEXT_BOOT off a message about the device when the next start would not help. */
void mtw_next_boot_judge_fix(const MtwPaths *paths, const MtwWay *way, MtwMessage *message);

/* mtw_next_boot_plan: what arrange would change, as mtw_engine_plan. Returns: (transfer full) (nullable) */
JsonObject *mtw_next_boot_plan(const MtwPaths *paths, const MtwCaptureOptions *options,
			       GError **error);

/*
 * mtw_next_boot_arrange: @duration_sec: 1 to MTW_NEXT_BOOT_MAX_SEC
 * Errors: MTW_ERROR_BUSY: another wish waits already; MTW_ERROR_CANNOT_TRACE: the driver is built in, so that nothing
 * keeps it away, or there is nothing that would make the capture. Returns: (transfer full) (nullable): the session's id
 */
char *mtw_next_boot_arrange(const MtwPaths *paths, const MtwCaptureOptions *options,
			    guint duration_sec, GError **error);

/* mtw_next_boot_pending: the session that waits for a start. Returns: (transfer full) (nullable) */
char *mtw_next_boot_pending(const MtwPaths *paths);

/*
 * mtw_next_boot_cancel: before the start: the file goes, the session is deleted.
 * Errors: MTW_ERROR_NOT_FOUND: the session does not wait
 */
gboolean mtw_next_boot_cancel(const MtwPaths *paths, const char *session, GError **error);

/*
 * mtw_next_boot_take: at the start: the file goes, then the wish is handed out. FALSE without an error: there is none, or
 * the computer was not restarted since.
 */
gboolean mtw_next_boot_take(const MtwPaths *paths, MtwNextBoot *ret_wish, GError **error);

/*
 * mtw_next_boot_load_others: when the driver is up: what was kept away only because it stands on the driver. What fails is
 * missing as if it had failed by itself.
 */
void mtw_next_boot_load_others(const MtwPaths *paths, const MtwNextBoot *wish);

/* mtw_next_boot_bind_others: when the capture is over: devices that the driver was kept from get it as at any start. */
void mtw_next_boot_bind_others(const MtwPaths *paths, const MtwNextBoot *wish);
