/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/question.h"

#include "gui/text.h"
#include "gui/widgets.h"
#include "gui/words.h"

#include <glib/gi18n.h>

#define SPACING 12
/* Of a list of choices: what does not fit is scrolled. */
#define ROW_HEIGHT 30
#define MAX_LIST_HEIGHT 210

struct _MtwQuestion {
	GtkBox parent;
	MtwRequestKind kind;
	gboolean enter_goes_on;
	GtkWidget *sentence;
	GtkWidget *detail;
	GtkWidget *form;   /* box of what is below */
	GtkWidget *entry;  /* (nullable) TEXT, SECRET */
	GtkWidget *text;   /* (nullable) STORY */
	GtkWidget *agreed; /* (nullable) consent */
	GPtrArray *radios; /* (nullable) CHOICE */
	GStrv choices;	   /* (nullable) */
};

G_DEFINE_FINAL_TYPE(MtwQuestion, mtw_question, GTK_TYPE_BOX)

enum {
	PROP_READY = 1
};

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
	if (id == PROP_READY)
		g_value_set_boolean(value, mtw_question_is_ready(MTW_QUESTION(object)));
	else
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void finalize(GObject *object)
{
	MtwQuestion *question = MTW_QUESTION(object);

	g_clear_pointer(&question->radios, g_ptr_array_unref);
	g_clear_pointer(&question->choices, g_strfreev);
	G_OBJECT_CLASS(mtw_question_parent_class)->finalize(object);
}

static void mtw_question_class_init(MtwQuestionClass *class)
{
	GObjectClass *object_class = G_OBJECT_CLASS(class);

	object_class->get_property = get_property;
	object_class->finalize = finalize;
	g_object_class_install_property(
		object_class, PROP_READY,
		g_param_spec_boolean("ready", NULL, NULL, TRUE,
				     G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void mtw_question_init(MtwQuestion *question)
{
	gtk_orientable_set_orientation(GTK_ORIENTABLE(question), GTK_ORIENTATION_VERTICAL);
	gtk_box_set_spacing(GTK_BOX(question), SPACING / 2);
	question->sentence = mtw_label_new("", "heading");
	question->detail = mtw_label_new("", "dim-label");
	question->form = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING / 2);
	gtk_widget_set_vexpand(question->form, TRUE);
	gtk_box_append(GTK_BOX(question), question->sentence);
	gtk_box_append(GTK_BOX(question), question->detail);
	gtk_box_append(GTK_BOX(question), question->form);
}

static void notify_ready(MtwQuestion *question)
{
	g_object_notify(G_OBJECT(question), "ready");
}

static void clear(MtwQuestion *question)
{
	mtw_release_focus(GTK_WIDGET(question));
	mtw_clear(question->form);
	question->entry = question->text = question->agreed = NULL;
	g_clear_pointer(&question->radios, g_ptr_array_unref);
	g_clear_pointer(&question->choices, g_strfreev);
}

/* Those of a profile are broken into lines for a terminal. */
static void set_labels(MtwQuestion *question, const char *sentence, const char *detail)
{
	g_autofree char *joined = mtw_gui_paragraphs(sentence);

	gtk_label_set_text(GTK_LABEL(question->sentence), joined);
	gtk_label_set_text(GTK_LABEL(question->detail), detail);
	gtk_widget_set_visible(question->detail, detail[0] != '\0');
}

/* ---- the forms ------------------------------------------------------------------------------- */

static void add_entry(MtwQuestion *question, const MtwRequest *request)
{
	question->entry = gtk_entry_new();
	gtk_entry_set_activates_default(GTK_ENTRY(question->entry), TRUE);
	if (request->proposal != NULL)
		gtk_editable_set_text(GTK_EDITABLE(question->entry), request->proposal);
	gtk_box_append(GTK_BOX(question->form), question->entry);
}

static void add_secret(MtwQuestion *question)
{
	question->entry = gtk_password_entry_new();
	gtk_password_entry_set_show_peek_icon(GTK_PASSWORD_ENTRY(question->entry), TRUE);
	g_object_set(question->entry, "activates-default", TRUE, NULL);
	g_signal_connect_swapped(question->entry, "changed", G_CALLBACK(notify_ready), question);
	gtk_box_append(GTK_BOX(question->form), question->entry);
}

static void add_text(MtwQuestion *question, const char *text)
{
	GtkWidget *scroller = gtk_scrolled_window_new();
	GtkTextView *view = GTK_TEXT_VIEW(gtk_text_view_new());

	question->text = GTK_WIDGET(view);
	gtk_text_view_set_wrap_mode(view, GTK_WRAP_WORD_CHAR);
	gtk_text_view_set_accepts_tab(view, FALSE);
	gtk_text_view_set_left_margin(view, SPACING / 2);
	gtk_text_view_set_right_margin(view, SPACING / 2);
	gtk_text_view_set_top_margin(view, SPACING / 2);
	gtk_text_view_set_bottom_margin(view, SPACING / 2);
	gtk_text_buffer_set_text(gtk_text_view_get_buffer(view), text, -1);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), question->text);
	gtk_scrolled_window_set_has_frame(GTK_SCROLLED_WINDOW(scroller), TRUE);
	gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scroller), 120);
	gtk_widget_set_vexpand(scroller, TRUE);
	gtk_box_append(GTK_BOX(question->form), scroller);
}

