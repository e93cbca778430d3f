/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The object on the bus: who calls, whether they may, and in which thread it is done. */
#pragma once

#include "base/paths.h"

#include <gio/gio.h>

typedef struct _MtwServer MtwServer;

/* Told in any thread what went wrong with nobody there to be told. */
typedef void (*MtwServerComplaint)(const char *session, const char *message);

/* mtw_server_new: @paths: not owned */
MtwServer *mtw_server_new(const MtwPaths *paths, MtwServerComplaint complain);
/* A running capture must have ended. */
void mtw_server_free(MtwServer *server);

/* mtw_server_export: puts the object on @bus. Errors: MTW_ERROR_FAILED */
gboolean mtw_server_export(MtwServer *server, GDBusConnection *bus, GError **error);

/* mtw_server_recover: what dead runs left is undone first; calls wait for it. */
void mtw_server_recover(MtwServer *server);

/* mtw_server_is_idle: nothing runs, nobody is attached, nothing waits. */
gboolean mtw_server_is_idle(const MtwServer *server);

/* mtw_server_rest: lets go of the last capture, so that other programs can work on its session. */
void mtw_server_rest(MtwServer *server);

/* mtw_server_close: begins nothing any more, and asks a running capture to end in order. Returns: whether there is one */
gboolean mtw_server_close(MtwServer *server);
