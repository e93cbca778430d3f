/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of check.h share. Each function looks at one thing and adds what it found. */
#pragma once

#include "capture/check.h"
#include "capture/sentences.h"
#include "capture/way.h"
#include "machine/pci.h"
#include "machine/tracefs.h"

typedef struct {
	const MtwPaths *paths;
	const MtwCheckOptions *options;
	MtwTracefs *tracefs;  /* (nullable): not mounted, or not for us to see */
	MtwPciDevice *device; /* (nullable): none asked for, or absent */
	GPtrArray *messages;
} MtwCheck;

/* mtw_check_say: adds a finding; the other arguments are those of mtw_sentence_new. */
void mtw_check_say(MtwCheck *check, MtwSentence sentence, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* check-system.c */
void mtw_check_architecture(MtwCheck *check);
void mtw_check_root(MtwCheck *check);
void mtw_check_kernel_config(MtwCheck *check);
void mtw_check_lockdown(MtwCheck *check);
void mtw_check_cmdline(MtwCheck *check);
void mtw_check_cpus(MtwCheck *check);
void mtw_check_memory(MtwCheck *check);
void mtw_check_disk(MtwCheck *check);

/* check-trace.c */
void mtw_check_tracefs(MtwCheck *check); /* fills check->tracefs; before the others */
void mtw_check_tracer_available(MtwCheck *check);
void mtw_check_current_tracer(MtwCheck *check);
void mtw_check_trace_reader(MtwCheck *check);
void mtw_check_trace_events(MtwCheck *check);
void mtw_check_tracing_cpumask(MtwCheck *check);

/* check-device.c */
void mtw_check_device(MtwCheck *check); /* check->device is there, or says that it is not */
void mtw_check_bars(MtwCheck *check);
/* @must_load: the module is loaded for the capture */
void mtw_check_module(MtwCheck *check, const MtwWay *way, gboolean must_load);

/* check-next-boot.c */
void mtw_check_next_boot(MtwCheck *check, const MtwWay *way);
