/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cleanup attributes for what GLib has none for. */
#pragma once

#include <glib.h>
#include <unistd.h>

/* An open file descriptor, or -1. `g_auto(MtwFd) fd = -1;` closes it at the end of the scope. */
typedef int MtwFd;

static inline void mtw_fd_clear(MtwFd *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwFd, mtw_fd_clear)

/* mtw_fd_steal: hands the descriptor over to the caller. */
static inline int mtw_fd_steal(MtwFd *fd)
{
	int stolen = *fd;

	*fd = -1;
	return stolen;
}
