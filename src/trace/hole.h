/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mappings that the kernel is known to trace with holes, without a word in the trace or in its log
 * (KERNEL: kmmio.c). x86 only, as mmiotrace is.
 */
#pragma once

#include "trace/record.h"

typedef enum {
	MTW_HOLE_UNALIGNED, /* not page-aligned: nothing of its first page is recorded */
	MTW_HOLE_HUGE_TAIL, /* 2 MiB pages with a tail: only 4 KiB of the tail is recorded */
	MTW_HOLE_GIB_PAGE,  /* 1 GiB page: nothing is recorded */
} MtwHoleKind;

typedef struct {
	MtwHoleKind kind;
	guint64 address, length;
} MtwHole;

/*
 * mtw_hole_of_map: whether the mapping @map (a MAP record) is traced with a hole.
 * @ret_hole: (out): set when it is; with the address and length of the whole mapping
 */
gboolean mtw_hole_of_map(const MtwRecord *map, MtwHole *ret_hole);
