/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs inside of a line that was changed: words, not letters. */
#pragma once

#include <glib.h>

/* A place, in bytes of either line; one of the two may be empty. */
typedef struct {
	gsize before, before_bytes;
	gsize after, after_bytes;
} MtwLineChange;

/*
 * mtw_line_diff: from the left to the right. What is joined by no more than a sign or two (the colons of an address) is
 * one place. A line of thousands of words has one place in the worst case: from the first change to the last.
 * Returns: (transfer full) (element-type MtwLineChange)
 */
GArray *mtw_line_diff(const char *before, const char *after);
