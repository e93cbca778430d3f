/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CAPTURE: what goes on, how much comes, the steps of the scenario, markers. */
#include "base/json.h"
#include "base/text.h"
#include "gui/checklist.h"
#include "gui/page.h"
#include "gui/plot.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
	GtkLabel *state, *elapsed, *doing, *seconds, *ending, *rate, *lost_text;
	GtkWidget *countdown, *live, *lost, *set_marker;
	MtwChecklist *checklist;
	GtkGrid *counters;
	MtwPlot *plot;
	GtkListBox *markers;
	GtkEditable *marker;
	gboolean focus_given; /* to the marker, by the page: a step may take it back */
	guint n_markers;
	double now_sec; /* since the beginning; 0: not known yet */
	double now_rate;
	gint64 events;
} MtwPageCapture;

typedef struct {
	MtwPageClass parent;
} MtwPageCaptureClass;

G_DEFINE_FINAL_TYPE(MtwPageCapture, mtw_page_capture, MTW_TYPE_PAGE)

static MtwPageCapture *self_of(MtwPage *page)
{
	return (MtwPageCapture *)page;
}

static void show_doing(MtwPageCapture *self, const char *text)
{
	gtk_label_set_text(self->doing, text);
	mtw_set_description(GTK_WIDGET(self->marker), text);
	gtk_widget_set_visible(GTK_WIDGET(self->doing), text[0] != '\0');
}

static void begin(MtwPage *page)
{
	MtwPageCapture *self = self_of(page);

	mtw_plot_clear(self->plot);
	mtw_clear(GTK_WIDGET(self->counters));
	mtw_clear(GTK_WIDGET(self->markers));
	mtw_checklist_fill(self->checklist, NULL);
	gtk_label_set_text(self->state, _("Preparing the computer"));
	show_doing(self, "");
	gtk_label_set_text(self->elapsed, "");
	gtk_label_set_text(self->rate, "");
	gtk_editable_set_text(self->marker, "");
	gtk_widget_set_visible(self->countdown, FALSE);
	gtk_widget_set_visible(self->live, FALSE);
	gtk_widget_set_visible(self->lost, FALSE);
	gtk_widget_set_visible(GTK_WIDGET(self->markers), FALSE);
	self->n_markers = 0;
	self->now_sec = self->now_rate = 0;
	self->events = 0;
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

	gtk_widget_set_visible(self->countdown, FALSE);
	if (text != NULL)
		gtk_label_set_text(self->state, text);
	show_doing(self, g_str_equal(state, "capturing")
				 ? _("The computer is slow now; that is expected.")
				 : "");
	if (g_str_equal(state, "stopping") || g_str_equal(state, "restoring"))
		end_live(self);
}

static void show_change(MtwPageCapture *self, JsonObject *event)
{
	gboolean undo = !g_str_equal(mtw_json_string(event, "action", ""), "apply");
	g_autofree char *text = mtw_gui_change(event, undo);

	gtk_widget_set_visible(self->countdown, FALSE);
	show_doing(self, text);
}

/* The desktop ends, and this window with it: as large as it can be, and in front. */
static void show_countdown(MtwPageCapture *self, JsonObject *event)
{
	gint64 seconds = mtw_json_int(event, "seconds", 0);
	g_autofree char *number = g_strdup_printf("%d", (int)seconds);
	g_autofree char *text =
		g_strdup_printf(ngettext("The desktop ends in %d second",
					 "The desktop ends in %d seconds", (gulong)seconds),
				(int)seconds);
	GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(self));

	gtk_label_set_text(self->seconds, number);
	gtk_label_set_text(self->ending, text);
	mtw_set_name(self->countdown, text);
	if (!gtk_widget_get_visible(self->countdown) && GTK_IS_WINDOW(root))
		gtk_window_present(GTK_WINDOW(root));
	gtk_widget_set_visible(self->countdown, TRUE);
}

static void show_driver_up(MtwPageCapture *self, JsonObject *event)
{
	(void)event;
	gtk_widget_set_visible(self->countdown, FALSE);
	show_doing(self, _("The driver is up. Use the device now, and set a marker for what you "
			   "do. The computer is slow; that is expected."));
	gtk_widget_set_visible(self->live, TRUE);
	gtk_widget_set_sensitive(self->live, TRUE);
}

/* ---- counters -------------------------------------------------------------------------------- */

static char *time_text(double seconds)
{
	return g_strdup_printf("%d:%02d", (int)seconds / 60, (int)seconds % 60);
}

