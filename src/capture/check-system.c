/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of the machine and its kernel, apart from the tracing files. */
#include "capture/check-private.h"

#include "base/error.h"
#include "base/text.h"
#include "capture/buffer.h"
#include "machine/cpu.h"
#include "machine/kernel-config.h"
#include "machine/lockdown.h"
#include "machine/system.h"

#include <errno.h>
#include <string.h>

/* A small trace and what goes with it. The recorder watches the disk while it writes. */
#define COMFORTABLE_FREE_BYTES (G_GUINT64_CONSTANT(1024) * 1024 * 1024)
#define DEFAULT_MIN_FREE_BYTES (G_GUINT64_CONSTANT(16) * 1024 * 1024)
/* With less than this even a small driver's start may not fit between two reads. */
#define SMALL_BUFFER_KB (64 * 1024)

void mtw_check_architecture(MtwCheck *check)
{
	g_autofree char *machine = mtw_system_machine(check->paths);
	gboolean is_x86 =
		strcmp(machine, "x86_64") == 0 ||
		(strlen(machine) == 4 && machine[0] == 'i' && strcmp(machine + 2, "86") == 0);

	mtw_check_say(check, is_x86 ? MTW_SENTENCE_X86 : MTW_SENTENCE_NOT_X86, "%s", machine);
}

void mtw_check_root(MtwCheck *check)
{
	static const MtwSentence sentences[] = {
		[MTW_PRIVILEGE_NONE] = MTW_SENTENCE_NOT_ROOT,
		[MTW_PRIVILEGE_LIMITED] = MTW_SENTENCE_LIMITED_ROOT,
		[MTW_PRIVILEGE_FULL] = MTW_SENTENCE_ROOT,
	};

	mtw_check_say(check, sentences[mtw_system_privilege(check->paths)], NULL);
}

/* What the kernel offers decides; the file is only a hint that may belong to another kernel. */
void mtw_check_kernel_config(MtwCheck *check)
{
	g_autofree char *source = NULL;
	g_autofree char *text = mtw_kernel_config_load(check->paths, &source);
	gboolean offered =
		check->tracefs != NULL && mtw_tracefs_has_tracer(check->tracefs, "mmiotrace");

	if (text == NULL)
		mtw_check_say(check, MTW_SENTENCE_CONFIG_UNKNOWN, NULL);
	else if (mtw_kernel_config_parse(text, strlen(text), "CONFIG_MMIOTRACE") == MTW_CONFIG_YES)
		mtw_check_say(check, MTW_SENTENCE_CONFIG_YES, "%s", source);
	else
		mtw_check_say(check, offered ? MTW_SENTENCE_CONFIG_STALE : MTW_SENTENCE_CONFIG_NO,
			      "%s", source);
}

void mtw_check_lockdown(MtwCheck *check)
{
	static const MtwSentence sentences[] = {
		[MTW_LOCKDOWN_UNKNOWN] = MTW_SENTENCE_LOCKDOWN_UNKNOWN,
		[MTW_LOCKDOWN_NONE] = MTW_SENTENCE_NOT_LOCKED,
		[MTW_LOCKDOWN_INTEGRITY] = MTW_SENTENCE_INTEGRITY,
		[MTW_LOCKDOWN_CONFIDENTIALITY] = MTW_SENTENCE_CONFIDENTIALITY,
	};

	mtw_check_say(check, sentences[mtw_lockdown_get(check->paths)], NULL);
}

/* A boolean parameter as the kernel reads it: no value means yes. */
static gboolean is_on(const char *value)
{
	return value != NULL && (*value == '\0' || strchr("yYtT1", *value) != NULL ||
				 g_ascii_strcasecmp(value, "on") == 0);
}

/* filter_offset lets through only mappings that begin exactly there. */
static gboolean is_in_bar(const MtwPciDevice *device, guint64 address)
{
	for (int i = 0; i < MTW_PCI_BARS; i++) {
		const MtwPciBar *bar = &device->bars[i];
		if (bar->kind == MTW_BAR_MEMORY && address >= bar->start &&
		    address - bar->start < bar->length)
			return TRUE;
	}
	return FALSE;
}

static gboolean say_filter(MtwCheck *check, const char *cmdline)
{
	g_autofree char *text = mtw_cmdline_value(cmdline, "mmiotrace.filter_offset");
	guint64 address = text != NULL ? g_ascii_strtoull(text, NULL, 0) : 0;
	gboolean elsewhere = check->device != NULL && !is_in_bar(check->device, address);

	if (address == 0)
		return FALSE;
	mtw_check_say(check, elsewhere ? MTW_SENTENCE_FILTER_ELSEWHERE : MTW_SENTENCE_FILTER,
		      "mmiotrace.filter_offset=%s", text);
	return TRUE;
}

