/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/window-private.h"

#include "gui/clamp.h"
#include "gui/text.h"
#include "gui/widgets.h"
#include "gui/words.h"

#include <glib/gi18n.h>

/* Below this the list of steps makes room for the page. */
#define NARROW_PIXELS 720

G_DEFINE_FINAL_TYPE(MtwWindow, mtw_window, GTK_TYPE_APPLICATION_WINDOW)

/* Packing and sending share a page. */
static const struct {
	const char *step;
	const char *page;
	const char *title;
	GType (*type)(void);
} pages[] = {
	{ "welcome", "welcome", N_("Welcome"), mtw_page_welcome_get_type },
	{ "device", "device", N_("Device"), mtw_page_device_get_type },
	{ "check", "check", N_("Checks"), mtw_page_check_get_type },
	{ "prepare", "prepare", N_("Preparation"), mtw_page_prepare_get_type },
	{ "capture", "capture", N_("Capture"), mtw_page_capture_get_type },
	{ "verdict", "verdict", N_("Verdict"), mtw_page_verdict_get_type },
	{ "describe", "describe", N_("Description"), mtw_page_describe_get_type },
	{ "review", "review", N_("Review"), mtw_page_review_get_type },
	{ "pack", "send", N_("Packing"), NULL },
	{ "send", "send", N_("Sending"), mtw_page_send_get_type },
	{ "done", "done", N_("Done"), mtw_page_done_get_type },
};

static gsize index_of(const char *id)
{
	for (gsize i = 0; i < G_N_ELEMENTS(pages); i++)
		if (g_str_equal(pages[i].step, id))
			return i;
	return 0;
}

MtwPage *mtw_window_page(MtwWindow *window, const char *id)
{
	return MTW_PAGE(gtk_stack_get_child_by_name(window->stack, pages[index_of(id)].page));
}

/* ---- messages -------------------------------------------------------------------------------- */

void mtw_window_add_row(MtwWindow *window, GtkWidget *row, const char *name)
{
	mtw_list_add(window->messages, row, name);
	gtk_widget_set_visible(GTK_WIDGET(window->messages), TRUE);
}

void mtw_window_add_message(MtwWindow *window, const char *level, const char *sentence,
			    const char *detail, const char *hint)
{
	g_autofree char *text = g_strdup_printf(
		"%s%s%s", detail, detail[0] != '\0' && hint[0] != '\0' ? "\n" : "", hint);

	mtw_window_add_row(window, mtw_row_new(mtw_level_icon(level), sentence, text), sentence);
}