static void show_bars(MtwPageCapture *self, JsonArray *bars, int row)
{
	guint length = bars != NULL ? json_array_get_length(bars) : 0;

	for (guint i = 0; i < length; i++) {
		JsonObject *bar = mtw_json_object_at(bars, i);
		g_autofree char *name = mtw_gui_bar_name(mtw_json_int(bar, "index", 0));
		g_autofree char *text = mtw_gui_accesses(bar);
		mtw_grid_set(self->counters, row + (int)i, name, text);
	}
}

/* It is an alert: a screen reader says what it is called when it appears. */
static void show_lost(MtwPageCapture *self, gint64 lost)
{
	g_autofree char *number = mtw_gui_number(lost);
	g_autofree char *text = g_strdup_printf(
		ngettext(
			"%s event is lost: the buffer for events is too small for this driver. You "
			"can stop now and try again with a larger one.",
			"%s events are lost: the buffer for events is too small for this driver. "
			"You can stop now and try again with a larger one.",
			(gulong)lost),
		number);

	gtk_label_set_text(self->lost_text, text);
	if (!gtk_widget_get_visible(self->lost))
		mtw_set_name(self->lost, text);
	gtk_widget_set_visible(self->lost, lost > 0);
}

/* What the plot shows, in words. */
static void say_rate(MtwPageCapture *self)
{
	g_autofree char *now = mtw_gui_number((gint64)self->now_rate);
	g_autofree char *peak = mtw_gui_number((gint64)mtw_plot_peak(self->plot));
	g_autofree char *markers = g_strdup_printf(
		ngettext("%u marker", "%u markers", self->n_markers), self->n_markers);
	g_autofree char *text = g_strdup_printf(ngettext("%s event per second now, %s at most; %s",
							 "%s events per second now, %s at most; %s",
							 (gulong)self->now_rate),
						now, peak, markers);

	if (self->now_sec <= 0)
		return;
	gtk_label_set_text(self->rate, text);
	mtw_set_name(GTK_WIDGET(self->plot), text);
}

static void show_counters(MtwPageCapture *self, JsonObject *event)
{
	gint64 events = mtw_json_int(event, "events", 0);
	g_autofree char *all = mtw_gui_number(events);
	g_autofree char *target = mtw_gui_number(mtw_json_int(event, "target", 0));
	g_autofree char *lost = mtw_gui_number(mtw_json_int(event, "lost", 0));
	g_autofree char *bytes = mtw_gui_bytes(event, "bytes");
	g_autofree char *elapsed = NULL;

	self->now_sec = json_object_get_double_member_with_default(event, "seconds", 0);
	self->now_rate = mtw_plot_add(self->plot, self->now_sec, events);
	elapsed = time_text(self->now_sec);
	gtk_label_set_text(self->elapsed, elapsed);
	say_rate(self);
	mtw_grid_set(self->counters, 0, _("Events"), all);
	mtw_grid_set(self->counters, 1, _("On the device"), target);
	mtw_grid_set(self->counters, 2, _("Recorded"), bytes);
	mtw_grid_set(self->counters, 3, _("Lost"), lost);
	show_bars(self, mtw_json_array(event, "bars"), 4);
	show_lost(self, mtw_json_int(event, "lost", 0));
}

/* ---- scenario and markers -------------------------------------------------------------------- */

static void give_focus(MtwPageCapture *self)
{
	gtk_widget_grab_focus(GTK_WIDGET(self->marker));
	self->focus_given = TRUE;
}

/* The person is there to write. */
static void on_writing(MtwPageCapture *self)
{
	self->focus_given = FALSE;
}

/* The button that had the focus may be gone: then the person goes on with markers. */
static void keep_focus(MtwPageCapture *self)
{
	GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(self));

	if (root != NULL && gtk_root_get_focus(root) == NULL)
		give_focus(self);
}

static void take_focus_back(MtwPageCapture *self)
{
	if (self->focus_given && gtk_editable_get_text(self->marker)[0] == '\0')
		mtw_release_focus(GTK_WIDGET(self->marker));
	self->focus_given = FALSE;
}

static void show_scenario(MtwPageCapture *self, JsonObject *event)
{
	take_focus_back(self);
	if (!mtw_checklist_begin(self->checklist, event))
		keep_focus(self);
}

static void show_exercise(MtwPageCapture *self, JsonObject *event)
{
	const char *said = mtw_json_string(event, "said", "");
	g_autofree char *text = NULL;

	if (!mtw_json_bool(event, "by_hand", FALSE))
		return;
	/* TRANSLATORS: the first %s is a command, the second one why */
	text = g_strdup_printf(_("%s did not work (%s). Please do it yourself; what needs root "
				 "works in a terminal, with sudo before the command."),
			       mtw_json_string(event, "command", ""),
			       said[0] != '\0' ? said : mtw_json_string(event, "result", ""));
	mtw_checklist_tell(self->checklist, text);
}