void mtw_check_cmdline(MtwCheck *check)
{
	g_autofree char *cmdline = mtw_system_cmdline(check->paths);
	g_autofree char *no_trace = mtw_cmdline_value(cmdline, "mmiotrace.nommiotrace");
	g_autofree char *trace_pc = mtw_cmdline_value(cmdline, "mmiotrace.trace_pc");

	if (is_on(no_trace))
		mtw_check_say(check, MTW_SENTENCE_NOMMIOTRACE, "%s", "mmiotrace.nommiotrace");
	else if (say_filter(check, cmdline))
		return;
	else if (is_on(trace_pc))
		mtw_check_say(check, MTW_SENTENCE_TRACE_PC, "%s", "mmiotrace.trace_pc");
	else
		mtw_check_say(check, MTW_SENTENCE_CMDLINE, NULL);
}

/* The processors that would have to go and cannot: "2, 3", or "". */
static char *stuck_cpus(const MtwPaths *paths, const GArray *online)
{
	GString *stuck = g_string_new(NULL);

	for (guint i = 1; i < online->len; i++) {
		guint cpu = g_array_index(online, guint, i);
		if (!mtw_cpu_can_go_offline(paths, cpu))
			g_string_append_printf(stuck, "%s%u", stuck->len > 0 ? ", " : "", cpu);
	}
	return g_string_free(stuck, FALSE);
}

void mtw_check_cpus(MtwCheck *check)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) online = mtw_cpu_list(check->paths, "online", &error);
	g_autofree char *text = mtw_cpu_online_text(check->paths, NULL);
	g_autofree char *stuck = online != NULL ? stuck_cpus(check->paths, online) : NULL;

	if (online == NULL || online->len == 0)
		mtw_check_say(check, MTW_SENTENCE_CPUS_UNKNOWN, "%s",
			      error != NULL ? error->message : "");
	else if (*stuck != '\0')
		mtw_check_say(check, MTW_SENTENCE_CPUS_STUCK, "%s", stuck);
	else
		mtw_check_say(check, online->len == 1 ? MTW_SENTENCE_ONE_CPU : MTW_SENTENCE_CPUS,
			      "%s", text);
}

void mtw_check_memory(MtwCheck *check)
{
	guint64 available = mtw_system_memory_available(check->paths);
	guint64 wanted_kb = check->options->buffer_kb;
	guint64 buffer_kb = wanted_kb != 0 ? wanted_kb : mtw_buffer_default_kb(available);
	g_autofree char *buffer_text =
		mtw_text_bytes_data(MIN(buffer_kb, G_MAXUINT64 / 1024) * 1024);
	g_autofree char *available_text = mtw_text_bytes_data(available);
	MtwSentence sentence = MTW_SENTENCE_MEMORY;

	if (available != 0 && buffer_kb > available / 1024)
		sentence = MTW_SENTENCE_MEMORY_SHORT;
	else if (wanted_kb == 0 && buffer_kb < SMALL_BUFFER_KB)
		sentence = MTW_SENTENCE_MEMORY_LITTLE;
	mtw_check_say(check, sentence, "%s / %s", buffer_text,
		      available != 0 ? available_text : "?");
}

void mtw_check_disk(MtwCheck *check)
{
	const char *folder = mtw_paths_get(check->paths, MTW_PATH_STATE);
	guint64 needed = check->options->min_free_bytes;
	MtwSentence sentence = MTW_SENTENCE_DISK;
	g_autoptr(GError) error = NULL;
	g_autofree char *free_text = NULL;
	guint64 free_bytes;

	if (!mtw_space_free(folder, &free_bytes, &error)) {
		mtw_check_say(check, MTW_SENTENCE_DISK_UNKNOWN, "%s", error->message);
		return;
	}
	if (needed == 0)
		needed = DEFAULT_MIN_FREE_BYTES;
	free_text = mtw_text_bytes_data(free_bytes);
	if (free_bytes < needed)
		sentence = MTW_SENTENCE_DISK_SHORT;
	else if (free_bytes < COMFORTABLE_FREE_BYTES)
		sentence = MTW_SENTENCE_DISK_LITTLE;
	mtw_check_say(check, sentence, "%s: %s", folder, free_text);
}