static void clear_messages(MtwWindow *window)
{
	mtw_clear(GTK_WIDGET(window->messages));
	gtk_widget_set_visible(GTK_WIDGET(window->messages), FALSE);
	window->busy_told = FALSE;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* A screen reader hears the new title because the focus moves there or below it. */
static void set_heading(MtwWindow *window, const char *heading)
{
	g_autofree char *title = g_strdup_printf("%s – %s", heading, _("mmiotrace wizard"));

	gtk_label_set_text(window->heading, heading);
	gtk_window_set_title(GTK_WINDOW(window), title);
}

void mtw_window_present_step(MtwWindow *window)
{
	gsize index = index_of(window->step);
	g_autofree char *place = mtw_steps_place(window->steps, window->step);

	window->passing = NULL;
	set_heading(window, _(pages[index].title));
	if (pages[index].type != NULL)
		mtw_set_name(GTK_WIDGET(window->page), _(pages[index].title));
	mtw_steps_set(window->steps, window->step);
	gtk_label_set_text(window->place, place);
	gtk_stack_set_visible_child(window->stack, GTK_WIDGET(window->page));
}

/* Somebody has to read or to answer it. */
static gboolean waits_for_person(const MtwWindow *window)
{
	return window->request != NULL || window->editing || window->held || window->ended;
}

static gboolean is_passed(const MtwWindow *window)
{
	return window->passing != NULL && index_of(window->step) < index_of(window->passing);
}

void mtw_window_show_step(MtwWindow *window, const char *id)
{
	MtwPage *page = mtw_window_page(window, id);
	gboolean same = page == window->page && g_str_equal(id, "send");

	window->step = pages[index_of(id)].step;
	window->page = page;
	window->was_asked = window->was_read = window->held = FALSE;
	clear_messages(window);
	/* What was packed stays in sight. */
	if (!same)
		mtw_page_begin(page);
	if (!is_passed(window))
		mtw_window_present_step(window);
	mtw_window_update(window);
}

void mtw_window_show_stop(MtwWindow *window, const char *at)
{
	const char *heading = _("Not Finished");

	set_heading(window, heading);
	mtw_set_name(GTK_WIDGET(window->page), heading);
	mtw_steps_stop(window->steps, at, heading);
}

/* ---- the question ---------------------------------------------------------------------------- */

/* Whoever hears only what has the focus does not hear what is asked above it. */
static void describe_buttons(MtwWindow *window)
{
	const char *asked = window->request != NULL ? mtw_words_sentence(window->request) : "";

	mtw_set_description(GTK_WIDGET(window->next), asked);
	mtw_set_description(GTK_WIDGET(window->other), asked);
}

static void focus_question(MtwWindow *window)
{
	GtkWidget *button = GTK_WIDGET(window->next);

	if (window->request != NULL && !mtw_question_enter_goes_on(window->question))
		button = GTK_WIDGET(window->other);
	gtk_widget_grab_focus(button);
	if (!window->page_asks)
		mtw_question_focus(window->question);
	else if (MTW_PAGE_GET_CLASS(window->page)->focus != NULL)
		MTW_PAGE_GET_CLASS(window->page)->focus(window->page);
}

void mtw_window_show_question(MtwWindow *window)
{
	gboolean general = window->editing || (window->request != NULL && !window->page_asks);

	gtk_widget_set_visible(GTK_WIDGET(window->question), general);
	/* The editor takes all the room there is. */
	gtk_widget_set_visible(GTK_WIDGET(window->stack), !window->editing);
	mtw_window_update(window);
	describe_buttons(window);
	if (general || window->page_asks)
		focus_question(window);
}

/* ---- the buttons ----------------------------------------------------------------------------- */

/* What the two buttons say, and whether they can be pressed. */
typedef struct {
	const char *next;  /* (nullable): none */
	const char *other; /* (nullable): none */
	gboolean ready;
	gboolean enter; /* presses the main one */
	gboolean busy;
} Buttons;

static Buttons buttons_of_question(MtwWindow *window)
{
	const MtwWords *words = mtw_words_of(window->request);

	return (Buttons){
		.next = _(words->yes),
		.other = words->no != NULL ? _(words->no) : NULL,
		.ready = window->page_asks ? mtw_page_is_ready(window->page)
					   : mtw_question_is_ready(window->question),
		.enter = window->page_asks || mtw_question_enter_goes_on(window->question),
	};
}

static Buttons buttons_of_work(MtwWindow *window)
{
	if (window->capturing)
		return (Buttons){ .next = _("_Stop the Capture"), .ready = !window->stopping };
	if (g_str_equal(window->step, "send"))
		return (Buttons){ .other = window->stopping ? NULL : _("_Stop"), .busy = TRUE };
	return (Buttons){ .next = _("_Continue"), .busy = TRUE };
}

static const char *label_at_end(const MtwWindow *window)
{
	if (window->wrong)
		return window->session != NULL ? _("_Go On Without It") : _("_Choose a Device");
	return window->failed ? _("_Try Again") : _("_Finish");
}

static Buttons buttons_now(MtwWindow *window)
{
	if (window->ended)
		return (Buttons){ .next = label_at_end(window),
				  .ready = !window->working,
				  .enter = TRUE };
	if (window->held)
		return (Buttons){ .next = _("_Continue"), .ready = TRUE, .enter = TRUE };
	if (window->saving)
		return (Buttons){ .next = _("_Save"), .busy = TRUE };
	if (window->editing)
		return (Buttons){ .next = _("_Save"), .other = _("_Cancel"), .ready = TRUE };
	if (window->request != NULL)
		return buttons_of_question(window);
	return buttons_of_work(window);
}

gboolean mtw_window_can_go_back(MtwWindow *window)
{
	static const char *const steps[] = { "device",	 "check",  "prepare",
					     "describe", "review", NULL };

	return window->history->len > 0 && (!window->ended || window->failed) && !window->editing &&
	       (window->request != NULL || window->held || window->failed) &&
	       g_strv_contains(steps, window->step);
}

static void set_action(MtwWindow *window, const char *name, gboolean enabled)
{
	GAction *action = g_action_map_lookup_action(G_ACTION_MAP(window), name);

	g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

static void update_actions(MtwWindow *window, const Buttons *buttons)
{
	static const char *const of_work[] = { "fix", "next-boot", "delete-session", "take-back",
					       "drop-report" };
	gboolean checked = g_str_equal(window->step, "check") &&
			   (window->held || window->request != NULL || window->ended);

	set_action(window, "next", buttons->next != NULL && buttons->ready);
	set_action(window, "other", buttons->other != NULL);
	set_action(window, "back", mtw_window_can_go_back(window) && !window->working);
	set_action(window, "again", checked && !window->working);
	set_action(window, "restart", window->ended && !window->working);
	for (gsize i = 0; i < G_N_ELEMENTS(of_work); i++)
		set_action(window, of_work[i], !window->working);
}

/* Below a long text it may be out of sight what the button waits for. */
static const char *status_of(MtwWindow *window, const Buttons *buttons)
{
	if (buttons->busy || window->working > 0)
		return _("One moment, please");
	if (window->request != NULL && window->request->consent && !buttons->ready)
		return _("First look at all of it, and tick that you agree.");
	return "";
}

void mtw_window_update(MtwWindow *window)
{
	Buttons buttons = buttons_now(window);
	gboolean busy = buttons.busy || window->working > 0;

	if (window->passing != NULL && waits_for_person(window))
		mtw_window_present_step(window);
	gtk_widget_set_visible(GTK_WIDGET(window->next), buttons.next != NULL);
	gtk_widget_set_visible(GTK_WIDGET(window->other), buttons.other != NULL);
	if (buttons.next != NULL)
		mtw_button_set_text(window->next, buttons.next);
	if (buttons.other != NULL)
		mtw_button_set_text(window->other, buttons.other);
	update_actions(window, &buttons);
	gtk_widget_set_sensitive(GTK_WIDGET(window->question), !window->saving);
	if (buttons.enter)
		gtk_widget_add_css_class(GTK_WIDGET(window->next), "suggested-action");
	else
		gtk_widget_remove_css_class(GTK_WIDGET(window->next), "suggested-action");
	gtk_window_set_default_widget(GTK_WINDOW(window),
				      buttons.enter ? GTK_WIDGET(window->next) : NULL);
	gtk_spinner_set_spinning(window->spinner, busy);
	gtk_label_set_text(window->status, status_of(window, &buttons));
}

void mtw_window_set_working(MtwWindow *window, gboolean working)
{
	window->working = working ? window->working + 1 : window->working - 1;
	mtw_window_update(window);
}

/* ---- the widget ------------------------------------------------------------------------------ */

/* The surface tells its size; widgets may be changed only afterwards. */
static gboolean fit_sidebar(gpointer user_data)
{
	MtwWindow *window = user_data;
	int width = gtk_widget_get_width(GTK_WIDGET(window));

	gtk_widget_set_visible(window->sidebar, width == 0 || width >= NARROW_PIXELS);
	return G_SOURCE_REMOVE;
}

static void on_layout(MtwWindow *window)
{
	g_idle_add_full(G_PRIORITY_HIGH_IDLE, fit_sidebar, g_object_ref(window), g_object_unref);
}

static void on_realize(MtwWindow *window)
{
	GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));

	g_signal_connect_object(surface, "layout", G_CALLBACK(on_layout), window,
				G_CONNECT_SWAPPED);
}

