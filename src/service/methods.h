/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The methods of the interface, as a table. What comes from a caller is data of a stranger: every argument is
 * checked here, on the root side, whatever the client checked.
 */
#pragma once

#include "service/host.h"
#include "service/visitors.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

/* One call, from the bus to the answer. */
typedef struct {
	const MtwPaths *paths;
	MtwHost *host;
	MtwVisitors *visitors; /* for the main thread */
	GDBusConnection *bus;
	const char *sender; /* bus name of the caller */
	uid_t uid;	    /* the caller's user, as the bus knows it */
	GVariant *arguments;
	/* What `prepare` finds out: */
	GHashTable *details; /* (nullable) for polkit: mtw_authority_ask */
	gboolean allowed;    /* nobody has to be asked */
	/* What `run` makes: */
	GUnixFDList *fds; /* (nullable) of the reply */
} MtwCall;

typedef struct {
	const char *name;
	const char *action;  /* (nullable): polkit's; what is the caller's own needs none */
	gboolean of_session; /* the first argument is a session of the caller */
	/* (nullable): in the main thread, before a person is asked for a password: looks at the arguments. */
	gboolean (*prepare)(MtwCall *call, GError **error);
	/*
	 * (nullable): in the main thread, without waiting for anything. Returns: (transfer floating) (nullable): the
	 * reply's values; NULL with @error; NULL without: only `run` can tell
	 */
	GVariant *(*answer)(MtwCall *call, GError **error);
	/* (nullable): in the worker thread. Returns: (transfer floating) (nullable) */
	GVariant *(*run)(MtwCall *call, GError **error);
} MtwMethod;

/* mtw_methods: all of them. @ret_count: (out) */
const MtwMethod *mtw_methods(gsize *ret_count);

/* mtw_method_find: (nullable) */
const MtwMethod *mtw_method_find(const char *name);
