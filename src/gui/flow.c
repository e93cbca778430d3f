/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/flow.h"

#define SPACING 6

struct _MtwFlow {
	GtkWidget parent;
};

G_DEFINE_FINAL_TYPE(MtwFlow, mtw_flow, GTK_TYPE_WIDGET)

/* Where the next one stands. */
typedef struct {
	int room;   /* width of a line */
	int x, y;   /* in the direction of reading */
	int height; /* of this line so far */
} Place;

static GtkSizeRequestMode get_request_mode(GtkWidget *widget)
{
	(void)widget;
	return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void measure_child(GtkWidget *child, int room, int *width, int *height)
{
	int minimum;

	gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, width, NULL, NULL);
	*width = CLAMP(room, minimum, *width);
	gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, *width, NULL, height, NULL, NULL);
}

/* Begins a line when this one has no room for @width. */
static void turn(Place *place, int width)
{
	if (place->x == 0 || place->x + width <= place->room)
		return;
	place->y += place->height + SPACING;
	place->x = place->height = 0;
}

static void allocate_child(GtkWidget *flow, GtkWidget *child, const Place *place, int width,
			   int height)
{
	gboolean mirrored = gtk_widget_get_direction(flow) == GTK_TEXT_DIR_RTL;
	int x = mirrored ? place->room - place->x - width : place->x;
	graphene_point_t point = GRAPHENE_POINT_INIT((float)x, (float)place->y);

	gtk_widget_allocate(child, width, height, -1, gsk_transform_translate(NULL, &point));
}

/* Returns: the height of all lines */
static int arrange(GtkWidget *flow, int room, gboolean allocates)
{
	Place place = { .room = room };
	int width, height;

	for (GtkWidget *child = gtk_widget_get_first_child(flow); child != NULL;
	     child = gtk_widget_get_next_sibling(child)) {
		if (!gtk_widget_should_layout(child))
			continue;
		measure_child(child, room, &width, &height);
		turn(&place, width);
		if (allocates)
			allocate_child(flow, child, &place, width, height);
		place.x += width + SPACING;
		place.height = MAX(place.height, height);
	}
	return place.y + place.height;
}

static void measure_width(GtkWidget *flow, int *minimum, int *natural)
{
	int narrowest, usual, n = 0;

	*minimum = *natural = 0;
	for (GtkWidget *child = gtk_widget_get_first_child(flow); child != NULL;
	     child = gtk_widget_get_next_sibling(child)) {
		if (!gtk_widget_should_layout(child))
			continue;
		gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &narrowest, &usual, NULL,
				   NULL);
		*minimum = MAX(*minimum, narrowest);
		*natural += usual + (n++ > 0 ? SPACING : 0);
	}
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
		    int *natural, int *minimum_baseline, int *natural_baseline)
{
	(void)minimum_baseline;
	(void)natural_baseline;
	if (orientation == GTK_ORIENTATION_HORIZONTAL)
		measure_width(widget, minimum, natural);
	else
		*minimum = *natural = arrange(widget, for_size < 0 ? G_MAXINT : for_size, FALSE);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	(void)height;
	(void)baseline;
	arrange(widget, width, TRUE);
}

static void dispose(GObject *object)
{
	GtkWidget *child;

	while ((child = gtk_widget_get_first_child(GTK_WIDGET(object))) != NULL)
		gtk_widget_unparent(child);
	G_OBJECT_CLASS(mtw_flow_parent_class)->dispose(object);
}

static void mtw_flow_class_init(MtwFlowClass *class)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->dispose = dispose;
	widget_class->get_request_mode = get_request_mode;
	widget_class->measure = measure;
	widget_class->size_allocate = size_allocate;
}

static void mtw_flow_init(MtwFlow *flow)
{
	(void)flow;
}

void mtw_flow_add(MtwFlow *flow, GtkWidget *child)
{
	gtk_widget_set_parent(child, GTK_WIDGET(flow));
}
