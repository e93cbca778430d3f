/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `install` lines of modprobe.d without a shell.
 *
 * Such a line is a shell command that takes the place of loading a module. We run no shell as root,
 * but the lines that matter (Debian's for the NVIDIA driver, whose file has another name than the
 * module) only call modprobe again. These are understood, all others are refused.
 */
#pragma once

#include <glib.h>

typedef struct {
	char *name;
	char *options;	     /* "" if none */
	gboolean ignore_own; /* -i: without the install line of this module itself */
} MtwInstallStep;

/*
 * mtw_module_install_parse: "modprobe A ; modprobe -i B opt=1" as steps. @command is the line after
 * libkmod replaced $CMDLINE_OPTS.
 * Returns: (transfer full) (nullable) (element-type MtwInstallStep): NULL when it is anything else
 */
GPtrArray *mtw_module_install_parse(const char *command);
