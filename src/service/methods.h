/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The methods of the interface, as a table. What comes from a caller is data of a stranger: every argument is
 * checked here, on the root side, whatever the client checked.
 */
#pragma once

#include "service/host.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

typedef struct {
	const MtwPaths *paths;
	MtwHost *host;
	uid_t uid; /* of the caller */
	GVariant *arguments;
	GUnixFDList *fds; /* (nullable) of the reply */
} MtwCall;

typedef struct {
	const char *name;
	const char *action;  /* (nullable): polkit's; what is the caller's own needs none */
	gboolean of_session; /* the first argument is a session of the caller */
	gboolean
		quick; /* does not wait for anything: runs in the main thread, also during a capture */
	/* Returns: (transfer floating) (nullable): the reply's values; NULL with @error */
	GVariant *(*run)(MtwCall *call, GError **error);
} MtwMethod;

/* mtw_method_find: (nullable) */
const MtwMethod *mtw_method_find(const char *name);

/* mtw_method_device: the device that the call is about, for polkit's dialog, checked. Returns: (transfer full) (nullable) */
char *mtw_method_device(const char *method, GVariant *arguments, const MtwPaths *paths);
