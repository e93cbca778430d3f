/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/checklist.h"

#include "base/json.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

#define SPACING 12

typedef enum {
	STATE_OPEN,
	STATE_NOW,
	STATE_DONE,
	STATE_LEFT_OUT,
	N_STATES
} State;

typedef struct {
	int index;
	char *say;
	char *told; /* (nullable): of its command */
	gboolean optional, waits;
	State state;
	GtkWidget *row, *icon, *note;
	GtkWidget *buttons, *done, *leave_out, *now; /* the first has the next two */
} Step;

struct _MtwChecklist {
	GtkBox parent;
	GtkWidget *title;
	GtkWidget *rows;
	GPtrArray *steps; /* (element-type Step) */
	gboolean said;	  /* a button was pressed: what comes of it is waited for */
};

G_DEFINE_FINAL_TYPE(MtwChecklist, mtw_checklist, GTK_TYPE_BOX)

static guint line_signal;

static void step_free(gpointer data)
{
	Step *step = data;

	g_free(step->say);
	g_free(step->told);
	g_free(step);
}

static void finalize(GObject *object)
{
	g_ptr_array_unref(MTW_CHECKLIST(object)->steps);
	G_OBJECT_CLASS(mtw_checklist_parent_class)->finalize(object);
}

static void mtw_checklist_class_init(MtwChecklistClass *class)
{
	G_OBJECT_CLASS(class)->finalize = finalize;
	line_signal = g_signal_new("line", MTW_TYPE_CHECKLIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
				   NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void mtw_checklist_init(MtwChecklist *checklist)
{
	GtkListBox *rows = GTK_LIST_BOX(gtk_list_box_new());

	gtk_orientable_set_orientation(GTK_ORIENTABLE(checklist), GTK_ORIENTATION_VERTICAL);
	gtk_box_set_spacing(GTK_BOX(checklist), SPACING / 2);
	checklist->steps = g_ptr_array_new_with_free_func(step_free);
	checklist->title = mtw_label_new("", "heading");
	checklist->rows = GTK_WIDGET(rows);
	gtk_list_box_set_selection_mode(rows, GTK_SELECTION_NONE);
	gtk_widget_add_css_class(checklist->rows, "boxed");
	gtk_widget_add_css_class(checklist->rows, "checklist");
	mtw_set_name(checklist->rows, _("What to do"));
	gtk_box_append(GTK_BOX(checklist), checklist->title);
	gtk_box_append(GTK_BOX(checklist), checklist->rows);
}

/* ---- what is seen ---------------------------------------------------------------------------- */

static const struct {
	const char *class; /* (nullable) */
	const char *icon;  /* (nullable) */
	const char *word;  /* msgid of the context "step" (nullable) */
} looks[N_STATES] = {
	[STATE_OPEN] = { NULL, NULL, NULL },
	[STATE_NOW] = { "now", "go-next-symbolic", NC_("step", "now") },
	[STATE_DONE] = { "done", "emblem-ok-symbolic", NC_("step", "done") },
	[STATE_LEFT_OUT] = { "left-out", "list-remove-symbolic", NC_("step", "left out") },
};

static gboolean is_over(const Step *step)
{
	return step->state == STATE_DONE || step->state == STATE_LEFT_OUT;
}

static void append(GString *text, const char *word)
{
	if (word != NULL)
		g_string_append_printf(text, "%s%s", text->len > 0 ? " · " : "", word);
}

/* "now · optional" */
static char *note_of(const Step *step)
{
	const char *word = looks[step->state].word;
	g_autoptr(GString) text = g_string_new(NULL);

	append(text, word != NULL ? g_dpgettext2(NULL, "step", word) : NULL);
	append(text, step->optional && !is_over(step) ? _("optional") : NULL);
	append(text, !step->waits && !is_over(step) ? _("goes on by itself") : NULL);
	append(text, step->told);
	return g_strdup(text->str);
}

static void set_class(GtkWidget *widget, const char *class)
{
	for (gsize i = 0; i < N_STATES; i++)
		if (looks[i].class != NULL)
			gtk_widget_remove_css_class(widget, looks[i].class);
	if (class != NULL)
		gtk_widget_add_css_class(widget, class);
}

/* The wizard takes orders while a step waits for the person. */
static gboolean takes_orders(MtwChecklist *checklist)
{
	for (guint i = 0; i < checklist->steps->len; i++) {
		const Step *step = checklist->steps->pdata[i];
		if (step->state == STATE_NOW && step->waits)
			return !checklist->said;
	}
	return FALSE;
}

static void update_step(const Step *step, gboolean orders)
{
	g_autofree char *note = note_of(step);
	g_autofree char *name =
		g_strdup_printf("%s%s%s", step->say, note[0] != '\0' ? ", " : "", note);
	gboolean now = step->state == STATE_NOW && step->waits;

	set_class(step->row, looks[step->state].class);
	gtk_image_set_from_icon_name(GTK_IMAGE(step->icon), looks[step->state].icon);
	gtk_label_set_text(GTK_LABEL(step->note), note);
	gtk_widget_set_visible(step->note, note[0] != '\0');
	mtw_set_name(step->row, name);
	gtk_widget_set_visible(step->done, now);
	gtk_widget_set_visible(step->leave_out, now);
	gtk_widget_set_visible(step->now, step->state == STATE_OPEN);
	gtk_widget_set_visible(step->buttons, now);
	gtk_widget_set_sensitive(step->buttons, orders);
	gtk_widget_set_sensitive(step->now, orders);
}

static void update(MtwChecklist *checklist)
{
	gboolean orders = takes_orders(checklist);
	guint over = 0;
	g_autofree char *title = NULL;

	for (guint i = 0; i < checklist->steps->len; i++) {
		update_step(checklist->steps->pdata[i], orders);
		over += is_over(checklist->steps->pdata[i]) ? 1 : 0;
	}
	title = over < checklist->steps->len
			? g_strdup_printf(_("What to do: %u of %u done"), over,
					  checklist->steps->len)
			: g_strdup(_("All steps are done: stop the capture when you like"));
	gtk_label_set_text(GTK_LABEL(checklist->title), title);
	gtk_widget_set_visible(GTK_WIDGET(checklist), checklist->steps->len > 0);
}

/* ---- the buttons ----------------------------------------------------------------------------- */

/* Pressed twice it would mean the next step, too. */
static void on_clicked(GtkWidget *button, gpointer user_data)
{
	MtwChecklist *checklist = user_data;
	g_autofree char *line = g_strdup(g_object_get_data(G_OBJECT(button), "line"));

	checklist->said = TRUE;
	mtw_release_focus(checklist->rows);
	update(checklist);
	g_signal_emit(checklist, line_signal, 0, line);
}

static GtkWidget *add_button(MtwChecklist *checklist, GtkWidget *box, const char *text,
			     const char *name, const char *line)
{
	GtkWidget *button = mtw_button_new_named(text, name);

	g_object_set_data_full(G_OBJECT(button), "line", g_strdup(line), g_free);
	g_signal_connect_object(button, "clicked", G_CALLBACK(on_clicked), checklist, 0);
	gtk_box_append(GTK_BOX(box), button);
	return button;
}

/* Those of the step that is done now stand below it, the one to do it now beside it. */
static void add_buttons(MtwChecklist *checklist, Step *step, GtkWidget *line, GtkWidget *column)
{
	g_autofree char *number = g_strdup_printf("%d", step->index);
	g_autofree char *done = g_strdup_printf(_("Done: %s"), step->say);
	g_autofree char *leave_out = g_strdup_printf(_("Leave out: %s"), step->say);
	g_autofree char *now = g_strdup_printf(_("Do now: %s"), step->say);

	step->buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING / 2);
	step->done = add_button(checklist, step->buttons, _("It Is _Done"), done, "n");
	step->leave_out =
		add_button(checklist, step->buttons, C_("step", "_Leave It Out"), leave_out, "s");
	step->now = add_button(checklist, line, _("Do It Now"), now, number);
	gtk_widget_add_css_class(step->done, "suggested-action");
	gtk_widget_set_valign(step->now, GTK_ALIGN_CENTER);
	gtk_box_append(GTK_BOX(column), step->buttons);
}

/* ---- the steps ------------------------------------------------------------------------------- */

static Step *add_step(MtwChecklist *checklist, JsonObject *about)
{
	Step *step = g_new0(Step, 1);
	GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
	GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING / 2);

	step->index = (int)mtw_json_int(about, "index", 0);
	step->say = mtw_gui_paragraphs(mtw_json_string(about, "say", ""));
	step->optional = mtw_json_bool(about, "optional", FALSE);
	step->waits = mtw_json_bool(about, "waits_for_user", FALSE);
	step->icon = mtw_icon_new(NULL);
	gtk_widget_set_valign(step->icon, GTK_ALIGN_START);
	step->note = mtw_label_new("", "dim-label");
	gtk_widget_set_hexpand(column, TRUE);
	gtk_widget_set_valign(column, GTK_ALIGN_CENTER);
	gtk_box_append(GTK_BOX(column), mtw_label_new(step->say, "say"));
	gtk_box_append(GTK_BOX(column), step->note);
	gtk_box_append(GTK_BOX(line), step->icon);
	gtk_box_append(GTK_BOX(line), column);
	add_buttons(checklist, step, line, column);
	mtw_list_add(GTK_LIST_BOX(checklist->rows), line, step->say);
	step->row = gtk_widget_get_parent(line);
	g_ptr_array_add(checklist->steps, step);
	return step;
}

