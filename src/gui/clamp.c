/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/clamp.h"

#define WIDTH_PIXELS 800

struct _MtwClamp {
	GtkWidget parent;
};

G_DEFINE_FINAL_TYPE(MtwClamp, mtw_clamp, GTK_TYPE_WIDGET)

static GtkSizeRequestMode get_request_mode(GtkWidget *widget)
{
	(void)widget;
	return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* What the child needs at least it gets in any case: with large text that can be more. */
static int widest(GtkWidget *child)
{
	int minimum;

	gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
	return MAX(minimum, WIDTH_PIXELS);
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
		    int *natural, int *minimum_baseline, int *natural_baseline)
{
	GtkWidget *child = gtk_widget_get_first_child(widget);

	(void)minimum_baseline;
	(void)natural_baseline;
	/* For a certain height GTK would ask for more width than there is, now and then: what is inside fits any. */
	for_size = orientation == GTK_ORIENTATION_VERTICAL && for_size > 0
			   ? MIN(for_size, widest(child))
			   : -1;
	gtk_widget_measure(child, orientation, for_size, minimum, natural, NULL, NULL);
	if (orientation == GTK_ORIENTATION_HORIZONTAL)
		*natural = MIN(*natural, widest(child));
}

/* Where the line begins, as the heading above it. */
static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	GtkWidget *child = gtk_widget_get_first_child(widget);
	int used = MIN(width, widest(child));
	gboolean mirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL;
	graphene_point_t place = GRAPHENE_POINT_INIT((float)(mirrored ? width - used : 0), 0);

	gtk_widget_allocate(child, used, height, baseline, gsk_transform_translate(NULL, &place));
}

static void dispose(GObject *object)
{
	GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(object));

	if (child != NULL)
		gtk_widget_unparent(child);
	G_OBJECT_CLASS(mtw_clamp_parent_class)->dispose(object);
}

static void mtw_clamp_class_init(MtwClampClass *class)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->dispose = dispose;
	widget_class->get_request_mode = get_request_mode;
	widget_class->measure = measure;
	widget_class->size_allocate = size_allocate;
}

static void mtw_clamp_init(MtwClamp *clamp)
{
	(void)clamp;
}