/* Of a radio button Enter would only choose it. */
static gboolean on_enter(GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
	(void)arguments;
	(void)user_data;
	return gtk_widget_activate_action(widget, "win.next", NULL);
}

static void add_enter(GtkWidget *widget)
{
	GtkEventController *controller = gtk_shortcut_controller_new();
	static const guint keys[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter };

	gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE);
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		gtk_shortcut_controller_add_shortcut(
			GTK_SHORTCUT_CONTROLLER(controller),
			gtk_shortcut_new(gtk_keyval_trigger_new(keys[i], 0),
					 gtk_callback_action_new(on_enter, NULL, NULL)));
	gtk_widget_add_controller(widget, controller);
}

static void add_radio(MtwQuestion *question, GtkWidget *box, const char *text, gboolean active)
{
	GtkWidget *radio = g_object_new(GTK_TYPE_CHECK_BUTTON, "accessible-role",
					GTK_ACCESSIBLE_ROLE_RADIO, NULL);
	GtkWidget *label = mtw_label_new(text, NULL);

	gtk_check_button_set_child(GTK_CHECK_BUTTON(radio), label);
	if (question->radios->len > 0)
		gtk_check_button_set_group(GTK_CHECK_BUTTON(radio), question->radios->pdata[0]);
	gtk_check_button_set_active(GTK_CHECK_BUTTON(radio), active);
	mtw_set_name(radio, text);
	add_enter(radio);
	g_signal_connect_swapped(radio, "toggled", G_CALLBACK(notify_ready), question);
	g_ptr_array_add(question->radios, radio);
	gtk_box_append(GTK_BOX(box), radio);
}

static GtkWidget *add_list(MtwQuestion *question, guint length)
{
	GtkWidget *scroller = gtk_scrolled_window_new();
	GtkWidget *box =
		g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_RADIO_GROUP,
			     "orientation", GTK_ORIENTATION_VERTICAL, "spacing", SPACING / 2, NULL);

	mtw_set_name(box, gtk_label_get_text(GTK_LABEL(question->sentence)));
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
				       GTK_POLICY_AUTOMATIC);
	gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scroller),
						   MIN((int)length * ROW_HEIGHT, MAX_LIST_HEIGHT));
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), box);
	gtk_box_append(GTK_BOX(question->form), scroller);
	return box;
}

static void add_choices(MtwQuestion *question, const MtwRequest *request)
{
	GtkWidget *box = add_list(question, g_strv_length((GStrv)request->choices));

	question->choices = g_strdupv((GStrv)request->choices);
	question->radios = g_ptr_array_new();
	for (guint i = 0; request->choices[i] != NULL; i++) {
		const char *label = request->labels != NULL ? request->labels[i] : "";
		const char *text =
			label[0] != '\0' ? mtw_gui_translate(label) : request->choices[i];
		add_radio(question, box, text,
			  g_strcmp0(request->choices[i], request->proposal) == 0);
	}
}

/* What cannot be taken back is ticked before the button for it can be pressed. */
static void add_consent(MtwQuestion *question)
{
	const char *text = _("I have looked at it, and _agree");
	g_autofree char *name = mtw_gui_without_mnemonic(text);
	GtkWidget *label = mtw_label_new("", NULL);

	question->agreed = gtk_check_button_new();
	gtk_label_set_text_with_mnemonic(GTK_LABEL(label), text);
	gtk_check_button_set_child(GTK_CHECK_BUTTON(question->agreed), label);
	mtw_set_name(question->agreed, name);
	g_signal_connect_swapped(question->agreed, "toggled", G_CALLBACK(notify_ready), question);
	gtk_box_append(GTK_BOX(question->form), question->agreed);
}

