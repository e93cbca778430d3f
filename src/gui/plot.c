/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/plot.h"

#include <math.h>

#define SPAN_SEC 120.0
/* At the beginning, so that something can be seen. */
#define MIN_SPAN_SEC 30.0
#define HEIGHT 130
#define MARGIN 4.0
#define LINE_WIDTH 2.0
#define FILL_ALPHA 0.25
#define GRID_ALPHA 0.15
#define MARK_ALPHA 0.6
#define TEXT_ALPHA 0.9
/* Above the curve, for the texts of the markers. */
#define TEXT_HEIGHT 20.0
#define TEXT_GAP 5.0
#define TEXT_SCALE 0.85
/* A longer one is cut. */
#define TEXT_MAX_WIDTH 130
/* Shorter times give rates by chance. */
#define MIN_SEC 0.5
/* How near the mouse has to be. */
#define NEAR_PIXELS 8

typedef struct {
	double seconds;
	double rate;
} Point;

typedef struct {
	double seconds;
	char *text;
} Mark;

struct _MtwPlot {
	GtkDrawingArea parent;
	GArray *points;	  /* (element-type Point) */
	GPtrArray *marks; /* (element-type Mark) */
	gint64 events;
	double peak;
};

G_DEFINE_FINAL_TYPE(MtwPlot, mtw_plot, GTK_TYPE_DRAWING_AREA)

/* Where things stand. */
typedef struct {
	double width, height;
	double newest, span; /* seconds */
	double highest;
	gboolean mirrored;
} Frame;

static void mark_free(gpointer data)
{
	Mark *mark = data;

	g_free(mark->text);
	g_free(mark);
}

static void finalize(GObject *object)
{
	g_array_unref(MTW_PLOT(object)->points);
	g_ptr_array_unref(MTW_PLOT(object)->marks);
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
	Frame frame = { .width = width, .height = height - 2 * MARGIN - TEXT_HEIGHT };
	guint length = plot->points->len;
	double highest = 10;

	for (guint i = 0; i < length; i++)
		highest = MAX(highest, point_at(plot, i)->rate);
	frame.highest = round_up(highest);
	frame.newest = length > 0 ? point_at(plot, length - 1)->seconds : 0;
	frame.span = length > 0 ? frame.newest - point_at(plot, 0)->seconds : 0;
	frame.span = CLAMP(frame.span, MIN_SPAN_SEC, SPAN_SEC);
	frame.mirrored = gtk_widget_get_direction(GTK_WIDGET(plot)) == GTK_TEXT_DIR_RTL;
	return frame;
}

/* In the direction of reading. */
static double along(const Frame *frame, double seconds)
{
	return frame->width - (frame->newest - seconds) / frame->span * frame->width;
}

static double x_of(const Frame *frame, double seconds)
{
	double x = along(frame, seconds);

	return frame->mirrored ? frame->width - x : x;
}

static double y_of(const Frame *frame, double rate)
{
	return MARGIN + TEXT_HEIGHT + frame->height - rate / frame->highest * frame->height;
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
		cairo_line_to(cairo, x_of(frame, point_at(plot, i)->seconds),
			      y_of(frame, point_at(plot, i)->rate));
	set_colour(cairo, colour, 1);
	cairo_set_line_width(cairo, LINE_WIDTH);
	cairo_stroke_preserve(cairo);
	cairo_line_to(cairo, x_of(frame, point_at(plot, length - 1)->seconds), y_of(frame, 0));
	cairo_line_to(cairo, x_of(frame, point_at(plot, 0)->seconds), y_of(frame, 0));
	set_colour(cairo, colour, FILL_ALPHA);
	cairo_fill(cairo);
}

