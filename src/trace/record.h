/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One record of an mmiotrace log, text format 20070824 (kernel: trace_mmiotrace.c), and lines that
 * the ring buffer adds. A plain value: no allocation, texts point into the line that was parsed.
 */
#pragma once

#include <glib.h>

typedef enum {
	MTW_RECORD_FOREIGN, /* not a line of this format */
	MTW_RECORD_VERSION, /* VERSION 20070824 */
	MTW_RECORD_PCIDEV,  /* one PCI device of the machine */
	MTW_RECORD_MAP,	    /* ioremap */
	MTW_RECORD_UNMAP,   /* iounmap */
	MTW_RECORD_READ,
	MTW_RECORD_WRITE,
	MTW_RECORD_UNKNOWN, /* an access whose instruction the kernel does not decode */
	MTW_RECORD_MARK,    /* a person's marker */
	MTW_RECORD_LOST,    /* "MARK 0.000000 Lost N events." made by the kernel when it is read */
	MTW_RECORD_GAP,	    /* "CPU:0 [LOST N EVENTS]", exactly at the gap */
	MTW_N_RECORD_KINDS,
} MtwRecordKind;

#define MTW_PCIDEV_BARS 7 /* six BARs and the expansion ROM */

typedef struct {
	guint8 bus, devfn;
	guint16 vendor, device;
	guint32 irq;
	guint64 bars[MTW_PCIDEV_BARS]; /* address with the flag bits of config space */
	guint64 sizes[MTW_PCIDEV_BARS];
	const char *driver; /* not terminated */
	gsize driver_bytes; /* 0: no driver */
} MtwPcidev;

typedef struct {
	MtwRecordKind kind;
	guint8 width;	 /* R, W: bytes, 1 2 4 8 */
	guint64 sec;	 /* seconds of the trace clock, not wall time */
	guint32 usec;	 /* 0..999999 */
	gint64 map_id;	 /* R W UNKNOWN MAP UNMAP; -1: mapped before the trace */
	guint64 address; /* R W UNKNOWN MAP: physical address (MAP: with its offset in the page) */
	guint64 value;	 /* R W: may be wider than width (KERNEL: pf_in.c); VERSION, LOST, GAP: the
	                    number; GAP: 0 when the kernel did not know it */
	guint64 virtual_address; /* MAP */
	guint64 length;		 /* MAP: bytes */
	guint64 pc;		 /* 0 unless the tracer gives it */
	guint64 pid;
	guint32 cpu;	  /* GAP */
	guint8 opcode[3]; /* UNKNOWN */
	const char *text; /* MARK; FOREIGN: the whole line. Not terminated, without the newline */
	gsize text_bytes;
	MtwPcidev pcidev; /* PCIDEV */
} MtwRecord;
