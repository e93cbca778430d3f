/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/display.h"

#include "base/file.h"
#include "base/text.h"
#include "machine/sysfs.h"

#include <string.h>

#define CLASS_DISPLAY 0x03

/* 256 blocks are the most there can be. */
#define EDID_MAX_BYTES (256 * MTW_EDID_BLOCK_BYTES)

static void connector_free(gpointer data)
{
	MtwConnector *connector = data;

	g_free(connector->name);
	g_free(connector->status);
	g_free(connector->mode);
	g_free(connector->edid);
	g_free(connector);
}

/* The first line of an attribute, cleaned. Returns: (transfer full) (nullable): NULL when empty */
static char *first_line(const char *folder, const char *name)
{
	g_autofree char *text = mtw_sysfs_attribute(folder, name);
	g_autofree char *clean = NULL;

	if (text == NULL)
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	clean = g_strstrip(mtw_text_clean_line(text));
	return clean[0] != '\0' ? g_steal_pointer(&clean) : NULL;
}

static MtwEdid *read_edid(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "edid", NULL);
	gsize bytes = 0;
	g_autofree char *data = mtw_file_read(path, EDID_MAX_BYTES, &bytes, NULL);
	g_autofree MtwEdid *edid = g_new0(MtwEdid, 1);

	if (data == NULL || !mtw_edid_parse((const guint8 *)data, bytes, edid, NULL))
		return NULL;
	return g_steal_pointer(&edid);
}

static MtwConnector *read_connector(const char *folder, const char *name)
{
	MtwConnector *connector = g_new0(MtwConnector, 1);
	g_autofree char *enabled = first_line(folder, "enabled");

	connector->name = mtw_text_clean_line(name);
	connector->status = first_line(folder, "status");
	if (connector->status == NULL)
		connector->status = g_strdup("unknown");
	connector->enabled = g_strcmp0(enabled, "enabled") == 0;
	connector->mode = first_line(folder, "modes");
	connector->edid = read_edid(folder);
	return connector;
}

/* drm/card0 has a folder card0-HDMI-A-1 for each connector. */
static void add_connectors(const char *drm, const char *card, GPtrArray *connectors)
{
	g_autofree char *folder = g_build_filename(drm, card, NULL);
	g_autofree char *prefix = g_strconcat(card, "-", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		g_autofree char *path = g_build_filename(folder, name, NULL);
		if (g_str_has_prefix(name, prefix))
			g_ptr_array_add(connectors, read_connector(path, name + strlen(prefix)));
	}
}

GPtrArray *mtw_display_connectors(const MtwPaths *paths, const MtwPciDevice *device)
{
	GPtrArray *connectors = g_ptr_array_new_with_free_func(connector_free);
	g_autofree char *drm = mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices",
					       device->address, "drm", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(drm);

	for (guint i = 0; i < names->len; i++)
		if (g_str_has_prefix(names->pdata[i], "card"))
			add_connectors(drm, names->pdata[i], connectors);
	return connectors;
}

gboolean mtw_display_is_card(const MtwPciDevice *device)
{
	return device->class_code >> 16 == CLASS_DISPLAY;
}

GPtrArray *mtw_display_siblings(const MtwPaths *paths, const MtwPciDevice *device)
{
	GPtrArray *devices = mtw_pci_list(paths);

	for (guint i = devices->len; i > 0; i--) {
		const MtwPciDevice *other = devices->pdata[i - 1];
		if (!mtw_display_is_card(other) || g_str_equal(other->address, device->address))
			g_ptr_array_remove_index(devices, i - 1);
	}
	return devices;
}