static void on_answer(MtwWindow *window, const char *answer)
{
	if (window->request != NULL && window->page_asks)
		g_action_group_activate_action(G_ACTION_GROUP(window), "answer",
					       g_variant_new_string(answer));
}

static void on_line(MtwWindow *window, const char *line)
{
	if (window->bridge != NULL)
		mtw_bridge_line(window->bridge, line);
}

static void add_pages(MtwWindow *window)
{
	for (gsize i = 0; i < G_N_ELEMENTS(pages); i++) {
		GtkWidget *page;
		mtw_steps_add(window->steps, pages[i].step, _(pages[i].title));
		if (pages[i].type == NULL)
			continue;
		page = g_object_new(pages[i].type(), NULL);
		gtk_stack_add_named(window->stack, page, pages[i].page);
		mtw_set_name(page, _(pages[i].title));
		g_signal_connect_swapped(page, "notify::ready", G_CALLBACK(mtw_window_update),
					 window);
		g_signal_connect_object(page, "answer", G_CALLBACK(on_answer), window,
					G_CONNECT_SWAPPED);
		g_signal_connect_object(page, "line", G_CALLBACK(on_line), window,
					G_CONNECT_SWAPPED);
	}
}

static void dispose(GObject *object)
{
	MtwWindow *window = MTW_WINDOW(object);

	/* The thread may live a moment longer than the window: it ends by itself, without an answer. */
	if (window->bridge != NULL)
		mtw_bridge_close(window->bridge);
	g_clear_pointer(&window->bridge, mtw_bridge_unref);
	mtw_window_forget_task(window);
	if (window->kept_window != NULL)
		gtk_window_destroy(GTK_WINDOW(window->kept_window));
	g_clear_pointer(&window->kept, json_object_unref);
	g_clear_weak_pointer(&window->failed_work);
	g_clear_pointer(&window->trouble, json_object_unref);
	g_clear_pointer(&window->history, g_ptr_array_unref);
	g_clear_pointer(&window->details, mtw_details_free);
	G_OBJECT_CLASS(mtw_window_parent_class)->dispose(object);
}

