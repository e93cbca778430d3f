/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a device can be brought to a fresh start under the tracer. The one decision that the list of
 * devices, the checks and the plan of changes share.
 */
#pragma once

#include "base/message.h"
#include "machine/desktop.h"

typedef enum {
	MTW_WAY_NONE,	/* cannot be traced; `reason` says why */
	MTW_WAY_LOAD,	/* no driver bound: load the module under the tracer */
	MTW_WAY_BIND,	/* no driver bound, but the driver is there: bind it under the tracer */
	MTW_WAY_RELOAD, /* unload the module chain, load it again under the tracer */
	MTW_WAY_REBIND, /* unbind just this device, bind it again under the tracer */
} MtwWayKind;

typedef struct {
	MtwWayKind kind;
	char *driver;	   /* PCI driver to bind to (REBIND, BIND); (nullable) else */
	char *module;	   /* module to load (LOAD, RELOAD); (nullable) else */
	char *old_driver;  /* (nullable) driver bound now */
	GPtrArray *unload; /* (element-type utf8) modules to unload, in this order; may be empty */
	GPtrArray *candidates; /* (element-type utf8) modules that fit the device */
	GPtrArray *keep_away;  /* (element-type utf8) other unbound devices it would bind too */
	MtwDesktop *desktop;   /* (nullable) what is shown on it, and can be ended for a while */
	MtwMessage *reason; /* why NONE, or what the person should know about the way; never NULL */
} MtwWay;

/*
 * mtw_way_choose: @wanted: (nullable): a module or PCI driver to trace instead of the obvious one.
 * Errors: MTW_ERROR_USAGE when several modules fit and none is wanted, or the wanted one is not
 * installed; the message names them. A device that cannot be traced is not an error: kind is NONE.
 * Returns: (transfer full) (nullable)
 */
MtwWay *mtw_way_choose(const MtwPaths *paths, const MtwPciDevice *device, const char *wanted,
		       GError **error);
void mtw_way_free(MtwWay *way);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwWay, mtw_way_free)

/* mtw_way_candidates: the modules that fit the device. Returns: (transfer full) (element-type utf8): may be empty */
GPtrArray *mtw_way_candidates(const MtwPaths *paths, const MtwPciDevice *device);

/* mtw_way_name: stable name: "none", "load", "bind", "reload", "rebind". */
const char *mtw_way_name(MtwWayKind kind);