void mtw_checklist_fill(MtwChecklist *checklist, JsonArray *steps)
{
	guint length = steps != NULL ? json_array_get_length(steps) : 0;

	mtw_release_focus(checklist->rows);
	mtw_clear(checklist->rows);
	g_ptr_array_set_size(checklist->steps, 0);
	checklist->said = FALSE;
	for (guint i = 0; i < length; i++)
		add_step(checklist, mtw_json_object_at(steps, i));
	update(checklist);
}

static Step *find(MtwChecklist *checklist, JsonObject *event)
{
	for (guint i = 0; i < checklist->steps->len; i++) {
		Step *step = checklist->steps->pdata[i];
		if (step->index == mtw_json_int(event, "index", 0))
			return step;
	}
	return NULL;
}

/* Whoever is writing would press the button with a space. */
static gboolean may_take_focus(MtwChecklist *checklist)
{
	GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(checklist));

	return root == NULL || !GTK_IS_EDITABLE(gtk_root_get_focus(root));
}

/* The one before stays open when another is done first. */
gboolean mtw_checklist_begin(MtwChecklist *checklist, JsonObject *event)
{
	Step *step = find(checklist, event);

	if (step == NULL)
		step = add_step(checklist, event);
	for (guint i = 0; i < checklist->steps->len; i++) {
		Step *other = checklist->steps->pdata[i];
		if (other->state == STATE_NOW)
			other->state = STATE_OPEN;
	}
	step->state = STATE_NOW;
	step->waits = mtw_json_bool(event, "waits_for_user", FALSE);
	checklist->said = FALSE;
	update(checklist);
	if (step->waits && may_take_focus(checklist))
		gtk_widget_grab_focus(step->done);
	return step->waits;
}

void mtw_checklist_tell(MtwChecklist *checklist, const char *text)
{
	for (guint i = 0; i < checklist->steps->len; i++) {
		Step *step = checklist->steps->pdata[i];
		if (step->state != STATE_NOW)
			continue;
		g_free(step->told);
		step->told = g_strdup(text);
	}
	update(checklist);
}

void mtw_checklist_end(MtwChecklist *checklist, JsonObject *event)
{
	Step *step = find(checklist, event);
	gboolean done = g_str_equal(mtw_json_string(event, "result", ""), "done");

	if (step == NULL)
		return;
	mtw_release_focus(step->row);
	step->state = done ? STATE_DONE : STATE_LEFT_OUT;
	checklist->said = FALSE;
	update(checklist);
}
