/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CAPTURE: what goes on, how much comes, the steps of the scenario, markers. */
#include "base/json.h"
#include "base/text.h"
#include "gui/page.h"
#include "gui/plot.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
	GtkLabel *state, *elapsed, *doing, *rate, *lost_text, *step_title, *step_text;
	GtkWidget *live, *lost, *scenario, *step, *done, *leave_out, *set_marker;
	GtkGrid *counters;
	MtwPlot *plot;
	GtkListBox *steps, *markers;
	GtkEditable *marker;
	char *say; /* (nullable) of the step that is being done */
} MtwPageCapture;

typedef struct {
	MtwPageClass parent;
} MtwPageCaptureClass;

G_DEFINE_FINAL_TYPE(MtwPageCapture, mtw_page_capture, MTW_TYPE_PAGE)

static MtwPageCapture *self_of(MtwPage *page)
{
	return (MtwPageCapture *)page;
}

static void begin(MtwPage *page)
{
	MtwPageCapture *self = self_of(page);

	mtw_plot_clear(self->plot);
	mtw_clear(GTK_WIDGET(self->counters));
	mtw_clear(GTK_WIDGET(self->steps));
	mtw_clear(GTK_WIDGET(self->markers));
	gtk_label_set_text(self->state, _("Preparing the computer"));
	gtk_label_set_text(self->doing, "");
	gtk_label_set_text(self->elapsed, "");
	gtk_widget_set_visible(self->live, FALSE);
	gtk_widget_set_visible(self->lost, FALSE);
	gtk_widget_set_visible(self->scenario, FALSE);
	g_clear_pointer(&self->say, g_free);
}

/* ---- what goes on ---------------------------------------------------------------------------- */

/* Nothing more is taken. */
static void end_live(MtwPageCapture *self)
{
	mtw_release_focus(self->live);
	gtk_widget_set_sensitive(self->live, FALSE);
}

static void show_state(MtwPageCapture *self, JsonObject *event)
{
	const char *state = mtw_json_string(event, "state", "");
	const char *text = mtw_gui_state(state);

	if (text != NULL)
		gtk_label_set_text(self->state, text);
	gtk_label_set_text(self->doing, g_str_equal(state, "capturing")
						? _("The computer is slow now; that is expected.")
						: "");
	if (g_str_equal(state, "stopping") || g_str_equal(state, "restoring"))
		end_live(self);
}

static void show_change(MtwPageCapture *self, JsonObject *event)
{
	gboolean undo = !g_str_equal(mtw_json_string(event, "action", ""), "apply");
	g_autofree char *text = mtw_gui_change(event, undo);

	gtk_label_set_text(self->doing, text);
}

static void show_countdown(MtwPageCapture *self, JsonObject *event)
{
	gint64 seconds = mtw_json_int(event, "seconds", 0);
	g_autofree char *text = g_strdup_printf(
		ngettext("The desktop ends in %d second, and comes back under the tracer. This "
			 "window opens again then.",
			 "The desktop ends in %d seconds, and comes back under the tracer. This "
			 "window opens again then.",
			 (gulong)seconds),
		(int)seconds);

	gtk_label_set_text(self->doing, text);
}

static void show_driver_up(MtwPageCapture *self)
{
	gtk_label_set_text(self->doing,
			   _("The driver is up. Use the device now, and set a marker for what you "
			     "do. The computer is slow; that is expected."));
	gtk_widget_set_visible(self->live, TRUE);
	gtk_widget_set_sensitive(self->live, TRUE);
}

/* ---- counters -------------------------------------------------------------------------------- */

static void show_bars(MtwPageCapture *self, JsonArray *bars, int row)
{
	guint length = bars != NULL ? json_array_get_length(bars) : 0;

	for (guint i = 0; i < length; i++) {
		JsonObject *bar = mtw_json_object_at(bars, i);
		g_autofree char *name = mtw_gui_bar_name(mtw_json_int(bar, "index", 0));
		g_autofree char *reads = mtw_gui_number(mtw_json_int(bar, "reads", 0));
		g_autofree char *writes = mtw_gui_number(mtw_json_int(bar, "writes", 0));
		g_autofree char *text = g_strdup_printf(_("%s reads, %s writes"), reads, writes);
		mtw_grid_add(self->counters, row + (int)i, name, text);
	}
}

/* A screen reader hears of the loss because the row appears with its text. */
static void show_lost(MtwPageCapture *self, gint64 lost)
{
	g_autofree char *number = mtw_gui_number(lost);
	g_autofree char *text = g_strdup_printf(
		_("%s events are lost: the memory for events is too small for this driver. You can "
		  "stop now and try again with a larger one."),
		number);

	gtk_label_set_text(self->lost_text, text);
	gtk_widget_set_visible(self->lost, lost > 0);
}

static void show_counters(MtwPageCapture *self, JsonObject *event)
{
	double seconds = json_object_get_double_member_with_default(event, "seconds", 0);
	gint64 events = mtw_json_int(event, "events", 0);
	double rate = mtw_plot_add(self->plot, seconds, events);
	g_autofree char *all = mtw_gui_number(events);
	g_autofree char *now = mtw_gui_number((gint64)rate);
	g_autofree char *target = mtw_gui_number(mtw_json_int(event, "target", 0));
	g_autofree char *lost = mtw_gui_number(mtw_json_int(event, "lost", 0));
	g_autofree char *bytes = mtw_gui_bytes(event, "bytes");
	g_autofree char *elapsed = g_strdup_printf("%d:%02d", (int)seconds / 60, (int)seconds % 60);
	g_autofree char *text = g_strdup_printf(_("%s events per second, %s in all"), now, all);

	gtk_label_set_text(self->elapsed, elapsed);
	gtk_label_set_text(self->rate, text);
	mtw_set_name(GTK_WIDGET(self->plot), text);
	mtw_clear(GTK_WIDGET(self->counters));
	mtw_grid_add(self->counters, 0, _("Events"), all);
	mtw_grid_add(self->counters, 1, _("On the device"), target);
	mtw_grid_add(self->counters, 2, _("Recorded"), bytes);
	mtw_grid_add(self->counters, 3, _("Lost"), lost);
	show_bars(self, mtw_json_array(event, "bars"), 4);
	show_lost(self, mtw_json_int(event, "lost", 0));
}

