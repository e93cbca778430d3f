/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at the arguments before a person is asked for a password: nobody should type it for what cannot be done. */
#include "base/error.h"
#include "capture/capture-json.h"
#include "machine/pci.h"
#include "service/methods-private.h"

static void add_detail(MtwCall *call, const char *name, const char *text)
{
	if (text != NULL)
		g_hash_table_insert(call->details, g_strdup(name), g_strdup(text));
}

/*
 * "device" is for the sentence of the dialog: "NVIDIA Corporation GP106 (0000:01:00.0)", from the machine's own lists and
 * not from the caller. The others are for the rules of administrators.
 */
static gboolean describe(MtwCall *call, const MtwCaptureOptions *options, GError **error)
{
	g_autoptr(MtwPciDevice) device = mtw_pci_get(call->paths, options->device, error);
	g_autofree char *name = NULL;

	if (device == NULL)
		return FALSE;
	name = g_strdup_printf("%s %s (%s)", device->vendor_name, device->device_name,
			       device->address);
	call->details = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	add_detail(call, "device", name);
	add_detail(call, "address", device->address);
	add_detail(call, "driver", options->driver);
	add_detail(call, "module_options", options->module_options);
	return TRUE;
}

/* One processor is left while somebody traces: others do not disturb it. */
gboolean mtw_prepare_free(MtwCall *call, GError **error)
{
	g_auto(MtwHostStatus) status = { 0 };

	mtw_host_status(call->host, &status);
	if (call->uid == 0 || status.owner_uid == call->uid)
		return TRUE;
	return mtw_host_is_free(call->host, error);
}

gboolean mtw_prepare_check(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) json = NULL;
	MtwCheckOptions options;

	return mtw_call_check_options(call, &options, &json, error) &&
	       mtw_prepare_free(call, error);
}

gboolean mtw_prepare_plan(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) json = NULL;
	g_auto(MtwCaptureOptions) options = { 0 };

	return mtw_call_capture_options(call, &options, &json, error) &&
	       mtw_prepare_free(call, error) && describe(call, &options, error);
}

gboolean mtw_prepare_start(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) json = NULL;
	g_auto(MtwCaptureOptions) options = { 0 };
	const char *again = mtw_call_text(call, 1, MTW_CALL_TEXT_MAX_BYTES, error);
	MtwHostStart start = { .options = &options, .again = again, .sender = call->sender };

	if (again == NULL || !mtw_call_capture_options(call, &options, &json, error))
		return FALSE;
	if (*again != '\0' && !mtw_host_may(call->host, again, call->uid, error))
		return FALSE;
	/* Another try was allowed with the first one. */
	call->allowed = mtw_host_is_same(call->host, &start);
	return mtw_host_is_free(call->host, error) && describe(call, &options, error);
}

gboolean mtw_prepare_arrange(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) json = NULL;
	g_auto(MtwCaptureOptions) options = { 0 };

	return mtw_call_capture_options(call, &options, &json, error) &&
	       mtw_host_is_free(call->host, error) && describe(call, &options, error);
}

gboolean mtw_prepare_recover(MtwCall *call, GError **error)
{
	return mtw_host_is_free(call->host, error);
}
