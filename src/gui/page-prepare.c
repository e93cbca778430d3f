/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PREPARE: every change that is going to be made, and how it is undone. */
#include "base/json.h"
#include "base/text.h"
#include "gui/page.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
	GtkListBox *changes;
	GtkGrid *facts;
	GtkWidget *save, *save_text, *text;
} MtwPagePrepare;

typedef struct {
	MtwPageClass parent;
} MtwPagePrepareClass;

G_DEFINE_FINAL_TYPE(MtwPagePrepare, mtw_page_prepare, MTW_TYPE_PAGE)

static void begin(MtwPage *page)
{
	MtwPagePrepare *self = (MtwPagePrepare *)page;

	mtw_clear(GTK_WIDGET(self->changes));
	mtw_clear(GTK_WIDGET(self->facts));
	gtk_widget_set_visible(self->text, FALSE);
	gtk_widget_set_visible(self->save, FALSE);
}

static void add_change(MtwPagePrepare *self, JsonObject *change, guint number)
{
	g_autofree char *sentence = mtw_gui_change(change, FALSE);
	g_autofree char *undo = mtw_gui_change(change, TRUE);
	g_autofree char *afterwards = g_strdup_printf(_("Afterwards: %s"), undo);
	g_autofree char *name = g_strdup_printf("%s %s", sentence, afterwards);
	g_autofree char *text = g_strdup_printf("%u.", number);
	GtkWidget *label = gtk_label_new(text);

	gtk_label_set_width_chars(GTK_LABEL(label), 3);
	gtk_widget_add_css_class(label, "dim-label");
	mtw_list_add(self->changes, mtw_row_new(label, sentence, afterwards), name);
}

static gboolean is_next_boot(JsonObject *plan)
{
	return g_str_equal(mtw_json_string(plan, "way", ""), "next-boot");
}

/* Nobody knows how long a driver needs under the tracer; what decides is the person. */
static const char *time_text(JsonObject *plan)
{
	if (is_next_boot(plan))
		return _("nothing now; the next start of the computer is slower, once");
	if (mtw_json_bool(plan, "ends_desktop", FALSE))
		return _("a minute or two until the desktop is back, then until you stop, then "
			 "some seconds to undo everything");
	return _("some seconds until the driver is up, then until you stop, then some seconds to "
		 "undo everything");
}

static void show_save(MtwPagePrepare *self, JsonObject *plan)
{
	const char *text =
		mtw_json_bool(plan, "ends_desktop", FALSE)
			? _("The desktop ends, with everything that is open in it. Please save "
			    "your work now. Log in again when it is back: the capture goes on, and "
			    "this window opens.")
			: _("Please save your work now: in the worst case the computer freezes and "
			    "has to be restarted.");

	gtk_label_set_text(GTK_LABEL(self->save_text), text);
	mtw_set_name(self->save, text);
	gtk_widget_set_visible(self->save, !is_next_boot(plan));
}

static void show_facts(MtwPagePrepare *self, JsonObject *plan)
{
	gint64 buffer_kb = mtw_json_int(plan, "buffer_kb", 0);
	g_autofree char *bytes = mtw_text_bytes((guint64)MAX(buffer_kb, 0) * 1024);
	g_autofree char *buffer = buffer_kb > 0
					  ? g_strdup_printf(_("%s, given back afterwards"), bytes)
					  : g_strdup("");

	mtw_clear(GTK_WIDGET(self->facts));
	mtw_grid_set(self->facts, 0, _("Device"), mtw_json_string(plan, "device", ""));
	mtw_grid_set(self->facts, 1, _("Driver"), mtw_json_string(plan, "driver", ""));
	mtw_grid_set(self->facts, 2, _("Buffer for events"), buffer);
	mtw_grid_set(self->facts, 3, _("Duration"), time_text(plan));
}

static void show_plan(MtwPagePrepare *self, JsonObject *plan)
{
	JsonArray *changes = mtw_json_array(plan, "changes");
	guint length = changes != NULL ? json_array_get_length(changes) : 0;

	mtw_clear(GTK_WIDGET(self->changes));
	for (guint i = 0; i < length; i++)
		add_change(self, mtw_json_object_at(changes, i), i + 1);
	show_facts(self, plan);
	show_save(self, plan);
}

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	MtwPagePrepare *self = (MtwPagePrepare *)page;

	if (g_str_equal(name, "plan")) {
		show_plan(self, event);
		return TRUE;
	}
	if (g_str_equal(name, "explain")) {
		g_autofree char *text =
			mtw_gui_paragraphs(mtw_gui_translate(mtw_json_string(event, "text", "")));
		gtk_label_set_text(GTK_LABEL(self->text), text);
		gtk_widget_set_visible(self->text, TRUE);
		return TRUE;
	}
	return FALSE;
}

static void mtw_page_prepare_class_init(MtwPagePrepareClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	page_class->begin = begin;
	page_class->show = show;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-prepare.ui");
	gtk_widget_class_bind_template_child(widget_class, MtwPagePrepare, changes);
	gtk_widget_class_bind_template_child(widget_class, MtwPagePrepare, facts);
	gtk_widget_class_bind_template_child(widget_class, MtwPagePrepare, text);
	gtk_widget_class_bind_template_child(widget_class, MtwPagePrepare, save);
	gtk_widget_class_bind_template_child(widget_class, MtwPagePrepare, save_text);
}

static void mtw_page_prepare_init(MtwPagePrepare *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->changes), _("Changes"));
}
