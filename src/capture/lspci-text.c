/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In the form of `lspci -vvv -nn -D`, as far as sysfs goes. The dump of config space is in the form
 * of `lspci -x`, so that a developer can have all of it decoded: lspci -vvv -F lspci.txt
 */
#include "capture/collect-private.h"

#include "config.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/parse.h"
#include "machine/module.h"

#include <string.h>

#define HEADER_BYTES 64
#define CONFIG_BYTES 256
/* Of one device; the kernel gives an answer at once or, of a broken one, never. */
#define CONFIG_USEC (1 * G_USEC_PER_SEC)

/* Offsets and bits of config space (PCI Local Bus Specification, chapter 6). */
#define CONFIG_COMMAND 0x04
#define CONFIG_STATUS 0x06
#define CONFIG_HEADER_TYPE 0x0e
#define CONFIG_BUSES 0x18
#define CONFIG_INTERRUPT_PIN 0x3d
#define COMMAND_IO 0x1
#define COMMAND_MEMORY 0x2
#define STATUS_CAPABILITIES 0x10
#define HEADER_TYPE_BRIDGE 1

typedef struct {
	guint8 bytes[CONFIG_BYTES];
	gsize length; /* 0: could not be read */
} ConfigSpace;

typedef struct {
	guint mask;
	const char *name;
} Flag;

static const Flag command_flags[] = {
	{ 0x1, "I/O" },	     { 0x2, "Mem" },	   { 0x4, "BusMaster" }, { 0x8, "SpecCycle" },
	{ 0x10, "MemWINV" }, { 0x20, "VGASnoop" }, { 0x40, "ParErr" },	 { 0x80, "Stepping" },
	{ 0x100, "SERR" },   { 0x200, "FastB2B" }, { 0x400, "DisINTx" },
};

static const Flag status_flags[] = {
	{ 0x10, "Cap" },      { 0x20, "66MHz" },     { 0x80, "FastB2B" },   { 0x100, "ParErr" },
	{ 0x800, ">TAbort" }, { 0x1000, "<TAbort" }, { 0x2000, "<MAbort" }, { 0x4000, ">SERR" },
	{ 0x8000, "<PERR" },  { 0x8, "INTx" },
};

/* The first @wanted bytes. Returns: how many there are */
static gsize read_at(MtwReader *reader, const char *path, guint8 *bytes, gsize wanted)
{
	MtwReadLimits limits = { .max_bytes = wanted,
				 .only_these = TRUE,
				 .deadline_usec = g_get_monotonic_time() + CONFIG_USEC };
	gsize got = 0;
	g_autofree char *content = mtw_reader_read(reader, path, &limits, &got, NULL, NULL);

	if (content == NULL)
		return 0;
	got = MIN(got, wanted);
	memcpy(bytes, content, got);
	return got;
}

/*
 * Some old chips hang when undefined parts of their config space are read; they have no capability
 * list. So what is behind the header is read only of devices that have one.
 */
static ConfigSpace read_config(const MtwPaths *paths, MtwReader *reader, const char *address)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices",
						address, "config", NULL);
	ConfigSpace config = { .length = 0 };
	gsize all;

	config.length = read_at(reader, path, config.bytes, HEADER_BYTES);
	if (config.length < HEADER_BYTES || !(config.bytes[CONFIG_STATUS] & STATUS_CAPABILITIES))
		return config;
	all = read_at(reader, path, config.bytes, CONFIG_BYTES);
	config.length = MAX(all, config.length);
	return config;
}

static guint config_word(const ConfigSpace *config, guint offset)
{
	return config->bytes[offset] | (guint)config->bytes[offset + 1] << 8;
}

static void append_flags(GString *text, const char *label, guint word, const Flag *flags,
			 gsize n_flags)
{
	g_string_append_printf(text, "\t%s:", label);
	for (gsize i = 0; i < n_flags; i++)
		g_string_append_printf(text, " %s%c", flags[i].name,
				       word & flags[i].mask ? '+' : '-');
	g_string_append_c(text, '\n');
}

static void append_size(GString *text, guint64 bytes)
{
	static const char *const units[] = { "", "K", "M", "G", "T" };
	gsize unit = 0;

	while (unit + 1 < G_N_ELEMENTS(units) && bytes >= 1024 && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	g_string_append_printf(text, " [size=%" G_GUINT64_FORMAT "%s]\n", bytes, units[unit]);
}

static void append_bar(GString *text, guint index, const MtwPciBar *bar, const ConfigSpace *config)
{
	guint needed = bar->kind == MTW_BAR_IO ? COMMAND_IO : COMMAND_MEMORY;
	gboolean disabled = config->length >= HEADER_BYTES &&
			    (config_word(config, CONFIG_COMMAND) & needed) == 0;

	if (bar->kind == MTW_BAR_NONE || bar->length == 0)
		return;
	if (index == MTW_PCI_BARS - 1)
		g_string_append(text, "\tExpansion ROM at ");
	else
		g_string_append_printf(text, "\tRegion %u: %s at ", index,
				       bar->kind == MTW_BAR_IO ? "I/O ports" : "Memory");
	if (bar->start == 0)
		g_string_append(text, "<unassigned>");
	else
		g_string_append_printf(text, "%0*" G_GINT64_MODIFIER "x",
				       bar->kind == MTW_BAR_IO ? 4 : 8, bar->start);
	if (bar->kind == MTW_BAR_MEMORY && index < MTW_PCI_BARS - 1)
		g_string_append_printf(text, " (%s-bit, %sprefetchable)",
				       bar->is_64bit ? "64" : "32",
				       bar->prefetchable ? "" : "non-");
	if (disabled)
		g_string_append(text, " [disabled]");
	append_size(text, bar->length);
}

static void append_interrupt(GString *text, const MtwPaths *paths, const MtwPciDevice *device,
			     const ConfigSpace *config)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices",
						device->address, "irq", NULL);
	g_autofree char *irq = mtw_file_read_line(path, NULL);
	guint pin = config->length >= HEADER_BYTES ? config->bytes[CONFIG_INTERRUPT_PIN] : 0;
	guint number;

	if (irq == NULL || pin < 1 || pin > 4 || !mtw_parse_uint(irq, 0, G_MAXINT, &number))
		return;
	g_string_append_printf(text, "\tInterrupt: pin %c routed to IRQ %u\n", 'A' + (int)pin - 1,
			       number);
}