static void add_form(MtwQuestion *question, const MtwRequest *request)
{
	switch (request->kind) {
	case MTW_REQUEST_TEXT:
		add_entry(question, request);
		break;
	case MTW_REQUEST_SECRET:
		add_secret(question);
		break;
	case MTW_REQUEST_STORY:
		add_text(question, request->proposal != NULL ? request->proposal : "");
		break;
	case MTW_REQUEST_CHOICE:
		add_choices(question, request);
		break;
	default:
		if (request->consent)
			add_consent(question);
	}
}

/* A screen reader says the question with the field. */
static void name_fields(MtwQuestion *question)
{
	const char *sentence = gtk_label_get_text(GTK_LABEL(question->sentence));

	if (question->entry != NULL)
		mtw_set_name(question->entry, sentence);
	if (question->text != NULL)
		mtw_set_name(question->text, sentence);
}

void mtw_question_set(MtwQuestion *question, const MtwRequest *request)
{
	clear(question);
	if (request == NULL)
		return;
	question->kind = request->kind;
	question->enter_goes_on =
		request->kind != MTW_REQUEST_YES_NO || g_strcmp0(request->proposal, "yes") == 0;
	set_labels(question, mtw_words_sentence(request), request->detail);
	add_form(question, request);
	name_fields(question);
	notify_ready(question);
}

void mtw_question_set_text(MtwQuestion *question, const char *sentence, const char *text)
{
	clear(question);
	question->kind = MTW_REQUEST_STORY;
	question->enter_goes_on = TRUE;
	set_labels(question, sentence, "");
	add_text(question, text);
	gtk_text_view_set_monospace(GTK_TEXT_VIEW(question->text), TRUE);
	name_fields(question);
	notify_ready(question);
}

/* ---- the answer ------------------------------------------------------------------------------ */

static int chosen(MtwQuestion *question)
{
	for (guint i = 0; i < question->radios->len; i++)
		if (gtk_check_button_get_active(question->radios->pdata[i]))
			return (int)i;
	return -1;
}

gboolean mtw_question_is_ready(MtwQuestion *question)
{
	if (question->agreed != NULL)
		return gtk_check_button_get_active(GTK_CHECK_BUTTON(question->agreed));
	if (question->radios != NULL)
		return chosen(question) >= 0;
	if (question->kind == MTW_REQUEST_SECRET && question->entry != NULL)
		return gtk_editable_get_text(GTK_EDITABLE(question->entry))[0] != '\0';
	return TRUE;
}

static char *get_text(GtkTextView *view)
{
	GtkTextBuffer *buffer = gtk_text_view_get_buffer(view);
	GtkTextIter start, end;

	gtk_text_buffer_get_bounds(buffer, &start, &end);
	return gtk_text_buffer_get_text(buffer, &start, &end, TRUE);
}

/* A secret does not stay in the field. */
static char *take_entry(MtwQuestion *question)
{
	char *answer = g_strdup(gtk_editable_get_text(GTK_EDITABLE(question->entry)));

	if (question->kind == MTW_REQUEST_SECRET)
		gtk_editable_set_text(GTK_EDITABLE(question->entry), "");
	return answer;
}

char *mtw_question_answer(MtwQuestion *question)
{
	switch (question->kind) {
	case MTW_REQUEST_TEXT:
	case MTW_REQUEST_SECRET:
		return take_entry(question);
	case MTW_REQUEST_STORY:
		return get_text(GTK_TEXT_VIEW(question->text));
	case MTW_REQUEST_CHOICE:
		return g_strdup(question->choices[chosen(question)]);
	default:
		return g_strdup("yes");
	}
}

gboolean mtw_question_enter_goes_on(MtwQuestion *question)
{
	return question->enter_goes_on;
}

void mtw_question_focus(MtwQuestion *question)
{
	GtkWidget *widget = question->entry != NULL ? question->entry : question->text;

	if (widget == NULL)
		widget = question->agreed;
	if (widget == NULL && question->radios != NULL)
		widget = question->radios->pdata[MAX(chosen(question), 0)];
	if (widget != NULL)
		gtk_widget_grab_focus(widget);
}
