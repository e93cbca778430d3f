/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The connectors of the device and their monitors. The kernel's files of a connector tell what it
 * found the last time it looked: reading them asks no monitor and touches no register.
 */
#include "capture/collect-private.h"

#include "base/file.h"
#include "base/text.h"
#include "machine/edid.h"

#include <string.h>

/* The base block and 255 extensions. */
#define EDID_MAX_BYTES (256 * MTW_EDID_BLOCK_BYTES)
#define MODES_MAX_BYTES (64 * 1024)

typedef struct {
	char *name;   /* "HDMI-A-1" */
	char *folder; /* of sysfs */
} Connector;

static void connector_free(gpointer data)
{
	Connector *connector = data;

	g_free(connector->name);
	g_free(connector->folder);
	g_free(connector);
}

/* Below drm/card0 of the device: those folders named card0-NAME. */
static void add_connectors(GPtrArray *connectors, const char *drm, const char *card)
{
	g_autofree char *folder = g_build_filename(drm, card, NULL);
	g_autofree char *prefix = g_strconcat(card, "-", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		Connector *connector;
		if (!g_str_has_prefix(names->pdata[i], prefix))
			continue;
		connector = g_new0(Connector, 1);
		connector->name =
			mtw_text_clean_name((const char *)names->pdata[i] + strlen(prefix));
		connector->folder = g_build_filename(folder, names->pdata[i], NULL);
		if (connector->name != NULL)
			g_ptr_array_add(connectors, connector);
		else
			connector_free(connector);
	}
}

static GPtrArray *list_connectors(MtwCollecting *collecting)
{
	GPtrArray *connectors = g_ptr_array_new_with_free_func(connector_free);
	g_autofree char *drm =
		mtw_paths_build(collecting->options.paths, MTW_PATH_SYSFS, "bus", "pci", "devices",
				collecting->options.device->address, "drm", NULL);
	g_autoptr(GPtrArray) cards = mtw_folder_list(drm);

	for (guint i = 0; i < cards->len; i++)
		if (g_str_has_prefix(cards->pdata[i], "card"))
			add_connectors(connectors, drm, cards->pdata[i]);
	if (connectors->len == 0)
		mtw_collecting_notes(collecting, "no connector");
	return connectors;
}

/* Returns: (transfer full) (nullable): NULL: empty, as without a monitor, or not readable */
static char *read_edid(MtwCollecting *collecting, const Connector *connector, gsize *ret_bytes)
{
	g_autofree char *path = g_build_filename(connector->folder, "edid", NULL);
	g_autofree char *edid = mtw_collecting_read(collecting, path, EDID_MAX_BYTES, ret_bytes);

	return edid != NULL && *ret_bytes > 0 ? g_steal_pointer(&edid) : NULL;
}

static void append_monitor(MtwCollecting *collecting, GString *text, const Connector *connector)
{
	gsize bytes = 0;
	g_autofree char *data = read_edid(collecting, connector, &bytes);
	g_autoptr(GError) error = NULL;
	g_autofree char *facts = NULL;
	MtwEdid edid;

	if (data == NULL) {
		g_string_append(text, "EDID: none\n");
		return;
	}
	g_string_append_printf(text, "EDID: %zu bytes\n", bytes);
	if (!mtw_edid_parse((const guint8 *)data, bytes, &edid, &error)) {
		g_string_append_printf(text, "EDID not understood: %s\n", error->message);
		return;
	}
	facts = mtw_edid_text(&edid, FALSE);
	g_string_append(text, facts);
}

static void append_modes(MtwCollecting *collecting, GString *text, const Connector *connector)
{
	g_autofree char *path = g_build_filename(connector->folder, "modes", NULL);
	g_autofree char *modes = mtw_collecting_read(collecting, path, MODES_MAX_BYTES, NULL);
	g_auto(GStrv) lines = g_strsplit(modes != NULL ? g_strchomp(modes) : "", "\n", -1);
	g_autofree char *line = g_strjoinv(" ", lines);

	if (*line != '\0')
		g_string_append_printf(text, "Modes: %s\n", line);
}

static void append_connector(MtwCollecting *collecting, GString *text, const Connector *connector)
{
	static const char *const facts[] = { "status", "enabled", "dpms" };

	g_string_append_printf(text, "\n== Connector %s ==\n", connector->name);
	for (gsize i = 0; i < G_N_ELEMENTS(facts); i++) {
		g_autofree char *value =
			mtw_collecting_value(collecting, connector->folder, facts[i]);
		if (value != NULL)
			g_string_append_printf(text, "%s: %s\n", facts[i], value);
	}
	append_monitor(collecting, text, connector);
	append_modes(collecting, text, connector);
}

void mtw_collect_edid(MtwCollecting *collecting)
{
	g_autoptr(GString) text = mtw_collecting_head(
		"the device's connectors and monitors, without serial numbers.");
	g_autoptr(GPtrArray) connectors = list_connectors(collecting);

	for (guint i = 0; i < connectors->len; i++)
		append_connector(collecting, text, connectors->pdata[i]);
	if (connectors->len > 0)
		mtw_collecting_text(collecting, text->str, text->len);
}

void mtw_collect_edid_binary(MtwCollecting *collecting)
{
	g_autoptr(GPtrArray) connectors = list_connectors(collecting);
	guint n_files = 0;

	for (guint i = 0; i < connectors->len; i++) {
		const Connector *connector = connectors->pdata[i];
		g_autofree char *name = g_strdup_printf("edid-%s.bin", connector->name);
		gsize bytes = 0;
		char *data = read_edid(collecting, connector, &bytes);
		if (data == NULL)
			continue;
		mtw_collecting_file(collecting, name, data, bytes);
		n_files++;
	}
	if (connectors->len > 0 && n_files == 0)
		mtw_collecting_notes(collecting, "no monitor");
}
