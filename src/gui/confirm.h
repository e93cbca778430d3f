/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A question before something that cannot be taken back. */
#pragma once

#include <gtk/gtk.h>

/*
 * mtw_confirm: @sentence, @detail: translated; @yes: the button that does it, with a mnemonic
 * @agreed: called when that is pressed; @data: (transfer full) for it, freed with g_free
 */
void mtw_confirm(GtkWindow *parent, const char *sentence, const char *detail, const char *yes,
		 void (*agreed)(GtkWindow *parent, const char *data), char *data);
