/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of calls, read with distrust, and replies. */
#include "base/error.h"
#include "base/json.h"
#include "base/parse.h"
#include "machine/pci.h"
#include "service/methods-private.h"

#include <string.h>

const char *mtw_call_text(MtwCall *call, guint index, GError **error)
{
	gsize length = 0;
	const char *text;

	g_variant_get_child(call->arguments, index, "&s", &text);
	length = strlen(text);
	if (length <= MTW_CALL_TEXT_MAX_BYTES)
		return text;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "a text of %" G_GSIZE_FORMAT " bytes is too long", length);
	return NULL;
}

JsonObject *mtw_call_json(MtwCall *call, guint index, const char *what, GError **error)
{
	const char *text = mtw_call_text(call, index, error);

	return text != NULL ? mtw_json_parse(text, -1, what, error) : NULL;
}

static GVariant *reply(JsonNode *node)
{
	g_autofree char *text = json_to_string(node, FALSE);

	json_node_unref(node);
	return g_variant_new("(s)", text);
}

GVariant *mtw_reply_json_array(JsonArray *array)
{
	return reply(json_node_init_array(json_node_alloc(), array));
}

GVariant *mtw_reply_json_object(JsonObject *object)
{
	return reply(json_node_init_object(json_node_alloc(), object));
}

/* "NVIDIA Corporation GP106 (0000:01:00.0)", from the machine's own lists and not from the caller. */
char *mtw_method_device(const char *method, GVariant *arguments, const MtwPaths *paths)
{
	MtwCall call = { .arguments = arguments };
	g_autoptr(JsonObject) options = NULL;
	g_autoptr(MtwPciDevice) device = NULL;
	MtwBdf bdf;

	if (strcmp(method, "Start") != 0 && strcmp(method, "Plan") != 0)
		return NULL;
	options = mtw_call_json(&call, 0, "options", NULL);
	if (options == NULL || !mtw_parse_bdf(mtw_json_string(options, "device", ""), &bdf))
		return NULL;
	device = mtw_pci_get(paths, mtw_json_string(options, "device", ""), NULL);
	if (device == NULL)
		return NULL;
	return g_strdup_printf("%s %s (%s)", device->vendor_name, device->device_name,
			       device->address);
}
