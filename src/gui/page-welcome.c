/* SPDX-License-Identifier: GPL-2.0-or-later */
/* WELCOME: what a trace is and what happens; earlier captures that can be gone on with. */
#include "base/json.h"
#include "gui/page.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
	GtkWidget *text;
	GtkWidget *earlier;
	GtkListBox *sessions;
} MtwPageWelcome;

typedef struct {
	MtwPageClass parent;
} MtwPageWelcomeClass;

G_DEFINE_FINAL_TYPE(MtwPageWelcome, mtw_page_welcome, MTW_TYPE_PAGE)

static MtwPageWelcome *self_of(MtwPage *page)
{
	return (MtwPageWelcome *)page;
}

static void begin(MtwPage *page)
{
	gtk_label_set_text(GTK_LABEL(self_of(page)->text), "");
}

static char *title_of(JsonObject *session)
{
	g_autoptr(GDateTime) time =
		g_date_time_new_from_unix_local(mtw_json_int(session, "time_sec", 0));
	g_autofree char *when = time != NULL ? g_date_time_format(time, "%c") : g_strdup("");

	return g_strdup_printf("%s, %s", mtw_json_string(session, "device", "?"), when);
}

static void add_session(MtwPageWelcome *self, JsonObject *session)
{
	g_autofree char *title = title_of(session);
	gboolean live = mtw_json_bool(session, "live", FALSE);
	GtkWidget *row = mtw_row_new(NULL, title,
				     live ? _("A capture that is running now")
					  : _("There is a trace, which is not packed yet"));
	GtkWidget *button = gtk_button_new();
	g_autofree char *name = g_strdup_printf(_("Go on with %s"), title);

	gtk_button_set_label(GTK_BUTTON(button), _("Go On"));
	gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
	gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.session");
	gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s",
					 mtw_json_string(session, "id", ""));
	gtk_box_append(GTK_BOX(row), button);
	mtw_list_add(self->sessions, row, title);
	mtw_set_name(button, name);
}

static void show_sessions(MtwPageWelcome *self, JsonArray *sessions)
{
	guint length = sessions != NULL ? json_array_get_length(sessions) : 0;

	mtw_clear(GTK_WIDGET(self->sessions));
	for (guint i = 0; i < length; i++)
		add_session(self, mtw_json_object_at(sessions, i));
	gtk_widget_set_visible(self->earlier, length > 0);
}

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	MtwPageWelcome *self = self_of(page);

	if (g_str_equal(name, "sessions")) {
		show_sessions(self, mtw_json_array(event, "sessions"));
		return TRUE;
	}
	if (g_str_equal(name, "explain")) {
		g_autofree char *text =
			mtw_gui_paragraphs(mtw_gui_translate(mtw_json_string(event, "text", "")));
		gtk_label_set_text(GTK_LABEL(self->text), text);
		return TRUE;
	}
	return FALSE;
}

static void mtw_page_welcome_class_init(MtwPageWelcomeClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);

	page_class->begin = begin;
	page_class->show = show;
	gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class),
						    "/org/mmiotrace/Wizard/page-welcome.ui");
	gtk_widget_class_bind_template_child(GTK_WIDGET_CLASS(class), MtwPageWelcome, text);
	gtk_widget_class_bind_template_child(GTK_WIDGET_CLASS(class), MtwPageWelcome, earlier);
	gtk_widget_class_bind_template_child(GTK_WIDGET_CLASS(class), MtwPageWelcome, sessions);
}

static void mtw_page_welcome_init(MtwPageWelcome *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->sessions), _("Earlier captures"));
}
