/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/sentences.h"

#include <glib/gi18n.h>

typedef struct {
	MtwLevel level;
	const char *id;
	const char *sentence;
	const char *hint;
} Row;

/* clang-format off */
static const Row rows[MTW_N_SENTENCES] = {
	[MTW_SENTENCE_X86] = { MTW_LEVEL_OK, "architecture",
		N_("The processor is of the x86 family."), "" },
	[MTW_SENTENCE_NOT_X86] = { MTW_LEVEL_FAILURE, "architecture",
		N_("mmiotrace works only on processors of the x86 family."),
		N_("Put the device into a PC and trace there.") },
	[MTW_SENTENCE_ROOT] = { MTW_LEVEL_OK, "root",
		N_("The program runs as root."), "" },
	[MTW_SENTENCE_NOT_ROOT] = { MTW_LEVEL_FAILURE, "root",
		N_("Only root may trace."),
		N_("Run it as root, for example with sudo.") },
	[MTW_SENTENCE_LIMITED_ROOT] = { MTW_LEVEL_FAILURE, "root",
		N_("The program runs as a root that may not mount file systems or load modules, as in a container."),
		N_("Run it outside of the container.") },
	[MTW_SENTENCE_CONFIG_YES] = { MTW_LEVEL_OK, "kernel-config",
		N_("The kernel is built with mmiotrace."), "" },
	[MTW_SENTENCE_CONFIG_UNKNOWN] = { MTW_LEVEL_OK, "kernel-config",
		N_("The kernel's configuration was not found; its list of tracers decides."), "" },
	[MTW_SENTENCE_CONFIG_NO] = { MTW_LEVEL_FAILURE, "kernel-config",
		N_("The kernel is built without mmiotrace."),
		N_("Start a kernel with CONFIG_MMIOTRACE=y. The normal kernels of the large distributions have it, those for virtual machines (\"cloud\") often do not.") },
	[MTW_SENTENCE_CONFIG_STALE] = { MTW_LEVEL_WARNING, "kernel-config",
		N_("The configuration found says that the kernel has no mmiotrace, but the kernel offers it; the file belongs to another kernel."), "" },
	[MTW_SENTENCE_NOT_LOCKED] = { MTW_LEVEL_OK, "lockdown",
		N_("The kernel is not locked down."), "" },
	[MTW_SENTENCE_LOCKDOWN_UNKNOWN] = { MTW_LEVEL_OK, "lockdown",
		N_("The kernel does not tell whether it is locked down; its list of tracers decides."), "" },
	[MTW_SENTENCE_INTEGRITY] = { MTW_LEVEL_OK, "lockdown",
		N_("The kernel is locked down for integrity (Secure Boot). Tracing works; only signed modules can be loaded."), "" },
	[MTW_SENTENCE_CONFIDENTIALITY] = { MTW_LEVEL_FAILURE, "lockdown",
		N_("The kernel is locked down for confidentiality, which forbids every kind of tracing."),
		N_("Take lockdown=confidentiality off the kernel's command line (or out of the Secure Boot settings) and restart.") },
	[MTW_SENTENCE_CMDLINE] = { MTW_LEVEL_OK, "cmdline",
		N_("The kernel's command line does not change how mmiotrace works."), "" },
	[MTW_SENTENCE_TRACE_PC] = { MTW_LEVEL_OK, "cmdline",
		N_("The kernel's command line asks mmiotrace to record program counters, too."), "" },
	[MTW_SENTENCE_FILTER] = { MTW_LEVEL_WARNING, "cmdline",
		N_("The kernel's command line limits mmiotrace to mappings at one address; all others will be missing."),
		N_("Take mmiotrace.filter_offset off the kernel's command line and restart.") },
	[MTW_SENTENCE_FILTER_ELSEWHERE] = { MTW_LEVEL_FAILURE, "cmdline",
		N_("The kernel's command line limits mmiotrace to mappings at an address that is not one of the device."),
		N_("Take mmiotrace.filter_offset off the kernel's command line and restart.") },
	[MTW_SENTENCE_NOMMIOTRACE] = { MTW_LEVEL_FAILURE, "cmdline",
		N_("The kernel's command line tells mmiotrace to record no accesses."),
		N_("Take mmiotrace.nommiotrace off the kernel's command line and restart.") },
	[MTW_SENTENCE_TRACEFS] = { MTW_LEVEL_OK, "tracefs",
		N_("The tracing file system is mounted."), "" },
	[MTW_SENTENCE_TRACEFS_MOUNTABLE] = { MTW_LEVEL_OK, "tracefs",
		N_("The tracing file system is not mounted; it will be for the capture."), "" },
	[MTW_SENTENCE_TRACEFS_FORBIDDEN] = { MTW_LEVEL_WARNING, "tracefs",
		N_("Only root may look into the tracing file system, so what depends on it was not checked."),
		N_("Run the checks as root, for example with sudo.") },
	[MTW_SENTENCE_TRACEFS_MISSING] = { MTW_LEVEL_FAILURE, "tracefs",
		N_("The kernel has no tracing file system."),
		N_("Start a kernel with CONFIG_MMIOTRACE=y; in a container, run the program outside of it.") },
	[MTW_SENTENCE_TRACER] = { MTW_LEVEL_OK, "tracer-available",
		N_("The kernel offers mmiotrace."), "" },
	[MTW_SENTENCE_NO_TRACER] = { MTW_LEVEL_FAILURE, "tracer-available",
		N_("The kernel does not offer mmiotrace."),
		N_("Start a kernel with CONFIG_MMIOTRACE=y. The normal kernels of the large distributions have it, those for virtual machines (\"cloud\") often do not.") },
	[MTW_SENTENCE_TRACER_FREE] = { MTW_LEVEL_OK, "current-tracer",
		N_("Nobody is tracing."), "" },
	[MTW_SENTENCE_TRACER_OURS] = { MTW_LEVEL_FAILURE, "current-tracer",
		N_("mmiotrace is switched on already: a capture is running, or one ended without cleaning up."),
		N_("If no capture is running, `mmiotrace-wizard recover` cleans up after the one that died.") },
	[MTW_SENTENCE_TRACER_FOREIGN] = { MTW_LEVEL_FAILURE, "current-tracer",
		N_("Somebody else is tracing; starting mmiotrace would throw their trace away."),
		N_("End the other trace first. When nobody needs it, write \"nop\" to the file current_tracer.") },
	[MTW_SENTENCE_NO_READER] = { MTW_LEVEL_OK, "trace-reader",
		N_("Nobody is reading the kernel's trace."), "" },
	[MTW_SENTENCE_READER] = { MTW_LEVEL_FAILURE, "trace-reader",
		N_("Another program is reading the kernel's trace, which keeps mmiotrace from being switched on."),
		N_("End that program first.") },
	[MTW_SENTENCE_NO_EVENTS] = { MTW_LEVEL_OK, "trace-events",
		N_("No other trace events are switched on."), "" },
	[MTW_SENTENCE_EVENTS] = { MTW_LEVEL_WARNING, "trace-events",
		N_("Other trace events are switched on; they take room in the buffer and make it likelier that events are lost."),
		N_("Switch them off if nobody needs them: write an empty line to the file set_event.") },
	[MTW_SENTENCE_CPUMASK] = { MTW_LEVEL_OK, "tracing-cpumask",
		N_("The processor that stays on is traced."), "" },
	[MTW_SENTENCE_CPUMASK_WITHOUT] = { MTW_LEVEL_FAILURE, "tracing-cpumask",
		N_("Somebody limited tracing to some processors, and the one that stays on during the capture is not among them: every event would be lost."),
		N_("Write a mask that contains the first processor to the file tracing_cpumask (\"1\" is enough).") },
	[MTW_SENTENCE_ONE_CPU] = { MTW_LEVEL_OK, "cpus",
		N_("Only one processor is on, as mmiotrace needs it."), "" },
	[MTW_SENTENCE_CPUS] = { MTW_LEVEL_OK, "cpus",
		N_("All processors but the first are switched off during the capture and on again after it."), "" },
	[MTW_SENTENCE_CPUS_STUCK] = { MTW_LEVEL_FAILURE, "cpus",
		N_("Some processors cannot be switched off. With more than one processor on, mmiotrace can crash the computer."),
		N_("Restart with maxcpus=1 on the kernel's command line.") },
	[MTW_SENTENCE_CPUS_UNKNOWN] = { MTW_LEVEL_FAILURE, "cpus",
		N_("The kernel does not tell which processors are on."), "" },
	[MTW_SENTENCE_MEMORY] = { MTW_LEVEL_OK, "memory",
		N_("There is enough free memory for the buffer."), "" },
	[MTW_SENTENCE_MEMORY_LITTLE] = { MTW_LEVEL_WARNING, "memory",
		N_("There is little free memory, so the buffer is small and events may be lost."),
		N_("Close other programs, or choose the size of the buffer with --buffer-kb.") },
	[MTW_SENTENCE_MEMORY_SHORT] = { MTW_LEVEL_FAILURE, "memory",
		N_("There is not enough free memory for a buffer of this size."),
		N_("Close other programs, or choose a smaller buffer with --buffer-kb.") },
	[MTW_SENTENCE_DISK] = { MTW_LEVEL_OK, "disk",
		N_("There is enough room on the disk for a trace."), "" },
	[MTW_SENTENCE_DISK_LITTLE] = { MTW_LEVEL_WARNING, "disk",
		N_("There is room on the disk for a short trace only."),
		N_("The capture ends in order before the disk is full. The trace of a graphics card can have several gigabytes.") },
	[MTW_SENTENCE_DISK_SHORT] = { MTW_LEVEL_FAILURE, "disk",
		N_("There is too little room on the disk for a trace."),
		N_("Make room there; a trace can have several gigabytes.") },
	[MTW_SENTENCE_DISK_UNKNOWN] = { MTW_LEVEL_WARNING, "disk",
		N_("The free room on the disk cannot be told."), "" },

	[MTW_SENTENCE_DEVICE] = { MTW_LEVEL_OK, "device",
		N_("The device is there."), "" },
	[MTW_SENTENCE_NO_DEVICE] = { MTW_LEVEL_FAILURE, "device",
		N_("There is no such device."),
		N_("`mmiotrace-wizard devices` lists the devices and their addresses.") },
	[MTW_SENTENCE_DRIVER_CHOICE] = { MTW_LEVEL_FAILURE, "driver-choice",
		N_("It is not clear which driver to trace."),
		N_("Name an installed one that fits the device with --driver.") },
	[MTW_SENTENCE_BARS] = { MTW_LEVEL_OK, "device-bars",
		N_("The device has memory regions that can be traced."), "" },
	[MTW_SENTENCE_DRIVER] = { MTW_LEVEL_OK, "device-driver",
		N_("A driver has the device."), "" },
	[MTW_SENTENCE_DRIVER_LATER] = { MTW_LEVEL_OK, "device-driver",
		N_("No driver has the device, but there is one for it."), "" },
	[MTW_SENTENCE_MODULE] = { MTW_LEVEL_OK, "device-module",
		N_("The driver to trace is a module."), "" },
	[MTW_SENTENCE_BUILT_IN] = { MTW_LEVEL_OK, "device-module",
		N_("The driver to trace is built into the kernel."), "" },
	[MTW_SENTENCE_UNSIGNED] = { MTW_LEVEL_WARNING, "device-module",
		N_("The driver's module has no signature, and the kernel is locked down (Secure Boot): it can probably not be loaded."),
		N_("Sign the module with a key that the firmware knows, or switch Secure Boot off.") },
	[MTW_SENTENCE_SHARED] = { MTW_LEVEL_OK, "device-shared",
		N_("Other devices have the same driver."), "" },
	[MTW_SENTENCE_DISK_IN_USE] = { MTW_LEVEL_FAILURE, "device-disk",
		N_("The system uses disks on this device: file systems, swap or the like. They would be gone in the middle of their work."),
		N_("Unmount them first; the disk that the system runs from cannot be traced. Start from another disk, for example a USB stick.") },
	[MTW_SENTENCE_DISPLAY_IN_USE] = { MTW_LEVEL_FAILURE, "device-display",
		N_("Programs draw on this display; they would crash and take the desktop with them."),
		N_("Save your work, end the desktop (for example with `systemctl isolate multi-user.target`) and work from a text console or over SSH.") },
	[MTW_SENTENCE_CONSOLE] = { MTW_LEVEL_WARNING, "device-console",
		N_("The text console is on this display; it is dark while the driver is away."),
		N_("The capture goes on without it. Work over SSH, or use --batch.") },
	[MTW_SENTENCE_DEFAULT_ROUTE] = { MTW_LEVEL_WARNING, "device-network",
		N_("The network goes through this device: connections break off during the capture, also an SSH login."),
		N_("The capture goes on without its terminal. `mmiotrace-wizard sessions` shows the result afterwards.") },
	[MTW_SENTENCE_NETWORK] = { MTW_LEVEL_OK, "device-network",
		N_("The device is a network interface: connections over it break off during the capture."), "" },
	[MTW_SENTENCE_USERS] = { MTW_LEVEL_WARNING, "device-users",
		N_("Programs use the device and will lose it for a while."),
		N_("End them first if they would take harm.") },
	[MTW_SENTENCE_NO_USERS] = { MTW_LEVEL_OK, "device-users",
		N_("No program, disk or network connection uses the device."), "" },

	[MTW_SENTENCE_WAY_BRIDGE] = { MTW_LEVEL_FAILURE, "device-bridge",
		N_("The device is a bridge: other devices are reached through it, so it cannot be stopped."),
		N_("Choose the device behind it.") },
	[MTW_SENTENCE_WAY_NO_BARS] = { MTW_LEVEL_FAILURE, "device-bars",
		N_("The device has no memory region, only I/O ports or nothing at all: there is nothing to trace."),
		N_("Choose another device. mmiotrace sees only accesses to memory regions.") },
	[MTW_SENTENCE_WAY_USERSPACE] = { MTW_LEVEL_FAILURE, "device-userspace",
		N_("The device is handed to a program or a virtual machine, whose accesses the kernel cannot see."),
		N_("Name the driver that should have the device with --driver, or give the device back to it.") },
	[MTW_SENTENCE_WAY_NO_DRIVER] = { MTW_LEVEL_FAILURE, "device-driver",
		N_("No installed driver knows the device, so there is nothing that would use it."),
		N_("Install its driver first, or name one with --driver.") },
	[MTW_SENTENCE_WAY_NO_PCI_DRIVER] = { MTW_LEVEL_FAILURE, "device-driver",
		N_("The module for the device is loaded but offers no driver for PCI devices."),
		N_("Look into dmesg for the reason, or name another driver with --driver.") },
	[MTW_SENTENCE_WAY_OVERRIDE] = { MTW_LEVEL_FAILURE, "device-override",
		N_("The device is reserved for another driver (driver_override)."),
		N_("Write an empty line to the file driver_override of the device in sysfs.") },
	[MTW_SENTENCE_WAY_STUCK] = { MTW_LEVEL_FAILURE, "device-permanent",
		N_("The driver can neither be unloaded nor be told to let the device go, so it cannot be started again under the tracer."),
		N_("Keep the driver from being loaded when the computer starts (\"blacklist NAME\" in a file of modprobe.d), restart, and trace then.") },
	[MTW_SENTENCE_WAY_STUCK_BUILT_IN] = { MTW_LEVEL_FAILURE, "device-permanent",
		N_("The driver is built into the kernel and cannot be told to let the device go, so it cannot be started again under the tracer."),
		N_("A kernel that has this driver as a module is needed.") },

	[MTW_SENTENCE_WAY_BUILT_IN] = { MTW_LEVEL_OK, "device-way",
		N_("The driver is built into the kernel: just this device is taken from it and given back under the tracer."), "" },
	[MTW_SENTENCE_WAY_SHARED] = { MTW_LEVEL_OK, "device-way",
		N_("Other devices use the same driver and stay as they are: just this device is taken from it and given back under the tracer."), "" },
	[MTW_SENTENCE_WAY_IN_USE] = { MTW_LEVEL_OK, "device-way",
		N_("The driver's module is in use: just this device is taken from it and given back under the tracer."), "" },
	[MTW_SENTENCE_WAY_PERMANENT] = { MTW_LEVEL_WARNING, "device-way",
		N_("The driver's module cannot be unloaded: just this device is taken from it and given back under the tracer."),
		N_("What the driver does only once, when its module is loaded, will not be in the trace. To see that too, keep it from being loaded when the computer starts, and trace then.") },
	[MTW_SENTENCE_WAY_NOT_INSTALLED] = { MTW_LEVEL_WARNING, "device-way",
		N_("A module of the driver is not installed for the running kernel and could not be loaded again: just this device is taken from the driver and given back under the tracer."),
		N_("After an update of the kernel, restart the computer first.") },

	[MTW_SENTENCE_WAY_RELOAD] = { MTW_LEVEL_OK, "device-way",
		N_("The driver is unloaded and loaded again under the tracer."), "" },
	[MTW_SENTENCE_WAY_BIND] = { MTW_LEVEL_OK, "device-way",
		N_("The driver is there already and gets the device under the tracer."), "" },
	[MTW_SENTENCE_WAY_LOAD] = { MTW_LEVEL_OK, "device-way",
		N_("The driver's module is loaded under the tracer."), "" },
};
/* clang-format on */

MtwMessage *mtw_sentence_newv(MtwSentence sentence, const char *format, va_list args)
{
	const Row *row = &rows[sentence];
	g_autofree char *detail = format != NULL ? g_strdup_vprintf(format, args) : g_strdup("");

	return mtw_message_new(row->id, row->level, row->sentence, row->hint, "%s", detail);
}

MtwMessage *mtw_sentence_new(MtwSentence sentence, const char *format, ...)
{
	MtwMessage *message;
	va_list args;

	va_start(args, format);
	message = mtw_sentence_newv(sentence, format, args);
	va_end(args);
	return message;
}

char *mtw_sentence_list(const GPtrArray *names)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "",
				       (const char *)names->pdata[i]);
	return g_string_free(text, FALSE);
}
