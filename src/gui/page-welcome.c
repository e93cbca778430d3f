/* SPDX-License-Identifier: GPL-2.0-or-later */
/* WELCOME: what a trace is, what happens, and who asked for it; what is left of earlier walks. */
#include "gui/page-welcome.h"
#include "base/json.h"
#include "gui/kept-row.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

#define SPACING 12

typedef struct {
	MtwPage parent;
	GtkWidget *earlier, *waiting, *who;
	GtkListBox *sessions, *reports, *story, *refused;
	GtkLabel *link_help;
	GtkEntry *link;
	gboolean link_given; /* the wizard has asked for it in this walk */
	guint answering;     /* source id, or 0 */
} MtwPageWelcome;

typedef struct {
	MtwPageClass parent;
} MtwPageWelcomeClass;

G_DEFINE_FINAL_TYPE(MtwPageWelcome, mtw_page_welcome, MTW_TYPE_PAGE)

static MtwPageWelcome *self_of(MtwPage *page)
{
	return (MtwPageWelcome *)page;
}

static void clear_refusal(MtwPageWelcome *self)
{
	mtw_clear(GTK_WIDGET(self->refused));
	gtk_widget_set_visible(GTK_WIDGET(self->refused), FALSE);
	gtk_accessible_reset_state(GTK_ACCESSIBLE(self->link), GTK_ACCESSIBLE_STATE_INVALID);
}

static void begin(MtwPage *page)
{
	MtwPageWelcome *self = self_of(page);

	mtw_clear(GTK_WIDGET(self->story));
	gtk_widget_set_visible(GTK_WIDGET(self->story), FALSE);
	gtk_widget_set_visible(self->who, FALSE);
	self->link_given = FALSE;
	clear_refusal(self);
}

/* ---- what happens ---------------------------------------------------------------------------- */

static GtkWidget *make_row(const char *icon, const char *title, const char *text)
{
	GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
	GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING / 4);
	GtkWidget *image = mtw_icon_new(icon);

	gtk_widget_set_valign(image, GTK_ALIGN_START);
	gtk_widget_set_hexpand(column, TRUE);
	gtk_box_append(GTK_BOX(column), mtw_label_new(title, "heading"));
	gtk_box_append(GTK_BOX(column), mtw_label_new(text, NULL));
	gtk_box_append(GTK_BOX(row), image);
	gtk_box_append(GTK_BOX(row), column);
	return row;
}

/* Each paragraph of the wizard's explanation has a title here. */
static void add_paragraph(MtwPageWelcome *self, guint number, const char *text)
{
	static const struct {
		const char *icon, *title;
	} titles[] = {
		{ "media-record-symbolic", N_("What happens") },
		{ "dialog-warning-symbolic", N_("What can go wrong") },
		{ "security-high-symbolic", N_("Nothing without you") },
	};
	g_autofree char *name = NULL;
	GtkWidget *row;

	if (number >= G_N_ELEMENTS(titles)) {
		mtw_list_add(self->story, mtw_row_new(NULL, text, NULL), text);
		return;
	}
	row = make_row(titles[number].icon, _(titles[number].title), text);
	name = g_strdup_printf("%s: %s", _(titles[number].title), text);
	mtw_list_add(self->story, row, name);
}

static void show_explanation(MtwPageWelcome *self, JsonObject *event)
{
	const char *text = mtw_gui_translate(mtw_json_string(event, "text", ""));
	g_auto(GStrv) paragraphs = g_strsplit(text, "\n\n", -1);

	mtw_clear(GTK_WIDGET(self->story));
	for (guint i = 0; paragraphs[i] != NULL; i++) {
		g_autofree char *joined = mtw_gui_paragraphs(paragraphs[i]);
		add_paragraph(self, i, joined);
	}
	gtk_widget_set_visible(GTK_WIDGET(self->story), TRUE);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static void show_sessions(MtwPageWelcome *self, JsonArray *sessions)
{
	guint length = sessions != NULL ? json_array_get_length(sessions) : 0;
	gboolean any = FALSE;

	mtw_release_focus(self->earlier);
	mtw_clear(GTK_WIDGET(self->sessions));
	for (guint i = 0; i < length; i++) {
		JsonObject *session = mtw_json_object_at(sessions, i);
		if (!mtw_kept_is_offered(session))
			continue;
		mtw_kept_add_session(self->sessions, session);
		any = TRUE;
	}
	gtk_widget_set_visible(self->earlier, any);
}

static void show_reports(MtwPageWelcome *self, JsonArray *reports, JsonArray *problems)
{
	guint length = reports != NULL ? json_array_get_length(reports) : 0;
	guint n_problems = problems != NULL ? json_array_get_length(problems) : 0;

	mtw_release_focus(self->waiting);
	mtw_clear(GTK_WIDGET(self->reports));
	for (guint i = 0; i < length; i++)
		mtw_kept_add_report(self->reports, mtw_json_object_at(reports, i));
	for (guint i = 0; i < n_problems; i++) {
		JsonObject *problem = mtw_json_object_at(problems, i);
		g_autofree char *sentence = mtw_gui_sentence(problem);
		mtw_list_add(self->reports, mtw_message_row(problem), sentence);
	}
	gtk_widget_set_visible(self->waiting, length + n_problems > 0);
}

/* ---- the link -------------------------------------------------------------------------------- */

void mtw_page_welcome_forget_link(MtwPage *page)
{
	gtk_editable_set_text(GTK_EDITABLE(self_of(page)->link), "");
}

/* What is copied from a page or a letter often has spaces, or a line's end, around it. */
static char *clean_link(MtwPageWelcome *self)
{
	char *link = g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->link))));

	gtk_editable_set_text(GTK_EDITABLE(self->link), link);
	return link;
}

