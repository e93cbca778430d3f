/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/collect.h"

#include "config.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/text.h"
#include "machine/module.h"
#include "machine/system.h"

#include <string.h>

static void append_section(GString *text, const char *title)
{
	g_string_append_printf(text, "\n== %s ==\n", title);
}

/* A value stays on its line: it cannot pretend to be another one. */
static void append_fact(GString *text, const char *key, const char *value)
{
	g_autofree char *clean = mtw_text_clean_line(value != NULL ? value : "");

	g_string_append_printf(text, "%s: %s\n", key, *clean != '\0' ? clean : "unknown");
}

static void append_system(GString *text, const MtwPaths *paths)
{
	g_autofree char *uname = mtw_system_uname(paths);
	g_autofree char *name = mtw_system_os_name(paths);
	g_autofree char *release = mtw_system_release(paths);
	g_autofree char *machine = mtw_system_machine(paths);
	g_autofree char *cmdline = mtw_system_cmdline(paths);

	append_section(text, "System");
	append_fact(text, "uname -a", uname);
	append_fact(text, "Operating system", name);
	append_fact(text, "Kernel", release);
	append_fact(text, "Architecture", machine);
	append_fact(text, "Kernel command line", cmdline);
}

static char *read_os_release(const MtwPaths *paths)
{
	g_autofree char *first = mtw_paths_build(paths, MTW_PATH_ETC, "os-release", NULL);
	g_autofree char *second =
		mtw_paths_build(paths, MTW_PATH_ROOT, "usr", "lib", "os-release", NULL);
	char *content = mtw_file_read(first, MTW_FILE_SMALL_BYTES, NULL, NULL);

	return content != NULL ? content : mtw_file_read(second, MTW_FILE_SMALL_BYTES, NULL, NULL);
}

/* KEY="value" as Key: value, comments left out. */
static void append_os_release(GString *text, const MtwPaths *paths)
{
	g_autofree char *content = read_os_release(paths);
	g_auto(GStrv) lines = g_strsplit(content != NULL ? content : "", "\n", -1);

	append_section(text, "os-release");
	for (char **line = lines; *line != NULL; line++) {
		char *equals = strchr(g_strstrip(*line), '=');
		g_autofree char *value = NULL;

		if (**line == '#' || equals == NULL)
			continue;
		*equals = '\0';
		value = g_shell_unquote(equals + 1, NULL);
		append_fact(text, *line, value != NULL ? value : equals + 1);
	}
}

static void append_bars(GString *text, const MtwPciDevice *device)
{
	for (guint i = 0; i < MTW_PCI_BARS; i++) {
		const MtwPciBar *bar = &device->bars[i];

		if (bar->kind == MTW_BAR_NONE)
			continue;
		if (i < MTW_PCI_BARS - 1)
			g_string_append_printf(text, "BAR %u: ", i);
		else
			g_string_append(text, "Expansion ROM: ");
		g_string_append_printf(
			text, "%s 0x%" G_GINT64_MODIFIER "x, %" G_GUINT64_FORMAT " bytes",
			bar->kind == MTW_BAR_IO ? "I/O ports" : "memory", bar->start, bar->length);
		if (bar->kind == MTW_BAR_MEMORY)
			g_string_append_printf(text, ", %s-bit, %sprefetchable",
					       bar->is_64bit ? "64" : "32",
					       bar->prefetchable ? "" : "not ");
		g_string_append_c(text, '\n');
	}
}

static void append_device(GString *text, const MtwPciDevice *device)
{
	g_autofree char *name = g_strdup_printf("%s %s", device->vendor_name, device->device_name);
	g_autofree char *id = g_strdup_printf("%04x:%04x", device->vendor, device->device);
	g_autofree char *subsystem =
		g_strdup_printf("%04x:%04x", device->subsystem_vendor, device->subsystem_device);
	g_autofree char *class_text =
		g_strdup_printf("%06x %s", device->class_code, device->class_name);
	g_autofree char *revision = g_strdup_printf("%02x", device->revision);

	append_section(text, "Device");
	append_fact(text, "Address", device->address);
	append_fact(text, "Name", g_strstrip(name));
	append_fact(text, "Vendor and device", id);
	append_fact(text, "Subsystem", subsystem);
	append_fact(text, "Class", g_strchomp(class_text));
	append_fact(text, "Revision", revision);
	append_fact(text, "Firmware's display", device->boot_vga ? "yes" : "no");
	append_bars(text, device);
}

static void append_driver(GString *text, const MtwCollectOptions *options)
{
	const char *driver = options->driver != NULL ? options->driver : options->device->driver;
	const char *module = options->module != NULL ? options->module : options->device->module;
	g_autofree char *facts = module != NULL ? mtw_module_facts(options->paths, module) : NULL;

	append_section(text, "Driver");
	append_fact(text, "PCI driver", driver != NULL ? driver : "none");
	append_fact(text, "Module", module != NULL ? module : "none, or built into the kernel");
	if (facts != NULL)
		g_string_append(text, facts);
}

char *mtw_system_text(const MtwCollectOptions *options)
{
	g_autoptr(GString) text = g_string_new("Made by mmiotrace-wizard " MTW_VERSION "\n");

	append_system(text, options->paths);
	append_os_release(text, options->paths);
	append_device(text, options->device);
	append_driver(text, options);
	return mtw_lines_clean(text->str, (gssize)text->len);
}