/* Of a capture that was going on before this window, the time is not told. */
static void show_marker(MtwPageCapture *self, JsonObject *event)
{
	const char *text = mtw_json_string(event, "text", "");
	gboolean known = mtw_plot_mark(self->plot, text);
	g_autofree char *time = known ? time_text(self->now_sec) : NULL;
	GtkWidget *row = mtw_row_new(mtw_icon_new("mark-location-symbolic"), text, NULL);
	GtkWidget *label = gtk_label_new(time);

	gtk_widget_add_css_class(label, "dim-label");
	gtk_widget_add_css_class(label, "numeric");
	gtk_widget_set_valign(label, GTK_ALIGN_START);
	gtk_box_append(GTK_BOX(row), label);
	mtw_list_add(self->markers, row, text);
	if (known)
		mtw_set_description(gtk_widget_get_parent(row), time);
	gtk_widget_set_visible(GTK_WIDGET(self->markers), TRUE);
	self->n_markers++;
	say_rate(self);
}

static void on_line(MtwPageCapture *self, const char *line)
{
	mtw_page_send_line(MTW_PAGE(self), line);
}

/* An empty one would end the capture: the person is only on the way to the field. */
static void on_marker(MtwPageCapture *self)
{
	g_autofree char *text = mtw_text_clean_marker(gtk_editable_get_text(self->marker), -1);

	if (text[0] == '\0') {
		gtk_widget_grab_focus(GTK_WIDGET(self->marker));
		on_writing(self);
		return;
	}
	mtw_page_send_line(MTW_PAGE(self), text);
	gtk_editable_set_text(self->marker, "");
	give_focus(self);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void show_steps(MtwPageCapture *self, JsonObject *event)
{
	mtw_checklist_fill(self->checklist, mtw_json_array(event, "steps"));
}

static void show_step_end(MtwPageCapture *self, JsonObject *event)
{
	mtw_checklist_end(self->checklist, event);
	keep_focus(self);
}

static void show_done(MtwPageCapture *self, JsonObject *event)
{
	(void)event;
	end_live(self);
}

static const struct {
	const char *event;
	void (*show)(MtwPageCapture *self, JsonObject *event);
} shows[] = {
	{ "state", show_state },
	{ "change", show_change },
	{ "countdown", show_countdown },
	{ "driver-up", show_driver_up },
	{ "counters", show_counters },
	{ "scenario-steps", show_steps },
	{ "scenario", show_scenario },
	{ "exercise", show_exercise },
	{ "scenario-end", show_step_end },
	{ "marker", show_marker },
	{ "done", show_done },
};

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	for (gsize i = 0; i < G_N_ELEMENTS(shows); i++)
		if (g_str_equal(name, shows[i].event))
			shows[i].show(self_of(page), event);
	/* What the wizard explains here is how to type on a terminal. */
	return !g_str_equal(name, "message") && !g_str_equal(name, "note");
}

#define BIND(name) gtk_widget_class_bind_template_child(widget_class, MtwPageCapture, name)

static void mtw_page_capture_class_init(MtwPageCaptureClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	page_class->begin = begin;
	page_class->show = show;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-capture.ui");
	BIND(state);
	BIND(elapsed);
	BIND(doing);
	BIND(countdown);
	BIND(seconds);
	BIND(ending);
	BIND(checklist);
	BIND(rate);
	BIND(lost);
	BIND(lost_text);
	BIND(live);
	BIND(set_marker);
	BIND(counters);
	BIND(plot);
	BIND(markers);
	BIND(marker);
}

static void watch_clicks(MtwPageCapture *self)
{
	GtkGesture *click = gtk_gesture_click_new();

	gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(click), GTK_PHASE_CAPTURE);
	g_signal_connect_swapped(click, "pressed", G_CALLBACK(on_writing), self);
	gtk_widget_add_controller(GTK_WIDGET(self->marker), GTK_EVENT_CONTROLLER(click));
}

static void mtw_page_capture_init(MtwPageCapture *self)
{
	g_type_ensure(MTW_TYPE_PLOT);
	g_type_ensure(MTW_TYPE_CHECKLIST);
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_fix_names(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->marker), _("What you do now"));
	mtw_set_name(GTK_WIDGET(self->markers), _("Markers"));
	mtw_set_name(GTK_WIDGET(self->plot), _("Events per second"));
	g_signal_connect_swapped(self->checklist, "line", G_CALLBACK(on_line), self);
	g_signal_connect_swapped(self->set_marker, "clicked", G_CALLBACK(on_marker), self);
	g_signal_connect_swapped(self->marker, "activate", G_CALLBACK(on_marker), self);
	watch_clicks(self);
}
