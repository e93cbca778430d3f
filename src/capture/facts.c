/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/facts.h"

#include "base/json.h"
#include "base/text.h"
#include "capture/facts-private.h"
#include "machine/display-nvidia.h"
#include "machine/display.h"
#include "machine/module.h"
#include "machine/session-type.h"
#include "machine/sysfs.h"
#include "machine/system.h"

#include <string.h>

#define VENDOR_NVIDIA 0x10de

static const char *const names[] = {
	"address",	  "device-id",	      "device-name",
	"driver",	  "module",	      "driver-version",
	"module-license", "kernel",	      "distribution",
	"session",	  "session-programs", "connectors",
	"monitors",	  "siblings",	      "gsp",
	"gsp-version",	  "vbios-version",    "firmware-version",
	"interfaces",	  "codecs",	      "disks",
};

gboolean mtw_facts_is_name(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(names[i], name) == 0)
			return TRUE;
	return FALSE;
}

void mtw_facts_set(JsonObject *facts, const char *name, const char *value)
{
	g_autofree char *clean = g_strstrip(mtw_text_clean_line(value != NULL ? value : ""));

	if (clean[0] != '\0')
		json_object_set_string_member(facts, name, clean);
}

void mtw_facts_add(GString *list, const char *item)
{
	if (list->len > 0)
		g_string_append(list, ", ");
	g_string_append(list, item);
}

/* "name [vendor:device]" as lspci -nn writes it. */
static char *device_title(const MtwPciDevice *device)
{
	g_autofree char *name = g_strdup_printf("%s %s", device->vendor_name, device->device_name);

	g_strstrip(name);
	return g_strdup_printf("%s%s[%04x:%04x]", name, name[0] != '\0' ? " " : "", device->vendor,
			       device->device);
}

static void gather_device(const MtwPciDevice *device, JsonObject *facts)
{
	g_autofree char *id = g_strdup_printf("%04x:%04x", device->vendor, device->device);
	g_autofree char *name = g_strdup_printf("%s %s", device->vendor_name, device->device_name);

	mtw_facts_set(facts, "address", device->address);
	mtw_facts_set(facts, "device-id", id);
	mtw_facts_set(facts, "device-name", name);
	mtw_facts_set(facts, "driver", device->driver);
}

static void gather_system(const MtwPaths *paths, JsonObject *facts)
{
	g_autofree char *kernel = mtw_system_release(paths);
	g_autofree char *distribution = mtw_system_os_name(paths);

	mtw_facts_set(facts, "kernel", kernel);
	mtw_facts_set(facts, "distribution", distribution);
}

/* The first "key: value" of the module's facts. Returns: (transfer full) (nullable) */
static char *value_of(const char *text, const char *key)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	gsize length = strlen(key);

	for (char **line = lines; *line != NULL; line++)
		if (strncmp(*line, key, length) == 0 && strncmp(*line + length, ": ", 2) == 0)
			return g_strdup(*line + length + 2);
	return NULL;
}

/*
 * On Debian the vendor driver's module is "nvidia" in the kernel and "nvidia-current" (or another
 * of several) on the disk: the one that fits the device and begins with the name.
 * Returns: (transfer full): "key: value" lines
 */
static char *facts_of_file(const MtwPaths *paths, const MtwPciDevice *device, const char *name)
{
	g_autofree char *prefix = g_strconcat(name, "_", NULL);
	g_autofree char *known = mtw_module_facts(paths, name);
	g_autofree char *license = value_of(known, "license");
	g_autoptr(GPtrArray) matches = mtw_module_matches(paths, device->modalias);

	for (guint i = 0; license == NULL && i < matches->len; i++)
		if (g_str_has_prefix(matches->pdata[i], prefix))
			return mtw_module_facts(paths, matches->pdata[i]);
	return g_steal_pointer(&known);
}

/* What is loaded comes before what is installed: an update can lie on the disk already. */
static void gather_module(const MtwPaths *paths, const MtwPciDevice *device, const char *module,
			  JsonObject *facts)
{
	g_autofree char *name = g_strdelimit(g_strdup(module), "-", '_');
	g_autofree char *folder = NULL;
	g_autofree char *known = NULL;
	g_autofree char *loaded_version = NULL;
	g_autofree char *version = NULL;
	g_autofree char *license = NULL;

	if (!mtw_sysfs_is_name(name))
		return;
	folder = mtw_paths_build(paths, MTW_PATH_SYSFS, "module", name, NULL);
	known = facts_of_file(paths, device, name);
	loaded_version = mtw_sysfs_attribute(folder, "version");
	version = value_of(known, "version");
	license = value_of(known, "license");
	mtw_facts_set(facts, "module", name);
	mtw_facts_set(facts, "driver-version", loaded_version != NULL ? loaded_version : version);
	mtw_facts_set(facts, "module-license", license);
}

static char *connector_line(const MtwConnector *connector)
{
	g_autofree char *monitor =
		connector->edid != NULL ? mtw_edid_monitor(connector->edid) : NULL;
	gboolean unused = g_str_equal(connector->status, "connected") && !connector->enabled;

	return g_strdup_printf("%s %s%s%s%s%s", connector->name, connector->status,
			       unused ? " but off" : "", monitor != NULL ? " (" : "",
			       monitor != NULL ? monitor : "", monitor != NULL ? ")" : "");
}

