/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/plot.h"

#include <math.h>

#define SPAN_SEC 120.0
#define HEIGHT 110
#define MARGIN 4.0
#define LINE_WIDTH 2.0
#define FILL_ALPHA 0.25
#define GRID_ALPHA 0.15
#define MARK_ALPHA 0.6

typedef struct {
	double seconds;
	double rate;
	gboolean marked;
} Point;

struct _MtwPlot {
	GtkDrawingArea parent;
	GArray *points; /* (element-type Point) */
	gint64 events;
};

G_DEFINE_FINAL_TYPE(MtwPlot, mtw_plot, GTK_TYPE_DRAWING_AREA)

/* Where things stand. */
typedef struct {
	double width, height;
	double newest;
	double highest;
	gboolean mirrored;
} Frame;

static void finalize(GObject *object)
{
	g_array_unref(MTW_PLOT(object)->points);
	G_OBJECT_CLASS(mtw_plot_parent_class)->finalize(object);
}

static void mtw_plot_class_init(MtwPlotClass *class)
{
	G_OBJECT_CLASS(class)->finalize = finalize;
	gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
	gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "plot");
}

static const Point *point_at(const MtwPlot *plot, guint index)
{
	return &g_array_index(plot->points, Point, index);
}

/* A round number, so that the plot does not change its scale all the time. */
static double round_up(double rate)
{
	double power = pow(10, floor(log10(MAX(rate, 1))));

	if (rate <= power)
		return power;
	if (rate <= 2 * power)
		return 2 * power;
	return rate <= 5 * power ? 5 * power : 10 * power;
}

static Frame frame_of(MtwPlot *plot, int width, int height)
{
	Frame frame = { .width = width, .height = height - 2 * MARGIN };
	guint length = plot->points->len;
	double highest = 10;

	for (guint i = 0; i < length; i++)
		highest = MAX(highest, point_at(plot, i)->rate);
	frame.highest = round_up(highest);
	frame.newest = length > 0 ? point_at(plot, length - 1)->seconds : 0;
	frame.mirrored = gtk_widget_get_direction(GTK_WIDGET(plot)) == GTK_TEXT_DIR_RTL;
	return frame;
}

static double x_of(const Frame *frame, const Point *point)
{
	double from_left =
		frame->width - (frame->newest - point->seconds) / SPAN_SEC * frame->width;

	return frame->mirrored ? frame->width - from_left : from_left;
}

static double y_of(const Frame *frame, double rate)
{
	return MARGIN + frame->height - rate / frame->highest * frame->height;
}

static void set_colour(cairo_t *cairo, const GdkRGBA *colour, double alpha)
{
	cairo_set_source_rgba(cairo, colour->red, colour->green, colour->blue, alpha);
}

static void draw_grid(cairo_t *cairo, const Frame *frame, const GdkRGBA *colour)
{
	set_colour(cairo, colour, GRID_ALPHA);
	cairo_set_line_width(cairo, 1);
	for (int part = 0; part <= 2; part++) {
		double y = floor(y_of(frame, frame->highest * part / 2)) + 0.5;
		cairo_move_to(cairo, 0, y);
		cairo_line_to(cairo, frame->width, y);
	}
	cairo_stroke(cairo);
}

static void draw_curve(cairo_t *cairo, const MtwPlot *plot, const Frame *frame,
		       const GdkRGBA *colour)
{
	guint length = plot->points->len;

	if (length < 2)
		return;
	for (guint i = 0; i < length; i++)
		cairo_line_to(cairo, x_of(frame, point_at(plot, i)),
			      y_of(frame, point_at(plot, i)->rate));
	set_colour(cairo, colour, 1);
	cairo_set_line_width(cairo, LINE_WIDTH);
	cairo_stroke_preserve(cairo);
	cairo_line_to(cairo, x_of(frame, point_at(plot, length - 1)), y_of(frame, 0));
	cairo_line_to(cairo, x_of(frame, point_at(plot, 0)), y_of(frame, 0));
	set_colour(cairo, colour, FILL_ALPHA);
	cairo_fill(cairo);
}

static void draw_marks(cairo_t *cairo, const MtwPlot *plot, const Frame *frame,
		       const GdkRGBA *colour)
{
	static const double dashes[] = { 3, 3 };

	cairo_set_dash(cairo, dashes, G_N_ELEMENTS(dashes), 0);
	cairo_set_line_width(cairo, 1);
	set_colour(cairo, colour, MARK_ALPHA);
	for (guint i = 0; i < plot->points->len; i++) {
		double x = floor(x_of(frame, point_at(plot, i))) + 0.5;
		if (!point_at(plot, i)->marked)
			continue;
		cairo_move_to(cairo, x, MARGIN);
		cairo_line_to(cairo, x, MARGIN + frame->height);
	}
	cairo_stroke(cairo);
	cairo_set_dash(cairo, NULL, 0, 0);
}

static void draw(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer user_data)
{
	MtwPlot *plot = MTW_PLOT(area);
	Frame frame = frame_of(plot, width, height);
	GdkRGBA colour;

	(void)user_data;
	gtk_style_context_get_color(gtk_widget_get_style_context(GTK_WIDGET(area)), &colour);
	draw_grid(cairo, &frame, &colour);
	draw_marks(cairo, plot, &frame, &colour);
	draw_curve(cairo, plot, &frame, &colour);
}

static void mtw_plot_init(MtwPlot *plot)
{
	plot->points = g_array_new(FALSE, TRUE, sizeof(Point));
	gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(plot), HEIGHT);
	gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(plot), draw, NULL, NULL);
}

void mtw_plot_clear(MtwPlot *plot)
{
	g_array_set_size(plot->points, 0);
	plot->events = 0;
	gtk_widget_queue_draw(GTK_WIDGET(plot));
}

static void forget_old(MtwPlot *plot, double newest)
{
	guint old = 0;

	while (old < plot->points->len && point_at(plot, old)->seconds < newest - SPAN_SEC)
		old++;
	/* One more than is seen: the line begins outside. */
	if (old > 1)
		g_array_remove_range(plot->points, 0, old - 1);
}

double mtw_plot_add(MtwPlot *plot, double seconds, gint64 events)
{
	guint length = plot->points->len;
	double before = length > 0 ? point_at(plot, length - 1)->seconds : 0;
	Point point = { .seconds = seconds };

	if (seconds > before)
		point.rate = (double)MAX(events - plot->events, 0) / (seconds - before);
	plot->events = events;
	g_array_append_val(plot->points, point);
	forget_old(plot, seconds);
	gtk_widget_queue_draw(GTK_WIDGET(plot));
	return point.rate;
}

void mtw_plot_mark(MtwPlot *plot)
{
	if (plot->points->len == 0)
		return;
	g_array_index(plot->points, Point, plot->points->len - 1).marked = TRUE;
	gtk_widget_queue_draw(GTK_WIDGET(plot));
}