/* ---- scenario and markers -------------------------------------------------------------------- */

/* The step before is over when the next one begins. */
static void end_step(MtwPageCapture *self)
{
	if (self->say != NULL)
		mtw_list_add(self->steps, mtw_row_new(mtw_level_icon("ok"), self->say, NULL),
			     self->say);
	g_clear_pointer(&self->say, g_free);
	gtk_widget_set_visible(self->step, FALSE);
}

static void show_scenario(MtwPageCapture *self, JsonObject *event)
{
	gboolean waits = mtw_json_bool(event, "waits_for_user", FALSE);
	g_autofree char *title =
		g_strdup_printf(_("Step %d of %d"), (int)mtw_json_int(event, "index", 0),
				(int)mtw_json_int(event, "total", 0));

	end_step(self);
	self->say = g_strdup(mtw_json_string(event, "say", ""));
	gtk_label_set_text(self->step_title, title);
	gtk_label_set_text(self->step_text, self->say);
	gtk_widget_set_visible(self->done, waits);
	gtk_widget_set_visible(self->leave_out, waits);
	gtk_widget_set_visible(self->step, TRUE);
	gtk_widget_set_visible(self->scenario, TRUE);
	if (waits)
		gtk_widget_grab_focus(self->done);
}

static void show_marker(MtwPageCapture *self, JsonObject *event)
{
	const char *text = mtw_json_string(event, "text", "");
	GtkWidget *icon = gtk_image_new_from_icon_name("mark-location-symbolic");

	mtw_plot_mark(self->plot);
	mtw_list_add(self->markers, mtw_row_new(icon, text, NULL), text);
}

static void on_done(MtwPageCapture *self)
{
	mtw_page_send_line(MTW_PAGE(self), "n");
}

static void on_leave_out(MtwPageCapture *self)
{
	g_clear_pointer(&self->say, g_free);
	mtw_page_send_line(MTW_PAGE(self), "s");
}

/* An empty one would end the capture. */
static void on_marker(MtwPageCapture *self)
{
	g_autofree char *text = mtw_text_clean_marker(gtk_editable_get_text(self->marker), -1);

	if (text[0] == '\0')
		return;
	mtw_page_send_line(MTW_PAGE(self), text);
	gtk_editable_set_text(self->marker, "");
	gtk_widget_grab_focus(GTK_WIDGET(self->marker));
}

/* ---- events ---------------------------------------------------------------------------------- */

static void show_done(MtwPageCapture *self)
{
	end_step(self);
	end_live(self);
}

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	MtwPageCapture *self = self_of(page);

	if (g_str_equal(name, "state"))
		show_state(self, event);
	else if (g_str_equal(name, "change"))
		show_change(self, event);
	else if (g_str_equal(name, "countdown"))
		show_countdown(self, event);
	else if (g_str_equal(name, "driver-up"))
		show_driver_up(self);
	else if (g_str_equal(name, "counters"))
		show_counters(self, event);
	else if (g_str_equal(name, "scenario"))
		show_scenario(self, event);
	else if (g_str_equal(name, "marker"))
		show_marker(self, event);
	else if (g_str_equal(name, "done"))
		show_done(self);
	/* What the wizard explains here is how to type on a terminal. */
	return !g_str_equal(name, "message") && !g_str_equal(name, "note");
}

static void finalize(GObject *object)
{
	g_free(self_of(MTW_PAGE(object))->say);
	G_OBJECT_CLASS(mtw_page_capture_parent_class)->finalize(object);
}

#define BIND(name) gtk_widget_class_bind_template_child(widget_class, MtwPageCapture, name)

static void mtw_page_capture_class_init(MtwPageCaptureClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->finalize = finalize;
	page_class->begin = begin;
	page_class->show = show;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-capture.ui");
	BIND(state);
	BIND(elapsed);
	BIND(doing);
	BIND(rate);
	BIND(lost);
	BIND(lost_text);
	BIND(step_title);
	BIND(step_text);
	BIND(live);
	BIND(scenario);
	BIND(step);
	BIND(done);
	BIND(leave_out);
	BIND(set_marker);
	BIND(counters);
	BIND(plot);
	BIND(steps);
	BIND(markers);
	BIND(marker);
}

static void mtw_page_capture_init(MtwPageCapture *self)
{
	g_type_ensure(MTW_TYPE_PLOT);
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_fix_names(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->marker), _("What you do now"));
	mtw_set_name(GTK_WIDGET(self->steps), _("Steps that are done"));
	mtw_set_name(GTK_WIDGET(self->markers), _("Markers"));
	mtw_set_name(GTK_WIDGET(self->plot), _("Events per second"));
	g_signal_connect_swapped(self->done, "clicked", G_CALLBACK(on_done), self);
	g_signal_connect_swapped(self->leave_out, "clicked", G_CALLBACK(on_leave_out), self);
	g_signal_connect_swapped(self->set_marker, "clicked", G_CALLBACK(on_marker), self);
	g_signal_connect_swapped(self->marker, "activate", G_CALLBACK(on_marker), self);
}