static void show_refusal(MtwPageWelcome *self, JsonObject *event)
{
	g_autofree char *detail = mtw_gui_detail(mtw_json_string(event, "detail", ""));
	g_autofree char *text = g_strdup_printf(
		"%s\n%s", detail, _("Correct the address, or leave it empty and go on."));
	const char *sentence = mtw_gui_translate(mtw_json_string(event, "sentence", ""));

	clear_refusal(self);
	mtw_list_add(self->refused, mtw_row_new(mtw_level_icon("warning"), sentence, text),
		     sentence);
	gtk_widget_set_visible(GTK_WIDGET(self->refused), TRUE);
	gtk_accessible_update_state(GTK_ACCESSIBLE(self->link), GTK_ACCESSIBLE_STATE_INVALID,
				    GTK_ACCESSIBLE_INVALID_TRUE, -1);
}

static gboolean answer_link(gpointer user_data)
{
	MtwPageWelcome *self = user_data;
	g_autofree char *link = clean_link(self);

	self->answering = 0;
	mtw_page_send_answer(MTW_PAGE(self), link);
	return G_SOURCE_REMOVE;
}

static void stop_answering(MtwPageWelcome *self)
{
	if (self->answering != 0)
		g_source_remove(self->answering);
	self->answering = 0;
}

/* What stands there was agreed to with the page; only when it was refused the person is asked. */
static void ask_link(MtwPageWelcome *self)
{
	if (!self->link_given)
		self->answering = g_idle_add(answer_link, self);
	self->link_given = TRUE;
}

static gboolean ask(MtwPage *page, const MtwRequest *request)
{
	MtwPageWelcome *self = self_of(page);
	gboolean own = request != NULL && g_str_equal(request->id, "link");

	stop_answering(self);
	if (own)
		ask_link(self);
	/* What is pressed meanwhile would land on the next question. */
	mtw_page_set_ready(page, self->answering == 0);
	return own;
}

static void focus(MtwPage *page)
{
	gtk_widget_grab_focus(GTK_WIDGET(self_of(page)->link));
}

static char *answer(MtwPage *page)
{
	return clean_link(self_of(page));
}

/* ---- the widget ------------------------------------------------------------------------------ */

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	MtwPageWelcome *self = self_of(page);

	if (g_str_equal(name, "kept")) {
		show_sessions(self, mtw_json_array(event, "sessions"));
		show_reports(self, mtw_json_array(event, "reports"),
			     mtw_json_array(event, "problems"));
		return TRUE;
	}
	if (g_str_equal(name, "explain")) {
		show_explanation(self, event);
		gtk_widget_set_visible(self->who, TRUE);
		return TRUE;
	}
	if (g_str_equal(name, "message") && g_str_equal(mtw_json_string(event, "id", ""), "link")) {
		show_refusal(self, event);
		return TRUE;
	}
	return FALSE;
}

static void dispose(GObject *object)
{
	stop_answering(self_of(MTW_PAGE(object)));
	G_OBJECT_CLASS(mtw_page_welcome_parent_class)->dispose(object);
}

#define BIND(name) gtk_widget_class_bind_template_child(widget_class, MtwPageWelcome, name)

static void mtw_page_welcome_class_init(MtwPageWelcomeClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->dispose = dispose;
	page_class->begin = begin;
	page_class->show = show;
	page_class->ask = ask;
	page_class->focus = focus;
	page_class->answer = answer;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-welcome.ui");
	BIND(earlier);
	BIND(waiting);
	BIND(who);
	BIND(sessions);
	BIND(reports);
	BIND(story);
	BIND(refused);
	BIND(link_help);
	BIND(link);
}

static void mtw_page_welcome_init(MtwPageWelcome *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->sessions), _("Earlier captures"));
	mtw_set_name(GTK_WIDGET(self->reports), _("Reports that wait to be sent"));
	mtw_set_name(GTK_WIDGET(self->story), _("What happens"));
	mtw_set_name(GTK_WIDGET(self->refused), _("Messages"));
	mtw_set_name(GTK_WIDGET(self->link), _("Address of who asked for it"));
	mtw_set_description(GTK_WIDGET(self->link), gtk_label_get_text(self->link_help));
	g_signal_connect_swapped(self->link, "changed", G_CALLBACK(clear_refusal), self);
}