/* Returns: (transfer full) */
static PangoLayout *layout_of(MtwPlot *plot, const char *text)
{
	PangoLayout *layout = gtk_widget_create_pango_layout(GTK_WIDGET(plot), text);
	PangoAttrList *attributes = pango_attr_list_new();

	pango_attr_list_insert(attributes, pango_attr_scale_new(TEXT_SCALE));
	pango_layout_set_attributes(layout, attributes);
	pango_attr_list_unref(attributes);
	pango_layout_set_single_paragraph_mode(layout, TRUE);
	return layout;
}

static void draw_text(cairo_t *cairo, const Frame *frame, PangoLayout *layout, double begin,
		      int width, int height)
{
	cairo_move_to(cairo, frame->mirrored ? frame->width - begin - width : begin,
		      MARGIN + (TEXT_HEIGHT - height) / 2);
	pango_cairo_show_layout(cairo, layout);
}

/*
 * The text of a marker stands behind its line, or before it when there is no room; when there is none either, nowhere.
 * @from, @to: the room, in the direction of reading. Returns: where the next text has to end
 */
static double place_text(cairo_t *cairo, MtwPlot *plot, const Frame *frame, const Mark *mark,
			 double from, double to)
{
	g_autoptr(PangoLayout) layout = layout_of(plot, mark->text);
	double at = along(frame, mark->seconds);
	int width, height;

	pango_layout_get_pixel_size(layout, &width, &height);
	width = MIN(width, TEXT_MAX_WIDTH);
	pango_layout_set_width(layout, width * PANGO_SCALE);
	pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
	if (at + width + 2 * TEXT_GAP <= to) {
		draw_text(cairo, frame, layout, at + TEXT_GAP, width, height);
		return at;
	}
	if (at - width - 2 * TEXT_GAP < from)
		return MIN(at, to);
	draw_text(cairo, frame, layout, at - TEXT_GAP - width, width, height);
	return at - TEXT_GAP - width;
}

static void draw_texts(cairo_t *cairo, MtwPlot *plot, const Frame *frame, const GdkRGBA *colour)
{
	double to = frame->width;

	set_colour(cairo, colour, TEXT_ALPHA);
	for (guint i = plot->marks->len; i > 0; i--) {
		const Mark *before = i > 1 ? plot->marks->pdata[i - 2] : NULL;
		double from = before != NULL ? along(frame, before->seconds) : 0;
		to = place_text(cairo, plot, frame, plot->marks->pdata[i - 1], from, to);
	}
}

static void draw_marks(cairo_t *cairo, MtwPlot *plot, const Frame *frame, const GdkRGBA *colour)
{
	static const double dashes[] = { 3, 3 };

	cairo_set_dash(cairo, dashes, G_N_ELEMENTS(dashes), 0);
	cairo_set_line_width(cairo, 1);
	set_colour(cairo, colour, MARK_ALPHA);
	for (guint i = 0; i < plot->marks->len; i++) {
		const Mark *mark = plot->marks->pdata[i];
		double x = floor(x_of(frame, mark->seconds)) + 0.5;
		cairo_move_to(cairo, x, MARGIN);
		cairo_line_to(cairo, x, MARGIN + TEXT_HEIGHT + frame->height);
	}
	cairo_stroke(cairo);
	cairo_set_dash(cairo, NULL, 0, 0);
}

/* What the highest line means. */
static void draw_scale(cairo_t *cairo, MtwPlot *plot, const Frame *frame, const GdkRGBA *colour)
{
	g_autofree char *text = g_strdup_printf("%'.0f", frame->highest);
	g_autoptr(PangoLayout) layout = layout_of(plot, text);
	int width, height;

	pango_layout_get_pixel_size(layout, &width, &height);
	set_colour(cairo, colour, MARK_ALPHA);
	cairo_move_to(cairo, frame->mirrored ? frame->width - width - TEXT_GAP : TEXT_GAP,
		      y_of(frame, frame->highest) + 1);
	pango_cairo_show_layout(cairo, layout);
}

/* The colour of a selection alone can hardly be seen in a dark theme. */
static GdkRGBA mix(const GdkRGBA *a, const GdkRGBA *b)
{
	return (GdkRGBA){ (a->red + b->red) / 2, (a->green + b->green) / 2, (a->blue + b->blue) / 2,
			  1 };
}

