/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Around one child, which does not get wider than lines that are easy to read. */
#pragma once

#include <gtk/gtk.h>

#define MTW_TYPE_CLAMP (mtw_clamp_get_type())
G_DECLARE_FINAL_TYPE(MtwClamp, mtw_clamp, MTW, CLAMP, GtkWidget)
