/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the collectors share. They run one after the other, each in a thread of its own. */
#pragma once

#include "capture/collect-reader.h"
#include "capture/collect.h"

/* So many fit a line for people; more are only counted. */
#define MTW_MOST_MISSING 8

struct _MtwCollecting {
	const MtwCollector *collector;
	MtwCollectOptions options; /* what it points to lives as long as the thread */
	MtwReader *reader;
	gint64 deadline_usec;
	guint read_msec;  /* the most that one file may take */
	GPtrArray *files; /* (element-type MtwCollectedFile) */
	GString *missing; /* what could not be read and why */
	guint n_missing;
	gboolean is_cut; /* a file that was read has more */
	GString *notes;	 /* what else there is to say */
	const char
		*sentence; /* (nullable): msgid instead of the table's, when nothing is missing */
};

typedef struct {
	char *name;
	char *bytes;
	gsize length;
} MtwCollectedFile;

/* mtw_collecting_misses: something could not be read; makes the message a warning. */
void mtw_collecting_misses(MtwCollecting *collecting, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* mtw_collecting_notes: goes into the message's detail. */
void mtw_collecting_notes(MtwCollecting *collecting, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* mtw_collecting_limits: for one file of at most @max_bytes, from now. */
MtwReadLimits mtw_collecting_limits(const MtwCollecting *collecting, gsize max_bytes);

/*
 * mtw_collecting_read: a whole file through the reader; that it is larger than @max_bytes, or
 * cannot be read, goes to `missing`. Returns: (transfer full) (nullable): what could be had
 */
char *mtw_collecting_read(MtwCollecting *collecting, const char *path, gsize max_bytes,
			  gsize *ret_bytes);

/*
 * mtw_collecting_value: a small file's text without the final newline, cleaned to one line.
 * Returns: (transfer full) (nullable): NULL, and nothing is missing, when it is not there
 */
char *mtw_collecting_value(MtwCollecting *collecting, const char *folder, const char *name);

/* mtw_collecting_text: the collector's file, from any bytes: they are cleaned and cut. */
void mtw_collecting_text(MtwCollecting *collecting, const char *text, gsize bytes);

/* mtw_collecting_file: a binary file as it is; takes @bytes over. */
void mtw_collecting_file(MtwCollecting *collecting, const char *name, char *bytes, gsize length);

/* mtw_collecting_head: "Made by mmiotrace-wizard VERSION: WHAT" as the beginning of a text.
 * Returns: (transfer full) */
GString *mtw_collecting_head(const char *what);

/*
 * mtw_collect_cut: makes it a text of at most @max_bytes, whole lines, whose last line says that it
 * was cut.
 * @keep_end: the beginning goes
 */
void mtw_collect_cut(GString *text, gsize max_bytes, gboolean keep_end);

/* mtw_lspci_text: the equivalent of lspci -vvv from sysfs and pci.ids. Returns: (transfer full) */
char *mtw_lspci_text(const MtwPaths *paths, MtwReader *reader);

/*
 * mtw_lspci_title: "0000:00:04.0 Ethernet controller [0200]: Intel ... [8086:100e] (rev 03)\n", as
 * lspci -nn -D writes it.
 */
void mtw_lspci_title(GString *text, const MtwPciDevice *device);

/* mtw_lspci_dump: rows as of lspci -x: "00: 86 80 ..." */
void mtw_lspci_dump(GString *text, const guint8 *bytes, gsize length);

/*
 * mtw_collect_modules: the traced driver's module and what belongs to it: what uses it and what it
 * uses, the module itself first. @folder: (nullable): where module.txt of the live phase is, which
 * knew more. Returns: (transfer full) (element-type utf8): empty without a module
 */
GPtrArray *mtw_collect_modules(const MtwPaths *paths, const char *module, const char *folder);

/* mtw_dmesg_mark: the log with head and marker lines; times as the log has them (usec), 0: none.
 * Returns: (transfer full) */
GString *mtw_dmesg_mark(const char *log, gint64 start_usec, gint64 end_usec);

/* mtw_sched_clock_offset: log's clock minus CLOCK_MONOTONIC, from the text of the scheduler's debug
 * file. */
gboolean mtw_sched_clock_offset(const char *text, gint64 *ret_usec);

/* The collectors of the table. */
void mtw_collect_lspci(MtwCollecting *collecting);
void mtw_collect_dmesg(MtwCollecting *collecting);
void mtw_collect_system(MtwCollecting *collecting);
void mtw_collect_config_space(MtwCollecting *collecting);
void mtw_collect_iomem(MtwCollecting *collecting);
void mtw_collect_interrupts(MtwCollecting *collecting);
void mtw_collect_module(MtwCollecting *collecting);
void mtw_collect_modinfo(MtwCollecting *collecting);
void mtw_collect_sections(MtwCollecting *collecting);
void mtw_collect_firmware(MtwCollecting *collecting);
void mtw_collect_kernel_config(MtwCollecting *collecting);
void mtw_collect_edid(MtwCollecting *collecting);
void mtw_collect_edid_binary(MtwCollecting *collecting);
void mtw_collect_vbios(MtwCollecting *collecting);
