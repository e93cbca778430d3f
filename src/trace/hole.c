/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/hole.h"

#define PAGE_BYTES G_GUINT64_CONSTANT(0x1000)
#define HUGE_BYTES G_GUINT64_CONSTANT(0x200000)
#define GIB_BYTES G_GUINT64_CONSTANT(0x40000000)

static gboolean starts_on(const MtwRecord *map, guint64 bytes)
{
	return map->address % bytes == 0;
}

/*
 * kmmio.c arms a mapping in steps of its first page: the 2 MiB pages, and then one 4 KiB page where
 * the tail begins. A tail of up to that one page is whole.
 */
static gboolean has_huge_tail(const MtwRecord *map)
{
	return map->length > HUGE_BYTES && starts_on(map, HUGE_BYTES) &&
	       map->length % HUGE_BYTES > PAGE_BYTES;
}

gboolean mtw_hole_of_map(const MtwRecord *map, MtwHole *ret_hole)
{
	MtwHoleKind kind;

	if (!starts_on(map, PAGE_BYTES))
		kind = MTW_HOLE_UNALIGNED;
	else if (map->length >= GIB_BYTES && starts_on(map, GIB_BYTES))
		kind = MTW_HOLE_GIB_PAGE;
	else if (has_huge_tail(map))
		kind = MTW_HOLE_HUGE_TAIL;
	else
		return FALSE;
	/* Field by field: the padding stays as it was, so that counts can be compared as bytes. */
	ret_hole->kind = kind;
	ret_hole->address = map->address;
	ret_hole->length = map->length;
	return TRUE;
}
