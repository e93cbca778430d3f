/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/collect.h"

#include "capture/collect-worker.h"

#include <glib/gi18n.h>
#include <string.h>

#define KIB ((gsize)1024)
#define MIB (1024 * KIB)
#define DEFAULT_SET "default"

/* All of the live phase, and the end of it that is for coming back. */
#define LIVE_SEC 3
#define LIVE_GRACE_USEC (300 * 1000)
#define LIVE_READ_MSEC 1000
#define AFTER_GRACE_USEC (10 * G_USEC_PER_SEC)
#define AFTER_READ_MSEC 5000

/* clang-format off */
static const MtwCollector collectors[] = {
	/* While the driver is loaded; the most important first: the time is short. */
	{ .name = "module", .file = "module.txt", .phase = MTW_COLLECT_LIVE,
	  .limit_sec = 2, .max_bytes = 1 * MIB, .is_default = TRUE, .collect = mtw_collect_module,
	  .what = N_("The driver's modules as they were during the capture, with their parameters"),
	  .done = N_("The loaded modules and their parameters were collected."),
	  .failed = N_("The loaded modules and their parameters could not be read.") },
	{ .name = "sections", .file = "sections.txt", .phase = MTW_COLLECT_LIVE,
	  .limit_sec = 2, .max_bytes = 1 * MIB, .is_default = TRUE, .collect = mtw_collect_sections,
	  .what = N_("Where the sections of the driver's modules were in memory, when the trace has program counters"),
	  .done = N_("The section addresses of the modules were collected."),
	  .failed = N_("The section addresses of the modules could not be read.") },
	{ .name = "interrupts", .file = "interrupts.txt", .phase = MTW_COLLECT_LIVE,
	  .limit_sec = 1, .max_bytes = 4 * MIB, .is_default = TRUE, .collect = mtw_collect_interrupts,
	  .what = N_("The kernel's table of interrupts"),
	  .done = N_("The table of interrupts was collected."),
	  .failed = N_("The table of interrupts could not be read.") },
	{ .name = "edid", .file = "edid.txt", .phase = MTW_COLLECT_LIVE,
	  .limit_sec = 1, .max_bytes = 1 * MIB, .is_default = TRUE, .collect = mtw_collect_edid,
	  .what = N_("The device's connectors and what their monitors say, without serial numbers"),
	  .done = N_("The connectors and monitors were collected, without serial numbers."),
	  .failed = N_("The connectors and monitors could not be read.") },
	{ .name = "edid-binary", .file = "edid-*.bin", .phase = MTW_COLLECT_LIVE,
	  .limit_sec = 1, .max_bytes = 64 * KIB, .consent = MTW_CONSENT_EDID, .collect = mtw_collect_edid_binary,
	  .what = N_("The EDID of each monitor as it is, with its serial number"),
	  .done = N_("The monitor's EDID was collected, with its serial number."),
	  .failed = N_("The EDID of the monitors could not be read.") },
	/* When the machine is as before. */
	{ .name = "lspci", .file = "lspci.txt", .phase = MTW_COLLECT_AFTER,
	  .limit_sec = 20, .max_bytes = 9 * MIB, .always = TRUE, .is_default = TRUE, .collect = mtw_collect_lspci,
	  .what = N_("All PCI devices (lspci -vvv)"),
	  .done = N_("The list of PCI devices was collected."),
	  .failed = N_("The list of PCI devices could not be made.") },
	{ .name = "dmesg", .file = "dmesg.txt", .phase = MTW_COLLECT_AFTER,
	  .limit_sec = 20, .max_bytes = 64 * MIB, .always = TRUE, .is_default = TRUE, .keep_end = TRUE, .collect = mtw_collect_dmesg,
	  .what = N_("The kernel's log, with the capture marked in it"),
	  .done = N_("The kernel's log was collected."),
	  .failed = N_("The kernel's log could not be read.") },
	{ .name = "system", .file = "system.txt", .phase = MTW_COLLECT_AFTER,
	  .limit_sec = 20, .max_bytes = 1 * MIB, .always = TRUE, .is_default = TRUE, .collect = mtw_collect_system,
	  .what = N_("Kernel, distribution, device and driver"),
	  .done = N_("The facts about the system and the driver were collected."),
	  .failed = N_("The facts about the system and the driver could not be read.") },
	{ .name = "config-space", .file = "config-space.txt", .phase = MTW_COLLECT_AFTER,
	  .limit_sec = 10, .max_bytes = 64 * KIB, .is_default = TRUE, .collect = mtw_collect_config_space,
	  .what = N_("The device's PCI config space (lspci -xxxx) and its resources"),
	  .done = N_("The config space and the resources of the device were collected."),
	  .failed = N_("The config space of the device could not be read.") },
	{ .name = "iomem", .file = "iomem.txt", .phase = MTW_COLLECT_AFTER,
	  .limit_sec = 10, .max_bytes = 1 * MIB, .is_default = TRUE, .collect = mtw_collect_iomem,
	  .what = N_("The computer's map of physical memory"),
	  .done = N_("The map of physical memory was collected."),
	  .failed = N_("The map of physical memory could not be read.") },
	{ .name = "modinfo", .file = "modinfo.txt", .phase = MTW_COLLECT_AFTER,
	  .limit_sec = 30, .max_bytes = 1 * MIB, .is_default = TRUE, .collect = mtw_collect_modinfo,
	  .what = N_("The files of the driver's modules: version, licence, firmware names"),
	  .done = N_("The facts about the module files were collected."),
	  .failed = N_("The facts about the module files could not be read.") },
	{ .name = "firmware", .file = "firmware.txt", .phase = MTW_COLLECT_AFTER,
	  .limit_sec = 30, .max_bytes = 1 * MIB, .is_default = TRUE, .collect = mtw_collect_firmware,
	  .what = N_("The driver's firmware files with their checksums, not their contents"),
	  .done = N_("The names and checksums of the firmware files were collected."),
	  .failed = N_("The firmware files could not be read.") },
	{ .name = "kernel-config", .file = "kernel-config.txt", .phase = MTW_COLLECT_AFTER,
	  .limit_sec = 20, .max_bytes = 1 * MIB, .is_default = TRUE, .collect = mtw_collect_kernel_config,
	  .what = N_("The parts of the kernel's configuration that matter for a trace"),
	  .done = N_("An excerpt of the kernel's configuration was collected."),
	  .failed = N_("The kernel's configuration could not be read.") },
	{ .name = "vbios", .file = "vbios.rom", .phase = MTW_COLLECT_AFTER,
	  .limit_sec = 20, .max_bytes = 16 * MIB, .consent = MTW_CONSENT_VBIOS, .collect = mtw_collect_vbios,
	  .what = N_("The device's own program for the start of the computer (VBIOS, option ROM)"),
	  .done = N_("The ROM of the device was collected."),
	  .failed = N_("The ROM of the device could not be read.") },
};
/* clang-format on */

