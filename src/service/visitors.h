/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is attached to which session: connections of the bus. In the main thread only. */
#pragma once

#include "service/host.h"

#include <gio/gio.h>

typedef struct _MtwVisitors MtwVisitors;

/* mtw_visitors_new: @on_gone: one of them went */
MtwVisitors *mtw_visitors_new(void (*on_gone)(gpointer user_data), gpointer user_data);
void mtw_visitors_free(MtwVisitors *visitors);

/* mtw_visitors_add: until the connection @name ends; one that is there already now watches this session. */
void mtw_visitors_add(MtwVisitors *visitors, GDBusConnection *bus, const char *name,
		      const char *session);

guint mtw_visitors_count(const MtwVisitors *visitors);

/* mtw_visitors_tell: tells @host whether somebody is there for its running capture. */
void mtw_visitors_tell(const MtwVisitors *visitors, MtwHost *host);
