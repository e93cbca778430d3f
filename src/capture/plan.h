/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of changes that a capture is going to make, in order, for the person to see first.
 */
#pragma once

#include "capture/tracer.h"
#include "capture/way.h"

/* Of what a profile's hints tell about a capture. */
#define MTW_NOTES_MAX_BYTES (32 * 1024)

typedef struct {
	const char *device; /* PCI address */
	const char *driver; /* (nullable): module or driver to trace, instead of the obvious one */
	const char *module_options; /* (nullable): options for the traced load only */
	guint64 buffer_kb;	    /* 0: from the free memory */
	gint64 owner_uid;	    /* whose session it is */
	/* Only kept in the session, for whoever goes on with it: */
	const char *issue;    /* (nullable): address of the report it is for */
	const char *profile;  /* (nullable): id of the one it follows */
	const char *notes;    /* (nullable): for its description: which way it was made */
	guint countdown_sec;  /* before a desktop is ended; 0: at once */
	guint unattended_sec; /* how long the service goes on when nobody watches; 0: its default */
	gboolean load_driver; /* FALSE: somebody else loads it while the tracer watches */
	gboolean keep_driver; /* it stays, although it was not loaded before */
	const char *const *collectors; /* (nullable): what is collected (capture/collect.h) */
	gboolean consent_edid, consent_vbios;
} MtwCaptureOptions;

typedef struct {
	MtwPciDevice *device;
	MtwWay *way;
	guint64 buffer_kb;
	GPtrArray *changes; /* (element-type MtwChange) */
} MtwPlan;

/*
 * mtw_plan_new: decides; changes nothing.
 * @machine: its tracefs may be NULL when it is not mounted: then mounting is the first change
 * Errors: MTW_ERROR_CANNOT_TRACE with the reason when the device cannot be traced
 * Returns: (transfer full) (nullable)
 */
MtwPlan *mtw_plan_new(MtwMachine *machine, MtwTracer *tracer, const MtwCaptureOptions *options,
		      GError **error);
void mtw_plan_free(MtwPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwPlan, mtw_plan_free)
