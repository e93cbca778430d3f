/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running kernel's build configuration: config.gz of /proc, config-RELEASE of /boot, or config
 * of /lib/modules/RELEASE.
 */
#pragma once

#include "base/paths.h"

typedef enum {
	MTW_CONFIG_UNKNOWN, /* no configuration was found */
	MTW_CONFIG_NO,
	MTW_CONFIG_MODULE,
	MTW_CONFIG_YES,
} MtwConfigValue;

/*
 * mtw_kernel_config_parse: looks @option ("CONFIG_MMIOTRACE") up in the text of a .config.
 * Returns: NO also when the option is not mentioned
 */
MtwConfigValue mtw_kernel_config_parse(const char *text, gsize bytes, const char *option);

/*
 * mtw_kernel_config_load: the text of the first configuration found (decompressed).
 * @ret_source: (out) (nullable) (transfer full): the file it came from
 * Returns: (transfer full) (nullable): NULL when there is none
 */
char *mtw_kernel_config_load(const MtwPaths *paths, char **ret_source);
