/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/buffer.h"

#define MOST_KB (512 * 1024)
/* Used when the machine does not tell its memory: the kernel refuses what does not fit. */
#define UNKNOWN_KB (64 * 1024)
/* The kernel's own size for an expanded buffer; there is no point in less. */
#define LEAST_KB 1408

guint64 mtw_buffer_default_kb(guint64 available_bytes)
{
	guint64 quarter_kb = available_bytes / 4 / 1024;

	if (available_bytes == 0)
		return UNKNOWN_KB;
	return CLAMP(quarter_kb, LEAST_KB, MOST_KB);
}

guint64 mtw_buffer_next_kb(guint64 current_kb, guint64 available_bytes)
{
	guint64 half_kb = available_bytes / 2 / 1024;

	return current_kb <= half_kb / 2 ? current_kb * 2 : 0;
}
