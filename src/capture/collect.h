/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What goes with the trace, read from the machine with the rights of the process (lspci -vvv needs
 * root) into a private folder: a table of collectors, one for each file. A source that cannot be
 * read is a message, never an error: the trace matters more. None can hang the caller: a collector
 * has a time limit, and what a driver answers is read by a process of its own (collect-reader.h).
 */
#pragma once

#include "base/message.h"
#include "machine/pci.h"

typedef enum {
	MTW_COLLECT_LIVE, /* the driver is loaded and traced: short, nothing that touches the device
	                   */
	MTW_COLLECT_AFTER, /* the machine is as before */
} MtwCollectPhase;

typedef enum {
	MTW_CONSENT_NONE,
	MTW_CONSENT_EDID,  /* the monitor's serial number is in it */
	MTW_CONSENT_VBIOS, /* the vendor's work; its ROM is switched on for the reading */
} MtwCollectConsent;

typedef struct {
	const MtwPaths *paths;
	const MtwPciDevice *device;
	const char *module; /* (nullable): the traced driver's module */
	const char *driver; /* (nullable): the traced PCI driver */
	const char *folder; /* where the files go; exists, private */
	guint timeout_sec;  /* instead of the limits of the table (LIVE: all together); 0: those */
	/*
	 * (nullable): names of collectors; "default": all of the default set, which NULL and an
	 * empty list are too. lspci, dmesg and system always come.
	 */
	const char *const *wanted;
	gboolean consent_edid, consent_vbios;
	guint64 session_start_usec,
		session_end_usec; /* CLOCK_MONOTONIC; 0: unknown, or another boot */
	gboolean trace_pc; /* the trace has program counters; FALSE: the kernel command line decides
	                    */
} MtwCollectOptions;

/* What a collector reports to. Private. */
typedef struct _MtwCollecting MtwCollecting;

typedef struct {
	const char *name; /* "config-space": what a profile writes */
	const char *file; /* "config-space.txt"; of several ("edid-HDMI-A-1.bin") with a "*" */
	const char *what; /* msgid: what it holds, for a list */
	MtwCollectPhase phase;
	guint limit_sec;
	gsize max_bytes; /* of a file; what is over is cut, and its last line says so */
	MtwCollectConsent consent;
	gboolean keep_end; /* when cut, the beginning goes */
	gboolean always, is_default;
	void (*collect)(MtwCollecting *collecting);
	const char *done, *failed; /* msgids */
} MtwCollector;

/* mtw_collectors: the table. Returns: (transfer none) */
const MtwCollector *mtw_collectors(gsize *ret_count);

/* mtw_collector_is_known: @name may stand in `wanted`: a name of the table, its file, or "default".
 */
gboolean mtw_collector_is_known(const char *name);

/*
 * mtw_collect_live: what is there only while the driver is loaded. To be called before it is
 * unloaded, also while the tracer runs: reads nothing that touches the device, and takes at most 3
 * seconds (timeout_sec) in all, usually a few hundredths. mtw_collect_run: all the rest, when the
 * machine is as before. Both write the files (mode 0600; an older one of the same name goes) and
 * return (transfer full) (element-type MtwMessage) a message for each collector that was run or
 * left out although it was wanted, and for each file of one that makes several: id is the file's
 * name; the level tells whether it is whole, the detail what could not be read and why. A file that
 * could not be had is not there. Texts are valid UTF-8 without control characters other than
 * newline and tab.
 */
GPtrArray *mtw_collect_live(const MtwCollectOptions *options);
GPtrArray *mtw_collect_run(const MtwCollectOptions *options);

/*
 * mtw_system_text: "Key: value" lines below "== Section ==" lines: uname -a, os-release, kernel
 * command line, the device, its driver, version, parameters, firmware. Returns: (transfer full)
 */
char *mtw_system_text(const MtwCollectOptions *options);
