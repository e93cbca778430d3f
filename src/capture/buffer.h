/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How large the ring buffer should be. It must hold a whole burst of the driver: only one CPU runs,
 * and a reader cannot keep up in the middle of a burst.
 */
#pragma once

#include <glib.h>

/*
 * mtw_buffer_default_kb: a quarter of the available memory, at most 512 MiB (so at least 64 MiB
 * where that quarter allows it).
 */
guint64 mtw_buffer_default_kb(guint64 available_bytes);

/*
 * mtw_buffer_next_kb: twice @current_kb while that is at most half of the available memory; 0 when
 * there is no larger one.
 */
guint64 mtw_buffer_next_kb(guint64 current_kb, guint64 available_bytes);
