/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel-config.txt: the options that matter for a trace and for this driver. */
#include "capture/collect-private.h"

#include "machine/kernel-config.h"

#include <string.h>

#define PREFIX "CONFIG_"
/* A shorter module name would be part of too many options. */
#define MIN_NAME 3

/* What an option's name begins with, behind CONFIG_. */
static const char *const beginnings[] = {
	"MMIOTRACE",
	"HAVE_MMIOTRACE",
	"FTRACE",
	"FUNCTION_TRACER",
	"TRACING",
	"TRACEPOINTS",
	"RING_BUFFER",
	"EVENT_TRACING",
	"GENERIC_TRACER",
	"DRM",
	"FB",
	"SYSFB",
	"VGA",
	"FRAMEBUFFER",
	"PCI",
	"HOTPLUG_PCI",
	"RANDOMIZE_",
	"KALLSYMS",
	"MODULE",
	"MODVERSIONS",
	"HOTPLUG_CPU",
	"SMP",
	"NR_CPUS",
	"PREEMPT",
	"HZ",
	"SECURITY_LOCKDOWN",
	"LOCK_DOWN",
	"DEVMEM",
	"STRICT_DEVMEM",
	"IO_STRICT_DEVMEM",
	"X86_64",
	"X86_PAT",
	"MTRR",
	"X86_5LEVEL",
	"PAGE_TABLE_ISOLATION",
	"MITIGATION",
	"RETPOLINE",
	"FW_LOADER",
	"EXTRA_FIRMWARE",
	"ACPI_VIDEO",
	"IOMMU",
	"INTEL_IOMMU",
	"AMD_IOMMU",
	"VFIO",
	"UIO",
	"DEBUG_FS",
	"LOCALVERSION",
	"CC_VERSION_TEXT",
	"IKCONFIG",
	"LTO",
	"CFI_CLANG",
	"KASAN",
	"KCSAN",
	"PROVE_LOCKING",
	"LOG_BUF_SHIFT",
};

/* "CONFIG_A=y" and "# CONFIG_A is not set": the A. Returns: NULL for another line */
static const char *option_of(const char *line)
{
	const char *at = g_str_has_prefix(line, "# ") ? line + 2 : line;

	return g_str_has_prefix(at, PREFIX) ? at + strlen(PREFIX) : NULL;
}

/* "snd_hda_intel" as it is in CONFIG_SND_HDA_INTEL. */
static char *own_name(const char *name)
{
	char *upper = name != NULL ? g_ascii_strup(name, -1) : NULL;

	if (upper == NULL || strlen(upper) < MIN_NAME) {
		g_free(upper);
		return NULL;
	}
	return g_strdelimit(upper, "-", '_');
}

static gboolean is_own(const char *option, const char *name)
{
	gsize bytes = strcspn(option, "= ");

	return name != NULL && g_strstr_len(option, (gssize)bytes, name) != NULL;
}

static gboolean matters(const char *option)
{
	for (gsize i = 0; i < G_N_ELEMENTS(beginnings); i++)
		if (g_str_has_prefix(option, beginnings[i]))
			return TRUE;
	return FALSE;
}

static void append_options(MtwCollecting *collecting, GString *text, const char *config)
{
	const MtwCollectOptions *options = &collecting->options;
	g_autofree char *module = own_name(options->module);
	g_autofree char *driver = own_name(options->driver);
	g_auto(GStrv) lines = g_strsplit(config, "\n", -1);
	guint n_options = 0;

	for (char **line = lines; *line != NULL; line++) {
		const char *option = option_of(*line);
		if (option == NULL ||
		    (!matters(option) && !is_own(option, module) && !is_own(option, driver)))
			continue;
		g_string_append_printf(text, "%s\n", *line);
		n_options++;
	}
	mtw_collecting_notes(collecting, "%u options", n_options);
}

void mtw_collect_kernel_config(MtwCollecting *collecting)
{
	g_autofree char *source = NULL;
	g_autofree char *config = mtw_kernel_config_load(collecting->options.paths, &source);
	g_autoptr(GString) text = mtw_collecting_head("excerpt of the kernel's configuration.");

	if (config == NULL) {
		mtw_collecting_misses(collecting, "no configuration of this kernel was found");
		return;
	}
	g_string_append_printf(text, "From %s\n\n", source);
	append_options(collecting, text, config);
	mtw_collecting_notes(collecting, "from %s", source);
	mtw_collecting_text(collecting, text->str, text->len);
}
