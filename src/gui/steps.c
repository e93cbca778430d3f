/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/steps.h"

#include "gui/widgets.h"

#include <glib/gi18n.h>

#define SPACING 6

typedef struct {
	char *id;
	char *title;
	GtkWidget *row, *icon, *label;
} Step;

struct _MtwSteps {
	GtkBox parent;
	GPtrArray *steps; /* (element-type Step) */
};

G_DEFINE_FINAL_TYPE(MtwSteps, mtw_steps, GTK_TYPE_BOX)

static void step_free(gpointer data)
{
	Step *step = data;

	g_free(step->id);
	g_free(step->title);
	g_free(step);
}

static void finalize(GObject *object)
{
	g_ptr_array_unref(MTW_STEPS(object)->steps);
	G_OBJECT_CLASS(mtw_steps_parent_class)->finalize(object);
}

static void mtw_steps_class_init(MtwStepsClass *class)
{
	G_OBJECT_CLASS(class)->finalize = finalize;
	gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_LIST);
}

static void mtw_steps_init(MtwSteps *steps)
{
	steps->steps = g_ptr_array_new_with_free_func(step_free);
	gtk_orientable_set_orientation(GTK_ORIENTABLE(steps), GTK_ORIENTATION_VERTICAL);
	gtk_widget_add_css_class(GTK_WIDGET(steps), "steps");
	mtw_set_name(GTK_WIDGET(steps), _("Steps"));
}

void mtw_steps_add(MtwSteps *steps, const char *id, const char *title)
{
	Step *step = g_new0(Step, 1);

	step->id = g_strdup(id);
	step->title = g_strdup(title);
	step->row = g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_LIST_ITEM,
				 "spacing", SPACING, NULL);
	step->icon = mtw_icon_new(NULL);
	step->label = gtk_label_new(title);
	gtk_label_set_xalign(GTK_LABEL(step->label), 0);
	gtk_label_set_ellipsize(GTK_LABEL(step->label), PANGO_ELLIPSIZE_END);
	gtk_widget_set_hexpand(step->label, TRUE);
	gtk_widget_add_css_class(step->row, "step");
	gtk_box_append(GTK_BOX(step->row), step->icon);
	gtk_box_append(GTK_BOX(step->row), step->label);
	gtk_box_append(GTK_BOX(steps), step->row);
	g_ptr_array_add(steps->steps, step);
}

static guint find(MtwSteps *steps, const char *id)
{
	for (guint i = 0; i < steps->steps->len; i++) {
		const Step *step = steps->steps->pdata[i];
		if (g_str_equal(step->id, id))
			return i;
	}
	return 0;
}

/* What is seen is said, too. */
static void set_step(const Step *step, const char *title, gboolean done, gboolean current)
{
	g_autofree char *name =
		g_strdup_printf(current ? _("%s, now") : (done ? _("%s, done") : "%s"), title);

	gtk_label_set_text(GTK_LABEL(step->label), title);
	gtk_image_set_from_icon_name(GTK_IMAGE(step->icon),
				     done ? "emblem-ok-symbolic"
					  : (current ? "go-next-symbolic" : NULL));
	if (current)
		gtk_widget_add_css_class(step->row, "current");
	else
		gtk_widget_remove_css_class(step->row, "current");
	if (done || current)
		gtk_widget_remove_css_class(step->label, "dim-label");
	else
		gtk_widget_add_css_class(step->label, "dim-label");
	mtw_set_name(step->row, name);
}

void mtw_steps_begin(MtwSteps *steps, const char *first)
{
	guint begin = find(steps, first);

	for (guint i = 0; i < steps->steps->len; i++) {
		const Step *step = steps->steps->pdata[i];
		gtk_widget_set_visible(step->row, i >= begin);
	}
}

void mtw_steps_set(MtwSteps *steps, const char *id)
{
	guint at = find(steps, id);

	for (guint i = 0; i < steps->steps->len; i++) {
		const Step *step = steps->steps->pdata[i];
		set_step(step, step->title, i < at, i == at);
	}
}

char *mtw_steps_place(MtwSteps *steps, const char *id)
{
	guint before = 0;

	while (!gtk_widget_get_visible(((const Step *)steps->steps->pdata[before])->row))
		before++;
	return g_strdup_printf(_("Step %u of %u"), find(steps, id) + 1 - before,
			       steps->steps->len - before);
}

void mtw_steps_stop(MtwSteps *steps, const char *at, const char *title)
{
	mtw_steps_set(steps, at);
	for (guint i = find(steps, at); i < steps->steps->len; i++) {
		const Step *step = steps->steps->pdata[i];
		gboolean last = i + 1 == steps->steps->len;
		set_step(step, last ? title : step->title, FALSE, last);
	}
}
