/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/page.h"

#include "gui/clamp.h"

#define SPACING 12

typedef struct {
	gboolean ready;
	GtkWidget *content; /* box of what the page has */
} MtwPagePrivate;

static GtkBuildableIface *parent_buildable;

static void init_buildable(GtkBuildableIface *interface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE(MtwPage, mtw_page, GTK_TYPE_BOX,
				 G_ADD_PRIVATE(MtwPage)
					 G_IMPLEMENT_INTERFACE(GTK_TYPE_BUILDABLE, init_buildable))

enum {
	PROP_READY = 1
};
enum {
	SIGNAL_ANSWER,
	SIGNAL_LINE,
	N_SIGNALS
};

static guint signals[N_SIGNALS];

static MtwPagePrivate *private_of(MtwPage *page)
{
	return mtw_page_get_instance_private(page);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
	if (id == PROP_READY)
		g_value_set_boolean(value, private_of(MTW_PAGE(object))->ready);
	else
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
	if (id == PROP_READY)
		private_of(MTW_PAGE(object))->ready = g_value_get_boolean(value);
	else
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void mtw_page_class_init(MtwPageClass *class)
{
	GObjectClass *object_class = G_OBJECT_CLASS(class);

	object_class->get_property = get_property;
	object_class->set_property = set_property;
	g_object_class_install_property(
		object_class, PROP_READY,
		g_param_spec_boolean("ready", NULL, NULL, TRUE,
				     G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
	signals[SIGNAL_ANSWER] = g_signal_new("answer", MTW_TYPE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
					      NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
	signals[SIGNAL_LINE] = g_signal_new("line", MTW_TYPE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
					    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

/* A stack gives a page that says so more width than it has itself. So what a page has is in something that never does. */
static void mtw_page_init(MtwPage *page)
{
	GtkWidget *clamp = g_object_new(MTW_TYPE_CLAMP, NULL);
	GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING);

	private_of(page)->ready = TRUE;
	private_of(page)->content = content;
	gtk_orientable_set_orientation(GTK_ORIENTABLE(page), GTK_ORIENTATION_VERTICAL);
	gtk_box_set_spacing(GTK_BOX(page), SPACING);
	g_object_bind_property(page, "spacing", content, "spacing", G_BINDING_DEFAULT);
	gtk_widget_set_parent(content, clamp);
	gtk_box_append(GTK_BOX(page), clamp);
}

void mtw_page_append(MtwPage *page, GtkWidget *child)
{
	gtk_box_append(GTK_BOX(private_of(page)->content), child);
}

/* What stands in the page's .ui file. */
static void add_child(GtkBuildable *buildable, GtkBuilder *builder, GObject *child,
		      const char *type)
{
	if (GTK_IS_WIDGET(child))
		mtw_page_append(MTW_PAGE(buildable), GTK_WIDGET(child));
	else
		parent_buildable->add_child(buildable, builder, child, type);
}

static void init_buildable(GtkBuildableIface *interface)
{
	parent_buildable = g_type_interface_peek_parent(interface);
	interface->add_child = add_child;
}

void mtw_page_begin(MtwPage *page)
{
	MtwPageClass *class = MTW_PAGE_GET_CLASS(page);

	mtw_page_set_ready(page, TRUE);
	if (class->begin != NULL)
		class->begin(page);
}

gboolean mtw_page_show(MtwPage *page, const char *name, JsonObject *event)
{
	MtwPageClass *class = MTW_PAGE_GET_CLASS(page);

	return class->show != NULL && class->show(page, name, event);
}

gboolean mtw_page_ask(MtwPage *page, const MtwRequest *request)
{
	MtwPageClass *class = MTW_PAGE_GET_CLASS(page);

	return class->ask != NULL && class->ask(page, request);
}

char *mtw_page_answer(MtwPage *page)
{
	return MTW_PAGE_GET_CLASS(page)->answer(page);
}

void mtw_page_set_ready(MtwPage *page, gboolean ready)
{
	if (private_of(page)->ready != ready)
		g_object_set(page, "ready", ready, NULL);
}

gboolean mtw_page_is_ready(MtwPage *page)
{
	return private_of(page)->ready;
}

void mtw_page_send_answer(MtwPage *page, const char *answer)
{
	g_signal_emit(page, signals[SIGNAL_ANSWER], 0, answer);
}

void mtw_page_send_line(MtwPage *page, const char *line)
{
	g_signal_emit(page, signals[SIGNAL_LINE], 0, line);
}
