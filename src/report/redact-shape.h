/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds values that are known by their form alone. One pass, no allocation but the list. What they
 * mean (an address or the version of a firmware) is for the rules to say.
 */
#pragma once

#include <glib.h>

typedef enum {
	MTW_SHAPE_NONE,
	MTW_SHAPE_MAC,
	MTW_SHAPE_IPV4,
	MTW_SHAPE_IPV6,
	MTW_SHAPE_UUID,
	MTW_SHAPE_EMAIL,
	MTW_N_SHAPES,
} MtwShape;

typedef struct {
	gsize start, end;
	MtwShape shape;
} MtwShapeMatch;

/* mtw_shape_from_name: "mac", "ipv4", ...; FALSE for an unknown one. */
gboolean mtw_shape_from_name(const char *name, MtwShape *ret_shape);

/* mtw_shape_scan: appends to @matches (element-type MtwShapeMatch), by start. */
void mtw_shape_scan(const char *text, gsize bytes, GArray *matches);

/*
 * mtw_shape_ipv4_is_private: of the ranges that no version number is likely to look like
 * (192.168.0.0/16, 172.16.0.0/12, 169.254.0.0/16).
 */
gboolean mtw_shape_ipv4_is_private(const guint8 *address);