const MtwCollector *mtw_collectors(gsize *ret_count)
{
	*ret_count = G_N_ELEMENTS(collectors);
	return collectors;
}

static gboolean is_called(const MtwCollector *collector, const char *name)
{
	return strcmp(collector->name, name) == 0 || strcmp(collector->file, name) == 0;
}

gboolean mtw_collector_is_known(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(collectors); i++)
		if (is_called(&collectors[i], name))
			return TRUE;
	return strcmp(name, DEFAULT_SET) == 0;
}

static gboolean is_wanted(const MtwCollectOptions *options, const MtwCollector *collector)
{
	if (options->wanted == NULL || options->wanted[0] == NULL || collector->always)
		return collector->is_default;
	for (const char *const *name = options->wanted; *name != NULL; name++)
		if (is_called(collector, *name) ||
		    (collector->is_default && strcmp(*name, DEFAULT_SET) == 0))
			return TRUE;
	return FALSE;
}

static gboolean has_consent(const MtwCollectOptions *options, const MtwCollector *collector)
{
	switch (collector->consent) {
	case MTW_CONSENT_EDID:
		return options->consent_edid;
	case MTW_CONSENT_VBIOS:
		return options->consent_vbios;
	case MTW_CONSENT_NONE:
	default:
		return TRUE;
	}
}

static void leave_out(const MtwCollector *collector, GPtrArray *messages)
{
	g_ptr_array_add(messages, mtw_message_new(collector->file, MTW_LEVEL_OK,
						  N_("Left out: you did not agree to hand it out."),
						  "", NULL));
}

static MtwCollectTimes times_of(const MtwCollectOptions *options, const MtwCollector *collector,
				gint64 start_usec)
{
	guint sec = options->timeout_sec;
	gint64 left_usec;

	if (collector->phase == MTW_COLLECT_AFTER)
		return (MtwCollectTimes){
			.limit_usec =
				(gint64)(sec != 0 ? sec : collector->limit_sec) * G_USEC_PER_SEC,
			.grace_usec = AFTER_GRACE_USEC,
			.read_msec = AFTER_READ_MSEC,
		};
	left_usec = start_usec + (gint64)(sec != 0 ? sec : LIVE_SEC) * G_USEC_PER_SEC -
		    LIVE_GRACE_USEC - g_get_monotonic_time();
	return (MtwCollectTimes){
		.limit_usec = MIN(left_usec, (gint64)collector->limit_sec * G_USEC_PER_SEC),
		.grace_usec = LIVE_GRACE_USEC,
		.read_msec = LIVE_READ_MSEC,
	};
}

static GPtrArray *collect_phase(const MtwCollectOptions *options, MtwCollectPhase phase)
{
	MtwCollectShared *shared = mtw_collect_shared_new(options);
	gint64 start_usec = g_get_monotonic_time();
	GPtrArray *messages = mtw_messages_new();

	for (gsize i = 0; i < G_N_ELEMENTS(collectors); i++) {
		const MtwCollector *collector = &collectors[i];
		MtwCollectTimes times = times_of(options, collector, start_usec);
		if (collector->phase != phase || !is_wanted(options, collector))
			continue;
		if (has_consent(options, collector))
			mtw_collect_one(shared, collector, &times, options->folder, messages);
		else
			leave_out(collector, messages);
	}
	mtw_collect_shared_unref(shared);
	return messages;
}

GPtrArray *mtw_collect_live(const MtwCollectOptions *options)
{
	return collect_phase(options, MTW_COLLECT_LIVE);
}

GPtrArray *mtw_collect_run(const MtwCollectOptions *options)
{
	return collect_phase(options, MTW_COLLECT_AFTER);
}
