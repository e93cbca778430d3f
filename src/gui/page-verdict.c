/* SPDX-License-Identifier: GPL-2.0-or-later */
/* VERDICT: what the trace is worth, in one sentence, and what to do about it. */
#include "base/json.h"
#include "base/text.h"
#include "gui/page.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
	GtkImage *icon;
	GtkLabel *sentence, *what_to_do;
	GtkWidget *lost, *give_up, *again;
	GtkLabel *lost_text;
	GtkGrid *counts;
	GtkListBox *findings;
} MtwPageVerdict;

typedef struct {
	MtwPageClass parent;
} MtwPageVerdictClass;

G_DEFINE_FINAL_TYPE(MtwPageVerdict, mtw_page_verdict, MTW_TYPE_PAGE)

static const struct {
	const char *grade;
	const char *icon;
	const char *class;
	const char *what_to_do;
	gboolean useless;
} grades[] = {
	{ "good", "emblem-ok-symbolic", "success",
	  N_("Next, tell what you did; then look at what is going to be packed."), FALSE },
	{ "doubtful", "dialog-warning-symbolic", "warning",
	  N_("It can be used. What is doubtful stands below, and in the report."), FALSE },
	{ "lost", "dialog-warning-symbolic", "warning",
	  N_("A larger buffer for events, in another try, usually helps."), FALSE },
	{ "untouched", "dialog-error-symbolic", "error",
	  N_("The driver did not use the device. Is it the right device, and the right driver? Did "
	     "the driver start?"),
	  TRUE },
	{ "empty", "dialog-error-symbolic", "error",
	  N_("Nothing was recorded. Is it the right device, and did its driver start?"), TRUE },
	{ "broken", "dialog-error-symbolic", "error",
	  N_("Please try again, and report it if it happens again."), TRUE },
};

static void show_grade(MtwPageVerdict *self, const char *grade)
{
	gsize i = 0;

	while (i + 1 < G_N_ELEMENTS(grades) && !g_str_equal(grades[i].grade, grade))
		i++;
	gtk_image_set_from_icon_name(self->icon, grades[i].icon);
	gtk_widget_set_css_classes(GTK_WIDGET(self->icon),
				   (const char *[]){ grades[i].class, NULL });
	gtk_label_set_text(self->what_to_do, _(grades[i].what_to_do));
	gtk_widget_set_visible(self->again, grades[i].useless);
}

static void add_count(MtwPageVerdict *self, int row, const char *label, gint64 number)
{
	g_autofree char *text = mtw_gui_number(number);

	mtw_grid_set(self->counts, row, label, text);
}

static void show_counts(MtwPageVerdict *self, JsonObject *verdict)
{
	JsonArray *bars = mtw_json_array(verdict, "bars");
	guint length = bars != NULL ? json_array_get_length(bars) : 0;

	mtw_clear(GTK_WIDGET(self->counts));
	add_count(self, 0, _("Events"), mtw_json_int(verdict, "events", 0));
	add_count(self, 1, _("Reads"), mtw_json_int(verdict, "reads", 0));
	add_count(self, 2, _("Writes"), mtw_json_int(verdict, "writes", 0));
	add_count(self, 3, _("Markers"), mtw_json_int(verdict, "markers", 0));
	add_count(self, 4, _("Lost"), mtw_json_int(mtw_json_object(verdict, "lost"), "events", 0));
	for (guint i = 0; i < length; i++) {
		JsonObject *bar = mtw_json_object_at(bars, i);
		g_autofree char *name = mtw_gui_bar_name(mtw_json_int(bar, "index", 0));
		g_autofree char *text = mtw_gui_accesses(bar);
		mtw_grid_set(self->counts, 5 + (int)i, name, text);
	}
}

static void show_findings(MtwPageVerdict *self, JsonArray *findings)
{
	guint length = findings != NULL ? json_array_get_length(findings) : 0;

	mtw_clear(GTK_WIDGET(self->findings));
	for (guint i = 0; i < length; i++) {
		JsonObject *finding = mtw_json_object_at(findings, i);
		g_autofree char *text = mtw_gui_sentence(finding);
		gboolean serious = mtw_json_bool(finding, "serious", FALSE);
		GtkWidget *icon = serious ? mtw_level_icon("warning")
					  : mtw_icon_new("dialog-information-symbolic");
		mtw_list_add(self->findings, mtw_row_new(icon, text, NULL), text);
	}
	gtk_widget_set_visible(GTK_WIDGET(self->findings), length > 0);
}

/* How large it was, and would be. */
static void show_buffers(MtwPageVerdict *self, JsonObject *event)
{
	gint64 now_kb = mtw_json_int(event, "buffer_kb", 0);
	gint64 next_kb = mtw_json_int(event, "next_buffer_kb", 0);
	g_autofree char *now = mtw_text_bytes((guint64)MAX(now_kb, 0) * 1024);
	g_autofree char *next = mtw_text_bytes((guint64)MAX(next_kb, 0) * 1024);
	g_autofree char *text =
		now_kb > 0 ? g_strdup_printf(_("Another try has a buffer of %s for events instead "
					       "of %s. Of both traces the better one is kept."),
					     next, now)
			   : g_strdup(_("Another try has a larger buffer for events. Of both "
					"traces the better one is kept."));

	gtk_label_set_text(self->lost_text, text);
}

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	MtwPageVerdict *self = (MtwPageVerdict *)page;
	JsonObject *verdict = mtw_json_object(event, "verdict");

	if (!g_str_equal(name, "verdict"))
		return FALSE;
	show_grade(self, mtw_json_string(event, "grade", ""));
	gtk_label_set_text(self->sentence,
			   mtw_gui_translate(mtw_json_string(verdict, "sentence", "")));
	show_counts(self, verdict);
	show_findings(self, mtw_json_array(verdict, "findings"));
	show_buffers(self, event);
	gtk_actionable_set_action_target(GTK_ACTIONABLE(self->again), "s",
					 mtw_json_string(event, "device", ""));
	return TRUE;
}

/* ---- after a loss ---------------------------------------------------------------------------- */

static gboolean ask(MtwPage *page, const MtwRequest *request)
{
	MtwPageVerdict *self = (MtwPageVerdict *)page;
	gboolean own = request != NULL && g_str_equal(request->id, "on-lost");

	mtw_release_focus(self->lost);
	gtk_widget_set_visible(self->lost, own);
	return own;
}

static char *answer(MtwPage *page)
{
	(void)page;
	return g_strdup("retry");
}

static char *other(MtwPage *page)
{
	(void)page;
	return g_strdup("keep");
}

static void on_give_up(MtwPageVerdict *self)
{
	mtw_page_send_answer(MTW_PAGE(self), "fail");
}

#define BIND(name) gtk_widget_class_bind_template_child(widget_class, MtwPageVerdict, name)

static void mtw_page_verdict_class_init(MtwPageVerdictClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	page_class->is_read = TRUE;
	page_class->show = show;
	page_class->ask = ask;
	page_class->answer = answer;
	page_class->other = other;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-verdict.ui");
	BIND(icon);
	BIND(sentence);
	BIND(what_to_do);
	BIND(again);
	BIND(lost);
	BIND(lost_text);
	BIND(give_up);
	BIND(counts);
	BIND(findings);
}

static void mtw_page_verdict_init(MtwPageVerdict *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_fix_names(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->findings), _("Findings"));
	g_signal_connect_swapped(self->give_up, "clicked", G_CALLBACK(on_give_up), self);
}
