/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/identifiers.h"

#include "base/file.h"

#include <string.h>

#define CONNECTION_SUFFIX ".nmconnection"

static const struct {
	const char *name;
	const char *kind;
} firmware_files[] = {
	{ "product_uuid", "uuid" },	   { "product_serial", "serial" },
	{ "board_serial", "serial" },	   { "chassis_serial", "serial" },
	{ "chassis_asset_tag", "serial" }, { "board_asset_tag", "serial" },
};

static void identifier_free(gpointer data)
{
	MtwIdentifier *identifier = data;

	g_free(identifier->value);
	g_free(identifier);
}

GPtrArray *mtw_identifiers_new(void)
{
	return g_ptr_array_new_with_free_func(identifier_free);
}

void mtw_identifiers_add(GPtrArray *identifiers, const char *kind, const char *value)
{
	g_autofree char *trimmed = value != NULL ? g_strstrip(g_strdup(value)) : NULL;
	MtwIdentifier *identifier;

	if (trimmed == NULL || *trimmed == '\0')
		return;
	identifier = g_new0(MtwIdentifier, 1);
	identifier->kind = kind;
	identifier->value = g_steal_pointer(&trimmed);
	g_ptr_array_add(identifiers, identifier);
}

static void add_firmware(GPtrArray *identifiers, const MtwPaths *paths)
{
	for (gsize i = 0; i < G_N_ELEMENTS(firmware_files); i++) {
		g_autofree char *path = mtw_paths_build(paths, MTW_PATH_SYSFS, "class", "dmi", "id",
							firmware_files[i].name, NULL);
		g_autofree char *value = mtw_file_read_line(path, NULL);
		mtw_identifiers_add(identifiers, firmware_files[i].kind, value);
	}
}

/* NetworkManager names a connection, and its file, after the network. */
static void add_connections(GPtrArray *identifiers, const MtwPaths *paths)
{
	g_autofree char *folder =
		mtw_paths_build(paths, MTW_PATH_ETC, "NetworkManager", "system-connections", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		g_autofree char *network = NULL;
		if (!g_str_has_suffix(name, CONNECTION_SUFFIX))
			continue;
		network = g_strndup(name, strlen(name) - strlen(CONNECTION_SUFFIX));
		mtw_identifiers_add(identifiers, "ssid", network);
	}
}

GPtrArray *mtw_identifiers_get(const MtwPaths *paths)
{
	GPtrArray *identifiers = mtw_identifiers_new();

	add_firmware(identifiers, paths);
	add_connections(identifiers, paths);
	return identifiers;
}