#define BIND(name) gtk_widget_class_bind_template_child(widget_class, MtwWindow, name)

static void mtw_window_class_init(MtwWindowClass *class)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->dispose = dispose;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/window.ui");
	BIND(steps);
	BIND(sidebar);
	BIND(stack);
	BIND(place);
	BIND(heading);
	BIND(status);
	BIND(messages);
	BIND(question);
	BIND(next);
	BIND(other);
	BIND(back);
	BIND(menu);
	BIND(spinner);
}

static void free_answer(gpointer data)
{
	mtw_bridge_answer_free(data);
}

static void mtw_window_init(MtwWindow *window)
{
	g_type_ensure(MTW_TYPE_CLAMP);
	g_type_ensure(MTW_TYPE_STEPS);
	g_type_ensure(MTW_TYPE_QUESTION);
	gtk_widget_init_template(GTK_WIDGET(window));
	window->history = g_ptr_array_new_with_free_func(free_answer);
	window->step = pages[0].step;
	mtw_window_add_actions(window);
	add_pages(window);
	window->page = mtw_window_page(window, window->step);
	mtw_window_present_step(window);
	mtw_set_name(GTK_WIDGET(window->back), _("Back"));
	mtw_set_name(GTK_WIDGET(window->menu), _("Menu"));
	mtw_set_name(GTK_WIDGET(window->messages), _("Messages"));
	g_signal_connect_swapped(window->question, "notify::ready", G_CALLBACK(mtw_window_update),
				 window);
	g_signal_connect(window, "close-request", G_CALLBACK(mtw_window_on_close), NULL);
	g_signal_connect(window, "realize", G_CALLBACK(on_realize), NULL);
}

MtwWindow *mtw_window_new(GtkApplication *application, const MtwWalkSetup *setup)
{
	MtwWindow *window = g_object_new(MTW_TYPE_WINDOW, "application", application, NULL);

	window->setup = setup;
	window->details = mtw_details_new();
	return window;
}
