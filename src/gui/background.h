/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may take long (files, on a disk that hangs perhaps; the bus): in a thread, so that the windows go on answering. */
#pragma once

#include <gio/gio.h>

/*
 * mtw_background: runs @work in a thread, and @done with its result in the main loop. The program stays as long as it
 * takes, also when its last window goes.
 * @source: (nullable): of @done, which gets NULL when it is gone by then
 * @data: (transfer full) (nullable): of the task; freed in any thread
 */
void mtw_background(gpointer source, GTaskThreadFunc work, gpointer data, GDestroyNotify free_data,
		    GAsyncReadyCallback done, gpointer user_data);

/* mtw_background_too_late: what nobody can see in a window any more. @error: (nullable) */
void mtw_background_too_late(const GError *error);
