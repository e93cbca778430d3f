/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of the person: where it is, and a copy of it elsewhere. */
#pragma once

#include <gtk/gtk.h>

/* mtw_files_show: opens the folder that @path is in. */
void mtw_files_show(GtkWidget *widget, const char *path);

/* mtw_files_save_copy: asks where to. @failed: with the reason */
void mtw_files_save_copy(GtkWidget *widget, const char *path,
			 void (*failed)(GtkWidget *widget, const char *reason));
