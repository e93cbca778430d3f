/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reading process of collect-reader.h and what goes between the two, in packets of a socket.
 * It is forked from a program with threads and never calls another: only system calls, no memory,
 * no library that could wait for a lock of a thread that is not here.
 */
#pragma once

#include <glib.h>
#include <limits.h>

typedef enum {
	MTW_READER_READ,
	MTW_READER_READ_ROM,   /* of PCI devices: write 1, read, write 0 */
	MTW_READER_SWITCH_OFF, /* write 0 */
} MtwReaderAction;

typedef struct {
	guint32 action;
	guint32 only_these; /* see MtwReadLimits */
	guint64 max_bytes;
	char path[PATH_MAX];
} MtwReaderRequest;

typedef enum {
	MTW_READER_DATA,
	MTW_READER_ROM_ON,  /* is going to switch it on */
	MTW_READER_ROM_OFF, /* tried to; errnum */
	MTW_READER_CUT,	    /* the last one: there is more than max_bytes */
	MTW_READER_END,	    /* the last one: all, or errnum */
} MtwReaderPacketKind;

typedef struct {
	guint32 kind;
	gint32 errnum;
	guint8 data[32 * 1024];
} MtwReaderPacket;

#define MTW_READER_HEADER_BYTES (offsetof(MtwReaderPacket, data))

/* mtw_reader_child: serves requests that come by @socket_fd until its other end is closed. */
G_NORETURN void mtw_reader_child(int socket_fd);
