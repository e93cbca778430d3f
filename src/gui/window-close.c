/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Closing the window: what goes on then, in one question. */
#include "gui/widgets.h"
#include "gui/window-private.h"

#include <glib/gi18n.h>

enum {
	RESPONSE_DETACH = 1,
	RESPONSE_STOP
};

/* What becomes of it; NULL: nothing is lost, no question. */
typedef struct {
	const char *sentence;
	const char *detail;
	const char *close; /* (nullable) the button that leaves it at that */
	const char *stop;  /* (nullable) the button that ends the capture first */
} Consequence;

static Consequence of_capture(const MtwWindow *window)
{
	if (mtw_walk_is_remote(window->walk))
		return (Consequence){
			_("The capture goes on without this window."),
			_("The computer stays slow until the capture is stopped. Start this "
			  "program again to come back to it."),
			_("_Close, and Let It Go On"), _("_Stop the Capture and Close")
		};
	return (Consequence){
		_("Closing ends the capture."),
		_("Everything is put back as it was, and what was recorded is kept; you can go on "
		  "with it later. The window closes when that is done."),
		NULL, _("_Stop the Capture and Close")
	};
}

static Consequence consequence(const MtwWindow *window)
{
	if (window->walk == NULL)
		return (Consequence){ 0 };
	if (window->capturing)
		return of_capture(window);
	if (g_str_equal(window->step, "send"))
		return (Consequence){
			_("The archive is saved; what is not sent yet waits."),
			_("What has arrived is not sent again. Start this program again to go on "
			  "with it."),
			_("_Close"), NULL
		};
	if (window->session != NULL && !g_str_equal(window->step, "done"))
		return (Consequence){ _("The trace is kept."),
				      _("Start this program again to describe and pack it."),
				      _("_Close"), NULL };
	return (Consequence){ 0 };
}

static gboolean destroy(gpointer window)
{
	gtk_window_destroy(window);
	return G_SOURCE_REMOVE;
}

/* The capture is the service's, or the walk hangs: this process just goes away, when the dialog is gone. */
static void detach(MtwWindow *window)
{
	mtw_bridge_leave(window->bridge);
	g_clear_pointer(&window->bridge, mtw_bridge_unref);
	window->walk = NULL;
	window->closing = TRUE;
	g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, destroy, g_object_ref(window), g_object_unref);
}

static void stop_and_close(MtwWindow *window)
{
	window->closing = TRUE;
	window->stopping = TRUE;
	mtw_bridge_line(window->bridge, NULL);
	mtw_window_update(window);
}

static void end_and_close(MtwWindow *window)
{
	window->closing = TRUE;
	mtw_window_end(window);
}

static void on_response(GtkDialog *dialog, int response, gpointer user_data)
{
	MtwWindow *window = user_data;

	gtk_window_destroy(GTK_WINDOW(dialog));
	if (window->walk == NULL)
		return;
	if (response == RESPONSE_STOP)
		stop_and_close(window);
	else if (response == RESPONSE_DETACH && window->capturing)
		detach(window);
	else if (response == RESPONSE_DETACH)
		end_and_close(window);
}

static void ask(MtwWindow *window, const Consequence *consequence)
{
	GtkWidget *dialog = gtk_message_dialog_new(
		GTK_WINDOW(window), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
		GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", consequence->sentence);

	gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s",
						 consequence->detail);
	gtk_dialog_add_button(GTK_DIALOG(dialog), _("_Keep It Open"), GTK_RESPONSE_CANCEL);
	if (consequence->stop != NULL)
		gtk_dialog_add_button(GTK_DIALOG(dialog), consequence->stop, RESPONSE_STOP);
	if (consequence->close != NULL)
		gtk_dialog_add_button(GTK_DIALOG(dialog), consequence->close, RESPONSE_DETACH);
	mtw_fix_names(dialog);
	gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_CANCEL);
	g_signal_connect(dialog, "response", G_CALLBACK(on_response), window);
	gtk_window_present(GTK_WINDOW(dialog));
}

gboolean mtw_window_on_close(GtkWindow *base, gpointer user_data)
{
	MtwWindow *window = MTW_WINDOW(base);
	Consequence what = consequence(window);

	(void)user_data;
	/* It waits for the walk. Whoever insists need not, but what a capture has changed is put back. */
	if (window->closing && window->walk != NULL && !window->capturing)
		detach(window);
	if (window->closing)
		return TRUE;
	if (what.sentence != NULL) {
		ask(window, &what);
		return TRUE;
	}
	if (window->walk == NULL)
		return FALSE;
	end_and_close(window);
	return TRUE;
}
