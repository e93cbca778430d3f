/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log of everything that was done, in a window of its own, to be read and copied. */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

typedef struct _MtwDetails MtwDetails;

MtwDetails *mtw_details_new(void);
void mtw_details_free(MtwDetails *details);

/* mtw_details_add: an event of the walk. */
void mtw_details_add(MtwDetails *details, const char *name, JsonObject *event);

void mtw_details_show(MtwDetails *details, GtkWindow *parent);
