/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/lockdown.h"

#include "base/file.h"
#include "base/parse.h"

MtwLockdown mtw_lockdown_parse(const char *text)
{
	g_autofree char *chosen = mtw_parse_bracketed(text);

	if (g_strcmp0(chosen, "none") == 0)
		return MTW_LOCKDOWN_NONE;
	if (g_strcmp0(chosen, "integrity") == 0)
		return MTW_LOCKDOWN_INTEGRITY;
	if (g_strcmp0(chosen, "confidentiality") == 0)
		return MTW_LOCKDOWN_CONFIDENTIALITY;
	return MTW_LOCKDOWN_UNKNOWN;
}

MtwLockdown mtw_lockdown_get(const MtwPaths *paths)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_SECURITY, "lockdown", NULL);
	g_autofree char *text = mtw_file_read_line(path, NULL);

	return text != NULL ? mtw_lockdown_parse(text) : MTW_LOCKDOWN_UNKNOWN;
}