static void append_config_facts(GString *text, const ConfigSpace *config)
{
	const guint8 *buses = config->bytes + CONFIG_BUSES;

	if (config->length < HEADER_BYTES)
		return;
	append_flags(text, "Control", config_word(config, CONFIG_COMMAND), command_flags,
		     G_N_ELEMENTS(command_flags));
	append_flags(text, "Status", config_word(config, CONFIG_STATUS), status_flags,
		     G_N_ELEMENTS(status_flags));
	if ((config->bytes[CONFIG_HEADER_TYPE] & 0x7f) == HEADER_TYPE_BRIDGE)
		g_string_append_printf(text,
				       "\tBus: primary=%02x, secondary=%02x, subordinate=%02x\n",
				       buses[0], buses[1], buses[2]);
}

static void append_driver(GString *text, const MtwPaths *paths, const MtwPciDevice *device)
{
	g_autoptr(GPtrArray) modules = mtw_module_candidates(paths, device->modalias);

	if (device->driver != NULL)
		g_string_append_printf(text, "\tKernel driver in use: %s\n", device->driver);
	if (device->driver != NULL && device->module != NULL)
		g_string_append_printf(text, "\tModule of this driver: %s\n", device->module);
	for (guint i = 0; i < modules->len; i++)
		g_string_append_printf(text, "%s%s", i == 0 ? "\tKernel modules: " : ", ",
				       (const char *)modules->pdata[i]);
	if (modules->len > 0)
		g_string_append_c(text, '\n');
}

void mtw_lspci_dump(GString *text, const guint8 *bytes, gsize length)
{
	for (gsize i = 0; i < length; i++) {
		if (i % 16 == 0)
			g_string_append_printf(text, "%s%02zx:", i > 0 ? "\n" : "", i);
		g_string_append_printf(text, " %02x", bytes[i]);
	}
	g_string_append(text, length > 0 ? "\n" : "\tConfig space could not be read\n");
}

static const char *name_or(const char *name, const char *missing)
{
	return name != NULL && *name != '\0' ? name : missing;
}

void mtw_lspci_title(GString *text, const MtwPciDevice *device)
{
	g_string_append_printf(text, "%s %s [%04x]: %s %s [%04x:%04x]", device->address,
			       name_or(device->class_name, "Class"), device->class_code >> 8,
			       name_or(device->vendor_name, "Vendor"),
			       name_or(device->device_name, "Device"), device->vendor,
			       device->device);
	if (device->revision != 0)
		g_string_append_printf(text, " (rev %02x)", device->revision);
	if ((device->class_code & 0xff) != 0)
		g_string_append_printf(text, " (prog-if %02x)", device->class_code & 0xff);
	g_string_append_c(text, '\n');
}

static void append_device(GString *text, const MtwPaths *paths, MtwReader *reader,
			  const MtwPciDevice *device)
{
	ConfigSpace config = read_config(paths, reader, device->address);

	g_string_append_c(text, '\n');
	mtw_lspci_title(text, device);
	if (device->subsystem_vendor != 0)
		g_string_append_printf(text, "\tSubsystem: [%04x:%04x]\n", device->subsystem_vendor,
				       device->subsystem_device);
	append_config_facts(text, &config);
	append_interrupt(text, paths, device, &config);
	for (guint i = 0; i < MTW_PCI_BARS; i++)
		append_bar(text, i, &device->bars[i], &config);
	append_driver(text, paths, device);
	mtw_lspci_dump(text, config.bytes, config.length);
}

char *mtw_lspci_text(const MtwPaths *paths, MtwReader *reader)
{
	g_autoptr(GPtrArray) devices = mtw_pci_list(paths);
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(
		text,
		"Made by mmiotrace-wizard %s from sysfs: lspci (pciutils) is missing "
		"or did not work.\nTo have it decoded: lspci -vvv -nn -F FILE\n",
		MTW_VERSION);
	for (guint i = 0; i < devices->len; i++)
		append_device(text, paths, reader, devices->pdata[i]);
	return mtw_lines_clean(text->str, (gssize)text->len);
}
