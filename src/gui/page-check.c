/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CHECK: a row for each thing that must be right. */
#include "base/json.h"
#include "gui/page.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
	GtkListBox *checks;
	GtkWidget *again;
} MtwPageCheck;

typedef struct {
	MtwPageClass parent;
} MtwPageCheckClass;

G_DEFINE_FINAL_TYPE(MtwPageCheck, mtw_page_check, MTW_TYPE_PAGE)

static void begin(MtwPage *page)
{
	mtw_clear(GTK_WIDGET(((MtwPageCheck *)page)->checks));
}

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	MtwPageCheck *self = (MtwPageCheck *)page;
	g_autofree char *sentence = mtw_gui_sentence(event);

	if (!g_str_equal(name, "check"))
		return FALSE;
	mtw_list_add(self->checks, mtw_message_row(event), sentence);
	return TRUE;
}

static void mtw_page_check_class_init(MtwPageCheckClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	page_class->is_read = TRUE;
	page_class->begin = begin;
	page_class->show = show;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-check.ui");
	gtk_widget_class_bind_template_child(widget_class, MtwPageCheck, checks);
	gtk_widget_class_bind_template_child(widget_class, MtwPageCheck, again);
}

static void mtw_page_check_init(MtwPageCheck *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->checks), _("Checks"));
	mtw_fix_names(self->again);
}
