/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/kept-window.h"

#include "base/json.h"
#include "gui/kept-row.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

#define WIDTH 560
#define HEIGHT 480
#define MARGIN 18
#define SPACING 12

/* Children, by name. */
#define LIST "list"
#define MESSAGES "messages"
#define NOTHING "nothing"

static GtkWidget *part(GtkWidget *window, const char *name)
{
	return g_object_get_data(G_OBJECT(window), name);
}

static GtkWidget *add_list(GtkWidget *window, GtkWidget *box, const char *part, const char *name)
{
	GtkWidget *list = gtk_list_box_new();

	gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
	gtk_widget_add_css_class(list, "boxed");
	gtk_widget_set_visible(list, FALSE);
	mtw_set_name(list, name);
	gtk_box_append(GTK_BOX(box), list);
	g_object_set_data(G_OBJECT(window), part, list);
	return list;
}

static GtkWidget *make_content(GtkWidget *window)
{
	GtkWidget *scroller = gtk_scrolled_window_new();
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING);
	GtkWidget *nothing = mtw_label_new(_("No capture is kept on this computer."), "dim-label");

	gtk_widget_set_margin_start(box, MARGIN);
	gtk_widget_set_margin_end(box, MARGIN);
	gtk_widget_set_margin_top(box, MARGIN);
	gtk_widget_set_margin_bottom(box, MARGIN);
	gtk_box_append(GTK_BOX(box),
		       mtw_label_new(_("What you captured on this computer. The archives that "
				       "were made of it are files of yours, and stay."),
				     NULL));
	add_list(window, box, MESSAGES, _("Messages"));
	add_list(window, box, LIST, _("Kept captures"));
	gtk_label_set_xalign(GTK_LABEL(nothing), 0.5F);
	gtk_widget_set_margin_top(nothing, MARGIN);
	gtk_widget_set_visible(nothing, FALSE);
	gtk_box_append(GTK_BOX(box), nothing);
	g_object_set_data(G_OBJECT(window), NOTHING, nothing);
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
				       GTK_POLICY_AUTOMATIC);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), box);
	return scroller;
}

GtkWidget *mtw_kept_window_new(GtkWindow *parent)
{
	GtkWidget *window = gtk_window_new();

	gtk_window_set_title(GTK_WINDOW(window), _("Kept Captures"));
	gtk_window_set_default_size(GTK_WINDOW(window), WIDTH, HEIGHT);
	gtk_window_set_transient_for(GTK_WINDOW(window), parent);
	gtk_window_set_destroy_with_parent(GTK_WINDOW(window), TRUE);
	gtk_window_set_titlebar(GTK_WINDOW(window), gtk_header_bar_new());
	gtk_window_set_child(GTK_WINDOW(window), make_content(window));
	gtk_widget_insert_action_group(window, "win", G_ACTION_GROUP(parent));
	mtw_close_on_escape(window);
	return window;
}

void mtw_kept_window_show(GtkWidget *window, JsonObject *kept)
{
	GtkListBox *list = GTK_LIST_BOX(part(window, LIST));
	JsonArray *sessions = mtw_json_array(kept, "sessions");
	guint length = sessions != NULL ? json_array_get_length(sessions) : 0;

	mtw_release_focus(GTK_WIDGET(list));
	mtw_clear(GTK_WIDGET(list));
	mtw_clear(part(window, MESSAGES));
	gtk_widget_set_visible(part(window, MESSAGES), FALSE);
	for (guint i = 0; i < length; i++)
		mtw_kept_add_session(list, mtw_json_object_at(sessions, i));
	gtk_widget_set_visible(GTK_WIDGET(list), length > 0);
	gtk_widget_set_visible(part(window, NOTHING), length == 0);
}

void mtw_kept_window_tell(GtkWidget *window, const char *sentence, const char *detail)
{
	mtw_list_add(GTK_LIST_BOX(part(window, MESSAGES)),
		     mtw_row_new(mtw_level_icon("failure"), sentence, detail), sentence);
	gtk_widget_set_visible(part(window, MESSAGES), TRUE);
}
