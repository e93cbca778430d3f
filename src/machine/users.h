/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who uses a file or a device. */
#pragma once

#include "machine/pci.h"

typedef struct {
	guint pid;
	char *name; /* comm, cleaned */
} MtwProcess;

void mtw_process_free(MtwProcess *process);

/*
 * mtw_users_of_files: processes (other than this one) that have one of @files open: /proc/PID/fd is
 * compared by device and inode, on a fake root by link text.
 * @files: (array zero-terminated=1): paths; ones that do not exist are passed over
 * Returns: (transfer full) (element-type MtwProcess)
 */
GPtrArray *mtw_users_of_files(const MtwPaths *paths, const char *const *files);

/* mtw_users_text: "cat (123), trace-cmd (456)"; "" for none. Returns: (transfer full) */
char *mtw_users_text(const GPtrArray *processes);

typedef struct {
	GPtrArray *mounts;	/* (element-type utf8) mount points, also through dm, md ... */
	GPtrArray *swaps;	/* (element-type utf8) swap on it */
	GPtrArray *claimed;	/* (element-type utf8) its block devices that something holds */
	GPtrArray *interfaces;	/* (element-type utf8) network interfaces of it */
	gboolean default_route; /* one of them carries the default route */
	GPtrArray *nodes; /* (element-type utf8) /dev nodes of it: dri, fb, snd, video, input ... */
	GPtrArray *processes; /* (element-type MtwProcess) that have one of the nodes open */
	gboolean console;     /* a framebuffer of it carries the text console */
} MtwDeviceUse;

/* mtw_device_use_get: Returns: (transfer full) */
MtwDeviceUse *mtw_device_use_get(const MtwPaths *paths, const MtwPciDevice *device);
void mtw_device_use_free(MtwDeviceUse *use);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwDeviceUse, mtw_device_use_free)