/* Who it is and its best mode: its own word for it, or the first of the kernel's list. */
static char *monitor_line(const MtwConnector *connector)
{
	g_autofree char *monitor = mtw_edid_monitor(connector->edid);
	const MtwEdid *edid = connector->edid;

	if (edid->preferred_width != 0)
		return g_strdup_printf("%s: %s %ux%u", connector->name, monitor,
				       edid->preferred_width, edid->preferred_height);
	if (connector->mode != NULL)
		return g_strdup_printf("%s: %s %s", connector->name, monitor, connector->mode);
	return g_strdup_printf("%s: %s", connector->name, monitor);
}

static void gather_connectors(const MtwPaths *paths, const MtwPciDevice *device, JsonObject *facts)
{
	g_autoptr(GPtrArray) list = mtw_display_connectors(paths, device);
	g_autoptr(GString) connectors = g_string_new(NULL);
	g_autoptr(GString) monitors = g_string_new(NULL);

	for (guint i = 0; i < list->len; i++) {
		const MtwConnector *connector = list->pdata[i];
		g_autofree char *line = connector_line(connector);
		g_autofree char *monitor = connector->edid != NULL ? monitor_line(connector) : NULL;
		mtw_facts_add(connectors, line);
		if (monitor != NULL)
			mtw_facts_add(monitors, monitor);
	}
	mtw_facts_set(facts, "connectors", connectors->str);
	mtw_facts_set(facts, "monitors", monitors->str);
}

static void gather_siblings(const MtwPaths *paths, const MtwPciDevice *device, JsonObject *facts)
{
	g_autoptr(GPtrArray) list = mtw_display_siblings(paths, device);
	g_autoptr(GString) siblings = g_string_new(NULL);

	for (guint i = 0; i < list->len; i++) {
		const MtwPciDevice *other = list->pdata[i];
		g_autofree char *title = device_title(other);
		g_autofree char *line =
			g_strdup_printf("%s %s (%s)", other->address, title,
					other->driver != NULL ? other->driver : "no driver");
		mtw_facts_add(siblings, line);
	}
	mtw_facts_set(facts, "siblings", list->len > 0 ? siblings->str : "none");
}

static void gather_session(const MtwPaths *paths, JsonObject *facts)
{
	g_autoptr(GPtrArray) programs = mtw_session_programs(paths);
	g_autofree char *text = NULL;

	mtw_facts_set(facts, "session", mtw_session_type_name(mtw_session_type(paths)));
	g_ptr_array_add(programs, NULL);
	text = g_strjoinv(", ", (char **)programs->pdata);
	mtw_facts_set(facts, "session-programs", text);
}

static gboolean is_vendor_driver(JsonObject *facts)
{
	return g_str_has_prefix(mtw_json_string(facts, "module", ""), "nvidia");
}

static void gather_nvidia(const MtwPaths *paths, const MtwPciDevice *device, JsonObject *facts)
{
	static const char *const states[] = {
		[MTW_GSP_UNKNOWN] = "unknown",
		[MTW_GSP_OFF] = "off",
		[MTW_GSP_ON] = "on",
	};
	g_autoptr(MtwNvidiaFacts) nvidia = mtw_nvidia_facts(paths, device);

	mtw_facts_set(facts, "gsp", states[nvidia->gsp]);
	mtw_facts_set(facts, "gsp-version", nvidia->gsp_version);
	mtw_facts_set(facts, "vbios-version", nvidia->vbios_version);
	if (nvidia->driver_version != NULL && is_vendor_driver(facts))
		mtw_facts_set(facts, "driver-version", nvidia->driver_version);
}

/*
 * The module that is most likely traced: that of the driver; without a driver the only one that
 * fits. Returns: (transfer full) (nullable)
 */
static char *likely_module(const MtwPaths *paths, const MtwPciDevice *device)
{
	g_autoptr(GPtrArray) candidates = NULL;

	if (device->driver != NULL)
		return g_strdup(device->module);
	candidates = mtw_module_candidates(paths, device->modalias);
	return candidates->len == 1 ? g_strdup(candidates->pdata[0]) : NULL;
}

JsonObject *mtw_facts_gather(const MtwPaths *paths, const MtwPciDevice *device, const char *module)
{
	JsonObject *facts = json_object_new();
	g_autofree char *traced = module != NULL ? g_strdup(module) : likely_module(paths, device);

	gather_device(device, facts);
	gather_system(paths, facts);
	if (traced != NULL)
		gather_module(paths, device, traced, facts);
	if (mtw_display_is_card(device)) {
		gather_connectors(paths, device, facts);
		gather_siblings(paths, device, facts);
		gather_session(paths, facts);
		if (device->vendor == VENDOR_NVIDIA)
			gather_nvidia(paths, device, facts);
	}
	mtw_facts_gather_parts(paths, device, facts);
	mtw_facts_gather_log(paths, facts);
	return facts;
}
