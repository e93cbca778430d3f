/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the person can do. */
#include "config.h"
#include "gui/page-welcome.h"
#include "gui/text.h"
#include "gui/window-private.h"

#include <glib/gi18n.h>

/* For the way back. What is agreed to when it is sent is asked anew each time, and a secret is not kept. */
static void remember(MtwWindow *window, const char *answer)
{
	static const char *const steps[] = { "welcome", "device",   "check",
					     "prepare", "describe", NULL };

	window->has_read = FALSE;
	if (g_strv_contains(steps, window->step) && window->request->kind != MTW_REQUEST_SECRET)
		g_ptr_array_add(window->history,
				mtw_bridge_answer_new(window->request->id, answer));
}

/* @answer: (transfer full) */
static void give_answer(MtwWindow *window, char *answer)
{
	remember(window, answer);
	window->request = NULL;
	window->page_asks = FALSE;
	mtw_page_ask(window->page, NULL);
	mtw_bridge_answer(window->bridge, answer);
	mtw_question_set(window->question, NULL);
	mtw_window_show_question(window);
}

/* ---- the editor ------------------------------------------------------------------------------ */

/* The bridge tells when it is saved. @text: (transfer full) (nullable): NULL: the file stays as it is */
static void end_edit(MtwWindow *window, char *text)
{
	window->saving = TRUE;
	mtw_bridge_answer(window->bridge, text);
	mtw_window_update(window);
}

/* ---- the buttons ----------------------------------------------------------------------------- */

static void resume(MtwWindow *window)
{
	window->held = FALSE;
	window->was_read = window->has_read = TRUE;
	mtw_bridge_resume(window->bridge);
	mtw_window_update(window);
}

static void stop(MtwWindow *window)
{
	window->stopping = TRUE;
	mtw_bridge_line(window->bridge, NULL);
	mtw_window_update(window);
}

static char *answer_of(MtwWindow *window)
{
	return window->page_asks ? mtw_page_answer(window->page)
				 : mtw_question_answer(window->question);
}

/* What an option asked for and is not there is not asked for again. */
static void try_again(MtwWindow *window)
{
	if (window->wrong)
		mtw_window_forget_task(window);
	mtw_window_restart(window, TRUE);
}

static void on_next(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	(void)parameter;
	if (window->ended && window->failed)
		try_again(window);
	else if (window->ended)
		gtk_window_close(GTK_WINDOW(window));
	else if (window->held)
		resume(window);
	else if (window->editing)
		end_edit(window, mtw_question_answer(window->question));
	else if (window->request != NULL)
		give_answer(window, answer_of(window));
	else if (window->capturing)
		stop(window);
}

/* The answer of the other button: no, or nothing. */
static char *other_answer(MtwWindow *window)
{
	const MtwPageClass *class = MTW_PAGE_GET_CLASS(window->page);

	if (window->page_asks && class->other != NULL)
		return class->other(window->page);
	return g_strdup(window->request->kind == MTW_REQUEST_YES_NO ? "no" : "");
}

static void on_other(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	(void)parameter;
	if (window->editing) {
		end_edit(window, NULL);
	} else if (window->request != NULL) {
		give_answer(window, other_answer(window));
	} else if (window->walk != NULL) {
		window->stopping = TRUE;
		mtw_walk_interrupt(window->walk);
		mtw_window_update(window);
	}
}

static void on_answer(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	if (window->request != NULL)
		give_answer(window, g_variant_dup_string(parameter, NULL));
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* Returns: TRUE when there is more to forget: the page answers the question for the link by itself. */
static gboolean forget_last(MtwWindow *window)
{
	guint last = window->history->len - 1;
	const MtwBridgeAnswer *answer = window->history->pdata[last];
	gboolean is_link = g_str_equal(answer->id, "link");

	/* Another device may be traced now. */
	if (g_str_equal(answer->id, "device") || g_str_equal(answer->id, "welcome"))
		window->next_boot = FALSE;
	g_ptr_array_set_size(window->history, (gint)last);
	return is_link && last > 0;
}

/*
 * The wizard only goes forward: it begins again, with the same answers up to the question before, or with all of them up to
 * what was read since.
 */
static void on_back(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	(void)parameter;
	while (!window->has_read && forget_last(window))
		;
	mtw_window_restart(window, TRUE);
}

/* Back where there is a way, else the other button. */
static void on_escape(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	(void)parameter;
	if (mtw_window_can_go_back(window))
		g_action_group_activate_action(G_ACTION_GROUP(window), "back", NULL);
	else if (window->request != NULL || window->editing)
		g_action_group_activate_action(G_ACTION_GROUP(window), "other", NULL);
}

static void on_again(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	(void)action;
	(void)parameter;
	mtw_window_restart(user_data, TRUE);
}

static void on_restart(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	(void)parameter;
	mtw_window_forget_task(window);
	mtw_page_welcome_forget_link(mtw_window_page(window, "welcome"));
	mtw_window_restart(window, FALSE);
}

/* The same device once more, from the beginning: its last trace was worth nothing. */
static void on_try_again(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	mtw_window_forget_task(window);
	window->device = g_variant_dup_string(parameter, NULL);
	mtw_window_restart(window, FALSE);
}

static void on_details(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	(void)parameter;
	mtw_details_show(window->details, GTK_WINDOW(window));
}

static void on_about(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	(void)action;
	(void)parameter;
	gtk_show_about_dialog(GTK_WINDOW(user_data), "program-name", _("mmiotrace wizard"),
			      "logo-icon-name", "org.mmiotrace.Wizard", "version", MTW_VERSION,
			      "comments",
			      _("Makes an mmiotrace of a PCI device for driver developers"),
			      "license-type", GTK_LICENSE_GPL_2_0, NULL);
}

void mtw_window_add_actions(MtwWindow *window)
{
	static const GActionEntry entries[] = {
		{ .name = "next", .activate = on_next },
		{ .name = "other", .activate = on_other },
		{ .name = "answer", .activate = on_answer, .parameter_type = "s" },
		{ .name = "back", .activate = on_back },
		{ .name = "escape", .activate = on_escape },
		{ .name = "again", .activate = on_again },
		{ .name = "restart", .activate = on_restart },
		{ .name = "try-again", .activate = on_try_again, .parameter_type = "s" },
		{ .name = "details", .activate = on_details },
		{ .name = "about", .activate = on_about },
	};

	g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries),
					window);
	mtw_window_add_kept_actions(window);
	mtw_window_add_fix_actions(window);
}
