/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/details.h"

#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

#define WIDTH 700
#define HEIGHT 480
#define SPACING 12

struct _MtwDetails {
	GtkTextBuffer *log;
	GtkWidget *window; /* (nullable) */
};

MtwDetails *mtw_details_new(void)
{
	MtwDetails *details = g_new0(MtwDetails, 1);

	details->log = gtk_text_buffer_new(NULL);
	return details;
}

void mtw_details_free(MtwDetails *details)
{
	if (details == NULL)
		return;
	if (details->window != NULL)
		gtk_window_destroy(GTK_WINDOW(details->window));
	g_object_unref(details->log);
	g_free(details);
}

void mtw_details_add(MtwDetails *details, const char *name, JsonObject *event)
{
	g_autofree char *text = mtw_gui_log_line(name, event);
	g_autoptr(GDateTime) now = g_date_time_new_now_local();
	g_autofree char *time = g_date_time_format(now, "%H:%M:%S");
	g_autofree char *line = NULL;
	GtkTextIter end;

	if (text == NULL)
		return;
	line = g_strdup_printf("%s  %s\n", time, text);
	gtk_text_buffer_get_end_iter(details->log, &end);
	gtk_text_buffer_insert(details->log, &end, line, -1);
}

static void on_copy(MtwDetails *details)
{
	GtkTextIter start, end;
	g_autofree char *text = NULL;

	gtk_text_buffer_get_bounds(details->log, &start, &end);
	text = gtk_text_buffer_get_text(details->log, &start, &end, FALSE);
	gdk_clipboard_set_text(gtk_widget_get_clipboard(details->window), text);
}

static GtkWidget *make_view(MtwDetails *details)
{
	GtkWidget *scroller = gtk_scrolled_window_new();
	GtkWidget *view = gtk_text_view_new_with_buffer(details->log);

	gtk_text_view_set_editable(GTK_TEXT_VIEW(view), FALSE);
	gtk_text_view_set_accepts_tab(GTK_TEXT_VIEW(view), FALSE);
	gtk_text_view_set_monospace(GTK_TEXT_VIEW(view), TRUE);
	gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(view), GTK_WRAP_WORD_CHAR);
	gtk_text_view_set_left_margin(GTK_TEXT_VIEW(view), SPACING);
	gtk_text_view_set_top_margin(GTK_TEXT_VIEW(view), SPACING);
	mtw_set_name(view, _("Everything that was done"));
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), view);
	return scroller;
}

static void make_window(MtwDetails *details, GtkWindow *parent)
{
	GtkWidget *bar = gtk_header_bar_new();
	GtkWidget *copy = gtk_button_new();

	details->window = gtk_window_new();
	gtk_window_set_title(GTK_WINDOW(details->window), _("Details"));
	gtk_window_set_default_size(GTK_WINDOW(details->window), WIDTH, HEIGHT);
	gtk_window_set_transient_for(GTK_WINDOW(details->window), parent);
	gtk_window_set_destroy_with_parent(GTK_WINDOW(details->window), TRUE);
	mtw_button_set_text(GTK_BUTTON(copy), _("_Copy All"));
	gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), copy);
	gtk_window_set_titlebar(GTK_WINDOW(details->window), bar);
	gtk_window_set_child(GTK_WINDOW(details->window), make_view(details));
	mtw_close_on_escape(details->window);
	g_signal_connect_swapped(copy, "clicked", G_CALLBACK(on_copy), details);
	g_object_add_weak_pointer(G_OBJECT(details->window), (gpointer *)&details->window);
}

void mtw_details_show(MtwDetails *details, GtkWindow *parent)
{
	if (details->window == NULL)
		make_window(details, parent);
	gtk_window_present(GTK_WINDOW(details->window));
}
