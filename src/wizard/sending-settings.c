/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person never wants to be asked again. */
#include "base/error.h"
#include "base/file.h"
#include "wizard/sending-private.h"

#include <string.h>

#define GROUP "Send"
#define KEY "Ask"
#define NEVER "never"

static char *settings_path(const MtwCaller *caller)
{
	g_autofree char *folder = mtw_caller_config_dir(caller);

	return g_build_filename(folder, "settings.conf", NULL);
}

static gboolean load(GKeyFile *settings, const char *path, GError **error)
{
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	g_autoptr(GError) why = NULL;

	if (text == NULL ||
	    g_key_file_load_from_data(settings, text, (gsize)-1, G_KEY_FILE_KEEP_COMMENTS, &why))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", path, why->message);
	return FALSE;
}

gboolean mtw_settings_never_ask(const MtwCaller *caller)
{
	g_autofree char *path = settings_path(caller);
	g_autoptr(GKeyFile) settings = g_key_file_new();
	g_autofree char *value = NULL;

	/* A file that is not understood settles nothing. */
	if (load(settings, path, NULL))
		value = g_key_file_get_string(settings, GROUP, KEY, NULL);
	return g_strcmp0(value, NEVER) == 0;
}

gboolean mtw_settings_set_never_ask(const MtwCaller *caller, GError **error)
{
	g_autofree char *folder = mtw_caller_config_dir(caller);
	g_autofree char *path = settings_path(caller);
	g_autoptr(GKeyFile) settings = g_key_file_new();
	g_autofree char *text = NULL;

	/* It may hold more than this program put there. */
	if (!load(settings, path, error))
		return FALSE;
	g_key_file_set_string(settings, GROUP, KEY, NEVER);
	text = g_key_file_to_data(settings, NULL, NULL);
	return mtw_folder_ensure(folder, 0700, error) &&
	       mtw_file_write_atomic(path, text, strlen(text), 0600, error);
}