static void draw(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer user_data)
{
	MtwPlot *plot = MTW_PLOT(area);
	Frame frame = frame_of(plot, width, height);
	GtkStyleContext *style = gtk_widget_get_style_context(GTK_WIDGET(area));
	GdkRGBA colour, text_colour;

	(void)user_data;
	gtk_style_context_get_color(style, &text_colour);
	if (gtk_style_context_lookup_color(style, "theme_selected_bg_color", &colour))
		colour = mix(&colour, &text_colour);
	else
		colour = text_colour;
	draw_grid(cairo, &frame, &text_colour);
	draw_curve(cairo, plot, &frame, &colour);
	draw_scale(cairo, plot, &frame, &text_colour);
	draw_marks(cairo, plot, &frame, &text_colour);
	draw_texts(cairo, plot, &frame, &text_colour);
}

/* ---- the mouse ------------------------------------------------------------------------------- */

static gboolean on_tooltip(GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
			   gpointer user_data)
{
	MtwPlot *plot = MTW_PLOT(widget);
	Frame frame = frame_of(plot, gtk_widget_get_width(widget), gtk_widget_get_height(widget));
	g_autoptr(GString) text = g_string_new(NULL);

	(void)y;
	(void)user_data;
	for (guint i = 0; !keyboard && i < plot->marks->len; i++) {
		const Mark *mark = plot->marks->pdata[i];
		if (fabs(x_of(&frame, mark->seconds) - x) <= NEAR_PIXELS)
			g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", mark->text);
	}
	gtk_tooltip_set_text(tooltip, text->str);
	return text->len > 0;
}

/* ---- what is in it --------------------------------------------------------------------------- */

static void mtw_plot_init(MtwPlot *plot)
{
	plot->points = g_array_new(FALSE, TRUE, sizeof(Point));
	plot->marks = g_ptr_array_new_with_free_func(mark_free);
	gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(plot), HEIGHT);
	gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(plot), draw, NULL, NULL);
	gtk_widget_set_has_tooltip(GTK_WIDGET(plot), TRUE);
	g_signal_connect(plot, "query-tooltip", G_CALLBACK(on_tooltip), NULL);
}

void mtw_plot_clear(MtwPlot *plot)
{
	g_array_set_size(plot->points, 0);
	g_ptr_array_set_size(plot->marks, 0);
	plot->events = 0;
	plot->peak = 0;
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
	while (plot->marks->len > 0 && ((Mark *)plot->marks->pdata[0])->seconds < newest - SPAN_SEC)
		g_ptr_array_remove_index(plot->marks, 0);
}

double mtw_plot_add(MtwPlot *plot, double seconds, gint64 events)
{
	guint length = plot->points->len;
	double before = length > 0 ? point_at(plot, length - 1)->seconds : 0;
	Point point = { .seconds = seconds };

	if (seconds > before)
		point.rate = (double)MAX(events - plot->events, 0) / MAX(seconds - before, MIN_SEC);
	plot->events = events;
	plot->peak = MAX(plot->peak, point.rate);
	g_array_append_val(plot->points, point);
	forget_old(plot, seconds);
	gtk_widget_queue_draw(GTK_WIDGET(plot));
	return point.rate;
}

double mtw_plot_peak(const MtwPlot *plot)
{
	return plot->peak;
}

gboolean mtw_plot_mark(MtwPlot *plot, const char *text)
{
	guint length = plot->points->len;
	Mark *mark;

	if (length == 0)
		return FALSE;
	mark = g_new0(Mark, 1);
	mark->seconds = point_at(plot, length - 1)->seconds;
	mark->text = g_strdup(text);
	g_ptr_array_add(plot->marks, mark);
	gtk_widget_queue_draw(GTK_WIDGET(plot));
	return TRUE;
}
