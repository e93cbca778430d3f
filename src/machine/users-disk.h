/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of users.h that is about disks; only for src/machine/users-device.c. */
#pragma once

#include "machine/users.h"

/*
 * mtw_users_disk_fill: fills mounts, swaps and claimed of @use for the disks below @device_folder
 * (resolved), also through partitions, dm, md, NVMe multipath and btrfs of several disks.
 */
void mtw_users_disk_fill(const MtwPaths *paths, const char *device_folder, MtwDeviceUse *use);
